"""SIMD registers as a Numba type: neighbouring columns of a row in one value.

LLVM often fails to find the parallelism in short loops over columns; here each operation is one
vector instruction a register by construction. A value of several registers lets one visit to a
neighbour serve more columns. Rows are C-contiguous, and their length is a multiple of the
width: see :func:`padded`.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.extending import models, overload, register_model

intrinsic: Any = extending.intrinsic  # its stub counts the typing context as an argument
WIDTH = {np.dtype(np.float32): 8, np.dtype(np.float64): 4}
LOWEST = -40.0
"""Logarithm of the smallest share: exp(x) below is zero, so that no product is subnormal."""
_LINE = 64
"""Bytes of a cache line."""
_FLAGS = ("contract", "nsz", "arcp")


def padded(n_columns: int, dtype: Any) -> int:
    """Columns with those that fill the last register, and two at least: a cache line."""
    width = WIDTH[np.dtype(dtype)]
    return max(2, -(-n_columns // width)) * width


class Columns(types.Type):
    """Type of neighbouring numbers of a row that fill some registers."""

    def __init__(self, dtype, registers=1):
        self.dtype, self.width = dtype, WIDTH[np.dtype(dtype.name)] * registers
        super().__init__(name=f"Columns({dtype}, {self.width})")


@register_model(Columns)
class _ColumnsModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        scalar = ir.FloatType() if fe_type.dtype.bitwidth == 32 else ir.DoubleType()
        super().__init__(dmm, fe_type, ir.VectorType(scalar, fe_type.width))


def _constant(vector, number):
    return ir.Constant(vector, [ir.Constant(vector.element, number)] * vector.count)


def _repeat(context, builder, value, kind, columns):
    if isinstance(kind, Columns):
        return value
    value = context.cast(builder, value, kind, columns.dtype)
    vector = context.get_value_type(columns)
    nothing, index = ir.Constant(vector, ir.Undefined), ir.IntType(32)
    first = builder.insert_element(nothing, value, ir.Constant(index, 0))
    return builder.shuffle_vector(first, nothing, _constant(ir.VectorType(index, vector.count), 0))


def _pointer(context, builder, signature, args, vector):
    """Where the columns of an array, a row and a column are, and how far they are aligned."""
    array_type = signature.args[0]
    array = context.make_array(array_type)(context, builder, args[0])
    indices = [
        context.cast(builder, index, kind, types.intp)
        for index, kind in zip(args[1:3], signature.args[1:3], strict=True)
    ]
    pointer = cgutils.get_item_pointer(
        context, builder, array_type, array, indices, wraparound=False
    )
    return builder.bitcast(pointer, vector.as_pointer()), array_type.dtype.bitwidth // 8


def _read(context, builder, signature, args):
    vector = context.get_value_type(signature.return_type)
    pointer, align = _pointer(context, builder, signature, args, vector)
    return builder.load(pointer, align=align)


@intrinsic
def load(typingctx, array, i, j):
    """Read the columns j.. of row i."""
    return Columns(array.dtype)(array, i, j), _read


@intrinsic
def load_more(typingctx, array, i, j, registers):
    """Read the columns j.. of row i into several registers, a number written in the call."""
    if not isinstance(registers, types.IntegerLiteral):
        return None
    return Columns(array.dtype, registers.literal_value)(array, i, j, registers), _read


def _either(context, builder, signature, args):
    """Choose an address without a branch, which a processor could not foresee."""
    like, (other, new, old) = signature.args[0], args[1:4]
    vector = context.get_value_type(like)
    kinds = signature.args[4:]
    first, align = _pointer(
        context, builder, types.void(signature.args[3], *kinds), [old, *args[4:]], vector
    )
    second, _ = _pointer(
        context, builder, types.void(signature.args[2], *kinds), [new, *args[4:]], vector
    )
    return builder.select(other, second, first), align


@intrinsic
def load_either(typingctx, like, other, new, old, i, j):
    """Read the columns j.. of row i, from `new` if `other`, into as many registers as `like`."""

    def codegen(context, builder, signature, args):
        pointer, align = _either(context, builder, signature, args)
        return builder.load(pointer, align=align)

    return like(like, types.boolean, new, old, i, j), codegen


@intrinsic
def prefetch_either(typingctx, like, other, new, old, i, j):
    """Have what :func:`load_either` will read brought near."""

    def codegen(context, builder, signature, args):
        pointer, align = _either(context, builder, signature, args)
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        read, near, data = (ir.Constant(flag, number) for number in (0, 3, 1))
        pointer = builder.bitcast(pointer, byte)
        for first in range(0, like.width * align, _LINE):
            line = builder.gep(pointer, [ir.Constant(flag, first)])
            builder.call(function, [line, read, near, data])
        return context.get_dummy_value()

    return types.void(like, types.boolean, new, old, i, j), codegen


@intrinsic
def store(typingctx, array, i, j, value):
    """Write the columns j.. of row i."""

    def codegen(context, builder, signature, args):
        pointer, align = _pointer(context, builder, signature, args, args[3].type)
        builder.store(args[3], pointer, align=align)
        return context.get_dummy_value()

    return types.void(array, i, j, value), codegen


@intrinsic
def spread(typingctx, array, number):
    """Repeat a number, in the precision of `array`; or as many times as columns have."""
    columns = array if isinstance(array, Columns) else Columns(array.dtype)

    def codegen(context, builder, signature, args):
        return _repeat(context, builder, args[1], signature.args[1], columns)

    return columns(array, number), codegen


def _arithmetic(instruction, *symbols):
    """Define operators between columns, or columns and a number."""

    @intrinsic
    def apply(typingctx, a, b):
        columns = a if isinstance(a, Columns) else b

        def codegen(context, builder, signature, args):
            a, b = (
                _repeat(context, builder, value, kind, columns)
                for value, kind in zip(args, signature.args, strict=True)
            )
            return getattr(builder, instruction)(a, b, flags=_FLAGS)

        return columns(a, b), codegen

    def choose(a, b):
        if isinstance(a, Columns) or isinstance(b, Columns):
            return lambda a, b: apply(a, b)
        return None

    for symbol in symbols:
        overload(symbol)(choose)


_arithmetic("fadd", operator.add, operator.iadd)
_arithmetic("fsub", operator.sub, operator.isub)
_arithmetic("fmul", operator.mul, operator.imul)


def _greater(builder, a, b):
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


@intrinsic
def larger(typingctx, a, b):
    """The larger of two, column by column."""
    return a(a, b), lambda context, builder, signature, args: _greater(builder, *args)


def _fold(join):
    """Reduce a register to one number by halves."""

    @intrinsic
    def fold(typingctx, a):
        def codegen(context, builder, signature, args):
            (value,) = args
            count = value.type.count
            while count > 1:
                count //= 2
                order = [i % count + count for i in range(value.type.count)]
                mask = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), order)
                upper = builder.shuffle_vector(value, value, mask)
                value = join(builder, value, upper)
            return builder.extract_element(value, ir.Constant(ir.IntType(32), 0))

        return a.dtype(a), codegen

    return fold


total_of = _fold(lambda builder, a, b: builder.fadd(a, b, flags=_FLAGS))
largest_of = _fold(_greater)


@intrinsic
def exp_of_negative(typingctx, a):
    """exp(a) for a <= 0, to the rounding of a; zero below ``LOWEST``.

    With n the whole number nearest to a / log 2, exp(a) = 2^n exp(a - n log 2): the first factor
    goes into the exponent's bits, the second is a Taylor series. Adding a number whose last digit
    counts ones, and taking it away, rounds.
    """
    bits = a.dtype.bitwidth
    mantissa, bias, degree = (23, 127, 6) if bits == 32 else (52, 1023, 12)
    series = [1 / math.factorial(power) for power in range(degree, -1, -1)]
    log_2 = math.log(2)
    upper = float(np.float32(np.round(log_2 * 2**15) / 2**15))  # few digits: n upper is exact

    def codegen(context, builder, signature, args):
        (x,) = args
        vector = x.type
        whole = ir.VectorType(ir.IntType(bits), vector.count)
        kind = ir.FunctionType(vector, [vector] * 3)
        name = f"llvm.fmuladd.v{vector.count}{vector.element.intrinsic_name}"
        function = cgutils.get_or_insert_function(builder.module, kind, name)

        def fused(p, q, r):
            return builder.call(function, [p, q, r])

        x = _greater(builder, x, _constant(vector, 2 * LOWEST))
        shift = _constant(vector, 1.5 * 2**mantissa)
        shifted = fused(x, _constant(vector, 1 / log_2), shift)
        n = builder.fsub(shifted, shift)
        rest = fused(n, _constant(vector, -upper), x)
        rest = fused(n, _constant(vector, upper - log_2), rest)
        value = _constant(vector, series[0])
        for coefficient in series[1:]:
            value = fused(value, rest, _constant(vector, coefficient))
        power = builder.add(builder.bitcast(shifted, whole), _constant(whole, bias))
        power = builder.shl(power, _constant(whole, mantissa))
        value = builder.fmul(value, builder.bitcast(power, vector))
        kept = builder.fcmp_ordered(">", x, _constant(vector, LOWEST))
        return builder.select(kept, value, _constant(vector, 0.0))

    return a(a), codegen
