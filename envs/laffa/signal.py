"""The signal phase: after every lead the leader may tell his partner that the suit is strong or weak (A13, A-j, Q15)."""

import numpy as np

from laffa.cards import ACE, KING, KNOCK, SILENT, SNAP
from laffa.jit import kernel
from laffa.play import suit_of
from laffa.state import KNOCKED, PLAYING, SIGNALLING, SNAPPED

TRUTHFUL = 2
"""Value of `signals` in packed rules."""
ACE_OR_KING = np.uint64(1 << ACE | 1 << KING)
ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def ask(p, seat):
    """The leader decides before anybody else plays."""
    p.phase = SIGNALLING
    p.turn = seat


@kernel
def legal(r, p, held):
    """Silence, a knock, a snap; where signals are true, a knock with the ace or the king of the suit led still in hand, else a snap."""
    knock, snap = ONE << np.uint64(KNOCK - 64), ONE << np.uint64(SNAP - 64)
    said = ONE << np.uint64(SILENT - 64)
    if r.signals != TRUTHFUL:
        return ZERO, said | knock | snap, ZERO
    strong = suit_of(held, p.table[0] // 13) & ACE_OR_KING != ZERO
    return ZERO, said | (knock if strong else snap), ZERO


@kernel
def apply(p, seat, action):
    """Make a signal public, and let the next seat play."""
    p.signal = KNOCKED if action == KNOCK else (SNAPPED if action == SNAP else 0)
    p.signals[seat, p.table[0] // 13] = p.signal
    p.phase = PLAYING
    p.turn = (seat + 1) & 3
