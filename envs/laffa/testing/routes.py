"""Every route by which a seat is shown something, as bytes: `ROUTES` of a position as it stands, `STEPS` of the steps from it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laffa import players
from laffa.aec import AGENTS, CardGame
from laffa.batch import Batch
from laffa.parallel import parallel_env
from laffa.single import SingleSeat
from laffa.testing.walk import is_over, packed
from laffa.turn import Turn


def as_bytes(thing: Any) -> bytes:
    """Anything that an interface gives as bytes: equal bytes, equal content."""
    if isinstance(thing, np.ndarray):
        return packed(thing)
    if isinstance(thing, dict):
        return b"{" + b",".join(str(name).encode() + b":" + as_bytes(thing[name]) for name in sorted(thing)) + b"}"
    if isinstance(thing, (list, tuple)):
        return b"[" + b",".join(map(as_bytes, thing)) + b"]"
    return repr(thing).encode()


def is_to_act(env: CardGame, seat: int) -> bool:
    """Whether the game is on and `seat` to act."""
    return not is_over(env) and env.agent_selection == AGENTS[seat]


def _observed(name: str) -> Callable[[CardGame, int], bytes]:
    """One part of an agent's view, asked for after those of all others."""

    def show(env: CardGame, seat: int) -> bytes:
        for other in AGENTS:
            env.observe(other)
        return as_bytes(env.observe(AGENTS[seat]).get(name))

    return show


def _told(env: CardGame, seat: int) -> bytes:
    """What the environment keeps for an agent: pay, flags, infos, and what `last` says of them."""
    agent = AGENTS[seat]
    kept = [dictionary.get(agent) for dictionary in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards)]
    return as_bytes([*kept, env.last() if env.agents and env.agent_selection == agent else None])


def _table(env: CardGame, seat: int) -> bytes:
    return as_bytes(env.table(seat))


def _shown_by(turn: Turn) -> bytes:
    """A turn less `state`, which is for critics and hides nothing, and less its blind records."""
    return as_bytes([turn.seat, turn.obs, turn.mask, turn.reward, turn.done, turn.truncated, turn.hand_done, turn.winner, turn.result, turn.events])


def _turn(env: CardGame, seat: int) -> bytes:
    return _shown_by(env.turn()) if is_to_act(env, seat) else b""


def _blind(env: CardGame, seat: int) -> bytes:
    return packed(env.turn().blind) if is_to_act(env, seat) else b""


def _players(env: CardGame, seat: int) -> bytes:
    """What every player makes of the turn."""
    if not is_to_act(env, seat):
        return b""
    return as_bytes([players.make(name, env.rules, seed=3).act(env.turn()) for name in players.names()])


def batch_at(env: CardGame) -> tuple[Batch, Turn]:
    """A batch of one at the position of `env`, and its turn, which another kernel has written."""
    batch = Batch(env.rules, 1, events=True)
    turn = batch.reset(seed=1)
    batch.states[:] = env._states
    batch._show(turn)
    return batch, turn


def _batch(env: CardGame, seat: int) -> bytes:
    if not is_to_act(env, seat):
        return b""
    _, turn = batch_at(env)
    return as_bytes([turn.seat, turn.obs, turn.mask, turn.events, turn.blind])


class _RanOut(Exception):
    """The others have no more actions to repeat."""


class _Repeating:
    """Plays given actions, whatever it sees."""

    def __init__(self, actions: list[int]) -> None:
        self.actions = list(actions)

    def act(self, turn: Turn) -> NDArray[np.int64]:
        del turn
        if not self.actions:
            raise _RanOut
        return np.array([self.actions.pop(0)])


def single_seat_at(env: CardGame, seat: int, others: list[int]) -> SingleSeat:
    """The Gymnasium environment of one seat at the position of `env`, which it plays on; the others play the given actions."""
    player = _Repeating(others)
    single = SingleSeat(env.rules, partner=player, opponents=player, seat=seat, events=True, render_mode="ansi")
    single._game, single._over = env, is_over(env)
    return single


def _single_seat(env: CardGame, seat: int) -> bytes:
    return as_bytes(single_seat_at(env, seat, []).render())


def _step(env: CardGame, seat: int, actions: list[int]) -> bytes:
    shown = []
    for action in actions:
        env.step(action)
        shown += [ROUTES[name](env, seat) for name in OF_THE_GAME]
    return b"".join(shown)


def _parallel_step(env: CardGame, seat: int, actions: list[int]) -> bytes:
    game = parallel_env(env.rules, events=True)
    game.reset(seed=1)
    game.aec_env, game.agents = env, list(env.agents)
    return b"".join(as_bytes([part.get(AGENTS[seat]) for part in game.step(dict.fromkeys(AGENTS, action))]) for action in actions)


def _batch_step(env: CardGame, seat: int, actions: list[int]) -> bytes:
    """Pay and flags of every step, and the turn where it is the seat's."""
    batch, shown = batch_at(env)[0], []
    for action in actions:
        turn = batch.step([action])
        mine = turn.seat[0] == seat
        shown.append(_shown_by(turn) + packed(turn.blind) if mine else as_bytes([turn.reward, turn.done, turn.hand_done, turn.winner]))
    return b"".join(shown)


def _single_seat_step(env: CardGame, seat: int, actions: list[int]) -> bytes:
    """One step of the seat, the others' answers in it; nothing where the actions do not lead to its next turn."""
    if not is_to_act(env, seat):
        return b""
    single = single_seat_at(env, seat, actions[1:])
    try:
        return as_bytes([*single.step(actions[0]), single.render()])
    except _RanOut:
        return b""


ROUTES: dict[str, Callable[[CardGame, int], bytes]] = {
    "observation": _observed("observation"),
    "mask": _observed("action_mask"),
    "events": _observed("events"),
    "last, rewards and infos": _told,
    "table": _table,
    "turn": _turn,
    "blind record": _blind,
    "players": _players,
    "batch": _batch,
    "single-seat render": _single_seat,
}
"""By name, `show(env, seat)`: what the seat is shown at a position. Asking changes nothing."""

OF_THE_GAME = ("observation", "mask", "events", "last, rewards and infos", "table", "turn", "blind record")
"""The routes through which the environment itself shows something."""

STEPS: dict[str, Callable[[CardGame, int, list[int]], bytes]] = {
    "step": _step,
    "parallel step": _parallel_step,
    "batch step": _batch_step,
    "single-seat step": _single_seat_step,
}
"""By name, `show(env, seat, actions)`: what the seat is shown while the actions are played in `env`, which is used up."""
