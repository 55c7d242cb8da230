# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.vm.vm: operators of TVM's virtual machine."""

from __future__ import annotations

from ..declare import Any, Call, Expr, make_call, operator, public_functions


@operator("vm.reshape_tensor", 2)
def reshape_tensor(data: Expr, shape: Expr, newshape: Any) -> Call:
    """Computes data in another shape, without a copy."""


def shape_of(expr: Expr) -> Call:
    """Computes the shape of a tensor, of 64-bit integers."""
    return make_call("vm.shape_of", (expr,), {"dtype": "int64"})


__all__ = public_functions(globals())
