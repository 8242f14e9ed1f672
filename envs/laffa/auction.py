"""The bid phase: passes and bids of a rising ladder, in one of three forms (K10-K16, F5-F7, I7-I9, 4.2, 4.3).

A set of legal actions is three 64-bit words, bit `a % 64` of word `a // 64` for action `a`.
"""

import numpy as np

from laffa.cards import BID, BID_NT, PASS
from laffa.jit import kernel
from laffa.state import BIDDING, NOBODY, TRUMPING

ONE, ZERO, ALL = np.uint64(1), np.uint64(0), np.uint64(2**64 - 1)
_PASS = np.uint64(1 << PASS)

CLOSED, PASSED_OUT, GOES_ON = 1, 2, 0

OPEN, FINAL_PASS, SINGLE_LAP = 0, 1, 2
"""Values of `auction` in packed rules, in the order of its words."""
FORCE_DEALER = 2
"""Value of `all_pass` in packed rules."""


@kernel
def begin(r, p):
    """Open the auction; the seat after the dealer calls first (K10)."""
    p.phase = BIDDING
    p.turn = (p.dealer + 1) & 3
    p.level = NOBODY
    p.nt = 0
    p.declarer = NOBODY
    p.passes = 0
    for seat in range(4):
        p.passed[seat] = 0
        p.seat_level[seat] = NOBODY
        p.seat_nt[seat] = 0


@kernel
def bid_value(r, level):
    """The number called at a level of the ladder."""
    return r.at_zero + r.rung * level


@kernel
def legal(r, p):
    """Pass, and every bid above the standing one (K11-K14); the last seat may have to open (Q4) or may repeat the bid (Q21)."""
    last_seat = p.actions == 3
    if last_seat and p.level < 0 and r.all_pass == FORCE_DEALER:
        lowest = BID + r.first
        return (ONE << np.uint64(lowest), ZERO, ZERO) if lowest < 64 else (ZERO, ONE << np.uint64(lowest - 64), ZERO)
    equal = last_seat and r.dealer_may_equal == 1
    lowest = BID + _lowest(r, p, equal and p.nt == 0)
    if lowest < 64:
        w0, w1 = _PASS | (r.plain_bids[0] & (ALL << np.uint64(lowest))), r.plain_bids[1]
    else:
        w0, w1 = _PASS, r.plain_bids[1] & (ALL << np.uint64(lowest - 64))
    # A plain standing bid is outranked by its own number at no trump (I-k).
    return w0, w1 | (r.nt_bids_set & (ALL << np.uint64(BID_NT - 64 + _lowest(r, p, equal or p.nt == 0)))), ZERO


@kernel
def _lowest(r, p, repeat):
    """The lowest level that may be bid: the standing one if it may be repeated, else the next."""
    if p.level < 0:
        return r.first
    return p.level if repeat else p.level + 1


@kernel
def apply(r, p, action):
    """Make a call. Returns CLOSED, PASSED_OUT or GOES_ON."""
    seat = p.turn
    if action == PASS:
        p.passed[seat] = 1
        p.passes += 1
    else:
        p.passed[seat] = 0
        p.passes = 0
        p.nt = action >= BID_NT
        p.level = action - (BID_NT if p.nt else BID)
        p.seat_level[seat] = p.level
        p.seat_nt[seat] = p.nt
        p.declarer = seat
    p.turn = _next_caller(r, p)
    return _outcome(r, p)


@kernel
def _next_caller(r, p):
    """The next seat; where a pass is final the next that has not passed (F-d, I8)."""
    for k in range(1, 4):
        seat = (p.turn + k) & 3
        if r.auction != FINAL_PASS or p.passed[seat] == 0:
            return seat
    return p.turn


@kernel
def _outcome(r, p):
    """Whether the last call closed the auction (K14-K16, F7, I-a, Q3); `actions` counts the calls so far."""
    if p.level >= 0 and p.level == r.last and p.nt == r.nt_bids and r.close_at_max == 1:
        return CLOSED
    if p.level < 0:
        return PASSED_OUT if p.passes == 4 else GOES_ON
    if r.auction == OPEN:
        closed = p.passes == 3
    elif r.auction == SINGLE_LAP:
        closed = p.actions == 4
    else:
        closed = p.passed[0] + p.passed[1] + p.passed[2] + p.passed[3] == 3
    return CLOSED if closed else GOES_ON


@kernel
def close(p):
    """The highest bidder is the declarer and names trumps (K15, K17)."""
    p.phase = TRUMPING
    p.turn = p.declarer
