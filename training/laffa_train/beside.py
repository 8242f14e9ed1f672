"""Ours beside those of others: every loop in a process of its own, run by turns on the same core.

A process starts once, plays until it is warm, and then waits; one run of each makes a round, so that a machine that slows down slows
all of them. A peer that fails or falls silent is left out from then on, and the rest goes on.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from threading import Timer
from typing import Any, cast

from laffa_train.loops import Play, lasting
from laffa_train.peers import PEERS, WORKS, Peer

START_SECONDS, RUN_FACTOR = 300.0, 30.0
"""How long a process may take to start, compilation included, and how many times longer a run may take than it was asked for."""

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}
"""Environment of every process, ours and theirs."""


def ours_playout(variant: str) -> Play:
    """Whole matches in a compiled loop."""
    import laffa
    from laffa_train import bench

    return bench.matches(laffa.load(variant))


def ours_observe(variant: str) -> Play:
    """`Batch.step` and the choice of actions."""
    import laffa
    from laffa_train import bench

    return bench.Steps(laffa.load(variant), bench.GAMES).play


def ours_aec(variant: str) -> Play:
    """`last()` and `step()` of one environment."""
    import laffa
    from laffa_train.loops import SEED, episodes

    env = laffa.env(variant)
    env.reset(seed=SEED)
    return episodes(env)


OURS = {"playout": ours_playout, "observe": ours_observe, "aec": ours_aec}
"""Our side of each work, for a variant."""


@dataclass
class Runner:
    """One loop in its own process.

    Args:
        name: of a peer, or of a work for our side of it.
        variant: what ours is to play.
    """

    name: str
    variant: str
    rates: list[float] = field(default_factory=list)
    """Decisions per second of each run."""
    version: str | None = None
    error: str | None = None
    """Why it was left out."""

    def __enter__(self) -> "Runner":
        paths = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "laffa_train.beside", self.name, self.variant],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | ONE_THREAD | {"PYTHONPATH": paths},
            text=True,
        )
        self.version = self._answer(START_SECONDS).get("version")
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def run(self, seconds: float) -> None:
        """One run of at least `seconds`, unless the loop has failed before."""
        if self.error is not None:
            return
        stdin = cast("Any", self.process.stdin)
        with suppress(OSError):  # it has ended; the answer that does not come says so
            stdin.write(f"{seconds}\n")
            stdin.flush()
        answer = self._answer(START_SECONDS + RUN_FACTOR * seconds)
        if self.error is None:
            self.rates.append(answer["decisions"] / answer["seconds"])

    def _answer(self, limit: float) -> dict[str, Any]:
        """The next line of the process; a failure, an end or silence is noted in `error`."""
        late = Timer(limit, self._give_up, [limit])
        late.start()
        line = cast("Any", self.process.stdout).readline()
        late.cancel()
        answer = json.loads(line) if line.endswith("\n") else {}
        self.error = self.error or answer.get("error")
        if not answer and self.error is None:
            self.error = f"its process ended with status {self.process.wait()}"
        return answer

    def _give_up(self, limit: float) -> None:
        self.error = f"it did not answer within {limit:.0f} s"
        self.process.kill()


def serve(name: str, variant: str) -> None:
    """The other end: start a loop, say so, then read seconds and answer with decisions, a line each, until nobody asks any more."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a peer prints must not come between the answers
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        package, play = start(name, variant)
        play()  # compiles
        answers.write(json.dumps({"version": version_of(package)}) + "\n")
        for line in sys.stdin:
            decisions, seconds = lasting(play, float(line))
            answers.write(json.dumps({"decisions": decisions, "seconds": seconds}) + "\n")
    except (Exception, SystemExit) as error:
        answers.write(json.dumps({"error": f"{type(error).__name__}: {error}".rstrip(": ")}) + "\n")


def start(name: str, variant: str) -> tuple[str, Play]:
    """The distribution and the loop of a peer, or of our side of a work."""
    if name in OURS:
        return "laffa", OURS[name](variant)
    peer = next(peer for peer in PEERS if peer.name == name)
    return peer.package, peer.start()


def version_of(package: str) -> str | None:
    """The installed release of a distribution; None for a module that came without one."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@dataclass(frozen=True)
class Comparison:
    """What came of it."""

    ours: dict[str, Runner]
    """Our side of each work."""
    peers: list[tuple[Peer, Runner]]
    """Those that were measured to the end."""
    absent: dict[str, list[str]]
    """Peers that are not here, with the modules that are missing."""
    failed: dict[str, str]
    """Peers that failed, with the reason."""

    def ratio(self, peer: Peer, runner: Runner) -> float:
        """How many decisions ours makes in the time of one of theirs, by medians."""
        return statistics.median(self.ours[peer.work].rates) / statistics.median(runner.rates)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: `peers`, `peers_absent` and `peers_failed`."""
        rows = [
            {"name": peer.name, "work": peer.work, "version": runner.version, "decisions_per_s": statistics.median(runner.rates)}
            | {"runs": runner.rates, "ratio": self.ratio(peer, runner)}
            for peer, runner in self.peers
        ]
        return {"peers": rows, "peers_absent": self.absent, "peers_failed": self.failed}


def check_works(names: list[str] | None) -> list[str]:
    """The works to compare; all of them when none is named."""
    for name in names or ():
        if name not in WORKS:
            raise ValueError(f"with --peers there is no {name!r} to compare; there are {', '.join(WORKS)}")
    return list(names or WORKS)


def present(works: Sequence[str]) -> tuple[list[Peer], dict[str, list[str]]]:
    """The peers that are here, and those that are not with the modules that are missing."""
    peers = [peer for peer in PEERS if peer.work in works]
    absent = {peer.name: peer.missing for peer in peers if peer.missing}
    return [peer for peer in peers if peer.name not in absent], absent


def compare(variant: str, works: Sequence[str], runs: int, seconds: float, tick: Callable[[float], None]) -> Comparison:
    """Measure ours and every peer that is here, by turns.

    Args:
        variant: what ours plays.
        works: keys of `WORKS`.
        runs: rounds; the medians count.
        seconds: least length of one run.
        tick: called with 1 after each start and each run.

    Raises:
        RuntimeError: where ours fails.
    """
    here, absent = present(works)
    with ExitStack() as stack:
        names = [*works, *(peer.name for peer in here)]
        runners: dict[str, Runner] = {}
        for name in names:
            runners[name] = stack.enter_context(Runner(name, variant))
            runners[name].run(seconds)  # warm, and games spread over all phases
            runners[name].rates.clear()
            tick(1)
        for _ in range(runs):
            for runner in runners.values():
                runner.run(seconds)
                tick(1)
    for work in works:
        if runners[work].error is not None:
            raise RuntimeError(f"laffa's own {work} failed: {runners[work].error}")
    failed = {peer.name: error for peer in here if (error := runners[peer.name].error) is not None}
    measured = [(peer, runners[peer.name]) for peer in here if peer.name not in failed]
    return Comparison({work: runners[work] for work in works}, measured, absent, failed)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
