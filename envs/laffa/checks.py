"""Arguments that people give: each check returns the value as the engine takes it, or says in one sentence what it may be."""

from typing import Any

import numpy as np

EPISODES = ("match", "hand")
REWARDS = ("score", "outcome")


def check_seed(seed: Any) -> int:
    """A seed as an int; a `ValueError` says what a seed is."""
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63:
        raise ValueError(f"seed = {seed!r} is not possible; a seed is a whole number from 0 to 2**63 - 1")
    return int(seed)


def check_word(name: str, value: Any, words: tuple[str, ...]) -> int:
    """The position of a word among the valid ones."""
    if value not in words:
        raise ValueError(f"{name} = {value!r} is not possible; it takes {' or '.join(map(repr, words))}")
    return words.index(value)


def check_count(name: str, value: Any, low: int = 1, high: int = 10**9) -> int:
    """A whole number within bounds."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{name} = {value!r} is not possible; it takes a whole number from {low} to {high}")
    return int(value)


def check_episode(episode: Any, reward: Any, max_hands: Any) -> tuple[int, bool, int]:
    """Kind of episode, whether the outcome is paid rather than the score, and the limit of hands, 0 for none."""
    outcome = check_word("reward", reward, REWARDS) == 1
    return check_word("episode", episode, EPISODES), outcome, 0 if max_hands is None else check_count("max_hands", max_hands)
