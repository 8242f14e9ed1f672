"""How the rule-based player calls: it compares what every bid, and a pass, may be expected to bring.

The hand's tricks (`heuristic_hand`) and what the others called give the tricks that a contract may be expected
to take; those are spread about normally, which gives the chance to make it. A bid is worth that contract. A
pass is worth the standing bid's contract and what the auction brings on average from here. In a match, worth is the chance to win it.
"""

import math

import numpy as np

from laffa.cards import BID, PASS
from laffa.jit import kernel
from laffa.players.heuristic_hand import SIDE_FEATURES, best_trump, dot, side_features

CALL_FEATURES = 26
# Tricks of the own side with me, partner, an opponent as declarer, less 7, 8, 5; products with the standing bid over 5.
OWN, OWN_SQUARED, MATE, DEFENCE, OWN_OVER, OWN_LEVEL, MATE_LEVEL, DEFENCE_LEVEL = 1, 2, 3, 4, 22, 17, 18, 19
# Four flags for a standing bid of up to 7, 8, 9, more; two numbers for each other seat: passed without a bid, own bid over 5.
STANDING, OTHERS, PASSES, MY_BID, LAST_PASS, I_PASSED = 5, 9, 15, 16, 20, 21
# Only for a pass: score and chance of the standing bid's contract, seen by its side.
STANDING_SCORE, STANDING_CHANCE = 23, 24

DECLARED_BY_ME, STANDS = 0, 1
"""Rows of the tables: if I declare now; if the standing bid is the contract."""

OPENING_TRICKS = 8.0
"""With so many expected tricks the first bid is made, not waited with: worth 0.03 points a hand in duplicate matches."""


@kernel
def holder(p, me):
    """Who holds the standing bid: 0 nobody, 1 partner, 2 the seat before me, 3 the seat after me."""
    if p.level < 0:
        return 0
    return (0, 3, 1, 2)[(p.declarer - me) & 3]


@kernel
def over_five(level):
    """A bid's number less six, at least 0 and at most 4: higher bids were not met often enough to be measured."""
    return max(0, min(4, level - 5))


@kernel
def call_features(p, held, me, hand_weights, g):
    """Write what bears on a call into g [CALL_FEATURES]: the hand's values and all that was called."""
    f = np.empty(SIDE_FEATURES)
    side_features(held, f)
    own = best_trump(held, hand_weights[0])[1] - 7
    level = over_five(p.level)
    g[:] = 0.0
    g[0] = 1.0
    g[OWN] = own
    g[OWN_SQUARED] = own * own
    g[OWN_OVER] = max(0.0, own)
    g[MATE] = dot(hand_weights[1], f) - 8
    g[DEFENCE] = dot(hand_weights[2], f) - 5
    g[OWN_LEVEL] = own * level
    g[MATE_LEVEL] = g[MATE] * level
    g[DEFENCE_LEVEL] = g[DEFENCE] * level
    _auction_so_far(p, me, level, g)


@kernel
def _auction_so_far(p, me, level, g):
    if level > 0:
        g[STANDING - 1 + level] = 1.0
    for k in range(3):
        seat = (me + 1 + k) & 3
        g[OTHERS + 2 * k] = p.passed[seat] == 1 and p.seat_level[seat] < 0
        g[OTHERS + 2 * k + 1] = over_five(p.seat_level[seat])
    g[PASSES] = p.passes if p.level < 0 else 0
    g[LAST_PASS] = p.passes == 3
    g[MY_BID] = over_five(p.seat_level[me])
    g[I_PASSED] = p.passed[me]


@kernel
def chance_made(tricks, spread, bid):
    """The chance of at least `bid` tricks when `tricks` are expected."""
    # Measured: the more is expected the less it varies, 1.8 tricks about an expected seven, 1.3 about ten and a half.
    narrow = max(0.5, 1.0 - 0.07 * max(0.0, tricks - 7.5))
    return 0.5 * math.erfc((bid - 0.5 - tricks) / (narrow * spread * 1.4142135623730951))


@kernel
def tricks_down(tricks, bid):
    """By how many tricks a contract fails on average when it fails: the more, the less was expected."""
    return 1.0 + max(0.3, 0.6 * (bid - tricks))


@kernel
def contract_score(tricks, spread, bid):
    """Expected score difference of a contract for its side: +bid, or -bid and the defenders' tricks (K25, K26)."""
    chance = chance_made(tricks, spread, bid)
    return chance * bid - (1.0 - chance) * (13 + tricks_down(tricks, bid))


