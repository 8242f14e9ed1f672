"""The trump phase: the declarer names trumps (K17, T15), unless the winning bid has named them already (Q17)."""

from laffa import auction
from laffa.jit import kernel


@kernel
def legal(r, p):
    """The suits that may be named, and no trump at a contract high enough for it (T-fg, Q9)."""
    return auction.suits_to_name(r, p, p.level >= r.nt_first and auction.no_trump_allowed(r, p))
