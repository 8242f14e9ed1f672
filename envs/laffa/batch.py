"""The batched engine: many games of one variant, stepped together.

Game `i` of a batch with seed `s` deals its k-th hand as a function of (s, i, k) alone. A finished
game starts its next match in the same step: `turn.done` and `turn.reward` belong to the match that
ended, everything else in the turn to the new one.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from laffa import engine, observe
from laffa.cards import ACTIONS
from laffa.checks import check_count, check_episode, check_seed
from laffa.jit import announce, kernel
from laffa.rng import game_key
from laffa.rules import Rules, load
from laffa.state import BLIND, PHASES, STATE, UNDECIDED, records
from laffa.text import action_text, legal_texts
from laffa.turn import ARRAYS, Turn, blank_turn


class IllegalAction(ValueError):
    """An action that the rules do not allow; the state is as it was."""


@kernel
def find_illegal(r, states, actions):
    """The first game whose action is not legal, or -1."""
    for i in range(len(states)):
        p = states[i].public
        if p.turn < 0 or not engine.contains(engine.legal(r[0], p, states[i].held[p.turn]), actions[i]):
            return i
    return -1


@kernel
def start(r, states, seed, first):
    """Begin the first match of every game; game `i` of `states` has number `first + i`."""
    for i in range(len(states)):
        states[i].key = game_key(seed, first + i)
        states[i].public.deals = 0
        engine.start_match(r[0], states[i])


@kernel
def advance(r, states, actions, episode, max_hands, outcome, paid, shown):
    """Step every game, start the next match of those that ended, and show each game while its state is in the cache.

    Args:
        r, states, actions: packed rules, the games, a legal action for each.
        episode, max_hands, outcome: kind of episode, its limit, whether only its outcome is paid.
        paid: reward, done, truncated, hand_done, winner and result of a turn.
        shown: seat, obs and mask of a turn.
    """
    reward, done, truncated, hand_done, winner, result = paid
    seat, obs, mask = shown
    for i in range(len(states)):
        s = states[i]
        p = s.public
        event = engine.step(r[0], s, actions[i], episode, max_hands)
        hand_done[i] = event & engine.HAND_COUNTED != 0
        done[i] = event & engine.EPISODE_OVER != 0
        truncated[i] = p.truncated == 1
        winner[i] = p.winner
        pay(p, event, episode, outcome, reward[i])
        if hand_done[i]:
            result[i] = p.last
        if done[i]:
            engine.start_match(r[0], s)
        # The same lines as in `show`: a kernel for both costs 20 ns a game.
        me = np.int64(p.turn)
        seat[i] = me
        observe.write(r[0], p, s.hands[me], s.declared[me], me, obs[i])
        observe.write_mask(engine.legal(r[0], p, s.held[me]), mask[i])


@kernel
def pay(p, event, episode, outcome, reward):
    """What a step pays to each seat: the hand's difference, or the sign of the outcome at the end."""
    value = 0
    if event & engine.HAND_COUNTED != 0:
        value = p.last.scores[0] - p.last.scores[1]
    if outcome:
        if event & engine.EPISODE_OVER == 0:
            value = 0
        elif episode == engine.HAND:
            value = 1 if value > 0 else (-1 if value < 0 else 0)
        else:
            value = 1 if p.winner == 0 else (-1 if p.winner == 1 else 0)
    for seat in range(4):
        reward[seat] = value if seat & 1 == 0 else -value


@kernel
def show(r, states, seat, obs, mask):
    """Write what the seat to act sees in every game, and what it may do."""
    for i in range(len(states)):
        s = states[i]
        p = s.public
        me = np.int64(p.turn)
        seat[i] = me
        observe.write(r[0], p, s.hands[me], s.declared[me], me, obs[i])
        observe.write_mask(engine.legal(r[0], p, s.held[me]), mask[i])


@kernel
def show_states(r, states, out):
    """Write the state view of every game, seen from the seat to act."""
    for i in range(len(states)):
        observe.write_state(r[0], states[i], np.int64(states[i].public.turn), out[i])


@kernel
def show_events(r, states, out):
    """Write the history of every hand, seen from the seat to act."""
    for i in range(len(states)):
        s = states[i]
        p = s.public
        observe.write_events(r[0], p, s.declared[p.turn], np.int64(p.turn), out[i])


