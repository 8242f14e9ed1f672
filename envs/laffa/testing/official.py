"""The conformance tests of PettingZoo and Gymnasium, their warnings as failures."""

import contextlib
import io
import warnings

from gymnasium.utils.env_checker import check_env

from laffa.aec import CardGame
from laffa.parallel import parallel_env
from laffa.rules import Rules
from laffa.single import SingleSeat
from laffa.testing.report import Watch

ABOUT_DICTIONARIES = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""PettingZoo warns of every dictionary observation that is not in its own list of environments."""
CYCLES = 300
"""Decisions of each of them."""


def check_api(rules: Rules, watch: Watch, matches: int) -> None:
    """PettingZoo's tests of the AEC interface, of seeding and of the parallel interface, and Gymnasium's of the single seat."""
    from pettingzoo.test import api_test, parallel_api_test, seed_test

    cycles = CYCLES * matches
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for message in ABOUT_DICTIONARIES:
            warnings.filterwarnings("ignore", message=message)
        api_test(CardGame(rules), num_cycles=cycles)
        seed_test(lambda: CardGame(rules), num_cycles=cycles // 4)
        parallel_api_test(parallel_env(rules), num_cycles=cycles)
        # Its samples are not masked, so an illegal action has to end the game.
        check_env(SingleSeat(rules, partner="random", opponents="autopilot", illegal="terminate"), skip_render_check=True)
    watch.checks[watch.check] += 3 * cycles
