"""What surrounds the learning in a run: its log, its display, Ctrl-C, and what may change when it is resumed."""

import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from laffa_train import checkpoint, meta
from laffa_train.config import Config, ConfigError, to_dict


class TrainingError(RuntimeError):
    """A run that cannot go on."""


class Log:
    """Rows of metrics: one JSON object a line in `metrics.jsonl`, the same numbers as TensorBoard events."""

    def __init__(self, run_dir: Path, iterations: int, decisions: int) -> None:
        from torch.utils.tensorboard import SummaryWriter  # a second of imports

        path = run_dir / "metrics.jsonl"
        self._drop_after(path, iterations)
        self.file = path.open("a", encoding="utf-8")
        self.board = SummaryWriter(run_dir / "tensorboard", purge_step=decisions + 1 if iterations else None)

    @staticmethod
    def _drop_after(path: Path, iterations: int) -> None:
        """Forget rows of iterations after the last checkpoint, which a resumed run does again."""
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:iterations]
            with meta.whole_file(path) as temporary:
                temporary.write_text("".join(lines), encoding="utf-8")

    def write(self, row: dict[str, Any]) -> None:
        """Add one iteration."""
        self.file.write(meta.dumps(row) + "\n")
        self.file.flush()
        for name, value in row.items():
            self.board.add_scalar(name, value, row["decisions"])

    def close(self) -> None:
        """Close both files."""
        self.file.close()
        self.board.close()


class Display:
    """A live line where standard error is a terminal, a plain one every ten seconds elsewhere."""

    def __init__(self, console: Console) -> None:
        self.console, self.last = console, -math.inf
        columns = (BarColumn(bar_width=20), TextColumn("{task.percentage:>3.0f}%"), TextColumn("{task.fields[text]}"))
        self.bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self.task = self.bar.add_task("", total=1.0, text="first iteration ...")

    def show(self, row: dict[str, Any], progress: float, left: float) -> None:
        """Show an iteration; `left` is an estimate in seconds."""
        minutes, seconds = divmod(round(left), 60)
        bid = f"bid {row['average_bid']:.2f}  " if "average_bid" in row else ""
        text = (
            f"{row['decisions_per_s']:,.0f} decisions/s ({row['learned_decisions'] / row['decisions']:.0%} learnt)  "
            f"{row['hands_per_s']:,.0f} hands/s  entropy {row['entropy_calls']:.2f}/{row['entropy_cards']:.2f}  "
            f"return {row.get('return', math.nan):+.2f}  {bid}left {minutes}:{seconds:02}"
        )
        self.bar.update(self.task, completed=progress, text=text)
        if not self.console.is_terminal and time.monotonic() - self.last >= 10:
            self.last = time.monotonic()
            self.say(f"{progress:4.0%}  {text}")

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def stop_request(say: Any) -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets, so that a run ends between two iterations; the second one ends it at once."""
    stop = threading.Event()

    def ask(_signal: int, _frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)
        say("Stopping after this iteration; Ctrl-C again stops at once and goes back to the last checkpoint.")

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


FREE = {"minutes", "decisions", "device", "precision", "threads", "checkpoint_seconds", "eval_minutes", "eval_deals", "eval_against"}
"""Settings that a resumed run may change."""


def compare(saved: dict[str, Any], config: Config, say: Any) -> None:
    """List the settings that a resumed run changes, and refuse those that it must not."""
    changed = {name: (saved.get(name), value) for name, value in to_dict(config).items() if saved.get(name) != value}
    text = ", ".join(f"{name} from {old!r} to {new!r}" for name, (old, new) in changed.items() if name not in FREE)
    if text:
        raise ConfigError(f"a resumed run cannot change {text}; start a new one instead")
    for name, (old, new) in changed.items():
        say(f"Changed on resuming: {name} from {old!r} to {new!r}.")


def check_finite(row: dict[str, Any], run_dir: Path) -> None:
    """Stop before numbers that are none reach a checkpoint."""
    bad = [f"{name} is {value}" for name, value in row.items() if isinstance(value, float) and not math.isfinite(value)]
    if bad:
        path = run_dir / checkpoint.POLICY
        kept = f"{path} is the last good checkpoint" if path.exists() else "there is no checkpoint yet"
        raise TrainingError(f"iteration {row['iteration']}: {', '.join(bad)}; {kept}; a lower lr or max_grad_norm usually helps")
