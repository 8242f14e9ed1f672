"""How the rule-based player plays a card: each principle of play is a feature, its weight was measured.

Every card that may be played gets a score, the sum of its features times the weights of the
situation: declarer on lead, third hand following, and so on. Firm rules come first: see `choose_card`.
"""

import numpy as np

from laffa import play
from laffa.jit import kernel, lowest_bit, popcount
from laffa.play import suit_of
from laffa.players.heuristic_cards import (
    ONE,
    PACK,
    ZERO,
    above,
    chance_beat,
    chance_ruff,
    fill_shares,
    seen_cards,
    top_rank,
)

FEATURES = 36
SITUATIONS = 16


@kernel
def situation(p, held, me):
    """0-3 on lead: declarer, partner, before, after declarer; 4-15: place, void of the suit led, defender."""
    if p.on_table == 0:
        return (0, 2, 1, 3)[(p.declarer - me) & 3]
    void = suit_of(held, p.table[0] // 13) == ZERO
    return 4 + 4 * (p.on_table - 1) + 2 * int(void) + ((p.declarer ^ me) & 1)


@kernel
def sorted_out(words, held, live, p):
    """Leave of touching cards only the lowest: equals are played from the bottom."""
    barrier = live
    for place in range(p.on_table):
        barrier |= ONE << np.uint64(p.table[place])
    out, last = ZERO, -1
    rest = words
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        between = ZERO if last < 0 else above(last) & ~above(card) & barrier
        if last < 0 or last // 13 != card // 13 or between != ZERO:
            out |= ONE << np.uint64(card)
        last = card
    return out


@kernel
def trick_chances(p, me, card, live, share):
    """(chance that our standing winner survives, chance that partner still rescues the trick) after `card`."""
    led = card // 13 if p.on_table == 0 else p.table[0] // 13
    best, ours = card, True
    if p.on_table > 0:
        best = p.table[p.best]
        ours = ((p.leader + p.best - me) & 1) == 0
        if play.beats(card, best, p.trump):
            best, ours = card, True
    survive, partner = (1.0 if ours else 0.0), 0.0
    for k in range(1, 4 - p.on_table):
        seat = (me + k) & 3
        chance = min(1.0, chance_beat(share, live, seat, best, led, p.trump))
        if k == 2:
            partner = chance
        else:
            survive *= 1.0 - chance
    return survive, (1.0 - survive) * partner


@kernel
def card_features(p, held, me, card, live, share, f):
    """Write the features of one card into f [FEATURES]."""
    suit, rank, trump = card // 13, card % 13, p.trump
    survive, help_ = trick_chances(p, me, card, live, share)
    higher = popcount(live & above(card))
    length = popcount(suit_of(held, suit))
    trumps = popcount(suit_of(held, trump))
    f[:] = 0.0
    f[0] = survive
    f[1] = help_
    f[2] = higher == 0
    f[3] = higher == 1
    f[4] = higher == 2
    f[5] = rank / 12
    f[6] = length / 4
    top = 13 * suit + top_rank(held, suit)
    guards = popcount(live & above(top))
    f[21] = card != top and guards == 1
    f[22] = card != top and guards == 0
    f[23] = popcount(suit_of(live, suit)) / 8
    f[24] = survive * p.trick / 12
    f[25] = f[2] * p.trick / 12
    if suit == trump:
        f[10] = 1.0
        f[11] = f[2]
        f[12] = f[5]
        f[13] = trumps / 4
        f[14] = f[23]
        out = share[(me + 1) & 3, trump] + share[(me + 3) & 3, trump]
        f[15] = out * f[23]
        f[31] = out * f[23] > 0
        f[32] = p.trick / 12
    else:
        f[7] = length == 1 and trumps > 0
        f[8] = length == 2 and trumps > 0
        f[9] = card != top and guards > 0 and length - 1 == guards
        if p.on_table == 0:
            lead_features(p, me, suit, live, share, f)
    if p.on_table > 0:
        follow_features(p, me, card, f)


@kernel
def lead_features(p, me, suit, live, share, f):
    """Who may ruff the suit."""
    a, b, mate = (me + 1) & 3, (me + 3) & 3, (me + 2) & 3
    ruff_a, ruff_b = chance_ruff(share, live, a, suit, p.trump), chance_ruff(share, live, b, suit, p.trump)
    f[16] = 1.0 - (1.0 - ruff_a) * (1.0 - ruff_b)
    f[17] = chance_ruff(share, live, mate, suit, p.trump)
    f[18] = p.voids[mate, suit] and f[17] > 0
    f[19] = (p.voids[a, suit] and ruff_a > 0) or (p.voids[b, suit] and ruff_b > 0)
    f[20] = p.voids[p.declarer, suit] and p.declarer != me and share[p.declarer, p.trump] > 0
    f[33] = p.voids[a, suit] and p.voids[b, suit]
    f[34] = p.trick == 0
    f[35] = f[2] * f[16]


@kernel
def follow_features(p, me, card, f):
    """What the card does to the trick on the table."""
    led, best = p.table[0] // 13, p.table[p.best]
    wins = play.beats(card, best, p.trump)
    mate = ((p.leader + p.best - me) & 3) == 2
    ruff = card // 13 == p.trump and led != p.trump
    f[26] = ruff
    f[27] = ruff and mate
    f[28] = wins and mate
    f[29] = wins
    f[30] = ruff and wins and f[2] > 0
    f[16] = card // 13 != led
    f[17] = ruff and not wins
    f[18] = wins * f[5]
    f[19] = wins * f[2]
    f[20] = ruff * f[5]


@kernel
def choose_card(p, held, me, weights):
    """The card to play."""
    words = play.legal(p, held)
    live = PACK & ~seen_cards(p) & ~held
    words = sorted_out(words, held, live, p)
    if words & (words - ONE) == ZERO:
        return lowest_bit(words)
    share = np.empty((4, 4))
    f = np.empty(FEATURES)
    fill_shares(p, me, live, share)
    w = weights[situation(p, held, me)]
    best, best_score = -1, 0.0
    rest = words
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        card_features(p, held, me, card, live, share, f)
        score = 0.0
        for i in range(FEATURES):
            score += w[i] * f[i]
        if best < 0 or score > best_score:
            best, best_score = card, score
    return best
