"""What the numbers of a view mean: one list of named pieces, everything else derived from it.

`OBSERVATION` lists the pieces of the flat view in order. The offsets that the kernels write at, the
table in the docs, what networks take in and the tests that decode it all come from this list. Seats are relative to
the observer: me, next, partner, previous. `HIDDEN` lists what `state()` adds for centralised critics.
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laffa.cards import ACTIONS, LEVELS
from laffa.melds import FOURS
from laffa.packed import MORE_FLAGS, MORE_NUMBERS, VIEW_FLAGS, VIEW_NUMBERS
from laffa.rules import Rules
from laffa.state import HISTORY, PHASES


class Piece(NamedTuple):
    """One named piece of a view: `size` int8 values from `offset` on."""

    name: str
    offset: int
    size: int
    scale: int
    """Values divided by this are of order one; networks do so."""
    meaning: str


def _lay_out(start: int, pieces: list[tuple[str, int, int, str]]) -> tuple[Piece, ...]:
    """Give each (name, size, scale, meaning) its offset."""
    laid = []
    for name, size, scale, meaning in pieces:
        laid.append(Piece(name, start, size, scale, meaning))
        start += size
    return tuple(laid)


_SEATS = "me, next, partner, previous"
_TOPS = (7, 6, 5)
"""How many top ranks a tierce, a quart, a quint can have."""
FIRST_PLACE = (-6, 0, 5)
"""What leads from a top rank to its place among the melds, by kind of run."""
RUN_PLACES = sum(_TOPS)
MELD_PLACES = RUN_PLACES + len(FOURS)
_MELD_NAMES = "tierces with top card 8 to A, quarts 9 to A, quints T to A, fours J 9 A T K Q"
OBSERVATION = _lay_out(
    0,
    [
        ("hand", 52, 1, "copies of each card that I hold; card = 13 x suit + rank, suits S H D C, ranks 2 to A"),
        ("played", 208, 1, f"copies of each card played this hand, 52 for each of {_SEATS}"),
        ("table", 68, 1, f"card on the table of {_SEATS}: suit as 4 flags, rank as 13 flags"),
        ("winning", 4, 1, f"who is winning the trick on the table: {_SEATS}"),
        ("leader", 4, 1, f"who led or is to lead this trick: {_SEATS}"),
        ("trump", 5, 1, "trumps, once named: S H D C, no trump"),
        ("phase", 6, 1, "phase: " + ", ".join(PHASES[:6])),
        ("dealer", 4, 1, f"the dealer: {_SEATS}"),
        ("declarer", 4, 1, f"standing bidder, then the declarer; where nobody bids, who names trumps: {_SEATS}"),
        ("bid", LEVELS, 1, "one flag for each level of the bid ladder up to the standing bid, then the contract"),
        ("bid_nt", 1, 1, "whether that bid is at no trump"),
        ("seat_nt", 4, 1, f"highest bid was at no trump: {_SEATS}"),
        ("seat_bid", 4, 13, f"level + 1 of the highest bid of {_SEATS}; 0 without"),
        ("passed", 4, 1, f"last call was a pass: {_SEATS}"),
        ("passes", 1, 3, "passes in a row"),
        ("voids", 16, 1, f"suits S H D C that {_SEATS} have shown to be void in"),
        ("tricks", 2, 13, "tricks taken by my side, by the other side"),
        ("needed", 2, 13, "tricks still needed to make the contract, to defeat it; 0 once done, before there is a contract, and where points decide"),
        ("points", 2, 60, "card points taken by my side, by the other side, up to 127; 0 where cards have none"),
        (
            "points_needed",
            2,
            60,
            "card points, melds and Bella apart, still needed to make the contract, to defeat it, up to 127; 0 as above and where tricks decide",
        ),
        ("to_go", 2, 31, "points my side and the other still need for the target, exact up to 127"),
        ("to_go_coarse", 2, 16, "the same divided by 8, rounded down"),
        ("hands_left", 1, 50, "counted hands left before the cap; 127 means that many or more, or no cap"),
        ("passed_deals", 1, 8, "passed-out deals in a row"),
        ("last_trick", 8, 13, f"card of {_SEATS} in the last complete trick: suit + 1, rank + 1; 0 before one"),
        ("last_leader", 4, 1, f"who led the last complete trick: {_SEATS}"),
        ("when", 52, 13, "number of the trick, from 1, in which a copy of the card was last played; 0 if it was not"),
        ("rules", len(VIEW_FLAGS), 1, "the rules as flags: " + ", ".join(VIEW_FLAGS)),
        ("rule_numbers", len(VIEW_NUMBERS), 16, f"the rules in numbers, up to 127; -1 means off: {', '.join(VIEW_NUMBERS)}"),
        ("bid_suit", 4, 1, "the suit that it names: S H D C"),
        ("lap", 1, 1, "whether this is a second auction over the same cards"),
        ("bella", 4, 1, f"who has announced king and queen of trumps: {_SEATS}"),
        ("said_melds", 4, 1, f"has been asked for melds: {_SEATS}"),
        ("melds", 4 * MELD_PLACES, 1, f"announced melds, {MELD_PLACES} for each of {_SEATS}: {_MELD_NAMES}"),
        ("open_cards", 52, 1, "1 for the card turned up before the auction, 2 for each of a packet that was shown"),
        ("declared", 1, 1, "whether I have announced my melds, also where it is not public yet"),
        (
            "ceiling",
            4,
            13,
            f"{_SEATS} have shown to hold no trump stronger than the one of this strength, from the weakest; 13 without, 0 where none are forced",
        ),
        ("games", 2, 1, "games won by my side, by the other side, where a match is the best of several"),
        ("signal", 2, 1, "signal of the leader of the trick on the table: knock, snap"),
        ("signals", 32, 1, f"last signal after leading a suit, 8 for each of {_SEATS}: knocked S H D C, snapped S H D C"),
        ("holder", 2, 1, "whether my side, the other side won last, where a match takes two wins in a row"),
        ("mark", 1, 18, "the tricks of that win"),
        ("more_rules", len(MORE_FLAGS), 1, "the rules of other families as flags: " + ", ".join(MORE_FLAGS)),
        ("more_numbers", len(MORE_NUMBERS), 16, f"the same in numbers: {', '.join(MORE_NUMBERS)}"),
    ],
)
SIZE = sum(piece.size for piece in OBSERVATION)
HIDDEN = _lay_out(
    SIZE,
    [
        ("hands", 156, 1, "copies of each card held by next, partner, previous, 52 each"),
        ("turn", 4, 1, f"who is to act: {_SEATS}"),
        ("declared_by", 3, 1, "whether next, partner, previous have announced melds, also where it is not public yet"),
    ],
)
STATE_SIZE = SIZE + sum(piece.size for piece in HIDDEN)
TARNEEB_END = next(piece.offset for piece in OBSERVATION if piece.name == "bid_suit")
"""Everything from here to the end of an observation is 0 in games of Tarneeb."""


def fingerprint() -> str:
    """Twelve hex digits over both layouts and the action space: equal digits, same meaning of every number."""
    text = repr([(p.name, p.offset, p.size, p.scale, p.meaning) for p in OBSERVATION + HIDDEN]) + f" {ACTIONS} {HISTORY}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def scales(state: bool = False) -> NDArray[np.float32]:
    """The divisor of every value of the observation [D], or of the state view."""
    pieces = OBSERVATION + HIDDEN if state else OBSERVATION
    return np.concatenate([np.full(piece.size, piece.scale, np.float32) for piece in pieces])


_RULE_PIECES = {"rules", "rule_numbers", "more_rules", "more_numbers"}
_LATER_PIECES = {piece.name for piece in OBSERVATION if piece.offset >= TARNEEB_END} | {"declared_by"}
_TURUB_PIECES = {"signal", "signals", "holder", "mark"}
_AUCTION_PIECES = {"bid", "bid_nt", "seat_nt", "seat_bid", "passed", "passes", "passed_deals"}
_TARGET_PIECES = {"needed", "to_go", "to_go_coarse"}


def informative(games: Iterable[Rules], state: bool = False) -> list[str]:
    """Names of the pieces of the observation, or of the state view, that can differ between positions of these games.

    The rules of a single game cannot, and some pieces stay 0 under some rules. Networks leave such pieces out.
    """
    games = list(games)
    left_out = set.intersection(*map(_silent, games)) | (_RULE_PIECES if len(games) == 1 else set())
    return [piece.name for piece in (OBSERVATION + HIDDEN if state else OBSERVATION) if piece.name not in left_out]


def _silent(rules: Rules) -> set[str]:
    """The pieces that are the same in every position under these rules: 0, or 127 for a cap that there is not."""
    silent = {"points", "points_needed"} if rules.in_tricks else {"needed"}
    if rules.game == "tarneeb":
        return silent | _LATER_PIECES | (set() if rules.nt_bids else {"bid_nt", "seat_nt"})
    if rules.game == "turub":
        signals = set() if rules.signals != "off" else {"signal", "signals"}
        return silent | _AUCTION_PIECES | _TARGET_PIECES | signals | _LATER_PIECES - _TURUB_PIECES - _RULE_PIECES
    return silent | _TURUB_PIECES | _silent_in_tarabish(rules)


def _silent_in_tarabish(rules: Rules) -> set[str]:
    suited, takes = rules.bid_form == "number+suit", rules.judge == "outscore"
    told = {
        "bid_nt": suited or takes,
        "seat_nt": suited or takes,
        "bid_suit": suited or takes,
        "lap": rules.second_round,
        "open_cards": rules.upcard or rules.reveal_packet,
        "games": rules.best_of > 1,
        "hands_left": False,
    }
    return {name for name, tells in told.items() if not tells}


def spans(names: Iterable[str]) -> list[slice]:
    """Where pieces stand in a view, neighbours together. Raises KeyError for an unknown name."""
    by_name = {piece.name: piece for piece in OBSERVATION + HIDDEN}
    found: list[slice] = []
    for piece in sorted((by_name[name] for name in names), key=lambda piece: piece.offset):
        start = found.pop().start if found and found[-1].stop == piece.offset else piece.offset
        found.append(slice(start, piece.offset + piece.size))
    return found
