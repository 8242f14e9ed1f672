"""What a decision costs as a batch grows, in every variant, and what a game costs in memory.

Batches from one game to 65,536 on one thread and more, then every variant at the usual size; bytes from the arrays that a batch is made
of, and from the memory that a process of its own holds once it has made one.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import laffa
from laffa.rules import Rules
from laffa_train import bench
from laffa_train.bench import Result

SIZES = tuple(4**power for power in range(9))
"""Games of the batches: 1 to 65,536."""

COPY_BYTES = 2**28
"""Length of the array whose copy measures the memory: far more than any cache holds."""

COPIES = 5
"""Copies that are timed; the median counts."""

MOVES = {
    "state": 2,  # read and written; the check of the actions reads some of it once more
    "observation": 1,
    "mask": 1,
    "other fields of the turn": 1,
    "action": 1,
}
"""The parts of a batch, and how often `Batch.step` moves each between processor and memory, as if it always moved whole."""


def points(rules: Rules, threads: int) -> Iterator[tuple[Rules, int, int]]:
    """What is timed, as rules, games and threads: every size on 1 to `threads` threads, then every other variant on one."""
    for workers in range(1, threads + 1):
        yield from ((rules, games, workers) for games in SIZES if games >= workers)
    for variant in laffa.variants():
        if variant != rules.variant:
            yield laffa.load(variant), bench.GAMES, 1


def measure(rules: Rules, threads: int, runs: int, tick: Callable[[float], None]) -> list[Result]:
    """Time every point; `games` and the nanoseconds of a decision are with the extras.

    Args:
        rules: the variant whose batches grow.
        threads: most threads of a batch.
        runs: runs of each point; the median counts.
        tick: called with 1 after each point.
    """
    results = []
    for variant, games, workers in points(rules, threads):
        timed = bench.bench_batch(variant, workers, runs, games)
        cost = {"games": games, "ns_per_decision": 1e9 / timed.decisions_per_s}
        results.append(replace(timed, extra=timed.extra | cost))
        tick(1)
    return results


def part_bytes(rules: Rules, games: int) -> dict[str, float]:
    """Bytes a game of each part of a batch, from its arrays."""
    steps = bench.Steps(rules, games)
    turn = steps.turn
    others = (turn.seat, turn.reward, turn.done, turn.truncated, turn.hand_done, turn.winner, turn.result)
    sizes = (steps.batch.states.nbytes, turn.obs.nbytes, turn.mask.nbytes, sum(array.nbytes for array in others), steps.actions.nbytes)
    return {name: size / games for name, size in zip(MOVES, sizes, strict=True)}


def moved_bytes(parts: dict[str, float]) -> dict[str, float]:
    """Bytes of each part that a decision moves."""
    return {name: MOVES[name] * size for name, size in parts.items()}


def bandwidth() -> float:
    """Bytes a second that one core reads and writes while it copies a long array."""
    source, target = np.ones(COPY_BYTES, np.uint8), np.zeros(COPY_BYTES, np.uint8)
    seconds = []
    for _ in range(COPIES):
        start = perf_counter()
        np.copyto(target, source)
        seconds.append(perf_counter() - start)
    return 2 * COPY_BYTES / statistics.median(seconds)


def memory(rules: Rules) -> dict[str, Any]:
    """Bytes a game in the largest batch, the bytes that a decision moves, and the time that they take at the speed of a copy."""
    games = SIZES[-1]
    parts, speed = part_bytes(rules, games), bandwidth()
    moved = moved_bytes(parts)
    return {
        "games": games,
        "bytes_per_game": parts | {"together": sum(parts.values())},
        "resident_bytes_per_game": resident_growth(rules, games),
        "bytes_per_decision": moved | {"together": sum(moved.values())},
        "copy_bytes_per_s": speed,
        "floor_ns_per_decision": 1e9 * sum(moved.values()) / speed,
    }


def resident_growth(rules: Rules, games: int) -> float | None:
    """Bytes a game by which a fresh process grows when it makes a batch and steps it; None where the system does not tell."""
    command = [sys.executable, "-P", "-m", "laffa_train.scaling", rules.origin, str(games)]
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=True)
    return float(done.stdout) / games if done.stdout.strip() else None


def grow(variant: str, games: int) -> int | None:
    """Bytes by which this process grows with a batch of so many games; the code is loaded before, by a batch of one."""
    rules = laffa.load(variant)
    bench.Steps(rules, 1).play()
    before = resident()
    steps = bench.Steps(rules, games)
    for _ in range(2):
        steps.play()
    after = resident()
    return None if before is None or after is None else after - before


def resident() -> int | None:
    """Bytes of memory that this process holds; Linux tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    growth = grow(sys.argv[1], int(sys.argv[2]))
    sys.stdout.write("" if growth is None else str(growth))
