"""Where a measurement comes from, and files that are either whole or not there.

Every command that measures prints one JSON object which begins with `header`.
"""

import json
import math
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numba
import numpy as np

import laffa

SCHEMA = 1
"""Version of the printed objects; a key that changes its meaning raises it, a new key does not."""


def header(command: list[str], seed: int) -> dict[str, Any]:
    """The keys with which every printed object begins.

    Args:
        command: the program's arguments, without its name.
        seed: the seed that the user gave, or the default.
    """
    return {
        "schema": SCHEMA,
        "laffa": laffa.__version__,
        "commit": commit(),
        "command": shlex.join(["laffa", *command]),
        "machine": machine(),
        "seed": seed,
    }


def machine() -> dict[str, Any]:
    """Processor, usable cores and the versions that decide speed."""
    versions = {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
    torch = sys.modules.get("torch")
    if torch is not None:
        versions["torch"] = str(torch.__version__)
    return {"cpu": _processor(), "cores": usable_cores(), "system": platform.system(), **versions}


def usable_cores() -> int:
    """Cores that this process may use, which a container may have cut."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    """The processor's name; `platform.processor` is empty on most Linux systems."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit() -> str | None:
    """The commit of the clone that laffa runs from, with "-dirty" for changed files; None for an installed copy."""
    package = Path(laffa.__file__).resolve().parent
    root = _git(package, "rev-parse", "--show-toplevel")
    # An environment inside somebody else's repository must not report that repository's commit.
    if not root or Path(root).resolve() != package.parents[1]:
        return None
    name = _git(package, "rev-parse", "HEAD")
    return f"{name}-dirty" if name and _git(package, "status", "--porcelain", "--untracked-files=no") else name


def _git(folder: Path, *arguments: str) -> str | None:
    """What git prints, or None where there is no git or nothing to say."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=10, check=False)
        return done.stdout.strip() or None if done.returncode == 0 else None
    return None


def dumps(data: Any) -> str:
    """One JSON object on one line; numbers that JSON does not know become null."""
    return json.dumps(_plain(data), ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    return str(value) if isinstance(value, Path) else value


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well, and is removed when it does not.

    Raises:
        OSError: where the folder cannot be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix, delete=False) as file:
        temporary = Path(file.name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    """The permissions that this process takes away from new files; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path: Path, data: Any) -> None:
    """Write readable JSON, the whole file or nothing."""
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(_plain(data), ensure_ascii=False, allow_nan=False, indent=2) + "\n", encoding="utf-8")
