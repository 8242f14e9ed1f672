"""Engines and environments of others beside which ours are timed, where they are installed.

Nothing here is a dependency: a peer is a name, what it needs, and a function that imports it and gives the loop to time. All loops
play uniformly random legal actions on one core, by the fastest way that the peer's own interface offers from Python. A new peer is
one function and one row of `PEERS`.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from laffa_train.loops import SEED, Play, episodes, picker

WORKS = {
    "playout": "bare random play to the end, nothing shown to anybody",
    "observe": "an observation and the legal actions at every decision, an action drawn from them",
    "aec": "last() and step() of a PettingZoo environment, an action drawn from the mask",
}
"""What is compared; a peer belongs to one of these."""

DEALT = 52
"""Chance nodes with which OpenSpiel deals the cards; they count as time, not as decisions."""

ROLLOUTS = 1000
"""Playouts that colver makes in one call."""

PGX_GAMES, PGX_STEPS = 1024, 10
"""Games of pgx's batch, and its steps between two looks at the clock."""


@dataclass(frozen=True)
class Peer:
    """One row of the comparison."""

    name: str
    work: str
    """A key of `WORKS`."""
    package: str
    """The distribution whose version is reported."""
    needs: tuple[str, ...]
    """Modules that must be importable."""
    start: Callable[[], Play]
    """Imports the peer and gives the loop to time."""

    @property
    def missing(self) -> list[str]:
        """The modules that are not there; a mere folder of that name does not count."""
        return [name for name in self.needs if (spec := find_spec(name)) is None or spec.origin is None]


def colver_deals() -> Play:
    """Rollouts from the first call of a deal. colver does not tell how long they are: the mean is counted beforehand, over 2,000 deals."""
    env = import_module("colver").Env()
    deal = _colver_deal(env, picker())
    mean = sum(deal() for _ in range(2000)) / 2000

    def play() -> int:
        env.reset()
        env.rollout(ROLLOUTS)
        return round(ROLLOUTS * mean)

    return play


def colver_cards() -> Play:
    """Rollouts from the lead to the first trick, which are 32 cards each."""
    env, pick = import_module("colver").Env(), picker()

    def play() -> int:
        _, legal = env.reset()
        while env.phase() == 0:
            _, _, done, legal = env.step(pick(legal))
            if done:  # all have passed
                _, legal = env.reset()
        env.rollout(ROLLOUTS)
        return ROLLOUTS * 32

    return play


def colver_step() -> Play:
    """`Env.step`, which gives the observation and the legal actions as lists."""
    return _colver_deal(import_module("colver").Env(), picker())


def _colver_deal(env: Any, pick: Callable[[Any], int]) -> Play:
    def play() -> int:
        (_, legal), done, decisions = env.reset(), False, 0
        while not done:
            _, _, done, legal = env.step(pick(legal))
            decisions += 1
        return decisions

    return play


def openspiel_bots(game: str) -> Play:
    """Whole hands, the deal included, between uniformly random bots: all of it in C++."""
    pyspiel = import_module("pyspiel")
    loaded, seeds = pyspiel.load_game(game), count()
    bots = [pyspiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(4)]

    def play() -> int:
        state = loaded.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return state.move_number() - DEALT

    return play


