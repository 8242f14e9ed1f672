"""`random`: every legal action is equally likely."""

import numpy as np
from numpy.typing import NDArray

from laffa import engine
from laffa.jit import kernel, wrapping
from laffa.rng import GAMMA, below, mix
from laffa.rules import Rules
from laffa.turn import Turn


class Random:
    """Uniform over the legal actions.

    The draw is a function of the player's seed and of what the seat knows, not of the order of calls: the
    same position gets the same action, however games are grouped, and other positions independent ones.
    """

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules, self.seed = rules, seed

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """One legal action for each row, int64 [B]."""
        actions = np.empty(len(turn), np.int64)
        _act(self.rules.packed, turn.blind, self.seed, actions)
        return actions


@wrapping
def noise(b, seed):
    """A random number that is a function of the seed and of what the seat knows."""
    p = b.public
    x = mix(np.uint64(seed) + GAMMA)
    x = mix(x ^ b.held) + np.uint64(p.seat_level[0] + 2 + 32 * (p.hands_played + 2 * p.passed_deals))
    for place in range(p.actions):
        x = mix(x + np.uint64(p.history[place])) + GAMMA
    return mix(x)


@kernel
def _act(r, blind, seed, actions):
    for i in range(len(blind)):
        b = blind[i]
        words = engine.legal(r[0], b.public, b.held)
        actions[i] = engine.nth(words, below(noise(b, seed), engine.count(words)))
