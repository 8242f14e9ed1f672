"""The play phase: following, ruffing, taking tricks and the points in them (K20-K23, I22)."""

import numpy as np

from laffa.jit import kernel

SUIT_BITS = np.uint64((1 << 13) - 1)
ZERO, ONE = np.uint64(0), np.uint64(1)
POINTS = (0, 0, 0, 0, 0, 0, 0, 0, 10, 2, 3, 4, 11)
"""Card points by rank, 2 to A (I22)."""


@kernel
def suit_of(held, suit):
    """The thirteen rank bits of one suit of a set of cards."""
    return (held >> np.uint64(13 * suit)) & SUIT_BITS


@kernel
def legal(p, held):
    """Cards that may be played: the suit led if held, else any (K21)."""
    if p.on_table > 0:
        follow = held & (SUIT_BITS << np.uint64(13 * (p.table[0] // 13)))
        if follow != ZERO:
            return follow
    return held


@kernel
def beats(card, best, trump):
    """Whether `card`, played later, takes the trick from `best` (K8, K9, K22)."""
    if card // 13 == best // 13:
        return card > best
    return card // 13 == trump


@kernel
def apply(s, card):
    """Play a card. Returns whether it completed a trick."""
    p = s.public
    seat = p.turn
    s.hands[seat, card] -= 1
    if s.hands[seat, card] == 0:
        s.held[seat] &= ~(ONE << np.uint64(card))
    p.played[seat, card] += 1
    p.when[card] = p.trick + 1
    place = p.on_table
    p.table[place] = card
    if place == 0:
        p.best = 0
    else:
        led = p.table[0] // 13
        if card // 13 != led:
            p.voids[seat, led] = 1
        if beats(card, p.table[p.best], p.trump):
            p.best = place
    p.on_table = place + 1
    p.turn = (seat + 1) & 3
    return place == 3


@kernel
def take_trick(p):
    """The winner takes the trick and leads next (K22)."""
    winner = (p.leader + p.best) & 3
    p.last_leader = p.leader
    for place in range(4):
        p.last_table[place] = p.table[place]
    p.winners[p.trick] = winner
    p.trick += 1
    p.tricks[winner & 1] += 1
    p.on_table = 0
    p.leader = winner
    p.turn = winner


@kernel
def take_points(p):
    """The side that took the last trick keeps its card points (I22)."""
    side = p.winners[p.trick - 1] & 1
    for place in range(4):
        p.points[side] += POINTS[p.last_table[place] % 13]
