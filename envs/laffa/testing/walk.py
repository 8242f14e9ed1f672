"""Random play: choices, whole episodes, copies, and the phases that a game has."""

import copy
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from laffa.aec import CardGame
from laffa.cards import PASS
from laffa.rules import Rules


def packed(array: NDArray[Any]) -> bytes:
    """An array as bytes; of records less the padding between fields, which copies leave undefined."""
    closed = _without_holes(array.dtype)
    return (array if closed is None else array.astype(closed)).tobytes()


@cache
def _without_holes(kind: Any) -> Any:
    """The type without padding, or None if there is none to leave out."""
    closed = kind if kind.names is None else repack_fields(kind, recurse=True)
    return None if closed.itemsize == kind.itemsize else closed


def clone(env: CardGame) -> CardGame:
    """A copy that plays on by itself; the spaces and the rules, which never change, are shared."""
    shared = (env.observation_spaces, env.action_spaces, env.state_space, env.rules)
    return copy.deepcopy(env, {id(thing): thing for thing in shared})


def mask_of(env: CardGame) -> NDArray[np.int8]:
    """The mask of the seat to act, int8 [A]."""
    return env.observe(env.agent_selection)["action_mask"]


def is_over(env: CardGame) -> bool:
    """Whether the episode has ended, or everybody has left."""
    return not env.agents or any(env.terminations.values()) or any(env.truncations.values())


def choose(mask: NDArray[np.int8], rng: Generator, calm: float = 0.6) -> int:
    """A random legal action; where one may pass a pass with probability `calm`, so that contracts of all sizes come up."""
    if mask[PASS] and rng.uniform() < calm:
        return PASS
    return int(rng.choice(np.flatnonzero(mask)))


def walk(env: CardGame, seed: int, calm: float = 0.6, limit: int = 100_000) -> Iterator[CardGame]:
    """Play `env` at random from where it is; yields it before every action and once at the end."""
    rng = default_rng(seed)
    for _ in range(limit):
        if is_over(env):
            break
        yield env
        env.step(choose(mask_of(env), rng, calm))
    yield env


def phases(rules: Rules) -> set[str]:
    """The phases that a game under these rules can be in, "over" among them."""
    if rules.game == "turub":
        return {"trump", "play", "over"} | ({"signal"} if rules.signals != "off" else set())
    found = {"bid", "play", "over"} | ({"trump"} if rules.game == "tarneeb" or (rules.judge, rules.bid_form) == ("bid", "number") else set())
    if rules.game == "tarabish":
        found |= (set() if rules.auto_declare else {"declare"}) | (set() if rules.auto_bella else {"bella"})
    return found
