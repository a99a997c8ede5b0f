"""Runs, rows and words of bytes in records and buffers: copied, cleared and read at once.

A slice costs numba some tens of instructions, and its loops over bytes handle what does not fill a widest register byte by
byte; most of what a verb copies is shorter than that. So these functions become the processor's own copy and fill. With
``NUMBA_BOUNDSCHECK=1`` they are loops in which every index is checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.cpu import CPUContext
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from timeline_env.engine.jit import PLAIN_PYTHON, config, inlined_rule, rule

AT_ONCE = not PLAIN_PYTHON and not config.BOUNDSCHECK
LOWEST_BYTE = np.uint64(0xFF)
BLOCK = 32
"""Bytes in a register, on many processors."""


@rule
def copy_run(source, start, count, out, at):
    """Copy `count` bytes of `source` (int8, from `start` on) to `out` (int8, from `at` on); gives where the next run begins.

    Both arrays are contiguous, and none of `start`, `count` and `at` is below 0.
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
    """Write `count` zeros into `out` (int8, contiguous) from `at` on; gives where the next run begins."""
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
    """The `count` bytes of `out` (int8, contiguous) from `at` on, as an array of their own.

    Numba counts an index below 0 from the end, and so tests each that may be below 0. Within a run, indices are constants.
    """
    if AT_ONCE:
        return _part(out, at, count)
    return out[at : at + count]


@inlined_rule
def row_at(rows, i):
    """Row `i` of `rows` (two-dimensional, contiguous), as an array of its own.

    For ``rows[i]`` numba counts references, which takes longer than many a rule.
    """
    if AT_ONCE:
        return _row(rows, i)
    return rows[i]


@rule
def word_of(source, at):
    """Eight bytes of `source` (int8, contiguous, from `at` on) as one uint64, the first byte the lowest."""
    if AT_ONCE:
        return _word(source, at)
    word = np.uint64(0)
    for i in range(8):
        word |= (np.uint64(source[at + i]) & LOWEST_BYTE) << np.uint64(8 * i)
    return word


def count_blocks(count: int) -> int:
    """How many blocks of `BLOCK` bytes cover `count` bytes (`BLOCK` or more): see `block_start`."""
    return -(-count // BLOCK)


@rule
def block_start(block, count):
    """Where a block begins, of those that cover `count` bytes. The last one may overlap the one before.

    So no block is shorter: in a plain loop over `count` bytes the compiler handles what does not fill a register byte by
    byte. Only for loops that read nothing of what they write.
    """
    return min(block * BLOCK, count - BLOCK)


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
"""Zeros (float64 [count]) that last until the function that asks for them returns; `count` is a constant.

Unlike ``np.zeros`` this works on a GPU, where nothing can be allocated.
"""


@intrinsic
def _copy(typing: Any, source: Any, start: Any, count: Any, out: Any, at: Any) -> Any:
    signature = types.void(source, types.intp, types.intp, out, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, start, count, out, at = arguments
        to = _address(context, builder, signature.args[3], out, at)
        origin = _address(context, builder, signature.args[0], source, start)
        if isinstance(context, CPUContext):
            cgutils.raw_memcpy(builder, to, origin, count, 1)
        else:  # for a copy of unknown length NVIDIA's compiler made 16-byte loads, which must be aligned to 16
            with cgutils.for_range(builder, count) as loop:
                builder.store(builder.load(builder.gep(origin, [loop.index])), builder.gep(to, [loop.index]))
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
def _word(typing: Any, source: Any, at: Any) -> Any:
    signature = types.uint64(source, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, signature.args[0], *arguments)
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return signature, generate


@intrinsic
def _part(typing: Any, out: Any, at: Any, count: Any) -> Any:
    signature = out(out, types.intp, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, at, count = arguments
        part = context.make_array(signature.return_type)(context, builder, out)
        part.data = cgutils.gep_inbounds(builder, part.data, at)
        part.nitems, part.shape = count, cgutils.pack_array(builder, [count])
        return _uncounted(context, builder, signature.return_type, part)

    return signature, generate


@intrinsic
def _row(typing: Any, rows: Any, i: Any) -> Any:
    if rows.ndim != 2 or rows.layout != "C":
        return None
    kind = types.Array(rows.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = context.make_array(signature.args[0])(context, builder, arguments[0])
        _, width = cgutils.unpack_tuple(builder, whole.shape, 2)
        row = context.make_array(kind)(context, builder)
        place = cgutils.gep_inbounds(builder, whole.data, builder.mul(arguments[1], width))
        context.populate_array(
            row, data=place, shape=[width], strides=[whole.itemsize], itemsize=whole.itemsize, meminfo=None
        )
        return _uncounted(context, builder, kind, row)

    return kind(rows, types.intp), generate


def _uncounted(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The array as one that keeps nothing alive: the memory it lies in outlives every rule."""
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    return impl_ret_borrowed(context, builder, kind, array._getvalue())


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Where element `index` of a contiguous array lies."""
    return cgutils.gep_inbounds(builder, context.make_array(kind)(context, builder, array).data, index)
