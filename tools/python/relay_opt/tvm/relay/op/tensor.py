# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.tensor: elementwise operators and creation of tensors."""

from __future__ import annotations

from .declare import (
    Any,
    Call,
    constant_list,
    Expr,
    int_list,
    make_call,
    operator,
    public_functions,
    Tuple,
    tuple_of,
)
from .devices import virtual_device


@operator("abs", 1)
def abs(data: Expr) -> Call:
    """Computes absolute value."""


@operator("acos", 1)
def acos(data: Expr) -> Call:
    """Computes arc cosine."""


@operator("acosh", 1)
def acosh(data: Expr) -> Call:
    """Computes inverse hyperbolic cosine."""


@operator("add", 2)
def add(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs + rhs."""


@operator("asin", 1)
def asin(data: Expr) -> Call:
    """Computes arc sine."""


@operator("asinh", 1)
def asinh(data: Expr) -> Call:
    """Computes inverse hyperbolic sine."""


@operator("atan", 1)
def atan(data: Expr) -> Call:
    """Computes arc tangent."""


@operator("atanh", 1)
def atanh(data: Expr) -> Call:
    """Computes inverse hyperbolic tangent."""


@operator("bitwise_and", 2)
def bitwise_and(lhs: Expr, rhs: Expr) -> Call:
    """Computes bits that are set in both."""


@operator("bitwise_not", 1)
def bitwise_not(data: Expr) -> Call:
    """Computes each bit inverted."""


@operator("bitwise_or", 2)
def bitwise_or(lhs: Expr, rhs: Expr) -> Call:
    """Computes bits that are set in any."""


@operator("bitwise_xor", 2)
def bitwise_xor(lhs: Expr, rhs: Expr) -> Call:
    """Computes bits that differ."""


@operator("ceil", 1)
def ceil(data: Expr) -> Call:
    """Computes rounding up."""


@operator("clip", 1)
def clip(a: Expr, a_min: Any, a_max: Any) -> Call:
    """Computes data, but no less than a_min and no more than a_max."""


@operator("copy", 1)
def copy(data: Expr) -> Call:
    """Copies a tensor."""


@operator("cos", 1)
def cos(data: Expr) -> Call:
    """Computes cosine."""


@operator("cosh", 1)
def cosh(data: Expr) -> Call:
    """Computes hyperbolic cosine."""


@operator("divide", 2)
def divide(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs / rhs; integers round towards zero."""


@operator("equal", 2)
def equal(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs == rhs."""


@operator("erf", 1)
def erf(data: Expr) -> Call:
    """Computes error function."""


@operator("exp", 1)
def exp(data: Expr) -> Call:
    """Computes the exponential."""


@operator("fixed_point_multiply", 1)
def fixed_point_multiply(data: Expr, multiplier: Any, shift: Any) -> Call:
    """Computes data * multiplier * 2^(shift - 31), rounded."""


@operator("floor", 1)
def floor(data: Expr) -> Call:
    """Computes rounding down."""


@operator("floor_divide", 2)
def floor_divide(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs / rhs, rounded down."""


@operator("floor_mod", 2)
def floor_mod(lhs: Expr, rhs: Expr) -> Call:
    """Computes the remainder of floor_divide; it has the sign of rhs."""


@operator("greater", 2)
def greater(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs > rhs."""


@operator("greater_equal", 2)
def greater_equal(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs >= rhs."""


@operator("isfinite", 1)
def isfinite(data: Expr) -> Call:
    """Computes whether data is neither infinite nor nan."""


@operator("isinf", 1)
def isinf(data: Expr) -> Call:
    """Computes whether data is infinite."""


@operator("isnan", 1)
def isnan(data: Expr) -> Call:
    """Computes whether data is nan."""


@operator("left_shift", 2)
def left_shift(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs shifted left by rhs bits."""


@operator("less", 2)
def less(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs < rhs."""


@operator("less_equal", 2)
def less_equal(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs <= rhs."""


@operator("log", 1)
def log(data: Expr) -> Call:
    """Computes natural logarithm."""


@operator("log10", 1)
def log10(data: Expr) -> Call:
    """Computes logarithm to base 10."""


@operator("log2", 1)
def log2(data: Expr) -> Call:
    """Computes logarithm to base 2."""


@operator("logical_and", 2)
def logical_and(lhs: Expr, rhs: Expr) -> Call:
    """Computes whether both are true."""


@operator("logical_not", 1)
def logical_not(data: Expr) -> Call:
    """Computes whether data is false."""


@operator("logical_or", 2)
def logical_or(lhs: Expr, rhs: Expr) -> Call:
    """Computes whether any is true."""


@operator("logical_xor", 2)
def logical_xor(lhs: Expr, rhs: Expr) -> Call:
    """Computes whether one of them is true."""


@operator("maximum", 2)
def maximum(lhs: Expr, rhs: Expr) -> Call:
    """Computes the larger one."""


@operator("minimum", 2)
def minimum(lhs: Expr, rhs: Expr) -> Call:
    """Computes the smaller one."""


@operator("mod", 2)
def mod(lhs: Expr, rhs: Expr) -> Call:
    """Computes the remainder of divide; it has the sign of lhs."""


@operator("multiply", 2)
def multiply(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs * rhs."""


@operator("ndarray_size", 1)
def ndarray_size(data: Expr, dtype: Any = "int32") -> Call:
    """Computes number of elements of a tensor, as a scalar."""


@operator("negative", 1)
def negative(data: Expr) -> Call:
    """Computes -data."""


@operator("not_equal", 2)
def not_equal(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs != rhs."""


@operator("ones_like", 1)
def ones_like(data: Expr) -> Call:
    """Computes ones in the shape of data."""


@operator("power", 2)
def power(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs to the power of rhs."""


@operator("right_shift", 2)
def right_shift(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs shifted right by rhs bits."""


@operator("round", 1)
def round(data: Expr) -> Call:
    """Computes rounding to the nearest integer, halves away from zero."""


@operator("rsqrt", 1)
def rsqrt(data: Expr) -> Call:
    """Computes 1 / sqrt(data)."""


@operator("shape_of", 1)
def shape_of(data: Expr, dtype: Any = "int32") -> Call:
    """Computes shape of a tensor, as a tensor of rank 1."""


@operator("sigmoid", 1)
def sigmoid(data: Expr) -> Call:
    """Computes 1 / (1 + exp(-data))."""


@operator("sign", 1)
def sign(data: Expr) -> Call:
    """Computes -1, 0 or 1 by the sign."""


@operator("sin", 1)
def sin(data: Expr) -> Call:
    """Computes sine."""


@operator("sinh", 1)
def sinh(data: Expr) -> Call:
    """Computes hyperbolic sine."""


@operator("sqrt", 1)
def sqrt(data: Expr) -> Call:
    """Computes square root."""


@operator("subtract", 2)
def subtract(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs - rhs."""


@operator("tan", 1)
def tan(data: Expr) -> Call:
    """Computes tangent."""


@operator("tanh", 1)
def tanh(data: Expr) -> Call:
    """Computes hyperbolic tangent."""


@operator("trunc", 1)
def trunc(data: Expr) -> Call:
    """Computes rounding towards zero."""


@operator("trunc_divide", 2)
def trunc_divide(lhs: Expr, rhs: Expr) -> Call:
    """Computes lhs / rhs, rounded towards zero."""


@operator("trunc_mod", 2)
def trunc_mod(lhs: Expr, rhs: Expr) -> Call:
    """Computes the remainder of trunc_divide; it has the sign of lhs."""


@operator("zeros_like", 1)
def zeros_like(data: Expr) -> Call:
    """Computes zeros in the shape of data."""


def concatenate(data: Any, axis: int) -> Call:
    """Concatenates tensors along an axis. A call as data gives a tuple."""
    if not isinstance(data, Call):
        data = list(data)
        if not data:
            raise ValueError("relay.concatenate requires data to be non-empty.")
        data = Tuple(data)
    if not isinstance(axis, int):
        raise ValueError("For now, we only support integer axis")
    return make_call("concatenate", (data,), {"axis": axis})


def stack(data: Any, axis: int) -> Call:
    """Stacks tensors of one shape along a new axis. An expression as data gives a tuple."""
    if not data:
        raise ValueError("relay.stack requires data to be non-empty.")
    if not isinstance(axis, int):
        raise ValueError("For now, we only support integer axis")
    return make_call("stack", (tuple_of(data),), {"axis": axis})


def einsum(data: Any, equation: str) -> Call:
    """Computes a sum of products by an equation of indices."""
    data = list(data)
    if not data:
        raise ValueError("relay.einsum requires data to be non-empty.")
    if not isinstance(equation, str):
        raise ValueError("einsum `equation` must be a str")
    return make_call("einsum", (Tuple(data),), {"equation": equation})


def _filled(name: str, shape: Any, dtype: Any) -> Call:
    """Calls `ones` or `zeros`; a shape that is not constant makes it the `dyn.` form."""
    shape = int_list(constant_list(shape))
    if isinstance(shape, Expr):
        return make_call("dyn." + name, (shape,), {"shape": None, "dtype": dtype})
    return make_call(name, (), {"shape": shape, "dtype": dtype})


def ones(shape: Any, dtype: Any) -> Call:
    """Creates a tensor of ones."""
    return _filled("ones", shape, dtype)


def zeros(shape: Any, dtype: Any) -> Call:
    """Creates a tensor of zeros."""
    return _filled("zeros", shape, dtype)


def device_copy(data: Expr, src_device: Any, dst_device: Any) -> Call:
    """Copies a tensor to another device."""
    attributes = {
        "src_virtual_device": virtual_device(src_device),
        "dst_virtual_device": virtual_device(dst_device),
    }
    return make_call("device_copy", (data,), attributes)


__all__ = public_functions(globals())
