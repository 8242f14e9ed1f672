"""The command `laffa bench`: how fast this machine plays, beside others, and at every size."""

import importlib.util
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

import laffa
from laffa.checks import check_count
from laffa.rules import Rules
from laffa_train import bench as benchmark
from laffa_train import meta, rates, report
from laffa_train.options import VARIANT, Json, Variant

NAMES = "playout, batch, aec or ppo, with --peers playout, observe or aec; may be repeated."


def bench(
    variant: Variant = VARIANT,
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help=NAMES)] = None,
    cores: Annotated[int | None, typer.Option(help="Threads for playout and batch: 1; with --scaling the most: all.")] = None,
    runs: Annotated[int, typer.Option(help="Runs of each; the median counts.")] = 5,
    peers: Annotated[bool, typer.Option("--peers", help="Time other packages too, as far as they are installed, by turns with ours.")] = False,
    scaling: Annotated[bool, typer.Option("--scaling", help="Time and weigh batches of every size; writes a JSON file and a picture.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for what --scaling writes.")] = Path("results"),
    as_json: Json = False,
) -> None:
    """Measure decisions per second on this machine."""
    if peers and scaling:
        raise ValueError("--peers and --scaling are two measurements; take one of them")
    if cores is None:
        cores = meta.usable_cores() if scaling else 1
    check_count("--cores", cores, 1, 1024)
    check_count("--runs", runs, 1, 1000)
    chosen = laffa.load(variant)
    if scaling:
        data = at_every_size(chosen, only, cores, runs, as_json, out)
    else:
        data = headed((beside_others if peers else alone)(chosen, only, cores, runs, as_json))
    if as_json:
        typer.echo(meta.dumps(data))


def headed(data: dict[str, Any]) -> dict[str, Any]:
    """The printed object: where the figures come from, then the figures."""
    return meta.header(sys.argv[1:], benchmark.SEED) | data


def alone(rules: Rules, only: list[str] | None, cores: int, runs: int, as_json: bool) -> dict[str, Any]:
    """Our own benchmarks."""
    names = benchmark.check_names(only)
    if "ppo" in names and not only and importlib.util.find_spec("torch") is None:
        names.remove("ppo")
        typer.echo("ppo is left out: it needs torch, pip install 'laffa[train]'", err=True)
    results = []
    with report.progress("measuring", len(names), "benchmarks") as tick:
        for name in names:
            results.append(benchmark.BENCHES[name](rules, cores, runs))
            tick(1)
    report.console(stderr=as_json).print(rates.bench_table(results))
    return {"results": [result.to_dict() for result in results], "peers": []}


def beside_others(rules: Rules, only: list[str] | None, cores: int, runs: int, as_json: bool) -> dict[str, Any]:
    """Ours and those of others on one core, by turns, each in a process of its own."""
    from laffa_train import beside

    works = beside.check_works(only)
    if cores != 1:
        raise ValueError(f"--peers compares one core with one core, so --cores = {cores} is not for it")
    loops = len(works) + len(beside.present(works)[0])
    with report.progress("measuring", loops * (runs + 1), "runs") as tick:
        done = beside.compare(rules.origin, works, runs, benchmark.RUN_SECONDS, tick)
    results = [benchmark.result(work, rules, 1, runner.rates, beside.WORKS[work]) for work, runner in done.ours.items()]
    report.console(stderr=as_json).print(rates.peers_table(results, done))
    if done.absent:
        needed = sorted({module for modules in done.absent.values() for module in modules})
        typer.echo(f"Left out, since they cannot be imported here: {', '.join(done.absent)} (needed: {', '.join(needed)}).", err=True)
    for name, reason in done.failed.items():
        typer.echo(f"{name} failed and is left out: {reason}", err=True)
    return {"results": [result.to_dict() for result in results], **done.to_dict()}


def at_every_size(rules: Rules, only: list[str] | None, cores: int, runs: int, as_json: bool, out: Path) -> dict[str, Any]:
    """Batches of all sizes on up to so many threads, every variant, and the bytes of a game."""
    from laffa_train import scaling

    if only:
        raise ValueError(f"--scaling times batches alone, so --only {only[0]} is not for it")
    out.mkdir(parents=True, exist_ok=True)
    with report.progress("measuring", len(list(scaling.points(rules, cores))), "batches") as tick:
        results = scaling.measure(rules, cores, runs, tick)
    memory = scaling.memory(rules)
    report.console(stderr=as_json).print(rates.scaling_table(results, memory))
    data = headed({"results": [result.to_dict() for result in results], "memory": memory})
    stem = out / f"scaling-{rules.variant}-{datetime.now():%Y%m%d-%H%M%S}"
    report.save(data, stem, lambda path: rates.plot_scaling(results, memory, path))
    return data
