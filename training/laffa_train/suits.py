"""The order of suits in which networks see a position.

Suits are equal but for their names, so a network that sees trumps first and then its own longest suit
learns from one position what it would otherwise have to learn 24 times. N rows, D values of a view.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from laffa import layout, observe
from laffa.cards import ACTIONS, BID_SUIT, TRUMP
from laffa.jit import kernel

ORDERS = np.array(list(permutations(range(4))))
"""Row o: the suits in the order in which a network sees them [24, 4]."""

SUITED: dict[str, tuple[int, int]] = dict.fromkeys(("hand", "played", "when", "hands", "open_cards"), (52, 13))
SUITED |= {"table": (17, 1), "trump": (5, 1), "voids": (4, 1), "bid_suit": (4, 1)}
"""Pieces that are laid out by suit: size of a block, places of a suit; the four suits come first in each block."""


def _sources(size: int, block: int, places: int) -> NDArray[np.uint16]:
    """Where each value of a piece comes from under each order [24, size]."""
    at = np.tile(np.arange(size, dtype=np.uint16), (len(ORDERS), 1))
    for start in range(0, size - size % block, block):
        for suit in range(4):
            for place in range(places):
                at[:, start + suit * places + place] = start + ORDERS[:, suit] * places + place
    return at


def _view_sources() -> NDArray[np.uint16]:
    """The same for a whole view [24, STATE_SIZE]."""
    pieces = layout.OBSERVATION + layout.HIDDEN
    parts = [piece.offset + _sources(piece.size, *SUITED.get(piece.name, (piece.size + 1, 0))) for piece in pieces]
    return np.concatenate(parts, 1).astype(np.uint16)


def _action_sources() -> NDArray[np.uint16]:
    """The same for the actions [24, ACTIONS]: cards, trumps and bids with a suit follow the suits, other calls stay."""
    at = np.tile(np.arange(ACTIONS, dtype=np.uint16), (len(ORDERS), 1))
    at[:, :52] = _sources(52, 52, 13)
    at[:, TRUMP : TRUMP + 4] = TRUMP + ORDERS
    at[:, BID_SUIT:] = BID_SUIT + _sources(ACTIONS - BID_SUIT, 4, 1)
    return at


VIEW_SOURCES, ACTION_SOURCES = _view_sources(), _action_sources()
LAST_TRICK = int(observe.LAST_TRICK)


def _end(sources: NDArray[np.uint16]) -> int:
    """Behind the last value that any order moves."""
    return 1 + int(np.flatnonzero((sources != np.arange(sources.shape[1])).any(0)).max())


VIEW_END, STATE_END = _end(VIEW_SOURCES[:, : layout.SIZE]), _end(VIEW_SOURCES)
TARNEEB_VIEW_END, TARNEEB_ACTIONS_END = _end(VIEW_SOURCES[:, : layout.TARNEEB_END]), _end(ACTION_SOURCES[:, :BID_SUIT])
_INVERSE = np.argsort(ORDERS, 1).astype(np.int8)
_NUMBER = np.zeros((4, 4, 4), np.int8)
_NUMBER[ORDERS[:, 0], ORDERS[:, 1], ORDERS[:, 2]] = np.arange(len(ORDERS))


@kernel
def choose_order(obs: NDArray[np.int8]) -> NDArray[np.int8]:
    """The order of suits for each observation [N]: trumps, then the seat's longest suit, ties by its higher cards."""
    orders = np.empty(len(obs), np.int8)
    key, order = np.empty(4, np.int64), np.empty(4, np.int64)
    for i in range(len(obs)):
        for suit in range(4):
            key[suit] = -suit - (np.int64(1) << 40) * obs[i, observe.TRUMP + suit]
            for rank in range(13):
                key[suit] -= obs[i, observe.HAND + 13 * suit + rank] * ((np.int64(1) << 32) + (np.int64(1) << (rank + 3)))
        for suit in range(4):  # its place is the number of suits that go before it: a sort of four without branches
            order[(key < key[suit]).sum()] = suit
        orders[i] = _NUMBER[order[0], order[1], order[2]]
    return orders


@kernel
def reorder(rows: NDArray[np.int8], orders: NDArray[np.int8], sources: NDArray[np.uint16], last_trick: int, first: int, end: int) -> None:
    """Put the values `first` to `end` of rows into their order of suits, in place.

    From `last_trick` on every other of 8 values is a suit + 1, none with -1.
    """
    before = np.empty(rows.shape[1], np.int8)
    for i in range(len(rows)):
        row, source = rows[i], sources[orders[i]]
        before[first:end] = row[first:end]
        for j in range(first, end):
            row[j] = before[source[j]]
        if last_trick >= 0:
            for j in range(last_trick, last_trick + 8, 2):
                if row[j] > 0:
                    row[j] = _INVERSE[orders[i], row[j] - 1] + 1


def by_suits(obs: NDArray[np.int8], mask: NDArray[np.int8], state: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
    """Put views and masks into the order of suits for networks, in place. Returns the orders, which lead actions back."""
    orders, size = choose_order(obs), layout.SIZE
    more = _is_filled(obs)
    reorder(obs, orders, VIEW_SOURCES, LAST_TRICK, 0, VIEW_END if more else TARNEEB_VIEW_END)
    reorder(mask, orders, ACTION_SOURCES, -1, 0, ACTIONS if more else TARNEEB_ACTIONS_END)
    if state is not None:
        state[:, :size] = obs
        reorder(state, orders, VIEW_SOURCES, -1, size, STATE_END)
    return orders


@kernel
def _is_filled(obs):
    """Whether any row has something behind what games of Tarneeb fill: the flag of another family always is."""
    for i in range(len(obs)):
        if obs[i, observe.MORE_RULES] != 0:
            return True
    return False


def real_action(orders: NDArray[np.int8], action: NDArray[np.int64]) -> NDArray[np.int64]:
    """The engine's ids of actions chosen in an order of suits, int64 [N]."""
    return ACTION_SOURCES[orders, action].astype(np.int64)