@kernel
def make_blind(states, index, out):
    """Blind records of the seats to act in some games."""
    for k in range(len(index)):
        s = states[index[k]]
        observe.blind(s, np.int64(s.public.turn), out[k])


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
        **overrides: Any,
    ) -> None:
        self.rules = load(variant, **overrides)
        self.games = check_count("games", games)
        self.seed = check_seed(seed)
        self._first = check_count("first", first, 0, 2**62)
        self._episode, self._outcome, self._max_hands = check_episode(episode, reward, max_hands)
        self._with_state, self._with_events = state, events
        self.states = records(self.games, STATE)
        threads = min(check_count("threads", threads, 1, 1024), self.games)
        bounds = np.linspace(0, self.games, threads + 1).astype(int)
        self._slices = [slice(low, high) for low, high in pairwise(bounds.tolist())]
        self._pool: ThreadPoolExecutor | None = None
        self._pool_owner = 0
        self._steps = 0
        self._started = False
        self.hands_finished = 0
        announce()

    def reset(self, seed: int | None = None, out: Turn | None = None) -> Turn:
        """Begin the first match of every game anew, under `seed` if one is given."""
        self.seed = self.seed if seed is None else check_seed(seed)
        self.states[:] = np.zeros((), STATE)
        self._started = True
        start(self.rules.packed, self.states, self.seed, self._first)
        self.hands_finished = 0
        turn = self._blank(out)
        for array in (turn.reward, turn.done, turn.truncated, turn.hand_done):
            array[:] = 0
        turn.winner[:] = UNDECIDED
        turn.result[:] = self.states["public"]["last"]
        self._each(lambda rows: self._show(turn, rows))
        return turn

    def step(self, actions: Any, out: Turn | None = None) -> Turn:
        """Play one legal action in every game.

        Args:
            actions: integers [B].
            out: a turn of this batch whose arrays may be written over; without it they are new.

        Raises:
            IllegalAction: naming the first game whose action is not legal; no game has moved then.
        """
        if not self._started:
            raise ResetNeeded("reset() must be called before step()")
        actions = self._check_actions(actions)
        turn = self._blank(out)
        self._each(lambda rows: self._advance(actions, turn, rows))
        self.hands_finished += int(np.count_nonzero(turn.hand_done))
        return turn

    def _check_actions(self, actions: Any) -> NDArray[np.int64]:
        array = np.asarray(actions)
        if array.shape != (self.games,) or array.dtype.kind not in "iu":
            raise ValueError(f"actions must be whole numbers of shape ({self.games},), not {array.dtype} of shape {array.shape}")
        array = array.astype(np.int64)
        bad = find_illegal(self.rules.packed, self.states, array)
        if bad >= 0:
            error = illegal_action(self.rules, self.states[bad], int(array[bad]))
            raise IllegalAction(f"game {bad}: {error}")
        return array

    def _blank(self, out: Turn | None) -> Turn:
        """Arrays for the next turn: those of `out`, or new ones."""
        n, step = self.games, self._steps + 1
        if out is not None:
            self._check_out(out)

        def blind(index: Any) -> NDArray[np.void]:
            if step != self._steps:
                raise ValueError("this turn is over: its blind records can only be read before the batch steps on")
            rows = np.arange(n)[index]
            out = records(len(rows), BLIND)
            make_blind(self.states, rows, out)
            return out

        self._steps = step
        if out is not None:
            out.__dict__.pop("blind", None)
            out.make_blind = blind
            return out
        return blank_turn(n, self._with_state, self._with_events, blind)

    def _check_out(self, out: Turn) -> None:
        """Compiled code writes where it is told, so a turn of another batch must not get there."""
        fits = len(out) == self.games and (out.state is not None) == self._with_state and (out.events is not None) == self._with_events
        if not fits or any(len(array) != self.games for name in ARRAYS if (array := getattr(out, name)) is not None):
            raise ValueError(f"out is a turn of another batch; this one has {self.games} games and its own choice of state and events")

    def _each(self, work: Callable[[slice], None]) -> None:
        """Do `work` on every slice of the batch, in threads if there are several."""
        if len(self._slices) == 1:
            work(self._slices[0])
            return
        if self._pool is None or self._pool_owner != os.getpid():  # a forked child has no threads of its parent's
            self._pool, self._pool_owner = ThreadPoolExecutor(len(self._slices)), os.getpid()
        list(self._pool.map(work, self._slices))

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the threads, which are made anew when they are needed."""
        return self.__dict__ | {"_pool": None}

    def _advance(self, actions: NDArray[np.int64], turn: Turn, rows: slice) -> None:
        paid = tuple(array[rows] for array in (turn.reward, turn.done, turn.truncated, turn.hand_done, turn.winner, turn.result))
        shown = turn.seat[rows], turn.obs[rows], turn.mask[rows]
        advance(self.rules.packed, self.states[rows], actions[rows], self._episode, self._max_hands, self._outcome, paid, shown)
        self._show_more(turn, rows)

    def _show(self, turn: Turn, rows: slice) -> None:
        show(self.rules.packed, self.states[rows], turn.seat[rows], turn.obs[rows], turn.mask[rows])
        self._show_more(turn, rows)

    def _show_more(self, turn: Turn, rows: slice) -> None:
        """What is written only where it was asked for."""
        if turn.state is not None:
            show_states(self.rules.packed, self.states[rows], turn.state[rows])
        if turn.events is not None:
            show_events(self.rules.packed, self.states[rows], turn.events[rows])
