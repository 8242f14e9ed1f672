"""How the rule-based player values a hand and calls: counted winners, turned into expected scores.

Three numbers sum up a hand (I25, I-i refined): the tricks of the own side when this seat declares in
its best suit, when partner declares, and when the opponents do, each a sum of features times measured weights. With
what the others have called they give the expected score of every call; the best one is made.
"""

import math

import numpy as np

from laffa.cards import BID, PASS
from laffa.jit import kernel, popcount
from laffa.play import suit_of
from laffa.players.heuristic_cards import ONE, ZERO

TRUMP_FEATURES = 30
SIDE_FEATURES = 16
CALL_FEATURES = 26


@kernel
def holds(ranks, rank):
    """1.0 when the rank is in a suit's thirteen bits."""
    return float((ranks >> np.uint64(rank)) & ONE)


@kernel
def add_side_suit(ranks, trumps, f):
    """Add the features of a plain suit, from f[13] on."""
    n = popcount(ranks)
    ace, king, queen, jack = holds(ranks, 12), holds(ranks, 11), holds(ranks, 10), holds(ranks, 9)
    f[13] += ace
    f[14] += ace * king
    f[15] += king * (1 - ace) * (n >= 2)
    f[16] += king * (1 - ace) * (n >= 3)
    f[17] += king * (n == 1)
    f[18] += queen * (ace + king > 0) * (n >= 3)
    f[19] += queen * (ace + king == 0) * (n >= 3)
    f[20] += jack * (ace + king + queen >= 1) * (n >= 3)
    f[21] += n == 0
    f[22] += n == 1
    f[23] += n == 2
    f[24] += (n == 0) * (trumps - 4)
    f[25] += (n == 1) * (trumps - 4)
    f[26] += max(0, n - 4)
    f[27] += (n >= 5) * (ace + king + queen)
    f[28] += ace * (n >= 5)
    f[29] += ace * (n == 1)


@kernel
def trump_features(held, trump, f):
    """Features of a hand with `trump` as trumps, declared by this seat; f is [TRUMP_FEATURES]."""
    f[:] = 0.0
    ranks = suit_of(held, trump)
    n = popcount(ranks)
    f[0] = 1.0
    f[1] = n
    f[2] = max(0, n - 4)
    f[3] = max(0, n - 5)
    f[4] = max(0, n - 6)
    for k in range(6):
        f[5 + k] = holds(ranks, 12 - k)
    f[11] = f[5] * f[6]
    f[12] = f[5] * f[7] * (1 - f[6]) + f[6] * f[7] * (1 - f[5])
    for suit in range(4):
        if suit != trump:
            add_side_suit(suit_of(held, suit), n, f)


@kernel
def side_features(held, f):
    """Features of a hand whose trumps somebody else will name; f is [SIDE_FEATURES]."""
    f[:] = 0.0
    f[0] = 1.0
    longest = 0
    for suit in range(4):
        ranks = suit_of(held, suit)
        n = popcount(ranks)
        longest = max(longest, n)
        ace, king, queen = holds(ranks, 12), holds(ranks, 11), holds(ranks, 10)
        f[1] += ace
        f[2] += king * (n >= 2)
        f[3] += king * ace
        f[4] += queen * (n >= 3)
        f[5] += queen * (n >= 3) * max(ace, king)
        f[6] += holds(ranks, 9) * (n >= 3)
        f[7] += n == 0
        f[8] += n == 1
        f[9] += n == 2
        f[10] += king * (n == 1)
        f[11] += ace * (n >= 5)
    f[12] = longest
    f[13] = max(0, longest - 5)


@kernel
def dot(weights, f):
    """Sum of features times weights."""
    total = 0.0
    for i in range(len(f)):
        total += weights[i] * f[i]
    return total


@kernel
def best_trump(held, weights):
    """(suit, expected tricks of the own side) with the best suit as trumps."""
    f = np.empty(TRUMP_FEATURES)
    best, most = 0, -1e9
    for suit in range(4):
        trump_features(held, suit, f)
        tricks = dot(weights, f)
        if tricks > most:
            best, most = suit, tricks
    return best, most


@kernel
def chance_made(tricks, spread, bid):
    """The chance of at least `bid` tricks when `tricks` are expected."""
    return 0.5 * math.erfc((bid - 0.5 - tricks) / (spread * 1.4142135623730951))


@kernel
def contract_value(tricks, spread, bid):
    """Expected score difference of a contract: +bid, or -bid and the defenders' tricks (K25, K26)."""
    chance = chance_made(tricks, spread, bid)
    # When it fails, it does so by about 1.3 tricks, and by more the less was expected.
    down = 1.0 + max(0.3, 0.6 * (bid - tricks))
    return chance * bid - (1.0 - chance) * (13 + down)


@kernel
def holder(p, me):
    """Who holds the standing bid: 0 nobody, 1 partner, 2 the seat before me, 3 the seat after me."""
    if p.level < 0:
        return 0
    return (0, 3, 1, 2)[(p.declarer - me) & 3]


@kernel
def call_features(p, held, me, hand_weights, g):
    """Write what bears on a call into g [CALL_FEATURES]: the hand's three values and all that was called."""
    f = np.empty(SIDE_FEATURES)
    side_features(held, f)
    own = best_trump(held, hand_weights[0])[1] - 7
    mate = dot(hand_weights[1], f) - 8
    defence = dot(hand_weights[2], f) - 5
    g[:] = 0.0
    g[0] = 1.0
    g[1] = own
    g[2] = own * own
    g[3] = mate
    g[4] = defence
    level = max(0, p.level - 5)
    if level > 0:
        g[4 + min(4, level)] = 1.0
    for k in range(1, 4):
        seat = (me + k) & 3
        g[7 + 2 * k] = p.passed[seat] == 1 and p.seat_level[seat] < 0
        g[8 + 2 * k] = max(0, p.seat_level[seat] - 5)
    g[15] = p.passes if p.level < 0 else 0
    g[16] = max(0, p.seat_level[me] - 5)
    g[17] = own * level
    g[18] = mate * level
    g[19] = defence * level
    g[20] = p.passes == 3
    g[21] = p.passed[me]
    g[22] = max(0.0, own)


@kernel
def call_scores(r, p, held, me, tables, out):
    """Write the expected score of every legal call into out [14]: a pass at 0, a bid at its number."""
    hand_weights, tricks, spreads, values = tables
    g = np.empty(CALL_FEATURES)
    call_features(p, held, me, hand_weights, g)
    who = holder(p, me)
    out[:] = -1e9
    if who > 0:
        g[23], g[24] = standing_value(p, dot(tricks[1, who], g), spreads[1, who])
    out[0] = dot(values[who, 0], g)
    expected = dot(tricks[0, who], g)
    first = max(p.level + 2, r.bid_min)
    for bid in range(first, r.bid_max + 1):
        g[23] = contract_value(expected, spreads[0, who], bid)
        g[24] = chance_made(expected, spreads[0, who], bid)
        out[bid] = dot(values[who, max(1, min(4, bid - 6))], g)


@kernel
def standing_value(p, tricks, spread):
    """(score for the standing bidder's side, chance made) of the bid that stands; `tricks` are that side's."""
    return contract_value(tricks, spread, p.level + 1), chance_made(tricks, spread, p.level + 1)


@kernel
def choose_call(r, p, held, me, tables):
    """The call with the best expected score; of equal ones the lowest."""
    out = np.empty(14)
    call_scores(r, p, held, me, tables, out)
    best = np.argmax(out)
    return PASS if best == 0 else BID + best - 1
