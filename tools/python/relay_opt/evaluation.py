# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluation of functions by the library's interpreter."""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Array, Expr, Function, GlobalVar, IRModule
from .expr import const
from .values import array_from_numpy


def evaluate(mod: IRModule, *args: Any, function: str = "main") -> Any:
    """Returns the result of a function for arrays and tuples of arrays.

    A tuple is a tuple, anything else becomes an array. Tensors of the result are
    Arrays. Raises PassError if there is no result.
    """
    return _ext.evaluate(mod, function, [_value(arg) for arg in args])


def _value(arg: Any) -> Any:
    if isinstance(arg, tuple):
        return tuple(_value(a) for a in arg)
    return arg if isinstance(arg, Array) else array_from_numpy(arg)


class Executor:
    """Evaluates expressions in a module, as TVM's executors do."""

    def __init__(self, mod: IRModule | None, params: Any = None):
        self.mod = IRModule() if mod is None else mod
        self.params = dict(params or {})

    def evaluate(self, expr: Expr | None = None, binds: Any = None) -> Any:
        """Returns a Python function for a function, or the value of another expression."""
        if binds:
            if expr is None:
                raise TypeError("binds need an expression")
            from .functors import bind

            expr = bind(expr, {k: v if isinstance(v, Expr) else const(v) for k, v in binds.items()})
        mod = self.mod
        name = "main"
        if isinstance(expr, GlobalVar):
            name = expr.name_hint
        elif expr is not None:
            mod = mod.shallow_copy()
            wrapped = expr if isinstance(expr, Function) else Function([], expr)
            mod["main"] = wrapped
        if expr is not None and not isinstance(expr, (Function, GlobalVar)):
            return evaluate(mod)

        def run(*args: Any, **kwargs: Any) -> Any:
            values = list(args)
            named = {**self.params, **kwargs}
            for param in mod[name].params[len(values) :]:
                if param.name_hint not in named:
                    raise ValueError(f"no value for parameter '{param.name_hint}'")
                values.append(named[param.name_hint])
            return evaluate(mod, *values, function=name)

        return run
