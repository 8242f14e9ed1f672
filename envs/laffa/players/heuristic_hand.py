"""How many tricks a hand is worth: I25 and I-i, refined and measured.

A hand's features times one row of weights give the tricks of its side: row 0 when this seat declares with
a given suit as trumps, row 1 when partner declares, row 2 when an opponent does, row 3 when this seat declares at no trump.
"""

import numpy as np

from laffa.jit import kernel, popcount
from laffa.play import suit_of
from laffa.players.heuristic_cards import ONE

TRUMP_FEATURES = 30
SIDE_FEATURES = 16
NO_TRUMP_FEATURES = 16

# Features of a hand with given trumps: number of trumps, as steps; its five top cards and the next; pairs of these.
ONE_EACH, TRUMPS, OVER_4, OVER_5, OVER_6, TRUMP_ACE, ACE_KING, TENACE = 0, 1, 2, 3, 4, 5, 11, 12
# Plain suits: high cards, alone and guarded; short suits, and times the trumps beyond four; long suits.
ACE, WITH_KING, KING_2, KING_3, KING_BARE, QUEEN_HELPED, QUEEN_3, JACK_HELPED = 13, 14, 15, 16, 17, 18, 19, 20
VOID, SINGLETON, DOUBLETON, VOID_TRUMPS, SINGLETON_TRUMPS, OVER_FOUR, LONG_HONOURS, LONG_ACE, ACE_BARE = 21, 22, 23, 24, 25, 26, 27, 28, 29


@kernel
def holds(ranks, rank):
    """1.0 when the rank is in a suit's thirteen bits."""
    return float((ranks >> np.uint64(rank)) & ONE)


@kernel
def dot(weights, f):
    """Sum of features times weights; further weights are not used."""
    total = 0.0
    for i in range(len(f)):
        total += weights[i] * f[i]
    return total


@kernel
def _plain_suit(ranks, trumps, f):
    """Add the features of a plain suit."""
    n = popcount(ranks)
    ace, king, queen, jack = holds(ranks, 12), holds(ranks, 11), holds(ranks, 10), holds(ranks, 9)
    f[ACE] += ace
    f[ACE_BARE] += ace * (n == 1)
    f[WITH_KING] += ace * king
    f[KING_2] += king * (1 - ace) * (n >= 2)
    f[KING_3] += king * (1 - ace) * (n >= 3)
    f[KING_BARE] += king * (n == 1)
    f[QUEEN_HELPED] += queen * (ace + king > 0) * (n >= 3)
    f[QUEEN_3] += queen * (ace + king == 0) * (n >= 3)
    f[JACK_HELPED] += jack * (ace + king + queen >= 1) * (n >= 3)
    f[VOID] += n == 0
    f[SINGLETON] += n == 1
    f[DOUBLETON] += n == 2
    f[VOID_TRUMPS] += (n == 0) * (trumps - 4)
    f[SINGLETON_TRUMPS] += (n == 1) * (trumps - 4)
    f[OVER_FOUR] += max(0, n - 4)
    f[LONG_HONOURS] += (n >= 5) * (ace + king + queen)
    f[LONG_ACE] += ace * (n >= 5)


@kernel
def trump_features(held, trump, f):
    """Write the features of a hand with `trump` as trumps into f [TRUMP_FEATURES]."""
    f[:] = 0.0
    ranks = suit_of(held, trump)
    n = popcount(ranks)
    f[ONE_EACH] = 1.0
    f[TRUMPS] = n
    f[OVER_4] = max(0, n - 4)
    f[OVER_5] = max(0, n - 5)
    f[OVER_6] = max(0, n - 6)
    for k in range(6):
        f[TRUMP_ACE + k] = holds(ranks, 12 - k)
    ace, king, queen = holds(ranks, 12), holds(ranks, 11), holds(ranks, 10)
    f[ACE_KING] = ace * king
    f[TENACE] = ace * queen * (1 - king) + king * queen * (1 - ace)
    for suit in range(4):
        if suit != trump:
            _plain_suit(suit_of(held, suit), n, f)


@kernel
def side_features(held, f):
    """Write the features of a hand whose trumps another seat will name into f [SIDE_FEATURES]."""
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
def best_trump(held, weights):
    """(suit, tricks of the own side with it as trumps) of the best suit; of equal ones the first."""
    f = np.empty(TRUMP_FEATURES)
    best, most = 0, -1e9
    for suit in range(4):
        trump_features(held, suit, f)
        tricks = dot(weights, f)
        if tricks > most:
            best, most = suit, tricks
    return best, most


@kernel
def _top_cards(ranks):
    """How many of a suit's cards are the highest ones in a row."""
    n = 0
    while n < 13 and holds(ranks, 12 - n) > 0:
        n += 1
    return n


@kernel
def no_trump_features(held, f):
    """Write the features of a declarer's hand without trumps into f [NO_TRUMP_FEATURES]: top cards, stoppers, long suits."""
    f[:] = 0.0
    f[0] = 1.0
    for suit in range(4):
        ranks = suit_of(held, suit)
        n, run = popcount(ranks), _top_cards(ranks)
        ace, king, queen, jack = holds(ranks, 12), holds(ranks, 11), holds(ranks, 10), holds(ranks, 9)
        stopped = ace > 0 or (king > 0 and n >= 2) or (queen > 0 and n >= 3) or (jack > 0 and n >= 4)
        f[1] += run
        f[2] += n if run >= 3 and n >= 5 else run
        f[3] += king * (1 - ace) * (n >= 2)
        f[4] += queen * (n >= 3) * (run < 3)
        f[5] += jack * (n >= 3) * (run < 4)
        f[6] += stopped
        f[7] += max(0, n - 4) * (ace + king + queen)
        f[8] += max(0, n - 4)
        f[9] += max(0, n - 4) * (ace + king + queen >= 2)
        f[10] += n <= 1
        f[11] += ace * king
        f[12] += stopped * (run == 0)
    f[13] = f[6] == 4
    f[14] = max(0.0, f[2] - 4)
    f[15] = max(0.0, f[2] - 6)


@kernel
def no_trump_tricks(held, weights):
    """Tricks of the own side when this seat declares at no trump (I23)."""
    f = np.empty(NO_TRUMP_FEATURES)
    no_trump_features(held, f)
    return dot(weights, f)
