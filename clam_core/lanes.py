"""A SIMD register as a Numba type, so that compiled code can train several restarts at once.

A value of type `Lanes` holds one number of each restart. Numba has no such type and leaves it to
LLVM to find the parallelism in short loops, which it often misses; here every operation is one
vector instruction by construction. Arrays of lanes are C-contiguous, with the lanes in the last of
three axes.
"""

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.extending import models, overload, register_model

# Any: the decorated function takes one argument less than its definition, which no stub says.
intrinsic: Any = extending.intrinsic
WIDTH = {np.dtype(np.float32): 16, np.dtype(np.float64): 8}
# Fusing a product and a sum into one instruction is allowed; nothing that would hide a NaN is.
FLAGS = ("contract", "nsz", "arcp")
# exp(x - max) below these is smaller than the square of the rounding error: zero, so that products
# of two of them never become slow subnormal numbers.
SMALLEST_LOGIT = {32: -40.0, 64: -300.0}


class Lanes(types.Type):
    """Type of one SIMD value: `WIDTH[dtype]` numbers of a floating-point type."""

    def __init__(self, dtype):
        self.dtype = dtype
        self.width = WIDTH[np.dtype(dtype.name)]
        super().__init__(name=f"Lanes({dtype}, {self.width})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        scalar = {32: ir.FloatType(), 64: ir.DoubleType()}[fe_type.dtype.bitwidth]
        super().__init__(dmm, fe_type, ir.VectorType(scalar, fe_type.width))


def _constant(vector, number):
    return ir.Constant(vector, [ir.Constant(vector.element, number)] * vector.count)


def _spread(context, builder, number, kind, lanes):
    """Repeat a scalar in all lanes (a value that already is lanes passes through)."""
    if isinstance(kind, Lanes):
        return number
    number = context.cast(builder, number, kind, lanes.dtype)
    vector = context.get_value_type(lanes)
    first = builder.insert_element(
        ir.Constant(vector, ir.Undefined), number, ir.Constant(ir.IntType(32), 0)
    )
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes.width), None)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


def _call(builder, name, *args):
    """Call LLVM's own elementwise function `name`, such as "sqrt" or "maxnum"."""
    vector = args[0].type
    kind = ir.FunctionType(vector, [vector] * len(args))
    suffix = f"v{vector.count}{vector.element.intrinsic_name}"
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.{suffix}")
    return builder.call(function, args)


def _address(context, builder, signature, args):
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, args[0])
    i, j = (
        context.cast(builder, index, index_kind, types.intp)
        for index, index_kind in zip(args[1:3], signature.args[1:3], strict=True)
    )
    # The lanes' number is known here: an address is a sum, without the array's last length.
    place = builder.add(builder.mul(i, builder.extract_value(array.shape, 1)), j)
    vectors = builder.bitcast(array.data, context.get_value_type(Lanes(kind.dtype)).as_pointer())
    return builder.gep(vectors, [place]), kind.dtype.bitwidth // 8


@intrinsic
def load(typingctx, array, i, j):
    """Read the lanes `array[i, j]`."""

    def codegen(context, builder, signature, args):
        pointer, align = _address(context, builder, signature, args)
        return builder.load(pointer, align=align)

    return Lanes(array.dtype)(array, i, j), codegen


@intrinsic
def store(typingctx, array, i, j, value):
    """Write the lanes `value` to `array[i, j]`."""

    def codegen(context, builder, signature, args):
        pointer, align = _address(context, builder, signature, args)
        builder.store(args[3], pointer, align=align)
        return context.get_dummy_value()

    return types.void(array, i, j, value), codegen


@intrinsic
def narrowed(typingctx, array, columns):
    """`array` as if its rows held so many lanes: they then lie close together in its memory."""

    def codegen(context, builder, signature, args):
        view = context.make_array(array)(context, builder, args[0])
        count = context.cast(builder, args[1], signature.args[1], types.intp)
        view.shape = builder.insert_value(view.shape, count, 1)
        return view._getvalue()

    return array(array, columns), codegen


@intrinsic
def spread(typingctx, array, number):
    """Repeat `number` in all lanes of the type that `array` holds."""
    lanes = Lanes(array.dtype)

    def codegen(context, builder, signature, args):
        return _spread(context, builder, args[1], signature.args[1], lanes)

    return lanes(array, number), codegen


