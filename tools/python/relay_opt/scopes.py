# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ScopeBuilder: `let`s and `if`s as statements."""

from __future__ import annotations

from typing import Any

from ._relay_opt import Expr, If, Let, Tuple, Var
from .expr import var


class _Branch:
    def __init__(self, builder: ScopeBuilder, finish):
        self._builder = builder
        self._finish = finish

    def __enter__(self) -> None:
        self._builder._enter()

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        scope = self._builder._scopes.pop()
        if kind is None:
            self._finish(scope)


class ScopeBuilder:
    """Collects bindings; get() returns the expression."""

    def __init__(self) -> None:
        self._scopes: list[dict[str, Any]] = []
        self._enter()

    def _enter(self) -> None:
        self._scopes.append({"bindings": [], "result": None, "if": None})

    def _close(self, scope: dict[str, Any]) -> Expr:
        if scope["result"] is None:
            raise RuntimeError("no return value for this scope")
        result = scope["result"]
        for variable, value in reversed(scope["bindings"]):
            result = Let(variable, value, result)
        return result

    def let(self, var_: Any, value: Any, value_type: Any = None) -> Var:
        """Binds a variable, or a name, to a value; returns the variable."""
        if isinstance(value, (tuple, list)):
            value = Tuple(value)
        if isinstance(var_, str):
            var_ = var(var_, value_type)
        self._scopes[-1]["bindings"].append((var_, value))
        return var_

    def if_scope(self, cond: Expr) -> _Branch:
        """Begins the true branch of an `if`, which else_scope() follows."""
        outer = self._scopes[-1]

        def finish(scope: dict[str, Any]) -> None:
            outer["if"] = (cond, self._close(scope))

        return _Branch(self, finish)

    def else_scope(self) -> _Branch:
        """Begins the false branch; the `if` is then the result of the scope."""
        outer = self._scopes[-1]
        if outer["if"] is None:
            raise RuntimeError("else_scope must follow if_scope")

        def finish(scope: dict[str, Any]) -> None:
            cond, true_branch = outer["if"]
            outer["if"] = None
            outer["result"] = If(cond, true_branch, self._close(scope))

        return _Branch(self, finish)

    def ret(self, value: Expr) -> None:
        """Sets the result of the scope."""
        if self._scopes[-1]["result"] is not None:
            raise RuntimeError("ret value is already set in this scope.")
        self._scopes[-1]["result"] = value

    def get(self) -> Expr:
        """Returns the expression."""
        return self._close(self._scopes[0])
