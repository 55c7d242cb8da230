# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Questions about expressions and modules."""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Constant, Expr, Function, IRModule, Let, Match, MatchPattern, TensorType, Tuple, Var, post_order_visit
from .errors import Error
from .module import free_vars

__all__ = [
    "all_dtypes",
    "all_vars",
    "bound_vars",
    "check_constant",
    "free_vars",
    "list_op_freqs",
    "post_order_visit",
    "well_formed",
]


def all_vars(expr: Expr) -> list[Var]:
    """Returns the variables of expr, bound and free, in post-order."""
    found: list[Var] = []
    post_order_visit(expr, lambda node: found.append(node) if isinstance(node, Var) else None)
    return found


def bound_vars(expr: Expr) -> list[Var]:
    """Returns the variables that expr binds: of functions, `let`s and patterns."""
    found: list[Var] = []

    def add(pattern: MatchPattern) -> None:
        if pattern.kind == 1:
            found.append(pattern.target)
        for child in pattern.patterns:
            add(child)

    def visit(node: Expr) -> None:
        if isinstance(node, Let):
            found.append(node.var)
        elif isinstance(node, Function):
            found.extend(node.params)
        elif isinstance(node, Match):
            for pattern in node.patterns:
                add(pattern)

    post_order_visit(expr, visit)
    return found


def check_constant(expr: Expr) -> bool:
    """Returns whether expr is a constant or a tuple of such expressions."""
    work = [expr]
    while work:
        node = work.pop()
        if isinstance(node, Tuple):
            work.extend(node.fields)
        elif not isinstance(node, Constant):
            return False
    return True


def all_dtypes(expr: Expr) -> set[str]:
    """Returns the data types of all typed parts of expr."""
    found: set[str] = set()

    def visit(node: Expr) -> None:
        work: list[Any] = [node._checked_type_]
        while work:
            type_ = work.pop()
            if isinstance(type_, TensorType):
                found.add(type_.dtype)
            elif type_ is not None:
                work.extend(getattr(type_, "fields", []))

    post_order_visit(expr, visit)
    return found


def list_op_freqs(mod: IRModule) -> dict[str, int]:
    """Returns how often each operator is called, by name."""
    return mod.op_counts()


def well_formed(expr: Expr) -> bool:
    """Returns whether each variable is bound once, and only used in its scope."""
    try:
        _ext.print_expr(expr, False, False)
    except Error:
        return False
    variables = bound_vars(expr)
    return len(variables) == len(set(variables))
