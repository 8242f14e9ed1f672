"""The batched engine: many games of one variant, stepped together.

Game `i` of a batch with seed `s` deals its k-th hand as a function of (s, i, k) alone. A finished
game starts its next match in the same step: `turn.done` and `turn.reward` belong to the match that
ended, everything else in the turn to the new one.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from laffa.cards import ACTIONS
from laffa.checks import check_count, check_episode, check_seed
from laffa.crew import Crew, Task, hold
from laffa.jit import announce
from laffa.rules import Rules, load
from laffa.state import PHASES, STATE, UNDECIDED, records
from laffa.sweep import advance, find_illegal, show, show_events, show_states, start
from laffa.text import action_text, legal_texts
from laffa.turn import Blinds, Turn, blank_turn, turn_in

Out = Turn | Mapping[str, NDArray[Any]] | tuple[Any, ...] | None
"""Where a turn may be written: a turn, or a mapping or named tuple of some of its arrays."""

CHECK_TOGETHER = 8192
"""Games from which on several threads check actions in less time than it takes to wake them."""


class IllegalAction(ValueError):
    """An action that the rules do not allow; the state is as it was."""


def illegal_action(rules: Rules, state: np.void, action: Any) -> IllegalAction:
    """The error for an action that is not legal: seat, phase, action and the legal ones."""
    p = state["public"]
    legal = ", ".join(legal_texts(rules, state))
    name = repr(action)
    if isinstance(action, (int, np.integer)) and 0 <= action < ACTIONS:
        name = f"{int(action)} ({action_text(rules, int(action))})"
    return IllegalAction(f"player_{p['turn']} may not play action {name} in phase {PHASES[p['phase']]!r}; legal are {legal}")


class Batch:
    """Many games of one variant in one array.

    A step is whole or has not begun, whatever breaks in: what a signal's handler raises meanwhile, such as the KeyboardInterrupt of Ctrl-C,
    is held back until all games have stepped. Afterwards `recv()` has the turn at which the games stand.

    Args:
        variant: an id of `laffa.variants()`, or `Rules`.
        games: number of games, B.
        seed: with the game's number and the deal's it fixes every card.
        first: number of the first game; a batch of games 64-127 is the second half of one of 128.
        episode: "match", or "hand" to end after one counted hand.
        reward: "score" pays the difference of every hand's scores, "outcome" +1, 0 or -1 at the end.
        max_hands: counted hands after which an episode is truncated.
        state: also write `turn.state`.
        events: also write `turn.events`.
        threads: slices of the batch that step at the same time.
        copy: with False every turn is the same one, whose arrays the next step writes over: those of the last `reset`, given as `out` or made there.
        overrides: options of the variant.

    Raises:
        ValueError: for anything that cannot be, naming what can.
    """

    def __init__(
        self,
        variant: str | Rules,
        games: int,
        seed: int = 0,
        *,
        first: int = 0,
        episode: str = "match",
        reward: str = "score",
        max_hands: int | None = None,
        state: bool = False,
        events: bool = False,
        threads: int = 1,
        copy: bool = True,
        **overrides: Any,
    ) -> None:
        self.rules = load(variant, **overrides)
        self.games = check_count("games", games)
        self.seed = check_seed(seed)
        self._first = check_count("first", first, 0, 2**62)
        self._episode, self._outcome, self._max_hands = check_episode(episode, reward, max_hands)
        self._with_state, self._with_events = state, events
        self._copy = copy
        self._own: Turn | None = None  # what all turns are without copies
        self._states = records(self.games, STATE)
        threads = min(check_count("threads", threads, 1, 1024), self.games)
        bounds = np.linspace(0, self.games, threads + 1).astype(int)
        self._slices = [slice(low, high) for low, high in pairwise(bounds.tolist())]
        self._marks = np.zeros((threads, 2), np.int64)  # of each slice the number of its last step, and its counted hands
        self._clock = [0]  # number of the step that was begun last
        self._task: Task | None = None  # that step, whose result is (turn, its blind records); None where a reset is needed
        self._crew: Crew | None = None
        announce()

    @property
    def states(self) -> NDArray[np.void]:
        """The games, STATE records [B]."""
        self._settle()
        return self._states

    @property
    def hands_finished(self) -> int:
        """Counted hands of all games since the reset."""
        self._settle()
        return int(self._marks[:, 1].sum())

    @hands_finished.setter
    def hands_finished(self, hands: int) -> None:
        self._settle()
        self._marks[:, 1] = [hands, *[0] * (len(self._marks) - 1)]

    def reset(self, seed: int | None = None, out: Out = None) -> Turn:
        """Begin the first match of every game anew, under `seed` if one is given; `out` as in `step`."""
        seed = self.seed if seed is None else check_seed(seed)
        turn = self._blank(out)
        with suppress(ResetNeeded):
            self._settle()
        self._task = None  # up to the end of this, what breaks in leaves a batch that needs a reset
        self.seed = seed
        self._clock[0] += 1
        self._compile(turn)
        self._states[:] = np.zeros((), STATE)
        start(self.rules.packed, self._states, self.seed, self._first)
        for array in (turn.reward, turn.done, turn.truncated, turn.hand_done):
            array[:] = 0
        turn.winner[:] = UNDECIDED
        turn.result[:] = self._states["public"]["last"]
        self._show(turn)
        self._marks[:] = self._clock[0], 0
        task = Task.finished((turn, Blinds(self._states, self._clock, self._clock[0])))
        self._open(task)
        self._own = None if self._copy else turn
        self._task = task
        return turn

    def step(self, actions: Any, out: Out = None) -> Turn:
        """Play one legal action in every game.

        Args:
            actions: integers [B].
            out: a turn of this batch whose arrays may be written over, or some arrays by name; without it, and beside those, they are new.

        Raises:
            IllegalAction: naming the first game whose action is not legal; no game has moved then.
            ValueError: for actions or arrays of another type or shape.
        """
        self._begin(actions, out, own=True)
        return self.recv()

    def send(self, actions: Any, out: Out = None) -> None:
        """Begin a step that threads of the batch make while the caller does other things; `recv` returns its turn.

        Arguments and errors are those of `step`. Until `recv` the arrays of `out`, or without copies those of all turns, are being written.
        """
        task = self._begin(actions, out, own=False)
        self._open(task)
        task.send()

    def recv(self) -> Turn:
        """The turn at which the games stand: waits for a step that was sent, or that a signal's handler broke off, to come to its end.

        It may be called again, and after `reset`; the turn is the same until the next step.
        """
        self._settle()
        task = self._task
        if task is None:
            raise ResetNeeded("reset() must be called before recv()")
        if task.error is not None:
            self._task = None
            raise task.error
        task.taken = True
        return task.result[0]

    def _begin(self, actions: Any, out: Out, own: bool) -> Task:
        """Check everything and begin a step: once `_task` is set, it will be made, and nothing has changed before."""
        if self._task is None:
            raise ResetNeeded("reset() must be called before step()")
        if not self._task.taken:
            raise ValueError("the turn of the last step has not been received: recv() returns it, and the next actions are for that one")
        actions = self._check_actions(actions)
        turn, number = self._blank(out), self._clock[0] + 1
        crew = self._hire(int(own))
        work = partial(self._advance, actions, turn, number)
        self._task = task = Task(work, len(self._slices), crew, (turn, Blinds(self._states, self._clock, number)), own=own)
        return task

    def _settle(self) -> None:
        """Bring the step that was begun, if there is one, to its end."""
        task = self._task
        if task is None or task.over:
            return
        if task.pid != os.getpid():
            self._task = None
            raise ResetNeeded("the process was forked in the middle of a step of this batch, whose copy here has to be reset")
        hold(partial(self._finish, task))

    def _finish(self, task: Task) -> None:
        self._open(task)
        task.finish()

    def _open(self, task: Task) -> None:
        """End the turn before, and give the new one its blind records; may be done again."""
        turn, blinds = task.result
        self._clock[0] = blinds.number
        turn.__dict__.pop("blind", None)
        turn.make_blind = blinds

    def _hire(self, first: int) -> Crew | None:
        """The threads for the slices from `first` on, if there are such; a forked child has none of its parent's."""
        if first == len(self._slices):
            return None
        if self._crew is None or self._crew.pid != os.getpid():
            self._crew = Crew(len(self._slices))
        self._crew.hire(first)
        return self._crew

    def _check_actions(self, actions: Any) -> NDArray[np.int64]:
        array = np.asarray(actions)
        if array.shape != (self.games,) or array.dtype.kind not in "iu":
            raise ValueError(f"actions must be whole numbers of shape ({self.games},), not {array.dtype} of shape {array.shape}")
        array = array.astype(np.int64)
        bad = self._find_illegal(array)
        if bad >= 0:
            error = illegal_action(self.rules, self._states[bad], int(array[bad]))
            raise IllegalAction(f"game {bad}: {error}")
        return array

    def _find_illegal(self, actions: NDArray[np.int64]) -> int:
        """The first game whose action is not legal, or -1."""
        if len(self._slices) == 1 or self.games < CHECK_TOGETHER:
            return find_illegal(self.rules.packed, self._states, actions)
        found = [-1] * len(self._slices)

        def check(number: int) -> None:
            rows = self._slices[number]
            found[number] = find_illegal(self.rules.packed, self._states[rows], actions[rows])

        Task(check, len(self._slices), self._hire(1)).finish()
        return next((rows.start + bad for rows, bad in zip(self._slices, found, strict=True) if bad >= 0), -1)

    def _blank(self, out: Out) -> Turn:
        """Arrays for the next turn: those of `out`, the batch's own, or new ones."""
        if out is not None:
            return turn_in(out, self.games, self._with_state, self._with_events)
        return blank_turn(self.games, self._with_state, self._with_events) if self._own is None else self._own

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the threads, which are made anew when they are needed."""
        self._settle()
        return self.__dict__ | {"_crew": None}

    def _compile(self, turn: Turn) -> None:
        """Have compiled what a step needs, so that a break need not wait for the compiler: a step that was made already is not made again."""
        self._play(np.zeros(self.games, np.int64), turn, int(self._marks[0, 0]), 0)

    def _advance(self, actions: NDArray[np.int64], turn: Turn, number: int, share: int) -> None:
        """A step of the games of one slice; may be done again by the same thread."""
        self._play(actions, turn, number, share)
        self._show_more(turn, self._slices[share])

    def _play(self, actions: NDArray[np.int64], turn: Turn, number: int, share: int) -> None:
        rows = self._slices[share]
        paid = tuple(array[rows] for array in (turn.reward, turn.done, turn.truncated, turn.hand_done, turn.winner, turn.result))
        shown = turn.seat[rows], turn.obs[rows], turn.mask[rows]
        options = self._episode, self._max_hands, self._outcome
        advance(self.rules.packed, self._states[rows], actions[rows], *options, paid, shown, number, self._marks[share])

    def _show(self, turn: Turn) -> None:
        show(self.rules.packed, self._states, turn.seat, turn.obs, turn.mask)
        self._show_more(turn, slice(0, self.games))

    def _show_more(self, turn: Turn, rows: slice) -> None:
        """What is written only where it was asked for."""
        if turn.state is not None:
            show_states(self.rules.packed, self._states[rows], turn.state[rows])
        if turn.events is not None:
            show_events(self.rules.packed, self._states[rows], turn.events[rows])
