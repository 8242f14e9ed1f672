"""The bid phase: passes and bids of a rising ladder (K10-K16).

A set of legal actions is three 64-bit words, bit `a % 64` of word `a // 64` for action `a`.
"""

import numpy as np

from laffa.cards import BID, PASS
from laffa.jit import kernel
from laffa.state import BIDDING, NOBODY, TRUMPING

ONE, ZERO = np.uint64(1), np.uint64(0)
_PASS = np.uint64(1 << PASS)

CLOSED, PASSED_OUT, GOES_ON = 1, 2, 0


@kernel
def begin(r, p):
    """Open the auction; the seat after the dealer calls first (K10)."""
    p.phase = BIDDING
    p.turn = (p.dealer + 1) & 3
    p.level = NOBODY
    p.declarer = NOBODY
    p.passes = 0
    for seat in range(4):
        p.passed[seat] = 0
        p.seat_level[seat] = NOBODY


@kernel
def legal(r, p):
    """Pass, and every level above the standing one (K11-K14)."""
    w0, w1 = _PASS, ZERO
    for level in range(max(p.level + 1, r.bid_min - 1), r.bid_max):
        action = BID + level
        if action < 64:
            w0 |= ONE << np.uint64(action)
        else:
            w1 |= ONE << np.uint64(action - 64)
    return w0, w1, ZERO


@kernel
def apply(r, p, action):
    """Make a call. Returns CLOSED, PASSED_OUT or GOES_ON."""
    seat = p.turn
    p.turn = (seat + 1) & 3
    if action == PASS:
        p.passed[seat] = 1
        p.passes += 1
    else:
        p.passed[seat] = 0
        p.passes = 0
        p.level = action - BID
        p.seat_level[seat] = p.level
        p.declarer = seat
    if p.level >= 0:
        top = p.level + 1 == r.bid_max and r.close_at_max == 1
        return CLOSED if p.passes == 3 or top else GOES_ON
    return PASSED_OUT if p.passes == 4 else GOES_ON


@kernel
def close(p):
    """The highest bidder is the declarer and names trumps (K15, K17)."""
    p.phase = TRUMPING
    p.turn = p.declarer
