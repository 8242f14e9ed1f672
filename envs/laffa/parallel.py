"""The game through PettingZoo's parallel interface."""

from typing import Any

from gymnasium.error import ResetNeeded
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from laffa.aec import CardGame
from laffa.batch import IllegalAction
from laffa.rules import Rules


class ParallelGame(turn_based_aec_to_parallel_wrapper):
    """The game through PettingZoo's parallel interface; the actions of waiting agents are ignored."""

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self._ready = False  # whether the game stands between two steps

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin a match, as `CardGame.reset` does; observations and infos of all agents."""
        before, self._ready = self._ready, False
        try:
            shown = super().reset(seed, options)
        except ValueError:
            self._ready = before
            raise
        self._ready = True
        return shown

    def step(self, actions: Any) -> Any:
        """Play the selected agent's action; observations, rewards, terminations, truncations and infos of all agents.

        Raises:
            IllegalAction: with `illegal="raise"`; nothing has changed then.
        """
        if not self._ready:
            raise ResetNeeded("reset() must be called before step(), and again after one that was broken off")
        self._ready = False
        try:
            shown = super().step(actions)
        except (IllegalAction, LookupError, TypeError):
            self._ready = True
            raise
        self._ready = True
        return shown


def parallel_env(variant: str | Rules, **options: Any) -> ParallelGame:
    """The environment of a variant with PettingZoo's parallel interface; see `CardGame` for the options."""
    return ParallelGame(CardGame(variant, **options))
