"""The Gymnasium environment: one learning seat, players in the other three; there are no rules in here."""

import warnings
from typing import Any

import gymnasium
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from laffa import players
from laffa.aec import AGENTS, CardGame
from laffa.batch import IllegalAction
from laffa.checks import check_count, check_word
from laffa.rules import Rules


class SingleSeat(gymnasium.Env):
    """One seat learns; its partner and its opponents are players.

    Each step plays the seat's action and the others' up to its next turn or the end; the reward is what the
    seat was paid on the way, the whole hand's included. Observations are those of `laffa.env`.

    Args:
        variant: an id of `laffa.variants()`, or `Rules`.
        partner, opponents: names for `laffa.players.make`, or objects with `act(turn)`.
        seat: the learning seat, 0-3.
        render_mode: None or "ansi": the table as the seat sees it.
        options: `episode`, `reward`, `illegal`, `events`, `max_hands` and options of the variant, as for `laffa.env`.

    Raises:
        ValueError: for anything that cannot be, naming what can.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}

    def __init__(
        self,
        variant: str | Rules,
        *,
        partner: Any = "heuristic",
        opponents: Any = "heuristic",
        seat: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            check_word("render_mode", render_mode, ("ansi",))
        self._game = CardGame(variant, **options)
        self._seat = check_count("seat", seat, 0, 3)
        self._agent = AGENTS[self._seat]
        self._partner, self._opponents = (
            players.make(player, self._game.rules) if isinstance(player, str) else player for player in (partner, opponents)
        )
        self.render_mode = render_mode
        self.observation_space = self._game.observation_space(self._agent)
        self.action_space = self._game.action_space(self._agent)
        self._over = True  # also while a call goes on, so that one that was broken off needs a reset

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begin a match: under `seed`, or the next of the running seed; `options` is a position as in `CardGame.reset`."""
        before, self._over = self._over, True
        try:
            self._game.reset(seed, options)
        except ValueError:
            self._over = before
            raise
        super().reset(seed=None if seed is None else int(seed))
        self._play_others()
        self._over = self._ended()
        return self._game.observe(self._agent), {}

    def step(self, action: Any) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Play the seat's action and the others' answers.

        Raises:
            IllegalAction: for an action outside the mask; nothing has changed then.
        """
        if self._over:
            raise ResetNeeded("reset() must be called before step(), and again after an episode has ended or a step was broken off")
        self._over = True
        try:
            self._game.step(action)
        except IllegalAction:
            self._over = False
            raise
        reward = float(self._game.rewards[self._agent]) + self._play_others()
        self._over = self._ended()
        terminated, truncated = self._game.terminations[self._agent], self._game.truncations[self._agent]
        return self._game.observe(self._agent), reward, terminated, truncated, dict(self._game.infos[self._agent])

    def _ended(self) -> bool:
        return self._game.terminations[self._agent] or self._game.truncations[self._agent]

    def _play_others(self) -> float:
        """Let the players act up to the seat's next turn or the end; what they brought the seat."""
        total = 0.0
        while not self._ended() and self._game.agent_selection != self._agent:
            turn = self._game.turn()
            player = self._partner if turn.seat[0] == (self._seat + 2) % 4 else self._opponents
            self._game.step(player.act(turn)[0])
            total += float(self._game.rewards[self._agent])
        return total

    def render(self) -> str | None:  # type: ignore[override]
        """The table as the learning seat sees it."""
        if self.render_mode is None:
            warnings.warn("this environment was made without a render_mode; it can be 'ansi'", stacklevel=2)
            return None
        return self._game.table(self._seat)
