"""Wide moves of bytes.

A compiler that cannot rule out that two arrays overlap moves their bytes one by one, or checks first; these moves are a few instructions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from laffa.jit import DISABLE_JIT, kernel

BYTE = ir.IntType(8)
WORD = 64


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """The address of element `at` of an array of bytes without gaps, of any number of dimensions."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(builder.bitcast(data, BYTE.as_pointer()), [at])


def copier(size: int) -> Callable[..., Any]:
    """A kernel `copy(out, at, source)` that copies the first `size` bytes of `source` into `out` from `at` on."""

    @intrinsic
    def move(_context, out, at, source):
        def generate(context, builder, signature, args):
            to = _place(context, builder, signature.args[0], args[0], args[1])
            start = _place(context, builder, signature.args[2], args[2], ir.Constant(ir.IntType(64), 0))
            cgutils.raw_memcpy(builder, to, start, ir.Constant(ir.IntType(64), size), 1)
            return context.get_dummy_value()

        return types.void(out, types.int64, source), generate

    def compiled(out, at, source):
        move(out, at, source)  # pyright: ignore[reportCallIssue] - numba passes the context

    def uncompiled(out: Any, at: Any, source: Any) -> None:
        out[at : at + size] = source.reshape(-1)[:size]

    return uncompiled if DISABLE_JIT else kernel(compiled)


@intrinsic
def _store_flags(_context, out, at, word):
    """The bits of a word as 64 bytes of zeros and ones."""

    def generate(context, builder, signature, args):
        flags = builder.zext(builder.bitcast(args[2], ir.VectorType(ir.IntType(1), WORD)), ir.VectorType(BYTE, WORD))
        to = _place(context, builder, signature.args[0], args[0], args[1])
        builder.store(flags, builder.bitcast(to, flags.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64), generate


def _write_flags(out, at, word):
    _store_flags(out, at, word)  # pyright: ignore[reportCallIssue]


def _write_flags_in_python(out: Any, at: Any, word: Any) -> None:
    out[at : at + WORD] = np.unpackbits(np.array([word], "<u8").view(np.uint8), bitorder="little")


write_flags = _write_flags_in_python if DISABLE_JIT else kernel(_write_flags)
"""`write_flags(out, at, word)`: the bits of a uint64, lowest first, as 64 bytes of `out` from `at` on."""


@intrinsic
def _load_flags(_context, source, at):
    """64 bytes as the bits of a word: whether each is not zero."""

    def generate(context, builder, signature, args):
        kind = ir.VectorType(BYTE, WORD)
        start = builder.bitcast(_place(context, builder, signature.args[0], args[0], args[1]), kind.as_pointer())
        flags = builder.icmp_unsigned("!=", builder.load(start, align=1), ir.Constant(kind, [0] * WORD))
        return builder.bitcast(flags, ir.IntType(WORD))

    return types.uint64(source, types.int64), generate


def _read_flags(source, at):
    return _load_flags(source, at)  # pyright: ignore[reportCallIssue]


def _read_flags_in_python(source: Any, at: Any) -> np.uint64:
    return np.packbits(source[at : at + WORD] != 0, bitorder="little").view("<u8")[0]


read_flags = _read_flags_in_python if DISABLE_JIT else kernel(_read_flags)
"""`read_flags(source, at)`: 64 bytes of `source` from `at` on as a uint64, lowest bit first, with a bit for each that is not zero."""

copy_4, copy_52 = copier(4), copier(52)
