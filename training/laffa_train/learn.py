"""The command `laffa train`: train, measure the result on fresh deals, say what to do next."""

import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from laffa import players
from laffa.checks import check_count
from laffa_train import config as settings
from laffa_train import evaluate, meta, report
from laffa_train.options import Json, complain, make_player, split_changes

_LINES = (f"  {name} ({settings.defaults()[name]}): {text}" for name, text in settings.docs().items())
SETTINGS = "\b\nSettings, in CONFIG or with --set:\n" + "\n".join(_LINES)
"""What `--help` says after the options; the first character keeps the lines apart."""


def train(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A TOML file; it says only what differs from the defaults.")],
    changes: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; may be repeated.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --run-dir, or in the folder of CONFIG.")] = False,
    run_dir: Annotated[Path | None, typer.Option(help="Folder of the run; by default runs/NAME-DATE-TIME.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same as --set seed=...")] = None,
    minutes: Annotated[float | None, typer.Option(help="The same as --set minutes=...")] = None,
    device: Annotated[str | None, typer.Option(help="The same as --set device=...")] = None,
    eval_deals: Annotated[int, typer.Option(help="Duplicate deals of the evaluation at the end; 0 for none.")] = 5_000,
    as_json: Json = False,
) -> None:
    """Train a policy and measure it against the built-in players."""
    short = {"seed": seed, "minutes": minutes, "device": device}
    overrides = split_changes(changes) | {name: str(value) for name, value in short.items() if value is not None}
    chosen = settings.load_config(config, overrides)
    if eval_deals:
        check_count("--eval-deals", eval_deals, 2)
    folder = run_dir or (config.parent if resume else Path("runs") / f"{config.stem}-{datetime.now():%Y%m%d-%H%M%S}")
    from laffa_train import ppo, run  # torch is imported only now

    try:
        done = ppo.train(chosen, folder, resume, report.console(stderr=True))
    except run.TrainingError as error:
        raise typer.Exit(complain(str(error), status=1)) from None
    stopped = done["stopped"] == "interrupt"
    pairs = [] if stopped or not eval_deals else measure_policy(done["checkpoint"], chosen, eval_deals)
    data = meta.header(sys.argv[1:], chosen.seed) | done | {"evaluation": [pair.to_dict() for pair in pairs]}
    finish(folder, chosen, data, pairs, as_json)
    if stopped:
        raise typer.Exit(complain(f"stopped before the end; laffa train {folder / 'config.toml'} --resume goes on", status=130))


def measure_policy(checkpoint: str, chosen: settings.Config, deals: int) -> list[evaluate.Pair]:
    """The policy against every built-in player, on deals that the learning curve has not used either."""
    seed, pairs = (chosen.seed + 1) % evaluate.EVALUATION_SEED_OFFSET, []
    for rules in chosen.all_rules:
        policy = make_player(checkpoint, rules, seed)
        made = {name: make_player(name, rules, seed) for name in players.names()}
        pairs += [report.measure(policy, player, (checkpoint, name), rules, deals, None, seed) for name, player in made.items()]
    return pairs


def finish(folder: Path, chosen: settings.Config, data: dict[str, Any], pairs: list[evaluate.Pair], as_json: bool) -> None:
    """Write the evaluation and the learning curve, print the table, say what to type next."""
    out = report.console(stderr=as_json)
    if pairs:
        meta.write_json(folder / "evaluation.json", data)
        for variant in dict.fromkeys(pair.variant for pair in pairs):
            out.print(report.pairs_table([pair for pair in pairs if pair.variant == variant]))
    report.plot_curve(folder / "metrics.jsonl", folder / "learning_curve.png", f"Learning curve: {folder.name}, {chosen.variant}")
    checkpoint = shlex.quote(data["checkpoint"])
    game = shlex.join(["--variant", chosen.variant, *(word for name, value in chosen.rules.items() for word in ("--set", f"{name}={value}"))])
    lines = [
        f"Trained on {data['decisions']:,} decisions in {data['seconds']:,.0f} s; everything is in {folder}",
        "",
        "What next:",
        f"  laffa eval {checkpoint} --against heuristic {game} --deals 20000",
        f"  laffa play --partner {checkpoint} --opponents {checkpoint} {game}",
        f"  laffa train {shlex.quote(str(folder / 'config.toml'))} --resume --minutes 30",
    ]
    out.print("\n".join(lines), markup=False, soft_wrap=True)
    if as_json:
        typer.echo(meta.dumps(data))
