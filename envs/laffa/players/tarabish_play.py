"""How the rule-based player of Tarabish plays a card: what the trick is likely to bring, and what the card would still be worth.

The sources' advice (tips after T44): draw trumps with jack and nine, feed tens and aces to partner's tricks, keep them from the others'.
"""

import numpy as np

from laffa.cards import TEN
from laffa.jit import kernel, lowest_bit, popcount
from laffa.play import suit_of
from laffa.players.shares import fill_shares
from laffa.players.tarabish_cards import ONE, ZERO, chance_to_win, live_cards, points_of, stronger
from laffa.players.tarabish_tables import FEATURES

SITUATIONS = 12


@kernel
def situation(p, me):
    """Which row of weights fits: place in the trick, and whether the others declare, partner or the seat itself."""
    return p.on_table * 3 + ((p.declarer ^ me) & 1 == 0) + (p.declarer == me)


@kernel
def write_features(r, p, held, me, card, live, share, f):
    """What bears on playing a card, into f [FEATURES]; unit of points: ten."""
    trump, suit = p.trump, card // 13
    trumps = suit == trump
    win = chance_to_win(r, p, me, card, live, share)
    own, lying = points_of(r, card, trump) / 10, 0.0
    for place in range(p.on_table):
        lying += points_of(r, p.table[place], trump) / 10
    above = popcount(stronger(r, live, card, trump))
    length, out = popcount(suit_of(held, suit)), popcount(suit_of(live, suit))
    trumps_out = popcount(suit_of(live, trump)) if trump < 4 else 0
    lead, last = p.on_table == 0, p.trick == r.hand_size - 2
    f[:] = 0.0
    f[0] = win * (own + lying)
    f[1] = (1 - win) * (own + lying)
    f[2] = win
    f[3] = own
    f[4] = trumps
    f[5] = trumps * own
    f[6] = trumps * (above == 0)
    f[7] = not trumps and above == 0
    f[8] = (not trumps) * (above == 0) * own
    f[9] = (not trumps) * (above > 0) * own
    f[10] = (not trumps) * above / 4
    f[11] = lead * trumps * trumps_out / 4
    f[12] = lead * (not trumps) * (length == 1)
    f[13] = lead * (not trumps) * out / 4
    f[14] = (not trumps) * (length == 1) * (trumps_out < 5)
    f[15] = (not trumps) * length / 4
    f[16] = last * win
    f[17] = (not trumps) * (trumps_out == 0) * (above == 0)
    f[18] = win * win
    f[19] = (not trumps) * (card % 13 == TEN) * (above == 1)
    f[20] = lead * trumps * (above == 0) * (trumps_out > 0)
    f[21] = lead * (not trumps) * (p.voids[(me + 2) & 3, suit] == 1)
    f[22] = lead * (not trumps) * (p.voids[(me + 1) & 3, suit] + p.voids[(me + 3) & 3, suit])
    f[23] = (r.strength[1 if trumps else 0, card % 13] - 4) / 9


@kernel
def choose_card(r, p, words, held, me, weights):
    """The card to play: the highest weighted sum of features, of equal ones the lowest id; weights are float64 [SITUATIONS, FEATURES]."""
    if words & (words - ONE) == ZERO:
        return lowest_bit(words)
    live = live_cards(p, held)
    share, f = np.empty((4, 4)), np.empty(FEATURES)
    fill_shares(r, p, me, share)
    row = weights[situation(p, me)]
    best, most = -1, 0.0
    while words != ZERO:
        card = lowest_bit(words)
        words &= words - ONE
        write_features(r, p, held, me, card, live, share, f)
        score = 0.0
        for i in range(FEATURES):
            score += row[i] * f[i]
        if best < 0 or score > most:
            best, most = card, score
    return best
