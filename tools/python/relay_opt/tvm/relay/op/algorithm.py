# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.algorithm: sorting and searching."""

from __future__ import annotations

from .declare import Any, Call, constant_list, Expr, make_call, operator, public_functions, TupleWrapper


@operator("argsort", 1, is_ascend=bool)
def argsort(data: Expr, axis: int = -1, is_ascend: Any = 1, dtype: Any = "int32") -> Call:
    """Computes indices that sort the elements along an axis."""


@operator("searchsorted", 2)
def searchsorted(sorted_sequence: Expr, values: Expr, right: bool = False, dtype: Any = "int32") -> Call:
    """Computes the positions where values belong in a sorted sequence."""


@operator("sort", 1, is_ascend=bool)
def sort(data: Expr, axis: int = -1, is_ascend: Any = 1) -> Call:
    """Computes elements in order along an axis."""


def topk(
    data: Expr,
    k: Any = 1,
    axis: int = -1,
    ret_type: str = "both",
    is_ascend: bool = False,
    dtype: Any = "int32",
) -> Call | TupleWrapper:
    """Computes the first k elements in sorted order along an axis. A k that is not constant makes it `dyn.topk`."""
    k = constant_list(k)
    attributes = {"axis": axis, "ret_type": ret_type, "is_ascend": is_ascend, "dtype": dtype}
    if isinstance(k, Expr):
        call = make_call("dyn.topk", (data, k), {"k": None, **attributes})
    else:
        call = make_call("topk", (data,), {"k": k, **attributes})
    return TupleWrapper(call, 2) if ret_type == "both" else call


__all__ = public_functions(globals())
