"""The trump phase: the declarer names one of four suits (K17)."""

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
    p.trump = action - TRUMP
    p.phase = PLAYING
    p.turn = p.declarer
    p.leader = p.declarer
    p.first_leader = p.declarer