@kernel
def distance(left, to_go):
    """How far from winning a side is that still needs `left` points, as a logit."""
    last = len(to_go) - 1
    return to_go[left] if left <= last else to_go[last] + 2.05 * math.log((left + 5) / (last + 5))


@kernel
def match_chance(r, p, me, own, other, to_go):
    """The chance to win the match after a hand that scores so much for the own and the other side (K30, K31)."""
    us = r.target - p.scores[me & 1] - own
    them = r.target - p.scores[1 - (me & 1)] - other
    if min(us, them) <= 0 or p.hands_played + 1 == r.hand_cap:
        return 1.0 if us < them else (0.5 if us == them else 0.0)
    return 1.0 / (1.0 + math.exp(distance(us, to_go) - distance(them, to_go)))


@kernel
def worth(r, p, me, own, other, to_go):
    """What a hand's scores are worth: points in the first hand of a match, then the chance to win it."""
    if p.hands_played == 0:
        return float(own - other)
    return match_chance(r, p, me, own, other, to_go)


@kernel
def contract_worth(r, p, me, ours, bid, tricks, spread, to_go):
    """Expected worth of a contract of our side or of theirs, of which its side is expected to take `tricks`."""
    chance = chance_made(tricks, spread, bid)
    taken = int(13 - bid + tricks_down(tricks, bid) + 0.5)
    if ours:
        return chance * worth(r, p, me, bid, 0, to_go) + (1 - chance) * worth(r, p, me, -bid, taken, to_go)
    return chance * worth(r, p, me, 0, bid, to_go) + (1 - chance) * worth(r, p, me, taken, -bid, to_go)


@kernel
def pass_worth(r, p, me, who, tables, g):
    """Expected worth of a pass: that of the standing bid, corrected by how auctions go on from here on average; changes g."""
    tricks, spreads, passes, to_go = tables[1], tables[2], tables[3], tables[4]
    level = worth(r, p, me, 0, 0, to_go)
    base, points = level, 0.0
    if who > 0:
        expected, spread, bid = dot(tricks[STANDS, who], g), spreads[STANDS, who], p.level + 1
        base = contract_worth(r, p, me, who == 1, bid, expected, spread, to_go)
        g[STANDING_SCORE] = contract_score(expected, spread, bid)
        g[STANDING_CHANCE] = chance_made(expected, spread, bid)
        points = g[STANDING_SCORE] if who == 1 else -g[STANDING_SCORE]
    if (who == 0 and p.passes == 3) or p.level + 1 > 10:
        return base  # a passed-out deal (K16), or a bid so high that hardly anybody bids over it
    # Beyond ten tricks there were too few hands to measure a pass: no more is claimed for it.
    g[OWN] = min(g[OWN], 3.0)
    g[OWN_OVER] = max(0.0, g[OWN])
    g[OWN_SQUARED] = g[OWN] * g[OWN]
    more = dot(passes[who], g) - points
    # A point more or less is worth a seventh of the smallest contract, ours or theirs.
    if more > 0:
        return base + more / 7 * (worth(r, p, me, 7, 0, to_go) - level)
    return base + more / 7 * (level - worth(r, p, me, 0, 7, to_go))


@kernel
def call_scores(r, p, held, me, tables, out):
    """Write the expected worth of every legal call into out [14]: a pass at 0, a bid at its number."""
    g = np.empty(CALL_FEATURES)
    call_features(p, held, me, tables[0], g)
    who = holder(p, me)
    out[:] = -1e9
    expected, spread = dot(tables[1][DECLARED_BY_ME, who], g), tables[2][DECLARED_BY_ME, who]
    for bid in range(max(p.level + 2, r.bid_min), r.bid_max + 1):
        out[bid] = contract_worth(r, p, me, True, bid, expected, spread, tables[4])
    opens = who == 0 and expected >= OPENING_TRICKS and np.max(out) > worth(r, p, me, 0, 0, tables[4])
    if not opens:
        out[0] = pass_worth(r, p, me, who, tables, g)


@kernel
def choose_call(r, p, held, me, tables):
    """The call with the highest expected worth; of equal ones the lowest."""
    out = np.empty(14)
    call_scores(r, p, held, me, tables, out)
    best = np.argmax(out)
    return PASS if best == 0 else BID + best - 1
