"""Suits in an order of their own, so that hands which differ only in the names of suits look the same.

The rules treat suits alike but for trumps. `rearrange` puts trumps first, once they are named, then the
suits by what the observer holds: more cards first, then higher ones. A network that sees only such
views learns a position once instead of up to 24 times. `real_actions` leads back to the table.
"""

import numpy as np
from numpy.typing import NDArray

from laffa import observe
from laffa.cards import ACTIONS, BID_SUIT, CARDS, LEVELS, TRUMP
from laffa.jit import kernel

HAND, PLAYED, TABLE, VOIDS, LAST_TRICK, WHEN, HANDS = (
    observe.HAND,
    observe.PLAYED,
    observe.TABLE,
    observe.VOIDS,
    observe.LAST_TRICK,
    observe.WHEN,
    observe.HANDS,
)
TRUMP_FLAGS = observe.TRUMP


@kernel
def find_order(obs, order):
    """Write the real suits in the order of their new places, int8 [4]."""
    keys = np.zeros(4, np.int64)
    for suit in range(4):
        ranks, cards, gone = 0, 0, 0
        for rank in range(13):
            copies = obs[HAND + 13 * suit + rank]
            cards += copies
            ranks = ranks * 2 + (1 if copies > 0 else 0)
            for seat in range(4):
                gone += obs[PLAYED + 52 * seat + 13 * suit + rank]
        # Ranks were read from the two up, so the ace is the lowest bit: turn them round.
        high = 0
        for _ in range(13):
            high = high * 2 + (ranks & 1)
            ranks >>= 1
        keys[suit] = ((obs[TRUMP_FLAGS + suit] * 256 + cards) * 8192 + high) * 64 + min(gone, 63)
    for place in range(4):
        best = 0
        for suit in range(1, 4):
            if keys[suit] > keys[best]:
                best = suit
        order[place] = best
        keys[best] = -1


@kernel
def _move(values, start, width, order, scratch):
    """Put four blocks of `width` values from `start` on into their new order."""
    for i in range(4 * width):
        scratch[i] = values[start + i]
    for place in range(4):
        for i in range(width):
            values[start + place * width + i] = scratch[order[place] * width + i]


@kernel
def _move_view(obs, order, scratch):
    _move(obs, HAND, 13, order, scratch)
    _move(obs, WHEN, 13, order, scratch)
    _move(obs, TRUMP_FLAGS, 1, order, scratch)
    for seat in range(4):
        _move(obs, PLAYED + 52 * seat, 13, order, scratch)
        _move(obs, TABLE + 17 * seat, 1, order, scratch)
        _move(obs, VOIDS + 4 * seat, 1, order, scratch)
        suit = obs[LAST_TRICK + 2 * seat] - 1
        for place in range(4):
            if order[place] == suit:
                obs[LAST_TRICK + 2 * seat] = place + 1


@kernel
def rearrange(obs, mask, state, order):
    """Rearrange views and masks in place.

    Args:
        obs: observations, int8 [B, D].
        mask: their masks, int8 [B, A].
        state: state views, int8 [B, S], or no rows.
        order: int8 [B, 4], written: the real suit at each new place.
    """
    scratch = np.empty(52, np.int8)
    for i in range(len(obs)):
        find_order(obs[i], order[i])
        _move_view(obs[i], order[i], scratch)
        _move(mask[i], 0, 13, order[i], scratch)
        _move(mask[i], TRUMP, 1, order[i], scratch)
        for level in range(LEVELS):
            _move(mask[i], BID_SUIT + 4 * level, 1, order[i], scratch)
        if len(state) > 0:
            _move_view(state[i], order[i], scratch)
            for seat in range(3):
                _move(state[i], HANDS + 52 * seat, 13, order[i], scratch)


def real_actions(order: NDArray[np.int8], actions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The actions at the table that are meant by actions in rearranged views.

    Args:
        order: what `rearrange` wrote, [B, 4].
        actions: ids, [B].
    """
    return _TABLE[_CODES[tuple(order.T)], actions]


def _orders() -> NDArray[np.int8]:
    """All 24 orders, [24, 4]."""
    grid = np.indices((4, 4, 4, 4)).reshape(4, -1).T
    return grid[[len(set(row)) == 4 for row in grid.tolist()]].astype(np.int8)


def _real(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """For one order the real action of each id, [A]."""
    ids = np.arange(ACTIONS)
    ids[:CARDS] = (order[:, None] * 13 + np.arange(13)).reshape(-1)
    ids[TRUMP : TRUMP + 4] = TRUMP + order
    for level in range(LEVELS):
        start = BID_SUIT + 4 * level
        ids[start : start + 4] = start + order
    return ids


_TABLE = np.array([_real(order) for order in _orders().astype(np.int64)])
_CODES = np.zeros((4, 4, 4, 4), np.int64)
_CODES[tuple(_orders().T)] = np.arange(24)
