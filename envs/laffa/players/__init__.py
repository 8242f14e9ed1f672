"""Players: one method, `act(turn) -> actions`, over a whole batch.

`make` knows the players by name; any other name is taken as the path of a checkpoint, which an
installed plugin of the entry-point group "laffa.players" loads (`laffa[train]` brings one).
"""

from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from laffa.checks import check_seed
from laffa.players.autopilot import Autopilot
from laffa.players.heuristic import Heuristic
from laffa.players.random import Random
from laffa.players.tarabish import TarabishHeuristic
from laffa.players.turub import TurubHeuristic
from laffa.rules import Rules, load
from laffa.turn import Turn


class Player(Protocol):
    """Anything that picks an action for each game of a turn."""

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """One legal action id for each of the B rows of `turn`, int64 [B]."""
        ...


_HEURISTICS = {"tarneeb": Heuristic, "tarabish": TarabishHeuristic, "turub": TurubHeuristic}


def _heuristic(rules: Rules, seed: int = 0) -> Player:
    """The rule-based player of the game's family."""
    return _HEURISTICS[rules.game](rules, seed)


PLAYERS = {"random": Random, "autopilot": Autopilot, "heuristic": _heuristic}


def names() -> list[str]:
    """The players that `make` knows by name."""
    return list(PLAYERS)


def make(name: str | Path, variant: str | Rules, seed: int = 0) -> Player:
    """A player by name or by the path of a checkpoint.

    Args:
        name: one of `names()`, or a checkpoint's path.
        variant: the game it is to play.
        seed: fixes whatever is random in it.

    Raises:
        ValueError: for a name that is neither, or a checkpoint that does not fit the game.
    """
    rules, seed = load(variant), check_seed(seed)
    if isinstance(name, str) and name in PLAYERS:
        return PLAYERS[name](rules, seed)
    if not isinstance(name, (str, Path)) or not str(name) or not Path(name).exists():
        raise ValueError(f"there is no player {name!r} and no such file; the players are {', '.join(names())}, or a checkpoint's path")
    plugin = next(iter(entry_points(group="laffa.players", name="checkpoint")), None)
    if plugin is None:
        raise ValueError(f"{name}: playing from a checkpoint needs laffa to be installed; in a clone, make setup does it")
    try:
        load_player = plugin.load()
    except ModuleNotFoundError as error:
        raise ValueError(f"{name}: playing from a checkpoint needs {error.name}; pip install 'laffa[train]' brings it") from None
    return load_player(Path(name), rules, seed)
