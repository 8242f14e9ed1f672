"""What a check reports, and the sentence with which it fails."""

from typing import NamedTuple


class CheckFailed(AssertionError):
    """A variant has failed a check; one sentence names the variant, the check, what was found, the seed and the step."""


class Report(NamedTuple):
    """What was checked."""

    variant: str
    """Id of the variant."""
    seed: int
    """The first seed; match `k` was played under `seed + k`."""
    matches: int
    """Matches of each check that plays whole ones."""
    checks: dict[str, int]
    """By the name of the check, the decisions that it looked at."""

    @property
    def decisions(self) -> int:
        """Decisions that were looked at, those that several checks saw counted in each."""
        return sum(self.checks.values())

    def __str__(self) -> str:
        rows = [f"{self.variant}: all of {len(self.checks)} checks passed, {self.decisions} decisions from seed {self.seed} on"]
        return "\n".join(rows + [f"  {name:<12}{decisions:>8} decisions" for name, decisions in self.checks.items()])


class Watch:
    """Where a check is, so that a failure can say so."""

    def __init__(self, variant: str, seed: int) -> None:
        self.variant, self.first_seed = variant, seed
        self.check, self.seed, self.step = "", seed, 0
        self.checks: dict[str, int] = {}

    def begin(self, check: str) -> None:
        """A check begins."""
        self.check, self.seed, self.step = check, self.first_seed, 0
        self.checks[check] = 0

    def at(self, seed: int, step: int) -> None:
        """A decision is looked at: number `step`, from 0, of the match under `seed`."""
        self.seed, self.step = seed, step
        self.checks[self.check] += 1

    def failure(self, what: str) -> CheckFailed:
        """The error for what was found here."""
        return CheckFailed(f"{self.variant}, check {self.check!r}: {what} (seed {self.seed}, step {self.step})")

    def require(self, holds: object, what: str) -> None:
        """Go on if something holds; `what` says that it does not.

        Raises:
            CheckFailed: if it does not hold.
        """
        if not holds:
            raise self.failure(what)