def openspiel_look(game: str, buffer: bool) -> Play:
    """Hands played from Python; each decision looks at the observation, in a buffer that is written over or as a new list."""
    pyspiel, pick = import_module("pyspiel"), picker()
    loaded = pyspiel.load_game(game)
    look = import_module("open_spiel.python.observation").make_observation(loaded).set_from if buffer else pyspiel.State.observation_tensor

    def play() -> int:
        state, decisions = loaded.new_initial_state(), 0
        while state.is_chance_node():
            state.apply_action(pick(state.legal_actions()))
        while not state.is_terminal():
            look(state, state.current_player())
            state.apply_action(pick(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def rlcard_bridge() -> Play:
    """`Env.step`, which gives the observation and the legal actions."""
    env, pick = import_module("rlcard").make("bridge", {"seed": SEED}), picker()

    def play() -> int:
        (state, _), decisions = env.reset(), 0
        while not env.is_over():
            state, _ = env.step(pick(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def pgx_bidding() -> Play:
    """The auction of bridge: 1,024 games in one compiled call, which deals anew where an auction has ended."""
    jax, experimental = import_module("jax"), import_module("pgx.experimental")
    env = _pgx_bridge()
    step = jax.vmap(experimental.auto_reset(env.step, env.init))

    def advance(_: int, carry: Any) -> Any:
        state, key = carry
        key, choice, more = jax.random.split(key, 3)
        actions = jax.random.categorical(choice, jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf))
        return step(state, actions, jax.random.split(more, PGX_GAMES)), key

    key = jax.random.PRNGKey(SEED)
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_GAMES)), key
    steps = jax.jit(lambda carry: jax.lax.fori_loop(0, PGX_STEPS, advance, carry))

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(steps(carry))
        return PGX_GAMES * PGX_STEPS

    return play


def _pgx_bridge() -> Any:
    """The environment. It reads its deals from a table of double-dummy results; random deals in one take as long to play."""
    draw = np.random.default_rng(SEED)
    owners = np.stack([draw.permutation(np.repeat(np.arange(4), 13)).reshape(4, 13) for _ in range(1000)])
    keys = (owners * 4 ** np.arange(13)[::-1]).sum(axis=2)  # a number for each suit, in base 4: who holds its thirteen cards
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "deals.npy"
        np.save(table, np.stack([keys, np.zeros_like(keys)]).astype(np.int32))
        return import_module("pgx.bridge_bidding").BridgeBidding(str(table))


def idle(wrapped: bool) -> Play:
    """An environment that does nothing: what PettingZoo itself costs."""
    return episodes(import_module("laffa_train.idle").env(wrapped))


def pettingzoo_classic(name: str) -> Play:
    """An environment of PettingZoo's own as it is meant to be used, in its wrappers."""
    env = import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=SEED)
    return episodes(env)


def shimmy(game: str) -> Play:
    """A game of OpenSpiel through Shimmy."""
    env = import_module("shimmy.openspiel_compatibility").OpenSpielCompatibilityV0(game_name=game)
    env.reset(seed=SEED)
    return episodes(env, mask_in="info")


BRIDGE = "bridge(use_double_dummy_result=false)"
"""OpenSpiel's bridge with its cards played out."""

PEERS = [
    Peer("colver rollout, whole deals", "playout", "colver", ("colver",), colver_deals),
    Peer("colver rollout, cards only", "playout", "colver", ("colver",), colver_cards),
    Peer("OpenSpiel bridge, C++ bots", "playout", "open_spiel", ("pyspiel",), partial(openspiel_bots, BRIDGE)),
    Peer("OpenSpiel spades, C++ bots", "playout", "open_spiel", ("pyspiel",), partial(openspiel_bots, "spades")),
    Peer("OpenSpiel bridge, buffer", "observe", "open_spiel", ("pyspiel",), partial(openspiel_look, BRIDGE, True)),
    Peer("OpenSpiel bridge, list", "observe", "open_spiel", ("pyspiel",), partial(openspiel_look, BRIDGE, False)),
    Peer("colver Env.step", "observe", "colver", ("colver",), colver_step),
    Peer("RLCard bridge", "observe", "rlcard", ("rlcard",), rlcard_bridge),
    Peer("pgx bridge_bidding, 1024 games", "observe", "pgx", ("pgx", "jax"), pgx_bidding),
    Peer("PettingZoo doing nothing, raw", "aec", "pettingzoo", ("pettingzoo",), partial(idle, False)),
    Peer("PettingZoo doing nothing, wrapped", "aec", "pettingzoo", ("pettingzoo",), partial(idle, True)),
    Peer("PettingZoo connect_four_v3", "aec", "pettingzoo", ("pettingzoo", "pygame"), partial(pettingzoo_classic, "connect_four_v3")),
    Peer("PettingZoo leduc_holdem_v4", "aec", "pettingzoo", ("pettingzoo", "pygame", "rlcard"), partial(pettingzoo_classic, "leduc_holdem_v4")),
    Peer("PettingZoo hanabi_v5", "aec", "pettingzoo", ("pettingzoo", "shimmy", "pyspiel"), partial(pettingzoo_classic, "hanabi_v5")),
    Peer("OpenSpiel spades through Shimmy", "aec", "shimmy", ("shimmy", "pyspiel"), partial(shimmy, "spades")),
]
