"""Tables on screen and pictures on disk."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from laffa.players import Player
from laffa.rules import Rules
from laffa_train import evaluate
from laffa_train.evaluate import Pair
from laffa_train.meta import whole_file, write_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PIPE_WIDTH = 120
"""Columns of a table that goes to a file or a pipe, where there is no terminal to ask."""

INK, FAINT = "#30343b", "#d5d8dc"
COLOURS = ("#1f6fb2", "#d1602b", "#3a8f5c")
"""Colours of data, which stay apart for colour-blind readers and in grey."""


def console(*, stderr: bool = False) -> Console:
    """A console on standard output or standard error, wide enough for a table in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else PIPE_WIDTH, highlight=False, soft_wrap=not stream.isatty())


class Rate(ProgressColumn):
    """How many are done a second."""

    def render(self, task: Task) -> Text:
        """The rate in the task's own unit."""
        return Text("" if task.speed is None else f"{task.speed:,.0f} {task.fields['unit']}/s")


@contextmanager
def progress(title: str, total: float, unit: str) -> Iterator[Callable[[float], None]]:
    """A bar on standard error with the rate and the time left; gives a function that moves it on."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(title, total=total, unit=unit)
        yield lambda done: bar.advance(task, done)


def measure(a: Player, b: Player, names: tuple[str, str], rules: Rules, deals: int, matches: int | None, seed: int) -> Pair:
    """`evaluate.compare` under a progress bar."""
    pairs = evaluate.default_matches(deals) if matches is None else matches
    with progress(f"{short(names[0])} against {short(names[1])}", deals + pairs, "deals") as tick:
        return evaluate.compare(a, b, rules, deals, seed, pairs=pairs, names=names, tick=tick)


def pairs_table(pairs: list[Pair]) -> Table:
    """One row for each opponent, narrow enough for eighty columns; intervals are 95 %."""
    first = pairs[0]
    table = Table(title=f"{short(first.a)}, {first.variant}, {first.deals:,} duplicate deals", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("against", no_wrap=True)
    for name in ("points\na hand", "matches\nwon (%)", "contracts\nmade (%)", "average\nbid", "declared\n(%)"):
        table.add_column(name, justify="right", no_wrap=True)
    for pair in pairs:
        table.add_row(
            short(pair.b),
            f"{pair.mean:+.2f} ± {(pair.high - pair.low) / 2:.2f}",
            "-" if pair.win_rate is None else f"{_percent(pair.win_rate)} [{_percent(pair.win_rate_low)}, {_percent(pair.win_rate_high)}]",
            f"{_percent(pair.contracts_made)} : {_percent(pair.contracts_made_b)}",
            f"{_number(pair.average_bid)} : {_number(pair.average_bid_b)}",
            f"{_percent(pair.declared)} : {_percent(pair.declared_b)}",
        )
    table.caption = "± and [ ]: 95 % intervals; x : y: the player's own figure and the opponent's"
    table.caption_justify = "left"
    return table


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def new_figure(width: float, height: float, layout: str, title: str) -> "tuple[Figure, dict[str, Axes]]":
    """A titled figure drawn without a display; `layout` names its axes with letters."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, color=INK)
    axes = figure.subplot_mosaic(layout)
    for axis in axes.values():
        _bare(axis)
    return figure, axes


def _bare(axis: "Axes") -> None:
    """Two faint spines and a faint grid behind the data."""
    axis.spines[["top", "right"]].set_visible(False)
    axis.spines[["left", "bottom"]].set_color(FAINT)
    axis.tick_params(color=FAINT, labelcolor=INK)
    axis.grid(True, color=FAINT, linewidth=0.6)
    axis.set_axisbelow(True)


def plot_pairs(pairs: list[Pair], path: Path) -> None:
    """A picture of the score differences and match wins with their intervals, one row for each opponent."""
    with_matches = any(pair.win_rate is not None for pair in pairs)
    first = pairs[0]
    title = f"{short(first.a)}: {first.variant}, {first.deals:,} duplicate deals"
    figure, axes = new_figure(9 if with_matches else 5.5, 1.5 + 0.5 * len(pairs), "AB" if with_matches else "A", title)
    _points(axes["A"], [(pair.b, pair.mean, pair.low, pair.high) for pair in pairs], 0.0, "{:+.2f}")
    axes["A"].set_xlabel("score difference (points a hand), 95 % interval", color=INK)
    if with_matches:
        shares = [(pair.b, pair.win_rate or 0.0, pair.win_rate_low or 0.0, pair.win_rate_high or 0.0) for pair in pairs]
        _points(axes["B"], [(b, 100 * mean, 100 * low, 100 * high) for b, mean, low, high in shares], 50.0, "{:.0f} %")
        axes["B"].set_xlim(-4, 104)
        axes["B"].set_yticklabels([])
        axes["B"].set_xlabel("matches won (%), 95 % interval", color=INK)
    save_figure(figure, path)


