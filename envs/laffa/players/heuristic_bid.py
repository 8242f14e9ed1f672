"""How the rule-based player calls: it compares what every bid, and a pass, may be expected to bring.

The hand's tricks (`heuristic_hand`) and what the others called give the tricks that a contract may be expected
to take; those are spread about normally, and each result scores as the rules at hand say. A bid is worth that contract. A
pass is worth the standing bid's contract and what the auction brings on average from here. In a match, worth is the chance to win it.
Card points are counted as tricks of 120 / 13 points. The measured tables are (hand, tricks, spreads, passes, to_go, unit of to_go).
"""

import math

import numpy as np

from laffa import auction, engine, score
from laffa.auction import OPEN, SINGLE_LAP, bid_value
from laffa.cards import BID, BID_NT, LEVELS, PASS
from laffa.jit import kernel
from laffa.players.heuristic_hand import SIDE_FEATURES, best_trump, dot, no_trump_tricks, side_features

CALLS = 1 + 2 * LEVELS
CALL_FEATURES = 26
# Tricks of the own side with me, partner, an opponent as declarer, less 7, 8, 5; products with the standing bid over 6.
OWN, OWN_SQUARED, MATE, DEFENCE, OWN_OVER, OWN_LEVEL, MATE_LEVEL, DEFENCE_LEVEL = 1, 2, 3, 4, 22, 17, 18, 19
# Four flags for a standing bid of up to 7, 8, 9, more; two numbers for each other seat: passed without a bid, own bid over 6.
STANDING, OTHERS, PASSES, MY_BID, LAST_PASS, I_PASSED = 5, 9, 15, 16, 20, 21
# Only for a pass: score and chance of the standing bid's contract, seen by its side.
STANDING_SCORE, STANDING_CHANCE = 23, 24

DECLARED_BY_ME, STANDS = 0, 1
"""Rows of the tables: if I declare now; if the standing bid is the contract."""

NOTHING, OURS = np.int64(0), np.bool_(True)
"""Typed, since a literal as an argument would have the kernel compiled once more."""

OPENING_TRICKS = 8.0
"""With so many expected tricks the first bid is made, not waited with: worth 0.03 points a hand in duplicate matches."""


@kernel
def holder(p, me):
    """Who holds the standing bid: 0 nobody, 1 partner, 2 the seat before me, 3 the seat after me."""
    if p.level < 0:
        return 0
    return (0, 3, 1, 2)[(p.declarer - me) & 3]


@kernel
def number(r, level):
    """The number at a level of the ladder in tricks, or about as many tricks as its card points are; 0 for no bid."""
    return 0.0 if level < 0 else bid_value(r, level) * 13.0 / r.whole


@kernel
def over_six(r, level):
    """A bid's number less six, at least 0 and at most 4: higher bids were not met often enough to be measured."""
    return max(0, min(4, int(number(r, level) - 5.5)))


@kernel
def call_features(r, p, held, me, hand_weights, g):
    """Write what bears on a call into g [CALL_FEATURES]: the hand's values and all that was called."""
    f = np.empty(SIDE_FEATURES)
    side_features(held, f)
    level = over_six(r, p.level)
    g[:] = 0.0
    g[0] = 1.0
    set_own(g, best_trump(held, hand_weights[0])[1] - 7, level)
    g[MATE] = dot(hand_weights[1], f) - 8
    g[DEFENCE] = dot(hand_weights[2], f) - 5
    g[MATE_LEVEL] = g[MATE] * level
    g[DEFENCE_LEVEL] = g[DEFENCE] * level
    _auction_so_far(r, p, me, level, g)


@kernel
def _auction_so_far(r, p, me, level, g):
    if level > 0:
        g[STANDING - 1 + level] = 1.0
    for k in range(3):
        seat = (me + 1 + k) & 3
        g[OTHERS + 2 * k] = p.passed[seat] == 1 and p.seat_level[seat] < 0
        g[OTHERS + 2 * k + 1] = over_six(r, p.seat_level[seat])
    g[PASSES] = p.passes if p.level < 0 else 0
    g[LAST_PASS] = p.passes == 3
    g[MY_BID] = over_six(r, p.seat_level[me])
    g[I_PASSED] = p.passed[me]


@kernel
def chance_below(tricks, spread, edge):
    """The chance of fewer than `edge` tricks when `tricks` are expected."""
    # Measured: the more is expected the less it varies, 1.8 tricks about an expected seven, 1.3 about ten and a half.
    narrow = max(0.5, 1.0 - 0.07 * max(0.0, tricks - 7.5))
    return 1.0 - 0.5 * math.erfc((edge - tricks) / (narrow * spread * 1.4142135623730951))


@kernel
def chance_made(r, tricks, spread, level):
    """The chance to make the contract when so many tricks are expected."""
    return 1.0 - chance_below(tricks, spread, number(r, level) - 0.5 * grain(r) * 13.0 / r.whole)


@kernel
def grain(r):
    """Steps in which a hand's result is looked at: one trick, or five card points."""
    return 1 if r.whole == 13 else 5


@kernel
def distance(left, to_go, unit):
    """How far from winning a side is that still needs `left` points, as a logit."""
    at, last = left / unit, len(to_go) - 1
    low = int(at)
    if low >= last:
        return to_go[last] + 2.05 * math.log((at + 5) / (last + 5))
    return to_go[low] + (at - low) * (to_go[low + 1] - to_go[low])


