"""The loops that are timed, the same for our games and for those of others.

What is timed is a `Play`: it plays a piece, such as one episode, and returns how many decisions that were.
"""

import random
from collections.abc import Callable, Sequence
from itertools import cycle
from time import perf_counter
from typing import Any

SEED = 7
"""Fixes the cards and the choices; speed hardly depends on it."""

Play = Callable[[], int]


def lasting(play: Play, seconds: float) -> tuple[int, float]:
    """Play again and again until `seconds` are over; the decisions, and the seconds they took."""
    decisions, start = 0, perf_counter()
    while (passed := perf_counter() - start) < seconds:
        decisions += play()
    return decisions, passed


def episodes(env: Any, mask_in: str = "observation") -> Play:
    """One episode of a PettingZoo environment through `last()` and `step()`, with random legal actions.

    Args:
        env: an AEC environment.
        mask_in: where its "action_mask" is, in the "observation" or in the "info".
    """
    last, in_info = env.last, mask_in == "info"
    draws = cycle(random.Random(SEED).choices(range(2**31), k=4096))

    def play() -> int:
        decisions = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = (info if in_info else observation)["action_mask"].nonzero()[0]
            env.step(int(legal[next(draws) % len(legal)]))
            decisions += 1
        return decisions

    return play


def picker() -> Callable[[Sequence[int]], int]:
    """A function that picks one of some actions at random, as fast as Python can."""
    draw = random.Random(SEED).random
    return lambda actions: actions[int(draw() * len(actions))]
