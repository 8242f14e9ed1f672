"""The trump phase: the declarer names one of four suits (K17); a bid at no trump has named them already (Q17)."""

import numpy as np

from laffa.cards import TRUMP
from laffa.jit import kernel
from laffa.state import PLAYING

_SUITS = np.uint64(0b1111 << (TRUMP - 64))
ZERO = np.uint64(0)


@kernel
def legal():
    """The four suits, as a set of actions."""
    return ZERO, _SUITS, ZERO


@kernel
def apply(p, action):
    """Name trumps; the declarer leads the first trick (K20)."""
    begin_play(p, action - TRUMP)


@kernel
def begin_play(p, trump):
    """The declarer leads the first trick under trumps 0-3, or 4 for none (K20)."""
    p.trump = trump
    p.phase = PLAYING
    p.turn = p.declarer
    p.leader = p.declarer
    p.first_leader = p.declarer
