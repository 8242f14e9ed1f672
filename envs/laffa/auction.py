"""The bid phase: passes and bids of a rising ladder, in one of three forms (K10-K16, F5-F7, I7-I9, 4.2, 4.3, T13-T15), or a take (4.11).

A set of legal actions is three 64-bit words, bit `a % 64` of word `a // 64` for action `a`.
"""

import numpy as np

from laffa.cards import BID, BID_NT, BID_SUIT, NO_TRUMP, PASS, TRUMP
from laffa.jit import inlined, kernel
from laffa.state import BIDDING, NOBODY, TRUMPING

ONE, ZERO, ALL = np.uint64(1), np.uint64(0), np.uint64(2**64 - 1)
_PASS = np.uint64(1 << PASS)
_EVERY_FOURTH = np.uint64(0x1111111111111111)

CLOSED, PASSED_OUT, GOES_ON = 1, 2, 0

OPEN, FINAL_PASS, SINGLE_LAP = 0, 1, 2
"""Values of `auction` in packed rules, in the order of its words."""
FORCE_DEALER = 2
"""Value of `all_pass` in packed rules."""
WITH_SUIT, OUTSCORE = 1, 1
"""Values of `bid_form` and `judge` in packed rules."""


@kernel
def begin(r, p, lap):
    """Open the auction; the seat after the dealer calls first (K10, T13). `lap` counts auctions over the same cards (Q8)."""
    p.phase = BIDDING
    p.turn = (p.dealer + 1) & 3
    p.level = NOBODY
    p.nt = 0
    p.suit = NOBODY
    p.declarer = NOBODY
    p.passes = 0
    p.calls = 0
    p.lap = lap
    for seat in range(4):
        p.passed[seat] = 0
        p.seat_level[seat] = NOBODY
        p.seat_nt[seat] = 0


@kernel
def bid_value(r, level):
    """The number called at a level of the ladder."""
    return r.at_zero + r.rung * level


@kernel
def no_trump_allowed(r, p):
    """Whether a contract may be played without trumps: by option, and in a second auction (T-fg, Q8)."""
    return r.no_trump == 1 or p.lap > 0


@kernel
def suits_to_name(r, p, no_trump):
    """Trumps that may be named, as a set of actions: any suit, or the upcard's (Q9), and none if that is allowed."""
    suits = 0b1111 if p.upcard < 0 else 1 << (p.upcard // 13)
    if no_trump:
        suits |= 1 << NO_TRUMP
    return ZERO, np.uint64(suits) << np.uint64(TRUMP - 64), ZERO


@inlined
def legal(r, p):
    """Pass, and every bid above the standing one (K11-K14, T-d); the last seat may have to open (Q4) or may repeat the bid (Q21)."""
    forced = p.calls == 3 and p.level < 0 and r.all_pass == FORCE_DEALER
    if r.judge == OUTSCORE or r.bid_form == WITH_SUIT:
        return _calls_with_suit(r, p, forced)
    if forced:
        lowest = BID + r.first
        return (ONE << np.uint64(lowest), ZERO, ZERO) if lowest < 64 else (ZERO, ONE << np.uint64(lowest - 64), ZERO)
    equal = p.calls == 3 and r.dealer_may_equal == 1
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
def _calls_with_suit(r, p, forced):
    """A take with any suit (4.11); or every higher number with any suit, or with the upcard's, and at no trump where allowed (T-a, T-fg)."""
    if r.judge == OUTSCORE:
        _, suits, _ = suits_to_name(r, p, no_trump_allowed(r, p))
        return ZERO if forced else _PASS, suits, ZERO
    level = np.int64(_lowest(r, p, False))  # wide enough for action ids, also where numpy runs this uncompiled
    w1, w2 = _from(BID_SUIT + 4 * level)
    if forced:
        x1, x2 = _from(BID_SUIT + 4 * level + 4)
        w1, w2 = w1 & ~x1, w2 & ~x2
    suits = ALL if p.upcard < 0 else _EVERY_FOURTH << np.uint64((BID_SUIT + p.upcard // 13) & 3)
    w1, w2 = w1 & r.suit_bids[0] & suits, w2 & r.suit_bids[1] & suits
    if no_trump_allowed(r, p) and not forced:
        w1 |= r.nt_bids_set & (ALL << np.uint64(BID_NT - 64 + level))
    return ZERO if forced else _PASS, w1, w2


@kernel
def _from(action):
    """The actions from `action` to 191, in the second and the third word."""
    if action < 128:
        return ALL << np.uint64(action - 64), ALL
    return ZERO, ALL << np.uint64(action - 128) if action < 192 else ZERO


@kernel
def apply(r, p, action):
    """Make a call. Returns CLOSED, PASSED_OUT or GOES_ON."""
    seat = p.turn
    p.calls += 1
    if action == PASS:
        p.passed[seat] = 1
        p.passes += 1
    else:
        p.passed[seat] = 0
        p.passes = 0
        p.declarer = seat
        if action < BID_NT and action >= TRUMP:
            p.suit = action - TRUMP
            p.nt = p.suit == NO_TRUMP
            p.seat_nt[seat] = p.nt
            return CLOSED
        _bid(p, seat, action)
    p.turn = _next_caller(r, p)
    return _outcome(r, p)


@kernel
def _bid(p, seat, action):
    """Note a bid: a number, at no trump or with a suit."""
    p.nt = action >= BID_NT and action < BID_SUIT
    if p.nt:
        p.level, p.suit = action - BID_NT, NO_TRUMP
    elif action >= BID_SUIT:
        p.level, p.suit = (action - BID_SUIT) >> 2, (action - BID_SUIT) & 3
    else:
        p.level, p.suit = action - BID, NOBODY
    p.seat_level[seat] = p.level
    p.seat_nt[seat] = p.nt


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
    """Whether the last call closed the auction (K14-K16, F7, I-a, Q3)."""
    if p.level >= 0 and p.level == r.last and p.nt >= r.nt_bids and r.close_at_max == 1:
        return CLOSED
    if p.level < 0:
        return PASSED_OUT if p.passes == 4 else GOES_ON
    if r.auction == OPEN:
        closed = p.passes == 3
    elif r.auction == SINGLE_LAP:
        closed = p.calls == 4
    else:
        closed = p.passed[0] + p.passed[1] + p.passed[2] + p.passed[3] == 3
    return CLOSED if closed else GOES_ON


@kernel
def close(p):
    """The highest bidder is the declarer and names trumps (K15, K17, T15)."""
    p.phase = TRUMPING
    p.turn = p.declarer