@kernel
def match_chance(r, p, me, own, other, tables):
    """The chance to win the match after a hand that scores so much for the own and the other side (K30, K31, I18)."""
    us = r.target - p.scores[me & 1] - own
    them = r.target - p.scores[1 - (me & 1)] - other
    if min(us, them) <= 0 or p.hands_played + 1 == r.hand_cap:
        return 1.0 if us < them else (0.5 if us == them else 0.0)
    return 1.0 / (1.0 + math.exp(distance(us, tables[4], tables[5]) - distance(them, tables[4], tables[5])))


@kernel
def worth(r, p, me, own, other, tables):
    """What a hand's scores are worth: points in the first hand of a match, then the chance to win it."""
    if p.hands_played == 0:
        return float(own - other)
    return match_chance(r, p, me, own, other, tables)


@kernel
def contract_worth(r, p, me, ours, level, tricks, spread, tables):
    """(worth, score difference) to be expected of a contract of our side or of theirs, of which its side is expected to take `tricks`."""
    bid, step = bid_value(r, level), grain(r)
    wide = step * 13.0 / r.whole
    value, points, before = 0.0, 0.0, 0.0
    for k in range(r.whole // step + 1):
        upto = 1.0 if k * step == r.whole else chance_below(tricks, spread, (k + 0.5) * wide)
        chance, before = upto - before, upto
        if chance > 1e-4:
            _, own, other = score.hand_scores(r, bid, k * step)
            points += chance * (own - other)
            value += chance * (worth(r, p, me, own, other, tables) if ours else worth(r, p, me, other, own, tables))
    return value, points


@kernel
def pass_closes(r, p):
    """Whether a pass ends the auction (K15, K16, I-a)."""
    if p.level < 0:
        return p.passes == 3
    if r.auction == OPEN:
        return p.passes == 2
    return p.actions == 3 if r.auction == SINGLE_LAP else p.passed[0] + p.passed[1] + p.passed[2] + p.passed[3] == 2


@kernel
def pass_worth(r, p, me, who, tables, g):
    """Expected worth of a pass: that of the standing bid, corrected by how auctions go on from here on average; changes g."""
    tricks, spreads, passes = tables[1], tables[2], tables[3]
    level = worth(r, p, me, NOTHING, NOTHING, tables)
    base, points = level, 0.0
    if who > 0:
        expected, spread = dot(tricks[STANDS, who], g), spreads[STANDS, who]
        base, points = contract_worth(r, p, me, who == 1, np.int64(p.level), expected, spread, tables)
        g[STANDING_SCORE] = points
        g[STANDING_CHANCE] = chance_made(r, expected, spread, p.level)
        points = points if who == 1 else -points
    if pass_closes(r, p) or number(r, p.level) > 10.5:
        return base  # nothing more is called, or the bid is so high that hardly anybody bids over it
    # Beyond ten tricks there were too few hands to measure a pass: no more is claimed for it.
    g[OWN] = min(g[OWN], 3.0)
    g[OWN_OVER] = max(0.0, g[OWN])
    g[OWN_SQUARED] = g[OWN] * g[OWN]
    more = dot(passes[who], g) - points
    # A point more or less is worth its part of the smallest contract, ours or theirs.
    smallest = bid_value(r, r.first)
    if more > 0:
        return base + more / smallest * (worth(r, p, me, smallest, NOTHING, tables) - level)
    return base + more / smallest * (level - worth(r, p, me, NOTHING, smallest, tables))


@kernel
def set_own(g, own, level):
    """Enter what the own hand is worth, in tricks less seven, beside a standing bid `level` over six."""
    g[OWN] = own
    g[OWN_SQUARED] = own * own
    g[OWN_OVER] = max(0.0, own)
    g[OWN_LEVEL] = own * level


@kernel
def call_scores(r, p, held, me, tables, out):
    """Write the expected worth of every legal call into out [CALLS]: a pass at 0, then the bids by level, then those at no trump."""
    g = np.empty(CALL_FEATURES)
    call_features(r, p, held, me, tables[0], g)
    who, own = holder(p, me), g[OWN]
    weights, spread = tables[1][DECLARED_BY_ME, who], tables[2][DECLARED_BY_ME, who]
    with_trumps = dot(weights, g)
    without = with_trumps
    if r.nt_bids == 1:
        set_own(g, no_trump_tricks(held, tables[0][3]) - 7, over_six(r, p.level))
        without = dot(weights, g)
        set_own(g, own, over_six(r, p.level))
    words = auction.legal(r, p)
    out[:] = -1e9
    for level in range(r.first, r.last + 1):
        if engine.contains(words, BID + level):
            out[1 + level] = contract_worth(r, p, me, OURS, level, with_trumps, spread, tables)[0]
        if engine.contains(words, BID_NT + level):
            out[1 + LEVELS + level] = contract_worth(r, p, me, OURS, level, without, spread, tables)[0]
    opens = who == 0 and max(with_trumps, without) >= OPENING_TRICKS and np.max(out) > worth(r, p, me, NOTHING, NOTHING, tables)
    if engine.contains(words, PASS) and not opens:
        out[0] = pass_worth(r, p, me, who, tables, g)


@kernel
def choose_call(r, p, held, me, tables):
    """The call with the highest expected worth; of equal ones the lowest."""
    out = np.empty(CALLS)
    call_scores(r, p, held, me, tables, out)
    best = np.argmax(out)
    if best == 0:
        return PASS
    return BID + best - 1 if best <= LEVELS else BID_NT + best - 1 - LEVELS
