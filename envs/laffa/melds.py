"""Melds: what a hand has, which of two is better, whose count (T17-T24, T-j to T-p, Q11, 4.11).

A meld is 16 x kind + top rank. Which suit it is in is not part of that: the table learns kind and top rank alone.
"""

import numpy as np

from laffa.cards import ACE, JACK, KING, NINE, QUEEN, TEN
from laffa.jit import kernel, lowest_bit
from laffa.state import DECLARED, MELDS, NOBODY

ZERO, ONE, SUIT_BITS = np.uint64(0), np.uint64(1), np.uint64((1 << 13) - 1)

TIERCE, QUART, QUINT, CARRE = range(4)
KINDS = ("tierce", "quart", "quint", "carre")
RUNS_ONLY, CANCEL = 1, 1
"""Values of `meld_set` and `equal_runs` in packed rules."""

FOURS = (JACK, NINE, ACE, TEN, KING, QUEEN)
"""Ranks of which four count, best first: J 9 A T K Q (T20, T-k)."""
_FOUR_BITS = np.uint64(sum(1 << rank for rank in FOURS))


@kernel
def points(r, kind, rank):
    """What a meld is worth (T18, T20, 4.11)."""
    if kind == CARRE:
        return 200 if rank == FOURS[0] else (150 if rank == FOURS[1] else 100)
    if kind == TIERCE:
        return 20
    return 50 if kind == QUART or r.meld_set == RUNS_ONLY else 100


@kernel
def find(r, cards, trump, out):
    """The best set of melds of a hand: fours first, then the longest runs of what is left (Q11).

    Args:
        r: packed rules.
        cards: the whole hand as a set of bits.
        trump: suit of trumps, 4 for none.
        out: int64 [MELDS, 2]; row n gets the meld and its key, which is higher for the better one. Fours come in their order, then
            runs by suit (Q31).

    Returns:
        How many there are.
    """
    n = np.int64(0)
    rest = cards
    fours = _fours(r, cards)
    if fours != ZERO:
        for place in range(6):
            rank = FOURS[place]
            if (fours >> np.uint64(rank)) & ONE != ZERO:
                out[n, 0] = 16 * CARRE + rank
                out[n, 1] = _key(r, np.int64(CARRE), rank, np.int64(0), 5 - place, False)
                n += 1
                if r.overlap == 0:
                    rest &= ~((ONE | ONE << np.uint64(13) | ONE << np.uint64(26) | ONE << np.uint64(39)) << np.uint64(rank))
    for suit in range(4):
        n = _runs(r, (rest >> np.uint64(13 * suit)) & SUIT_BITS, suit == trump, out, n)
    return n


@kernel
def _fours(r, cards):
    """The ranks of which a hand has four that count, as bits."""
    if r.meld_set == RUNS_ONLY:
        return ZERO
    return cards & (cards >> np.uint64(13)) & (cards >> np.uint64(26)) & (cards >> np.uint64(39)) & _FOUR_BITS


@kernel
def _in_order(r, ranks):
    """Ranks as bits in the order of runs; 0 where no three follow one another."""
    in_order = ZERO
    while ranks != ZERO:
        in_order |= ONE << np.uint64(r.place[lowest_bit(ranks)])
        ranks &= ranks - ONE
    return in_order if in_order & (in_order >> ONE) & (in_order >> np.uint64(2)) != ZERO else ZERO


@kernel
def _key(r, kind, rank, length, top, trumps):
    """Points, fours before runs, then length where it counts, top card, trumps (T23, T-k, T-l)."""
    return (((points(r, kind, rank) * 2 + (kind == CARRE)) * 16 + length) * 16 + top) * 2 + trumps


@kernel
def _runs(r, ranks, trumps, out, n):
    """Add the maximal runs of one suit, the higher first."""
    in_order = _in_order(r, ranks)
    if in_order == ZERO:
        return n
    length, top = 0, 0
    for place in range(12, -2, -1):
        if place >= 0 and (in_order >> np.uint64(place)) & ONE != ZERO:
            top = place if length == 0 else top
            length += 1
            continue
        if length >= 3:
            kind = min(length - 3, QUINT)
            long = length if r.meld_set == RUNS_ONLY or (r.longer_first == 1 and kind == QUINT) else 0
            out[n, 0] = 16 * kind + _rank_at(r, top)
            out[n, 1] = _key(r, kind, np.int64(0), np.int64(long), top, trumps)
            n += 1
        length = 0
    return n


@kernel
def _rank_at(r, place):
    """The rank that stands at a place of the order of runs."""
    rank = 0
    while r.place[rank] != place:
        rank += 1
    return rank


@kernel
def announce(r, p, seat, cards):
    """Make a seat's melds public, in an order that says nothing about their suits: best first."""
    found = np.empty((MELDS, 2), np.int64)
    n = find(r, cards, np.int64(NOBODY), found)
    for place in range(n):
        best = place
        for other in range(place + 1, n):
            if found[other, 1] > found[best, 1]:
                best = other
        # Two of equal worth have equal kind and rank, so that a swap shows nothing.
        found[place, 0], found[best, 0] = found[best, 0], found[place, 0]
        found[place, 1], found[best, 1] = found[best, 1], found[place, 1]
        p.melds[seat, place] = found[place, 0]


@kernel
def whole_hand(p, seat):
    """The cards that a seat has played, as a set: at the end of a hand all that it was dealt."""
    cards = ZERO
    for card in range(52):
        if p.played[seat, card] != 0:
            cards |= ONE << np.uint64(card)
    return cards


@kernel
def count(r, s, totals):
    """Count the announced melds of a finished hand into `totals` [2], and note them in order in `last` (T21-T23, T-n).

    The side with the best single meld counts all of its own; the other side's are void (T-dd).
    """
    p = s.public
    found = np.empty((MELDS, 2), np.int64)
    best, mine = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for seat in range(4):
        for place in range(MELDS):
            p.last.melds[seat, place] = NOBODY
        if s.declared[seat] != DECLARED:
            continue
        for place in range(find(r, whole_hand(p, seat), np.int64(p.trump), found)):
            meld = found[place, 0]
            p.last.melds[seat, place] = meld
            mine[seat & 1] += points(r, meld >> 4, meld & 15)
            best[seat & 1] = max(best[seat & 1], found[place, 1])
    totals[0], totals[1] = 0, 0
    winner = _better_side(r, p.dealer & 1, best)
    if winner >= 0:
        totals[winner] = mine[winner]


@kernel
def _better_side(r, dealers, best):
    """The side with the better best meld; equal ones are plain runs: the side that does not deal has the better, or neither (T-n, 4.11)."""
    if best[0] != best[1]:
        return 0 if best[0] > best[1] else 1
    if best[0] == 0 or r.equal_runs == CANCEL:
        return -1
    return 1 - dealers


@kernel
def has_any(r, cards):
    """Whether a hand has a meld."""
    if _fours(r, cards) != ZERO:
        return True
    for suit in range(4):
        if _in_order(r, (cards >> np.uint64(13 * suit)) & SUIT_BITS) != ZERO:
            return True
    return False
