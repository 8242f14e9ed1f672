"""How the rule-based player of Tarabish calls: what its hand is worth under each trump, and what a contract or a pass may bring.

A hand's features times a row of weights give the points of its side; they are spread about normally. A contract is worth what it
scores when it is made and costs what a bate costs; near the target both are weighed by the chance to win (tips after T44).
"""

import math

import numpy as np

from laffa import engine, melds
from laffa.auction import OUTSCORE, WITH_SUIT, bid_value, no_trump_allowed
from laffa.bate import ACE19, whole
from laffa.cards import ACE, BID, BID_NT, BID_SUIT, JACK, KING, NINE, PASS, QUEEN, TEN, TRUMP
from laffa.jit import kernel, popcount
from laffa.play import suit_of
from laffa.players.heuristic_hand import dot, holds
from laffa.players.tarabish_tables import HAND_FEATURES
from laffa.state import MELDS

BOTH = 20.0
"""Melds and Bella of both sides, on average."""


@kernel
def hand_features(r, held, trump, f):
    """Write what a hand brings under a trump suit, 4 for none, into f [HAND_FEATURES]."""
    f[:] = 0.0
    f[0] = 1.0
    if trump < 4:
        ranks = suit_of(held, trump)
        n = popcount(ranks)
        jack, nine = holds(ranks, JACK), holds(ranks, NINE)
        f[1], f[2], f[3] = n, jack, nine
        f[4], f[5] = holds(ranks, ACE), holds(ranks, TEN)
        f[6] = holds(ranks, KING) + holds(ranks, QUEEN)
        f[7] = holds(ranks, KING) * holds(ranks, QUEEN)
        f[8] = jack * nine
        f[9] = max(0, n - 3)
        f[10] = jack * max(0, n - 2)
    for suit in range(4):
        if suit != trump:
            ranks = suit_of(held, suit)
            n = popcount(ranks)
            ace, ten = holds(ranks, ACE), holds(ranks, TEN)
            f[11] += ace
            f[12] += ace * ten
            f[13] += ten * (1 - ace)
            f[14] += holds(ranks, KING) * (n >= 2)
            f[15] += n == 0
            f[16] += n == 1
            f[17] += ace * max(0, n - 3)
    found = np.empty((MELDS, 2), np.int64)
    for place in range(melds.find(r, held, trump, found)):
        f[18] += melds.points(r, found[place, 0] >> 4, found[place, 0] & 15) / 20


@kernel
def best_trump(r, p, held, words, tables):
    """(suit, points of the own side with it as trumps) of the best suit that may be named."""
    f = np.empty(HAND_FEATURES)
    best, most = 0, -1e9
    for suit in range(4):
        if p.upcard >= 0 and p.upcard // 13 != suit:
            continue
        hand_features(r, held, suit, f)
        points = dot(tables[0][packet(r)], f)
        if points > most:
            best, most = suit, points
    return best, most


@kernel
def packet(r):
    """Row of the tables for the number of cards in hand: 3, 6, 9."""
    return r.cards_at_bid // 3 - 1


@kernel
def no_trump_points(r, held, tables):
    """Points of the own side at no trump."""
    f = np.empty(HAND_FEATURES)
    hand_features(r, held, 4, f)
    return dot(tables[1][packet(r)], f)


@kernel
def win_chance(r, us, them):
    """The chance to win a match from these scores."""
    if max(us, them) >= r.target:
        return 1.0 if us > them else (0.5 if us == them else 0.0)
    left_us, left_them = r.target - us, r.target - them
    return 1.0 / (1.0 + math.exp((left_us - left_them) / (60.0 + 0.25 * min(left_us, left_them))))


