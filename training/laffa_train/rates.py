"""Tables and the picture of `laffa bench`."""

import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from laffa import __version__
from laffa_train.bench import Result
from laffa_train.report import COLOURS, INK, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from laffa_train.beside import Comparison


def bench_table(results: list[Result]) -> Table:
    """Decisions per second, one row for each benchmark."""
    table = Table(title=f"decisions per second, {results[0].variant}", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("benchmark", "cores", "median", "slowest", "fastest"):
        table.add_column(name, justify="left" if name == "benchmark" else "right")
    table.add_column("what is timed")
    for result in results:
        rates = (result.decisions_per_s, min(result.runs), max(result.runs))
        more = "".join(f"; {name.replace('_', ' ')} {value:,.0f}" for name, value in result.extra.items())
        table.add_row(result.name, str(result.cores), *(f"{rate:,.0f}" for rate in rates), result.what + more)
    return table


def peers_table(results: list[Result], done: "Comparison") -> Table:
    """Ours, and below each of ours the peers that do the same work."""
    table = Table(title=f"decisions per second on one core, {results[0].variant}", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("work")
    table.add_column("who", no_wrap=True)
    for name in ("release", "median", "slowest", "fastest", "ours : theirs"):
        table.add_column(name, justify="right", no_wrap=True)
    for mine in results:
        table.add_row(mine.name, f"laffa {mine.variant}", __version__, *_rates(mine.runs), "")
        for peer, runner in done.peers:
            if peer.work == mine.name:
                table.add_row("", peer.name, runner.version or "-", *_rates(runner.rates), _ratio(done.ratio(peer, runner)))
    table.caption = "\n".join(f"{mine.name}: {mine.what}" for mine in results)
    table.caption_justify = "left"
    return table


def _rates(runs: list[float]) -> list[str]:
    """Median, slowest and fastest run."""
    return [f"{rate:,.0f}" for rate in (statistics.median(runs), min(runs), max(runs))]


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def scaling_table(results: list[Result], memory: dict[str, Any]) -> Table:
    """What a decision costs: one row for each batch that was timed, and the bytes below."""
    table = Table(title=f"nanoseconds of a decision, {results[0].variant} and others", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("variant", "games", "threads", "ns", "with choosing", "decisions per second"):
        table.add_column(name, justify="left" if name == "variant" else "right", no_wrap=True)
    for result in results:
        costs = f"{result.extra['ns_per_decision']:,.0f}", f"{1e9 / result.extra['with_choosing']:,.0f}"
        table.add_row(result.variant, f"{result.extra['games']:,.0f}", str(result.cores), *costs, f"{result.decisions_per_s:,.0f}")
    resident = memory["resident_bytes_per_game"]
    held = "" if resident is None else f" ({resident:,.0f} measured)"
    table.caption = (
        f"a game holds {memory['bytes_per_game']['together']:,.0f} bytes{held}; a decision moves {memory['bytes_per_decision']['together']:,.0f}, "
        f"which at {memory['copy_bytes_per_s'] / 1e9:.1f} GB/s take {memory['floor_ns_per_decision']:,.0f} ns"
    )
    table.caption_justify = "left"
    return table


def plot_scaling(results: list[Result], memory: dict[str, Any], path: Path) -> None:
    """Nanoseconds of a decision over the size of the batch, a line for each number of threads; beside it every variant."""
    first = results[0].variant
    sizes = [result for result in results if result.variant == first]
    picture, axes = new_figure(11, 5, "AAB", f"what a decision costs: Batch.step with observations and masks, {first}")
    for workers, colour in zip(sorted({result.cores for result in sizes}), COLOURS * len(sizes)):
        points = [(result.extra["games"], result.extra["ns_per_decision"]) for result in sizes if result.cores == workers]
        axes["A"].plot(*zip(*points), color=colour, marker="o", markersize=4, label=f"{workers} thread{'s' * (workers > 1)}")
    _sizes_axis(axes["A"], sorted({result.extra["games"] for result in sizes}), memory)
    usual = results[-1].extra["games"]
    bars = [result for result in results if (result.extra["games"], result.cores) == (usual, 1)]
    bars.sort(key=lambda result: result.extra["ns_per_decision"], reverse=True)
    axes["B"].barh([result.variant for result in bars], [result.extra["ns_per_decision"] for result in bars], color=COLOURS[0], height=0.6)
    axes["B"].grid(visible=False, axis="y")
    axes["B"].tick_params(labelsize=8)
    axes["B"].set_xlabel(f"ns a decision, {usual:,.0f} games, one thread", color=INK)
    save_figure(picture, path)


def _sizes_axis(axis: "Axes", sizes: list[float], memory: dict[str, Any]) -> None:
    """Logarithmic axes, and the time that the bytes alone take."""
    axis.axhline(memory["floor_ns_per_decision"], color=INK, linewidth=1, linestyle="--", label="its bytes at the speed of a copy")
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xticks(sizes, [f"{games:,.0f}" for games in sizes], fontsize=8)
    axis.tick_params(axis="x", which="minor", bottom=False)
    axis.set_xlabel("games in the batch", color=INK)
    axis.set_ylabel("ns a decision", color=INK)
    axis.legend(frameon=False)
