"""The command line: `laffa COMMAND …`.

Standard output is for results: a table, or with `--json` one object. Progress goes to standard error.
Exit status: 0 done, 1 a check failed, 2 wrong use, said in one sentence; 130 after Ctrl-C.
"""

import io
import os
import sys
import traceback
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Column, Table

import laffa
from laffa.checks import check_count
from laffa.fields import DEFAULTS, FIELD_DOCS, OPTIONS
from laffa.prose import describe
from laffa_train import evaluate, learn, meta, play, report, speed
from laffa_train.options import VARIANT, Json, Seed, Sets, Variant, complain, load_rules, make_player

app = typer.Typer(
    help="Card games of the Tarneeb world as reinforcement-learning environments.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,  # plain help reads the same in a pipe, a log and an ASCII terminal
    pretty_exceptions_enable=False,
)

EXTRA = ("torch", "safetensors", "matplotlib", "tensorboard")
"""What the training extra brings; everything but training and checkpoints works without."""

UsageError: Any = typer.BadParameter.__mro__[1]
"""The parent of all of typer's complaints; depending on its release it lives in click or in typer itself."""


def main() -> None:
    """Entry point of the `laffa` program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a suit symbol must not end a game on an ASCII terminal
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; the exit status. What the user got wrong is said in one sentence."""
    command = typer.main.get_command(app)
    try:
        # Not command.main(), which answers Ctrl-C and a closed pipe in ways that differ between typer's releases.
        with command.make_context("laffa", arguments) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as end:
        return end.exit_code
    except UsageError as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "laffa"
        return complain(f"{error.format_message().rstrip('.')} (`{path} --help` says more)", path)
    except KeyboardInterrupt:
        return complain("stopped", status=130)
    except BrokenPipeError:
        # Whoever read the pipe has seen enough; Python would complain again when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        return complain(f"this needs {error.name}, which comes with the training extra: pip install 'laffa[train]'")
    except OSError as error:
        return complain(f"{error.filename}: {error.strerror}" if error.filename is not None else str(error))
    except ValueError as error:
        if not is_refusal(error):
            raise
        return complain(str(error))
    return 0


def is_refusal(error: ValueError) -> bool:
    """Whether laffa itself refused something; a ValueError that numpy or torch raises is a bug and keeps its traceback."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    ours = any(Path(frame.filename).is_relative_to(Path(file).parent) for file in (laffa.__file__, __file__))
    return ours and (frame.line or "").startswith("raise ")


@app.callback(invoke_without_command=True)
def begin(context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    """Card games of the Tarneeb world as reinforcement-learning environments."""
    if version:
        typer.echo(f"laffa {laffa.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


@app.command()
def variants() -> None:
    """List the variants."""
    table = Table("variant", "version", "title", box=None)
    for name in laffa.variants():
        rules = laffa.load(name)
        table.add_row(name, str(rules.version), rules.title)
    report.console().print(table)


@app.command()
def rules(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="A variant of `laffa variants`, or the path of a file of rules.")],
    changes: Sets = None,
) -> None:
    """Print a variant's rules and options."""
    chosen = load_rules(variant, changes)
    out = report.console()
    out.print(f"{chosen.title}\n", markup=False)
    for sentence in describe(chosen):
        out.print(f"{'*' if chosen.changed.keys() & sentence.options else '-'} {sentence.text}", markup=False)
    title = "Options (--set OPTION=VALUE); * differs from the default of the family, here and above"
    table = Table("", Column("option", no_wrap=True), "value", "default", "meaning", "takes", title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for name, value in chosen.options.items():
        mark, default = "*" if name in chosen.changed else "", str(DEFAULTS[chosen.game][name])
        table.add_row(mark, name, str(value), default, FIELD_DOCS[name], str(OPTIONS[name]))
    out.print()
    out.print(table)


@app.command("eval")
def evaluate_players(
    a: Annotated[str, typer.Argument(metavar="A", help="The player to measure: a name or a checkpoint's path.")],
    more: Annotated[list[str] | None, typer.Argument(metavar="[C ...]", help="More opponents, after --against B.")] = None,
    against: Annotated[list[str] | None, typer.Option("--against", metavar="B", help="The opponent; names after it are more opponents.")] = None,
    variant: Variant = VARIANT,
    changes: Sets = None,
    deals: Annotated[int, typer.Option(help="Duplicate deals, each played twice.")] = 10_000,
    matches: Annotated[int | None, typer.Option(help="Duplicate matches; by default a twentieth of the deals, at least 100; 0 for none.")] = None,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Folder for the JSON file and the picture.")] = Path("results"),
    as_json: Json = False,
) -> None:
    """Measure A against others on duplicate deals. Writes a JSON file and a picture, with 95 % intervals."""
    opponents = [*(against or []), *(more or [])]
    if not against:
        raise ValueError("eval needs an opponent: laffa eval A --against B")
    chosen, seed = load_rules(variant, changes), evaluate.check_seed(seed)
    check_count("--deals", deals, 2)
    check_count("--matches", matches or 0, 0)
    made = {name: make_player(name, chosen, seed) for name in [a, *opponents]}
    out.mkdir(parents=True, exist_ok=True)
    pairs = [report.measure(made[a], made[b], (a, b), chosen, deals, matches, seed) for b in opponents]
    data = meta.header(sys.argv[1:], seed) | {"pairs": [pair.to_dict() for pair in pairs]}
    stem = out / f"eval-{chosen.variant}-{Path(a).stem}-{datetime.now():%Y%m%d-%H%M%S}"
    report.console(stderr=as_json).print(report.pairs_table(pairs))
    report.save(data, stem, lambda path: report.plot_pairs(pairs, path))
    if as_json:
        typer.echo(meta.dumps(data))


for command in (play.play, play.watch, play.replay):
    app.command()(command)
app.command(epilog=learn.SETTINGS)(learn.train)
app.command()(speed.bench)


if __name__ == "__main__":
    main()
