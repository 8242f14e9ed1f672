"""The games of a training run: one batch for each variant, side by side as if they were one."""

from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laffa import engine
from laffa.batch import Batch
from laffa.jit import wrapping
from laffa.rng import GAMMA, below, mix
from laffa.rules import Rules
from laffa.turn import Turn


@wrapping
def play_on(r, states, steps, actions):
    """Play `steps` random legal actions in each game [B], and write another one, not played, into `actions` [B]."""
    for i in range(len(states)):
        s = states[i]
        for n in range(steps[i] + 1):
            words = engine.legal(r[0], s.public, s.held[s.public.turn])
            actions[i] = engine.nth(words, below(mix(s.key + np.uint64(n) * GAMMA), engine.count(words)))
            if n < steps[i]:
                engine.step(r[0], s, actions[i], engine.MATCH, 0)


class Games:
    """Batches of several variants that share their arrays.

    Args:
        rules: one or more rule sets; each gets an even share of the games.
        games: number of games, B.
        seed: of the deals; no two games have the same.
        options: passed on to `Batch`.
    """

    def __init__(self, rules: list[Rules], games: int, seed: int, **options: Any) -> None:
        sizes = [games // len(rules) + (n < games % len(rules)) for n in range(len(rules))]
        bounds = list(pairwise(accumulate(sizes, initial=0)))
        self.rules, self.games = rules, games
        self.parts = [slice(low, high) for low, high in bounds]
        self.batches = [Batch(one, high - low, seed, first=low, **options) for one, (low, high) in zip(rules, bounds, strict=True)]

    def reset(self, out: Turn) -> None:
        """Begin every game; the turn is written into `out`."""
        for batch, part in zip(self.batches, self.parts, strict=True):
            batch.reset(out=out.rows(part))
            if batch.rules.game == "turub":
                self._spread(batch, out.rows(part))

    def _spread(self, batch: Batch, out: Turn) -> None:
        """Begin at all places of a hand, each game at its own, by random play up to there.

        Without an auction all hands are equally long: games that begin together would be at the same card for ever, and a rollout would
        show the policy the same part of all hands.
        """
        decisions = 1 + (5 if batch.rules.signals != "off" else 4) * int(batch.rules.packed["hand_size"][0])
        actions = np.zeros(batch.games, np.int64)
        play_on(batch.rules.packed, batch.states, np.arange(batch.games) * (decisions - 1) // batch.games, actions)
        batch.step(actions, out=out)

    def step(self, actions: NDArray[np.int64], out: Turn) -> None:
        """Play an action in every game; the turn is written into `out`."""
        for batch, part in zip(self.batches, self.parts, strict=True):
            batch.step(actions[part], out=out.rows(part))

    @property
    def deals(self) -> NDArray[np.int32]:
        """How many hands each game has been dealt [B]."""
        return np.concatenate([batch.states["public"]["deals"] for batch in self.batches])

    @property
    def hands_finished(self) -> int:
        """Counted hands in all games."""
        return sum(batch.hands_finished for batch in self.batches)

    @property
    def raw(self) -> NDArray[np.uint8]:
        """All states as bytes [B, bytes of a state], a copy."""
        return np.concatenate([batch.states.view(np.uint8).reshape(batch.games, -1) for batch in self.batches])

    def restore(self, raw: NDArray[np.uint8], hands: list[int]) -> None:
        """Go on from the bytes of all states and the hands that each batch had finished."""
        for batch, part, finished in zip(self.batches, self.parts, hands, strict=True):
            batch.states.view(np.uint8).reshape(batch.games, -1)[:] = raw[part]
            batch.hands_finished = finished

    @property
    def scale(self) -> NDArray[np.float32]:
        """What makes the whole of a hand worth 13 in each game [B]: 1, 13 / 120 for card points, 13 / 162, 13 / 36 and 13 / 9 in other families."""
        return np.concatenate([np.full(batch.games, 13 / batch.rules.whole, np.float32) for batch in self.batches])

    @property
    def contracts(self) -> NDArray[np.bool_]:
        """Whether each game has contracts [B]."""
        return np.concatenate([np.full(batch.games, batch.rules.contracts) for batch in self.batches])

    def numbers(self, level: NDArray[np.int8]) -> NDArray[np.float64]:
        """The numbers bid at levels of the ladder, [B, ...]; in tricks where the variants count in different units, NaN where none are bid."""
        return np.concatenate([self._number(batch.rules, level[part]) for batch, part in zip(self.batches, self.parts, strict=True)])

    def _number(self, rules: Rules, level: NDArray[np.int8]) -> NDArray[np.float64]:
        mixed = len({one.unit for one in self.rules}) > 1
        if not rules.ladder:
            return np.full(level.shape, np.nan)
        base, rung = rules.value(0), rules.value(1) - rules.value(0)
        return (base + rung * level.astype(float)) * (13 / rules.whole if mixed else 1)
