# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.expr."""

from ... import _relay_opt as _ext
from ...expr import (
    Call,
    Constant,
    Expr,
    GlobalVar,
    If,
    Let,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    TupleWrapper,
    Var,
    const,
    var,
)
from ...functors import bind

RelayExpr = Expr
ExprWithOp = Expr


def astext(expr, unified_span_form: bool = False, annotate=None) -> str:
    """Returns expr as text."""
    return _ext.print_expr(expr, True, False)
