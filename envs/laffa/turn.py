"""What a batch shows to players: one `Turn` for all its games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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


ROWS = {name: (array.shape[1:], array.dtype) for name in ARRAYS if (array := getattr(blank_turn(1, True, True), name)) is not None}
"""Shape and type of what each array of a turn has for one game."""


def turn_in(out: Any, n: int, state: bool, events: bool) -> Turn:
    """A turn of `n` games in the arrays of `out`: a turn, or a mapping or named tuple of some arrays, beside which the others are new.

    Compiled code writes where it is told, so every array is checked; a `ValueError` says what it must be.
    """
    written = [name for name in ARRAYS if {"state": state, "events": events}.get(name, True)]
    if isinstance(out, Turn):
        given = {name: array for name in ARRAYS if (array := getattr(out, name)) is not None or name in written}
    else:
        given = out._asdict() if hasattr(out, "_asdict") else out
    if not isinstance(given, Mapping):
        raise ValueError(f"out is a turn, or a mapping or named tuple of arrays named {', '.join(written)}; not {out!r}")
    for name, array in given.items():
        if name not in written:
            raise ValueError(f"out: this batch does not write {name!r}; it writes {', '.join(written)}")
        _check_array(name, array, n)
    return out if isinstance(out, Turn) else replace(blank_turn(n, state, events), **given)


def _check_array(name: str, array: Any, n: int) -> None:
    row, dtype = ROWS[name]
    # In numpy's words a `carray` is contiguous, aligned and writable.
    if isinstance(array, np.ndarray) and array.shape == (n, *row) and array.dtype == dtype and array.flags.carray:
        return
    kind = "RESULT records" if name == "result" else str(dtype)
    found = f"a {type(array).__name__}"
    if isinstance(array, np.ndarray):
        found = f"{array.dtype} of shape {array.shape}{'' if array.flags.carray else ', read-only or not contiguous'}"
    raise ValueError(f"out: {name} must be a writable, contiguous numpy array of {kind} and shape {(n, *row)}, not {found}")
