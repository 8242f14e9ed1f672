"""What the rule-based player counts: cards not yet seen, and the chance that a seat can take a trick.

A set of cards is a 64-bit word, bit `13 * suit + rank`. `live` are the cards that neither lie open nor
are one's own. Where the live cards of a suit are is estimated by counting: a seat's share of them is
its number of cards over those of all seats that may still hold the suit.
"""

import numpy as np

from laffa.cards import NO_TRUMP
from laffa.jit import kernel, lowest_bit, popcount
from laffa.play import SUIT_BITS, suit_of

ZERO, ONE = np.uint64(0), np.uint64(1)
PACK = np.uint64((1 << 52) - 1)
DECLARER_TRUMPS, DECLARER_PLAIN = 2.2, 0.8
"""How many times his share of the trumps and of a plain suit a declarer is taken to hold: on average he has 5.6 trumps."""
POINTS = (0, 0, 0, 0, 0, 0, 0, 0, 10, 2, 3, 4, 11)
"""Card points by rank, 2 to A (I22)."""


@kernel
def beats(card, best, trump):
    """Whether `card`, played later, takes the trick from `best`, with ranks in their natural order (K8, K9)."""
    return card > best if card // 13 == best // 13 else card // 13 == trump


@kernel
def seen_cards(p):
    """All cards played in this hand, those on the table included."""
    seen = ZERO
    for card in range(52):
        if p.when[card] > 0:
            seen |= ONE << np.uint64(card)
    return seen


@kernel
def above(card):
    """The cards of the same suit that are higher than `card`."""
    suit = np.uint64(13 * (card // 13))
    return (SUIT_BITS << suit) & ~((ONE << np.uint64(card + 1)) - ONE)


@kernel
def highest_bit(word):
    """Index of the highest of the lowest 52 bits of a word that is not empty."""
    top = 0
    while word != ZERO:
        top = lowest_bit(word)
        word &= word - ONE
    return top


@kernel
def top_rank(held, suit):
    """Rank of the highest card held of a suit, -1 when void."""
    ranks = suit_of(held, suit)
    return highest_bit(ranks) if ranks != ZERO else -1


@kernel
def power(x, n):
    """X to a small whole power."""
    out = 1.0
    for _ in range(n):
        out *= x
    return out


@kernel
def cards_left(p, seat):
    """Cards in a seat's hand, from the public record."""
    return 13 - p.trick - (1 if ((seat - p.leader) & 3) < p.on_table else 0)


@kernel
def fill_shares(p, me, live, share):
    """Write share[seat, suit]: the chance that a live card of the suit is in that seat's hand; 0 for suit 4, the trumps of no trump."""
    share[:, NO_TRUMP] = 0.0
    for suit in range(4):
        total = 0.0
        for k in range(1, 4):
            seat = (me + k) & 3
            weight = 0.0 if p.voids[seat, suit] else float(cards_left(p, seat))
            if seat == p.declarer:
                weight *= DECLARER_TRUMPS if suit == p.trump else DECLARER_PLAIN
            share[seat, suit] = weight
            total += weight
        share[me, suit] = 0.0
        empty = suit_of(live, suit) == ZERO
        for k in range(1, 4):
            seat = (me + k) & 3
            share[seat, suit] = 0.0 if empty or total == 0.0 else share[seat, suit] / total


@kernel
def chance_void(share, live, seat, suit):
    """The chance that a seat has no card of a suit."""
    return power(1.0 - share[seat, suit], popcount(suit_of(live, suit)))


@kernel
def chance_ruff(share, live, seat, suit, trump):
    """The chance that a seat is void of a plain suit and holds a trump."""
    if suit == trump:
        return 0.0
    return chance_void(share, live, seat, suit) * (1.0 - chance_void(share, live, seat, trump))


@kernel
def chance_beat(share, live, seat, card, led, trump):
    """The chance that a seat that has still to play can beat the winning `card` in a trick of suit `led`."""
    suit = card // 13
    higher = popcount(live & above(card))
    over = 1.0 - power(1.0 - share[seat, suit], higher)
    if suit == trump and led != trump:
        return over * chance_void(share, live, seat, led)
    return over + chance_ruff(share, live, seat, led, trump)
