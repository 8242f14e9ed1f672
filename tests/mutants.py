"""Mutation testing of the rules: is every small fault in them noticed?

`python tests/mutants.py` plants one fault after another in the modules that hold the rules and plays until one of the checks notices.
A fault that changes nothing which the rules could notice is listed in mutants.toml, with the reason. The exit status is 1 where a fault
is neither noticed nor explained, or where fewer than 95 % of the others are noticed.

Kernels run as plain Python, each fault in a forked process of its own. A check that takes many times as long as it should is taken for
endless, and the fault for noticed.
"""

import argparse
import gc
import json
import os
import random
import signal
import sys
import time
import tomllib
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from mutations import ALTERED, FILES, Mutant, altered, mutants_of

EXPLAINED = Path(__file__).with_suffix(".toml")
LEAST = 0.95
ENDLESS = 2.0, 4
"""Seconds of processor time that every check may take, and how many times its own on top."""


class Endless(BaseException):
    """A check takes too long."""


def explained() -> dict[tuple[str, ...], str]:
    """The reasons why some faults change nothing, by key."""
    entries = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("equivalent", [])
    return {(one["module"], one["function"], *lines): one["reason"] for one in entries for lines in one["mutants"]}


def plant(mutant: Mutant) -> None:
    """Put the fault in place, everywhere where the faulty function is known by name."""
    space = vars(sys.modules[f"laffa.{mutant.module}"])
    before = space.get(mutant.function)
    space[ALTERED] = altered
    exec(compile(mutant.code, mutant.module, "exec"), space)
    for name, module in list(sys.modules.items()):
        if name.startswith("laffa.") and mutant.function:
            for known, value in list(vars(module).items()):
                if value is before:
                    setattr(module, known, space[mutant.function])


def trial(mutant: Mutant, checks: list[Any]) -> dict[str, str]:
    """Run the checks on one fault until one notices it."""
    name = "planting"
    try:
        plant(mutant)
        for check in checks:
            name = check.name
            signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS[0] + ENDLESS[1] * check.seconds)
            check.run()
    except Endless:
        return {"status": "killed", "by": name, "how": "endless"}
    except Exception as error:  # an assertion, or whatever a fault leads to
        return {"status": "killed", "by": name, "how": type(error).__name__}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return {"status": "survived"}


def start(mutant: Mutant, checks: list[Any]) -> tuple[int, int]:
    """A forked process that tries one fault: its id, and where its result can be read."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        os.write(writing, json.dumps(trial(mutant, checks)).encode())
        os._exit(0)
    os.close(writing)
    return child, reading


def try_all(mutants: list[Mutant], checks: list[Any], jobs: int) -> Any:
    """Try all faults; gives each with its result as it comes. Checks that have noticed many faults of a module come first there."""
    waiting, running = mutants[::-1], {}
    noticed: dict[str, Counter[str]] = {module: Counter() for module in FILES}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            here = [check for check in checks if not mutant.lines or any((mutant.module, line) in check.lines for line in mutant.lines)]
            here.sort(key=lambda check: -noticed[mutant.module][check.name] / (0.01 + check.seconds))
            child, reading = start(mutant, here)
            running[child] = mutant, reading, time.monotonic()
        child, _ = os.wait()
        mutant, reading, began = running.pop(child)
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read()
        result = json.loads(text) if text else {"status": "killed", "by": "the end of the process", "how": "ended"}
        noticed[mutant.module][result.get("by", "")] += 1
        yield mutant, result | {"seconds": round(time.monotonic() - began, 2)}


def say(text: str) -> None:
    """One line for whoever waits."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def pick(words: argparse.Namespace) -> list[Mutant]:
    """The faults to try: all, those of some modules, those that came out of an earlier run as survivors, a sample."""
    mutants = [mutant for module in words.only for mutant in mutants_of(module)]
    if words.again:
        rows = [json.loads(line) for line in words.again.read_text(encoding="utf-8").splitlines()]
        left = {(row["module"], row["function"], row["source"], row["mutant"]) for row in rows if row["status"] != "killed"}
        mutants = [mutant for mutant in mutants if mutant.key in left]
    random.Random(words.seed).shuffle(mutants)
    return mutants[: words.sample]


def report(results: list[tuple[Mutant, dict[str, Any]]], reasons: dict[tuple[str, ...], str], complete: bool) -> int:
    """Say what came of it; the exit status."""
    counts = Counter(result["status"] for _, result in results)
    for module in FILES:
        here = Counter(result["status"] for mutant, result in results if mutant.module == module)
        say(f"{module:8} " + "  ".join(f"{here[status]:4} {status}" for status in ("killed", "explained", "survived")))
    share = counts["killed"] / max(1, len(results) - counts["explained"])
    say(f"{len(results)} faults: {counts['killed']} noticed, {counts['explained']} explained, {counts['survived']} neither")
    say(f"{share:.1%} of those that are not explained are noticed")
    used = {mutant.key for mutant, result in results if result["status"] == "explained"}
    needless = [key for key in reasons if complete and key not in used]
    for key in needless:
        say("explained, but noticed or not there any more: " + " | ".join(key))
    return int(counts["survived"] > 0 or share < LEAST or bool(needless))


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=FILES, default=list(FILES), help="modules to plant faults in")
    parser.add_argument("--sample", type=int, help="try that many, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the order and of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--again", type=Path, help="results of an earlier run: try those that were not noticed then")
    parser.add_argument("--out", type=Path, default=Path("results/mutants.jsonl"), help="where the results go, one JSON object a line")
    return parser.parse_args()


def too_long(_number: int, _frame: Any) -> None:
    """What a timer does."""
    raise Endless


def main() -> int:
    """Run as a program."""
    words, reasons = arguments(), explained()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    from mutant_checks import checks as all_checks

    signal.signal(signal.SIGVTALRM, too_long)
    warnings.simplefilter("ignore")
    mutants, checks = pick(words), all_checks()
    say(f"{len(mutants)} faults, {len(checks)} checks of {sum(check.seconds for check in checks):.1f} s in all")
    gc.freeze()
    words.out.parent.mkdir(parents=True, exist_ok=True)
    results = []
    with words.out.open("w", encoding="utf-8") as file:
        for mutant, result in try_all(mutants, checks, words.jobs):
            if result["status"] == "survived" and mutant.key in reasons:
                result |= {"status": "explained", "reason": reasons[mutant.key]}
            names = ("module", "function", "source", "mutant")
            file.write(json.dumps(dict(zip(names, mutant.key, strict=True)) | result) + "\n")
            file.flush()
            results.append((mutant, result))
            if result["status"] == "survived":
                say(f"not noticed in {mutant.module}.{mutant.function}: {mutant.source}  ->  {mutant.mutant}")
    return report(results, reasons, complete=not words.sample and not words.again and len(words.only) == len(FILES))


if __name__ == "__main__":
    sys.exit(main())