def _points(axis: "Axes", rows: list[tuple[str, float, float, float]], level: float, form: str) -> None:
    """Points with horizontal intervals, the first row on top, and a line where the two are level."""
    places = range(len(rows) - 1, -1, -1)
    for place, (_, value, low, high) in zip(places, rows, strict=True):
        axis.errorbar(value, place, xerr=[[value - low], [high - value]], fmt="o", color=COLOURS[0], capsize=3)
        patch = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        axis.annotate(form.format(value), (value, place), (0, 8), textcoords="offset points", ha="center", color=INK, fontsize=9, bbox=patch)
    axis.axvline(level, color=INK, linewidth=1, zorder=1)
    axis.grid(visible=False, axis="y")
    axis.locator_params(axis="x", nbins=6)
    axis.set_yticks(list(places), [f"against {short(name)}" for name, *_ in rows])
    axis.set_ylim(-0.6, len(rows) - 0.3)
    axis.margins(x=0.12)


def short(name: str) -> str:
    """A player's name for a label: of a path the last two parts."""
    return "/".join(Path(name).parts[-2:])


def save_figure(figure: "Figure", path: Path) -> None:
    """Write the picture, the whole file or nothing."""
    with whole_file(path) as temporary:
        figure.savefig(temporary, dpi=150)


def save(data: dict[str, Any], stem: Path, draw: Callable[[Path], None]) -> None:
    """Write STEM.json and, where matplotlib is there, let `draw` write STEM.png; say so on standard error."""
    written = [stem.with_suffix(".json")]
    write_json(written[0], data)
    with suppress(ModuleNotFoundError):
        draw(stem.with_suffix(".png"))
        written.append(stem.with_suffix(".png"))
    console(stderr=True).print(f"Written: {', '.join(map(str, written))}", markup=False)


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The rows of a metrics.jsonl file; a last line that was cut off while being written is left out."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            break
    return rows


def plot_curve(metrics: Path, path: Path, title: str) -> None:
    """The learning curve of a run: score differences with intervals, entropy, bids and contracts, over decisions."""
    rows = read_metrics(metrics)
    figure, axes = new_figure(11, 5, "AAB;AAC;AAD", title)
    _curve_evaluations(axes["A"], rows)
    _curve(axes["B"], rows, "entropy (nats)", {"entropy_calls": "calls", "entropy_cards": "cards"})
    _curve(axes["C"], rows, "average bid", {"average_bid": ""})
    _curve(axes["D"], rows, "contracts made (%)", {"contracts_made": ""}, 100)
    for axis in axes.values():
        axis.set_xlim(left=0)
    for name in "BC":
        axes[name].tick_params(labelbottom=False)
    for name in "AD":
        axes[name].set_xlabel("decisions (millions)", color=INK)
    save_figure(figure, path)


def _curve(axis: "Axes", rows: list[dict[str, Any]], label: str, keys: dict[str, str], factor: float = 1.0) -> None:
    """Lines of some metrics over decisions."""
    for (key, name), colour in zip(keys.items(), COLOURS):
        points = [(row["decisions"] / 1e6, factor * row[key]) for row in rows if row.get(key) is not None]
        axis.plot(*zip(*points), color=colour, linewidth=1.3, label=name) if points else None
    axis.set_title(label, fontsize=9, loc="left", color=INK)
    axis.tick_params(labelsize=8)
    if len(keys) > 1 and rows:
        axis.legend(frameon=False, fontsize=8)


def _curve_evaluations(axis: "Axes", rows: list[dict[str, Any]]) -> None:
    """Score difference per hand against each opponent, with 95 % intervals as bands."""
    lows = {key for row in rows for key in row if key.startswith("eval_") and key.endswith("_low")}
    names = sorted(key.removeprefix("eval_").removesuffix("_low") for key in lows)
    for name, colour in zip(names, COLOURS):
        points = [row for row in rows if row.get(f"eval_{name}_low") is not None]
        x = [row["decisions"] / 1e6 for row in points]
        mean, low, high = ([row[f"eval_{name}{end}"] for row in points] for end in ("", "_low", "_high"))
        axis.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
        axis.plot(x, mean, color=colour, marker="o", markersize=3.5, label=f"against {name}")
    axis.axhline(0, color=INK, linewidth=1, zorder=1)
    axis.set_title("score difference (points a hand), 95 % interval", fontsize=10, loc="left", color=INK)
    if names:
        axis.legend(frameon=False)
