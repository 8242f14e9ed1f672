"""What the rule-based player of Tarabish counts: cards that are still out, and who is likely to win a trick."""

import numpy as np

from laffa.jit import kernel, lowest_bit, popcount
from laffa.play import SUIT_BITS, beats, suit_of
from laffa.players.shares import after_seat, if_played

ZERO, ONE = np.uint64(0), np.uint64(1)
PACK = sum((0b1111111110000 << (13 * suit)) for suit in range(4))


@kernel
def points_of(r, card, trump):
    """The points of a card under these trumps."""
    return r.worth[2 if trump > 3 else (1 if card // 13 == trump else 0), card % 13]


@kernel
def live_cards(p, held):
    """Cards that others hold: the pack less the own hand and what was played."""
    live = np.uint64(PACK) & ~held
    for card in range(52):
        if p.when[card] > 0:
            live &= ~(ONE << np.uint64(card))
    return live


@kernel
def stronger(r, cards, card, trump):
    """Those of some cards that beat `card` in its own suit."""
    out, rest = ZERO, suit_of(cards, card // 13)
    while rest != ZERO:
        other = card // 13 * 13 + lowest_bit(rest)
        rest &= rest - ONE
        if beats(r, other, card, trump):
            out |= ONE << np.uint64(other)
    return out


@kernel
def chance_of_any(cards, q):
    """The chance to hold at least one of some cards, each with chance `q`."""
    return 1.0 - (1.0 - q) ** popcount(cards)


@kernel
def below_ceiling(r, p, seat, trumps):
    """Those of some trumps that a seat has not shown to lack."""
    out, rest = ZERO, trumps
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if r.strength[1, card % 13] <= p.ceiling[seat]:
            out |= ONE << np.uint64(card)
    return out


@kernel
def chance_to_beat(r, p, seat, led, best, live, share):
    """The chance that a seat still to play takes the trick from `best`: by a higher card of the suit, or void by a trump."""
    trump = p.trump
    over = ZERO
    if best // 13 == led:
        over = stronger(r, live, best, trump)
        if led == trump:
            over = below_ceiling(r, p, seat, over)
    chance = chance_of_any(over, share[seat, led])
    if led == trump or trump > 3:
        return chance
    void = (1.0 - share[seat, led]) ** popcount(suit_of(live, led))
    ruffs = stronger(r, live, best, trump) if best // 13 == trump else live & (SUIT_BITS << np.uint64(13 * trump))
    ruff = void * chance_of_any(below_ceiling(r, p, seat, ruffs), share[seat, trump])
    return 1.0 - (1.0 - chance) * (1.0 - ruff)


@kernel
def chance_to_win(r, p, me, card, live, share):
    """The chance that the own side takes the trick if `card` is played to it."""
    led, best, ours = if_played(r, p, me, card)
    for k in range(1, 4 - p.on_table):
        ours = after_seat(ours, k, chance_to_beat(r, p, (me + k) & 3, led, best, live, share))
    return ours
