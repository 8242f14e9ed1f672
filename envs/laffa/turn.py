"""What a batch shows to players: one `Turn` for all its games."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laffa import layout
from laffa.cards import ACTIONS
from laffa.state import BLIND, HISTORY, RESULT, UNDECIDED, records
from laffa.sweep import make_blind


@dataclass
class Turn:
    """What a batch shows: whose turn it is in each game, what that seat sees and may do, and what the last step paid."""

    seat: NDArray[np.int8]
    """Seat to act, [B]."""
    obs: NDArray[np.int8]
    """Its observation, [B, D]."""
    mask: NDArray[np.int8]
    """1 for each legal action, [B, A]."""
    reward: NDArray[np.float32]
    """What the last step paid to each seat, [B, 4]."""
    done: NDArray[np.bool_]
    """Whether the last step ended the episode, [B]."""
    truncated: NDArray[np.bool_]
    """Whether it was `max_hands` that ended it, [B]."""
    hand_done: NDArray[np.bool_]
    """Whether the last step ended a counted hand, [B]."""
    winner: NDArray[np.int8]
    """Who won the episode that the last step ended: a side, 2 for a draw, 3 for no result, else -1, [B]."""
    result: NDArray[np.void]
    """RESULT records of the hands that the last step ended, [B]; they mean something only where `hand_done`."""
    state: NDArray[np.int8] | None = None
    """Everything, seen from the seat to act, for centralised critics: [B, S] with `state=True`."""
    events: NDArray[np.int16] | None = None
    """Public history of the hand as tokens, [B, 192] with `events=True`."""
    make_blind: "Callable[[Any], NDArray[np.void]] | None" = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.seat)

    @cached_property
    def blind(self) -> NDArray[np.void]:
        """BLIND records [B]: all that the seat to act knows, for players that work on records."""
        if self.make_blind is None:
            raise ValueError("this turn was made without its games, so it has no blind records")
        return self.make_blind(slice(None))

    def rows(self, index: Any) -> "Turn":
        """The turn of some of the games, copied; `index` is a mask or an array of positions."""
        make = self.make_blind
        picked: dict[str, Any] = {name: None if getattr(self, name) is None else getattr(self, name)[index] for name in ARRAYS}
        return Turn(**picked, make_blind=None if make is None else lambda inner: make(np.arange(len(self))[index][inner]))


ARRAYS = ("seat", "obs", "mask", "reward", "done", "truncated", "hand_done", "winner", "result", "state", "events")
"""The fields of `Turn` that have a row for each game."""


class Blinds:
    """The blind records of the games of a turn, for as long as it lasts.

    Args:
        states: the games.
        clock: [number of the turn that they show now].
        number: of the turn whose records these are.
    """

    def __init__(self, states: NDArray[np.void], clock: Sequence[int] = (0,), number: int = 0) -> None:
        self.states, self.clock, self.number = states, clock, number

    def __call__(self, index: Any) -> NDArray[np.void]:
        """Those of some games; a `ValueError` once the turn is over."""
        if self.clock[0] != self.number:
            raise ValueError("this turn is over: its blind records can only be read before the batch steps on")
        rows = np.arange(len(self.states))[index]
        out = records(len(rows), BLIND)
        make_blind(self.states, rows, out)
        return out


def blank_turn(n: int, state: bool, events: bool, blind: Callable[[Any], NDArray[np.void]] | None = None) -> Turn:
    """A turn of `n` games on which nothing has been paid yet; views and masks are not written."""
    return Turn(
        seat=np.empty(n, np.int8),
        obs=np.empty((n, layout.SIZE), np.int8),
        mask=np.empty((n, ACTIONS), np.int8),
        reward=np.zeros((n, 4), np.float32),
        done=np.zeros(n, np.bool_),
        truncated=np.zeros(n, np.bool_),
        hand_done=np.zeros(n, np.bool_),
        winner=np.full(n, UNDECIDED, np.int8),
        result=records(n, RESULT),
        state=np.empty((n, layout.STATE_SIZE), np.int8) if state else None,
        events=np.empty((n, HISTORY), np.int16) if events else None,
        make_blind=blind,
    )
