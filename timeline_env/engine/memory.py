"""Runs of bytes in records and buffers: copied and cleared at once, and fetched before they are needed.

A slice costs numba some tens of instructions, and its loops over bytes handle what is left of the widest registers byte
by byte; most of what a verb copies is shorter than that. So these are the processor's own copy and fill. With
``NUMBA_BOUNDSCHECK=1`` they are loops whose every index is checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from timeline_env.engine.jit import PLAIN_PYTHON, config, inlined_rule, rule

AT_ONCE = not PLAIN_PYTHON and not config.BOUNDSCHECK
LINE = 64
"""Bytes that the memory gives at a time."""
BLOCK = 32
"""Bytes of a register that many processors have."""


@rule
def copy_run(source, start, count, out, at):
    """Copy `count` bytes of `source` (int8, from `start` on) to `out` (int8, from `at` on); gives where the next run begins.

    Both lie in one piece, and neither `start`, `count` nor `at` is below 0.
    """
    if PLAIN_PYTHON:
        out[at : at + count] = source[start : start + count]
    elif AT_ONCE:
        _copy(source, start, count, out, at)
    else:
        for i in range(count):
            out[at + i] = source[start + i]
    return at + count


@rule
def clear_run(out, at, count):
    """Write `count` zeros into `out` (int8, in one piece) from `at` on; gives where the next run begins."""
    if PLAIN_PYTHON:
        out[at : at + count] = 0
    elif AT_ONCE:
        _clear(out, at, count)
    else:
        for i in range(count):
            out[at + i] = 0
    return at + count


@inlined_rule
def run_of(out, at, count):
    """The `count` bytes of `out` (int8, in one piece) from `at` on, as an array of their own.

    Numba takes an index that may be below 0 for one from the end, and asks every time. Indices of a run are constants.
    """
    if AT_ONCE:
        return _part(out, at, count)
    return out[at : at + count]


def count_blocks(count: int) -> int:
    """How many blocks of `BLOCK` bytes cover `count` bytes, at least `BLOCK`: see `block_start`."""
    return -(-count // BLOCK)


@rule
def block_start(block, count):
    """Where a block begins of those that cover `count` bytes. The last one lies partly over the one before.

    So none is shorter: of a loop over `count` bytes the compiler does what fills no register byte by byte. For loops that
    read nothing of what they write.
    """
    return min(block * BLOCK, count - BLOCK)


@inlined_rule
def fetch_record(S, i):
    """Have the memory bring record `i` of `S` closer while the processor is busy with another."""
    if AT_ONCE:
        _fetch(S, i)


@inlined_rule
def fetch_row(rows, i):
    """Have the memory bring row `i` of `rows` (int8 [n, width], in one piece) closer, which will be written soon."""
    if AT_ONCE:
        for at in range(0, rows.shape[1], LINE):
            _fetch_line(rows, i * rows.shape[1] + at)


@intrinsic
def _stack_zeros(typing: Any, count: Any) -> Any:
    if not isinstance(count, types.IntegerLiteral):
        return None  # numba asks again with the constant
    kind, number = types.Array(types.float64, 1, "C"), count.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = ir.Constant(ir.IntType(64), number)
        data = cgutils.alloca_once(builder, ir.DoubleType(), size=size)
        cgutils.memset(builder, data, ir.Constant(ir.IntType(64), 8 * number), 0)
        array = context.make_array(kind)(context, builder)
        wide, step = ir.Constant(ir.IntType(64), number), ir.Constant(ir.IntType(64), 8)
        context.populate_array(array, data=data, shape=[wide], strides=[step], itemsize=step, meminfo=None)
        return array._getvalue()

    return kind(count), generate


stack_zeros: Any = np.zeros if PLAIN_PYTHON else _stack_zeros
"""Zeros (float64 [count]) that last until the function which asks for them returns; `count` is a constant.

Unlike ``np.zeros`` it can be had on a GPU, where nothing can be allocated.
"""


@intrinsic
def _copy(typing: Any, source: Any, start: Any, count: Any, out: Any, at: Any) -> Any:
    signature = types.void(source, types.intp, types.intp, out, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, start, count, out, at = arguments
        to = _address(context, builder, signature.args[3], out, at)
        cgutils.raw_memcpy(builder, to, _address(context, builder, signature.args[0], source, start), count, 1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _clear(typing: Any, out: Any, at: Any, count: Any) -> Any:
    signature = types.void(out, types.intp, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, at, count = arguments
        cgutils.memset(builder, _address(context, builder, signature.args[0], out, at), count, 0)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _part(typing: Any, out: Any, at: Any, count: Any) -> Any:
    signature = out(out, types.intp, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, at, count = arguments
        part = context.make_array(signature.return_type)(context, builder, out)
        part.data = cgutils.gep_inbounds(builder, part.data, at)
        part.nitems, part.shape = count, cgutils.pack_array(builder, [count])
        return impl_ret_borrowed(context, builder, signature.return_type, part._getvalue())

    return signature, generate


@intrinsic
def _fetch(typing: Any, S: Any, i: Any) -> Any:
    signature = types.void(S, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record = _address(context, builder, signature.args[0], *arguments)
        record = builder.bitcast(record, ir.IntType(8).as_pointer())
        for line in range(0, signature.args[0].dtype.size, LINE):
            _prefetch(builder, cgutils.gep_inbounds(builder, record, line), READ)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _fetch_line(typing: Any, rows: Any, at: Any) -> Any:
    signature = types.void(rows, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _prefetch(builder, _address(context, builder, signature.args[0], *arguments), WRITE)
        return context.get_dummy_value()

    return signature, generate


READ, WRITE = range(2)
"""What memory is fetched for, as LLVM says it."""


def _prefetch(builder: Any, place: Any, use: int) -> None:
    """Fetch the line in which `place` (a pointer to bytes) lies, close to the processor, as data."""
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
    prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    closest, data = word(3), word(1)
    builder.call(prefetch, [place, word(use), closest, data])


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Where element `index` of an array (in one piece) lies."""
    return cgutils.gep_inbounds(builder, context.make_array(kind)(context, builder, array).data, index)
