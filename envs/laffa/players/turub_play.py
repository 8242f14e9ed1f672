"""How the rule-based player of Arba'a Turub plays a card: the chance to take the trick, and what the card would still be worth."""

import numpy as np

from laffa.jit import kernel, lowest_bit
from laffa.players.shares import fill_shares
from laffa.players.turub_cards import above, chance_to_win, count_live, count_suits
from laffa.players.turub_tables import FEATURES
from laffa.state import KNOCKED, SNAPPED

ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def situation(r, p):
    """Which row of weights fits: place in the trick, and whether the hand is in its first, second or last third."""
    return p.on_table * 3 + 3 * p.trick // r.hand_size


@kernel
def write_features(r, p, me, hand, card, live, suits, own, share, f):
    """What bears on playing a card, into f [FEATURES].

    `live` [52] and `suits` [4] count what others hold, `own` [4] the own suits, share [4, 4] is from `fill_shares`.
    """
    suit, rank = card // 13, card % 13
    trump, lead = suit == p.trump, p.on_table == 0
    plain = not trump
    win = chance_to_win(r, p, me, card, live, suits, share)
    higher = above(live, card)
    strength = (rank - r.low) / 8
    copies = r.hand_size / 9
    partner, left, right = (me + 2) & 3, (me + 1) & 3, (me + 3) & 3
    trumps_out = suits[p.trump] / (9 * copies)
    f[:] = 0.0
    f[0] = win
    f[1] = win * win
    f[2] = trump
    f[3] = trump * strength
    f[4] = trump * (higher == 0)
    f[5] = plain * strength
    f[6] = plain * (higher == 0)
    f[7] = plain * min(higher, 2 * copies) / copies
    f[8] = plain * (higher == 0) * trumps_out
    f[9] = own[suit] / (9 * copies)
    f[10] = suits[suit] / (9 * copies)
    f[11] = hand[card] / copies
    f[12] = plain * (own[suit] == 1)
    f[13] = plain * (own[suit] == 1) * (own[p.trump] > 0)
    f[14] = above(hand, card) / copies
    if lead:
        f[15] = trump * trumps_out
        f[16] = plain * (p.voids[left, suit] + p.voids[right, suit]) * trumps_out
        f[17] = plain * (p.voids[partner, suit] > p.voids[left, suit] + p.voids[right, suit]) * trumps_out
        f[18] = p.signals[partner, suit] == KNOCKED
        f[19] = p.signals[partner, suit] == SNAPPED
        f[20] = 1.0 * (p.signals[left, suit] == KNOCKED) + 1.0 * (p.signals[right, suit] == KNOCKED)
        f[21] = (1.0 - share[left, suit]) ** suits[suit] + (1.0 - share[right, suit]) ** suits[suit]
    else:
        led = p.table[0] // 13
        ours = (p.best ^ p.on_table) & 1 == 0
        f[15] = ours * strength
        f[16] = ours * trump * (led != p.trump)
        f[17] = (1 - ours) * trump * (led != p.trump)
        f[18] = (suit != led) * plain * own[suit] / (9 * copies)
        f[19] = (1 - win) * strength
        f[20] = win * strength
        f[21] = win * (higher == 0)


@kernel
def choose_card(r, p, words, hand, me, weights):
    """The card to play: the highest weighted sum of features, of equal ones the lowest id; weights are float64 [situations, FEATURES]."""
    if words & (words - ONE) == ZERO:
        return lowest_bit(words)
    live, suits, own = np.empty(52, np.int64), np.empty(4, np.int64), np.empty(4, np.int64)
    share, f = np.empty((4, 4)), np.empty(FEATURES)
    count_live(r, p, hand, live)
    count_suits(live, suits)
    count_suits(hand, own)
    fill_shares(r, p, me, share)
    row = weights[situation(r, p)]
    best, most = -1, 0.0
    while words != ZERO:
        card = lowest_bit(words)
        words &= words - ONE
        write_features(r, p, me, hand, card, live, suits, own, share, f)
        score = 0.0
        for i in range(FEATURES):
            score += row[i] * f[i]
        if best < 0 or score > most:
            best, most = card, score
    return best
