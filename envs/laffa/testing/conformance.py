"""One call that holds a variant against everything that an environment of this package promises."""

from collections.abc import Callable, Iterable
from pathlib import Path

from laffa.checks import check_count
from laffa.rules import Rules, load
from laffa.testing.episodes import check_rewards, check_seeding, check_termination
from laffa.testing.masks import check_masks
from laffa.testing.official import check_api
from laffa.testing.referee import MakeReferee, check_referee
from laffa.testing.report import CheckFailed, Report, Watch
from laffa.testing.twins import check_batches, check_copies
from laffa.testing.views import check_layout, check_leaks

Check = Callable[[Rules, Watch, int], None]

CHECKS: dict[str, Check] = {
    "masks": check_masks,
    "termination": check_termination,
    "rewards": check_rewards,
    "seeding": check_seeding,
    "copies": check_copies,
    "batches": check_batches,
    "layout": check_layout,
    "leaks": check_leaks,
    "api": check_api,
}
"""By name, `check_…(rules, watch, matches)`: raises if something does not hold."""


def check(
    variant: str | Path | Rules, *, matches: int = 1, seed: int = 0, only: Iterable[str] | None = None, referee: MakeReferee | None = None
) -> Report:
    """Hold a variant against all that its environments promise.

    Args:
        variant: an id of `laffa.variants()`, the path of a TOML file of one's own, or `Rules`.
        matches: how much of everything is played.
        seed: of the first match.
        only: names of the checks to run, of `CHECKS`; None runs them all.
        referee: makes independent rules to agree with, from the rules, the complete hands of every deal and the first dealer.

    Returns:
        What was checked.

    Raises:
        CheckFailed: an `AssertionError` whose one sentence names the variant, the check, the seed and the step.
        ValueError: for an unknown variant or check, or numbers that cannot be.
    """
    rules = load(variant)
    matches, seed = check_count("matches", matches, 1, 10**6), check_count("seed", seed, 0, 2**62)
    watch, checks = Watch(rules.variant, seed), _chosen(only)
    if referee is not None:
        checks["referee"] = lambda rules, watch, matches: check_referee(rules, watch, matches, referee)
    for name, run in checks.items():
        watch.begin(name)
        try:
            run(rules, watch, matches)
        except CheckFailed:
            raise
        except Exception as error:
            raise watch.failure(f"{type(error).__name__}: {' '.join(str(error).split())}") from error
    return Report(rules.variant, seed, matches, watch.checks)


def _chosen(only: Iterable[str] | None) -> dict[str, Check]:
    """The checks of some names, in their order."""
    names = list(CHECKS) if only is None else list(only)
    for name in names:
        if name not in CHECKS:
            raise ValueError(f"there is no check {name!r}; the checks are {', '.join(CHECKS)}")
    return {name: CHECKS[name] for name in CHECKS if name in names}
