# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structural equality, as TVM defines it."""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Array, Attrs, Expr, IRModule, Type


def difference(lhs: Any, rhs: Any, map_free_vars: bool = False) -> str | None:
    """Returns the first structural difference, or None."""
    if isinstance(lhs, IRModule) and isinstance(rhs, IRModule):
        return _ext.compare_modules(lhs, rhs)
    if isinstance(lhs, Expr) and isinstance(rhs, Expr):
        return _ext.compare_exprs(lhs, rhs, map_free_vars)
    if isinstance(lhs, Array) and isinstance(rhs, Array):
        same = (lhs.shape, lhs.dtype, lhs.tobytes()) == (rhs.shape, rhs.dtype, rhs.tobytes())
        return None if same else "different arrays"
    if isinstance(lhs, (list, tuple)) and isinstance(rhs, (list, tuple)):
        if len(lhs) != len(rhs):
            return "different numbers of elements"
        return next((d for d in (difference(a, b, map_free_vars) for a, b in zip(lhs, rhs)) if d), None)
    if isinstance(lhs, dict) and isinstance(rhs, dict):
        if lhs.keys() != rhs.keys():
            return "different keys"
        return next((d for d in (difference(lhs[k], rhs[k], map_free_vars) for k in lhs) if d), None)
    return None if lhs == rhs else f"{lhs!r} and {rhs!r}"


def structural_equal(lhs: Any, rhs: Any, map_free_vars: bool = False) -> bool:
    """Returns whether both are equal up to the names of variables."""
    return difference(lhs, rhs, map_free_vars) is None


def assert_structural_equal(lhs: Any, rhs: Any, map_free_vars: bool = False) -> None:
    """Raises ValueError, which tells the first difference, if they are not equal."""
    found = difference(lhs, rhs, map_free_vars)
    if found is not None:
        raise ValueError(f"StructuralEqual check failed, caused by lhs and rhs: {found}\n{lhs}\nand:\n{rhs}")


def structural_hash(node: Any, map_free_vars: bool = False) -> int:
    """Returns a hash that structurally equal modules, functions and types share."""
    if isinstance(node, (IRModule, Expr)):
        return _ext.structural_hash(node)
    if isinstance(node, (Type, Attrs)):
        return hash(node)
    if isinstance(node, (list, tuple)):
        return hash(tuple(structural_hash(n, map_free_vars) for n in node))
    return hash(node)