@kernel
def contract_worth(r, p, side, points, spread, goal, factor):
    """The chance that `side` wins the match if it declares, is to reach `goal` points and may expect `points`.

    `factor` is by how much made points count.
    """
    pool = r.whole + BOTH
    edge = (goal - points) / spread
    made = 0.5 * math.erfc(edge / 1.4142135623730951)
    own = min(pool, max(goal, points + spread * math.exp(-0.5 * edge * edge) / 2.5066 / max(made, 1e-3)))
    us, them = p.scores[side], p.scores[1 - side]
    good = win_chance(r, us + factor * own, them + max(0.0, pool - own))
    return made * good + (1.0 - made) * win_chance(r, us, them + pool)


@kernel
def goal_of(r, level, no_trump):
    """(points to reach, by how much they count) of a contract at a level (T34, T-ff, Q12, 4.11)."""
    if r.judge == OUTSCORE:
        return 0.5 * whole(r, no_trump) + 1.0, 1.0
    bid = float(bid_value(r, level))
    if not no_trump:
        return bid, 1.0
    return (bid if r.nt_scoring == ACE19 else bid / 2), 2.0


@kernel
def pass_worth(r, p, me, held, tables):
    """The chance to win the match after a pass: the standing contract, or what passed deals and others' contracts bring on average."""
    side, numbers = me & 1, tables[2]
    if p.declarer < 0:
        return win_chance(r, p.scores[side] + numbers[0], p.scores[1 - side])
    goal, factor = goal_of(r, p.level, p.nt == 1)
    declarers = p.declarer & 1
    f = np.empty(HAND_FEATURES)
    hand_features(r, held, 5, f)
    if declarers == side:
        return contract_worth(r, p, side, numbers[1] + numbers[2] * (goal - 50) + dot(tables[3][packet(r)], f), numbers[5], goal, factor)
    others = numbers[3] + numbers[4] * (goal - 50) - dot(tables[4][packet(r)], f)
    return 1.0 - contract_worth(r, p, 1 - side, others, numbers[5], goal, factor)


@kernel
def choose_call(r, p, held, me, words, tables):
    """Pass, or the lowest bid that is worth more; at no trump where that is allowed and better."""
    suit, points = best_trump(r, p, held, words, tables)
    spread = tables[2][6 + packet(r)]
    call = engine.nth(words, 0)
    most = pass_worth(r, p, me, held, tables) if engine.contains(words, PASS) else -1.0
    action, level = _lowest(r, words, suit, False)
    if action >= 0:
        goal, factor = goal_of(r, level, False)
        worth = contract_worth(r, p, me & 1, points, spread, goal, factor)
        if worth > most:
            call, most = action, worth
    if no_trump_allowed(r, p):
        action, level = _lowest(r, words, suit, True)
        if action >= 0:
            goal, factor = goal_of(r, level, True)
            if contract_worth(r, p, me & 1, no_trump_points(r, held, tables), spread, goal, factor) > most:
                call = action
    return call


@kernel
def _lowest(r, words, suit, no_trump):
    """(action, level) of the lowest call for a contract with a suit or at no trump; -1 without."""
    if r.judge == OUTSCORE:
        action = TRUMP + (4 if no_trump else suit)
        return (action, -1) if engine.contains(words, action) else (-1, -1)
    for level in range(r.nt_first if no_trump else r.first, r.last + 1):
        if r.bid_form == WITH_SUIT:
            action = BID_NT + level if no_trump else BID_SUIT + 4 * level + suit
        else:
            action = BID + level
        if engine.contains(words, action):
            return action, level
    return -1, -1


@kernel
def choose_trump(r, p, held, words, tables):
    """The suit worth most, or no trump if that may be named and makes the contract more often."""
    suit, points = best_trump(r, p, held, words, tables)
    if engine.contains(words, TRUMP + 4):
        goal, factor = goal_of(r, p.level, True)
        spread = tables[2][6 + packet(r)]
        plain = contract_worth(r, p, p.declarer & 1, points, spread, float(bid_value(r, p.level)), 1.0)
        if contract_worth(r, p, p.declarer & 1, no_trump_points(r, held, tables), spread, goal, factor) > plain:
            return TRUMP + 4
    return TRUMP + suit
