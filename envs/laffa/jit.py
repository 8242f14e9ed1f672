"""How kernels are compiled and where their machine code is kept.

Numba notices a changed source file but not a changed *callee* in another file, and by default it
writes beside the sources, which a read-only install forbids. So every kernel goes through
`kernel`, which keeps machine code in a per-user folder named by a hash of all engine sources:
other sources, other folder. Where no folder can be written, or the sources are in an archive, the
code is compiled in memory.
"""

import hashlib
import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy
import platformdirs
from numba.core import cgutils, types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = files("laffa")
"""The package's own files: a folder, or part of an archive that is on `sys.path`."""
_config: Any = numba.config
DISABLE_JIT: bool = _config.DISABLE_JIT
"""NUMBA_DISABLE_JIT=1: kernels run as plain Python, to step through them or to measure coverage."""


def source_hash() -> str:
    """Sixteen hex digits over the engine's sources and the versions that shape machine code."""
    digest = hashlib.sha256()
    for module in (numba, llvmlite, numpy):
        digest.update(f"{module.__name__} {module.__version__} ".encode())
    digest.update(repr(sys.version_info[:3]).encode())
    for name, source in _sources(PACKAGE):
        digest.update(name.encode())
        digest.update(source)
    return digest.hexdigest()[:16]


def _sources(folder: Traversable, above: str = "") -> Iterator[tuple[str, bytes]]:
    """Names and bytes of all Python files in a folder and below, sorted."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield above + entry.name, entry.read_bytes()


def _writable(folder: Path) -> bool:
    """Whether a file can be made in `folder`, which is created if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_bases() -> Iterator[Path]:
    """Folders that may take the cache, in order; a temporary one only if nobody else can plant code in it."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(given)
    yield Path(platformdirs.user_cache_dir("laffa", appauthor=False))
    with suppress(OSError):
        user = os.getuid() if hasattr(os, "getuid") else None
        base = Path(tempfile.gettempdir()) / ("laffa" if user is None else f"laffa-{user}")
        base.mkdir(mode=0o700, exist_ok=True)
        status = base.lstat()
        if user is None or (status.st_uid == user and stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022):
            yield base


def _choose_cache_dir() -> Path | None:
    """The first folder that can be written: NUMBA_CACHE_DIR, the user's cache, the temporary folder."""
    if not isinstance(PACKAGE, Path):  # numba keeps code only of what is a file
        warnings.warn("laffa: imported from an archive, so each start compiles anew; unpack it to keep the compiled code.", stacklevel=2)
        return None
    name = source_hash()
    for base in _cache_bases():
        if _writable(base / name):
            return base / name
    warnings.warn("laffa: no folder for compiled code can be written, so each start compiles anew; set NUMBA_CACHE_DIR.", stacklevel=2)
    return None


CACHE_DIR = _choose_cache_dir()


@cache
def announce() -> None:
    """Say once, before the first compilation, why the first call takes its time."""
    cold = CACHE_DIR is None or not any(CACHE_DIR.rglob("*.nbi"))
    if cold and not DISABLE_JIT:
        sys.stderr.write("laffa: compiling the game engine for this machine (once, about 20 s) ...\n")
        sys.stderr.flush()


def kernel(function: F) -> F:
    """Compile `function` with numba, without the GIL, cached in `CACHE_DIR`."""
    return _compile(function)


def inlined(function: F) -> F:
    """A kernel that becomes part of each kernel that calls it: for what every decision runs through, where a call costs as much as the work."""
    return _compile(function, forceinline=True)


def wrapping(function: F) -> F:
    """A kernel whose uint64 arithmetic is meant to wrap round, as machine code does; uncompiled, numpy would warn of that, and does elsewhere."""
    return cast("F", numpy.errstate(over="ignore")(function)) if DISABLE_JIT else kernel(function)


def _compile(function: F, **options: Any) -> F:
    # The wrapper for C callbacks, which nothing here uses, is a tenth of the time to compile.
    options["no_cfunc_wrapper"] = True
    before = _config.CACHE_DIR
    _config.CACHE_DIR = "" if CACHE_DIR is None else str(CACHE_DIR)
    try:
        compiled = numba.njit(cache=CACHE_DIR is not None, nogil=True, boundscheck=None, **options)(function)
    finally:
        _config.CACHE_DIR = before
    return cast("F", compiled)


def _popcount_in_python(x: Any) -> int:
    return int(x).bit_count()


def _lowest_bit_in_python(x: Any) -> int:
    return (int(x) & -int(x)).bit_length() - 1


@intrinsic
def _ctpop(_context, _x):
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _cttz(_context, _x):
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.cttz(args[0], cgutils.false_bit)


def _popcount(x: Any) -> int:
    return _ctpop(x)  # pyright: ignore[reportCallIssue] - numba passes the context


def _lowest_bit(x: Any) -> int:
    return _cttz(x)  # pyright: ignore[reportCallIssue]


popcount = _popcount_in_python if DISABLE_JIT else kernel(_popcount)
"""Number of set bits of a uint64."""

lowest_bit = _lowest_bit_in_python if DISABLE_JIT else kernel(_lowest_bit)
"""Index of the lowest set bit of a uint64 that is not 0."""
