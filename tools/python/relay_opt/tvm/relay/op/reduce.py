# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.reduce: reductions."""

from __future__ import annotations

from .declare import Any, Call, Expr, listed, make_call, operator, public_functions, Tuple, TupleWrapper
from .tensor import add, exp, log, sqrt, subtract


@operator("all", 1, axis=listed(1))
def all(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Call:
    """Computes whether all elements along axes are true."""


@operator("any", 1, axis=listed(1))
def any(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Call:
    """Computes whether an element along axes is true."""


@operator("argmax", 1, axis=listed(1))
def argmax(
    data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False, select_last_index: bool = False
) -> Call:
    """Computes position of the largest element along axes."""


@operator("argmin", 1, axis=listed(1))
def argmin(
    data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False, select_last_index: bool = False
) -> Call:
    """Computes position of the smallest element along axes."""


@operator("max", 1, axis=listed(1))
def max(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Call:
    """Computes largest element along axes."""


@operator("mean", 1, axis=listed(1))
def mean(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Call:
    """Computes mean along axes."""


@operator("min", 1, axis=listed(1))
def min(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Call:
    """Computes smallest element along axes."""


@operator("prod", 1, axis=listed(1))
def prod(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Call:
    """Computes product along axes."""


@operator("sum", 1, axis=listed(1))
def sum(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Call:
    """Computes sum along axes."""


def _variance(data: Expr, axis: Any, keepdims: bool, exclude: bool, unbiased: bool, mean_value: Expr) -> Call:
    attributes = {"axis": axis, "keepdims": keepdims, "exclude": exclude, "unbiased": unbiased}
    return make_call("variance", (data, mean_value), attributes)


def variance(
    data: Expr,
    axis: Any = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
    with_mean: Any = None,
) -> Call:
    """Computes the variance along axes; with_mean is the mean if it is known."""
    axis = [axis] if isinstance(axis, int) else axis
    if with_mean is None:
        with_mean = mean(data, axis, True, exclude)
    return _variance(data, axis, keepdims, exclude, unbiased, with_mean)


def std(
    data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False
) -> Call:
    """Computes the standard deviation along axes."""
    return sqrt(variance(data, axis, keepdims, exclude, unbiased))


def _squeezed(data: Expr, axis: Any) -> Call:
    return make_call("squeeze", (data,), {"axis": axis})


def mean_variance(
    data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False
) -> TupleWrapper:
    """Computes the mean and variance along axes."""
    axis = [axis] if isinstance(axis, int) else axis
    center = mean(data, axis, True, exclude)
    spread = _variance(data, axis, keepdims, exclude, unbiased, center)
    return TupleWrapper(Tuple((center if keepdims else _squeezed(center, axis), spread)), 2)


def mean_std(data: Expr, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> TupleWrapper:
    """Computes the mean and standard deviation along axes.

    Without keepdims, all axes of size 1 of the mean are removed, as in TVM.
    """
    axis = [axis] if isinstance(axis, int) else axis
    center = mean(data, axis, True, exclude)
    spread = sqrt(_variance(data, axis, keepdims, exclude, False, center))
    return TupleWrapper(Tuple((center if keepdims else _squeezed(center, None), spread)), 2)


def logsumexp(data: Expr, axis: Any = None, keepdims: bool = False) -> Call:
    """Computes the logarithm of the sum of exponentials along axes."""
    axis = [axis] if isinstance(axis, int) else axis
    largest = max(data, axis, True)
    total = sum(exp(subtract(data, largest)), axis, True)
    result = add(log(total), largest)
    return result if keepdims else _squeezed(result, axis)


__all__ = public_functions(globals())