def _arithmetic(instruction, *symbols):
    """Give lanes the operators `symbols`, between lanes or lanes and a number."""

    @intrinsic
    def apply(typingctx, a, b):
        lanes = a if isinstance(a, Lanes) else b

        def codegen(context, builder, signature, args):
            a, b = (
                _spread(context, builder, value, kind, lanes)
                for value, kind in zip(args, signature.args, strict=True)
            )
            return getattr(builder, instruction)(a, b, flags=FLAGS)

        return lanes(a, b), codegen

    def choose(a, b):
        if isinstance(a, Lanes) or isinstance(b, Lanes):
            return lambda a, b: apply(a, b)
        return None

    for symbol in symbols:
        overload(symbol)(choose)


_arithmetic("fadd", operator.add, operator.iadd)
_arithmetic("fsub", operator.sub, operator.isub)
_arithmetic("fmul", operator.mul, operator.imul)
_arithmetic("fdiv", operator.truediv, operator.itruediv)


@intrinsic
def larger(typingctx, a, b):
    """The larger of two lanes; `b` where either is NaN."""

    def codegen(context, builder, signature, args):
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return a(a, b), codegen


@intrinsic
def root(typingctx, a):
    """Square root."""

    def codegen(context, builder, signature, args):
        return _call(builder, "sqrt", *args)

    return a(a), codegen


@intrinsic
def squared(typingctx, a):
    """Square, rounded before it is added to anything: its sum is the same in any loop."""

    def codegen(context, builder, signature, args):
        # Not without flags: Numba would then allow all of the kernel's.
        return builder.fmul(*args, *args, flags=("nsz",))

    return a(a), codegen


@intrinsic
def total(typingctx, a):
    """Sum of all lanes, a number."""

    def codegen(context, builder, signature, args):
        vector = args[0].type
        kind = ir.FunctionType(vector.element, [vector.element, vector])
        name = f"llvm.vector.reduce.fadd.v{vector.count}{vector.element.intrinsic_name}"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        zero = ir.Constant(vector.element, 0.0)
        return builder.call(function, [zero, args[0]], fastmath=("reassoc", *FLAGS))

    return a.dtype(a), codegen


@intrinsic
def magnitude(typingctx, a):
    """Absolute value."""

    def codegen(context, builder, signature, args):
        return _call(builder, "fabs", *args)

    return a(a), codegen


@intrinsic
def sign(typingctx, a):
    """-1, 0 or 1: the derivative of the absolute value."""

    def codegen(context, builder, signature, args):
        zero, one = (_constant(args[0].type, number) for number in (0.0, 1.0))
        signed = _call(builder, "copysign", one, args[0])
        return builder.select(builder.fcmp_unordered("!=", args[0], zero), signed, args[0])

    return a(a), codegen


@intrinsic
def without_subnormals(typingctx, a):
    """Zero where a value is so small that arithmetic on it would be slow."""

    def codegen(context, builder, signature, args):
        tiny = _constant(args[0].type, 1e-36)
        small = builder.fcmp_ordered("<", _call(builder, "fabs", *args), tiny)
        return builder.select(small, _constant(args[0].type, 0.0), args[0])

    return a(a), codegen


@intrinsic
def exp_of_negative(typingctx, a):
    """exp(a) for a <= 0, as exact as the rounding of a allows; zero below `SMALLEST_LOGIT`.

    exp(a) = 2^n 2^f with n = round(a / log 2) and |f| <= 1/2. Adding `shift` to a / log 2 rounds it
    and leaves n plus the exponent's bias in the lowest bits of the mantissa, from where they are
    moved into the exponent; 2^f is a short Taylor series.
    """
    bits = a.dtype.bitwidth
    mantissa, bias, degree = {32: (23, 127, 6), 64: (52, 1023, 13)}[bits]
    shift = 1.5 * 2**mantissa + bias
    series = [math.log(2) ** power / math.factorial(power) for power in range(degree + 1)]

    def codegen(context, builder, signature, args):
        (x,) = args
        integers = ir.VectorType(ir.IntType(bits), x.type.count)
        scale, moved = _constant(x.type, 1 / math.log(2)), _constant(x.type, shift)

        def fused(p, q, r):
            return _call(builder, "fmuladd", p, q, r)

        shifted = fused(x, scale, moved)
        rest = fused(x, scale, builder.fsub(moved, shifted))
        value = _constant(x.type, series[-1])
        for coefficient in series[-2::-1]:
            value = fused(value, rest, _constant(x.type, coefficient))
        power = builder.shl(builder.bitcast(shifted, integers), _constant(integers, mantissa))
        value = builder.fmul(value, builder.bitcast(power, x.type))
        # Unordered, so that a NaN is not taken for a small number.
        kept = builder.fcmp_unordered(">", x, _constant(x.type, SMALLEST_LOGIT[bits]))
        return builder.select(kept, value, _constant(x.type, 0.0))

    return a(a), codegen
