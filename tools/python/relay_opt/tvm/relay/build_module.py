# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.build_module: binding of parameters, and evaluation."""

from typing import cast

from ..absent import absent
from ...evaluation import Executor as _Executor
from ...expr import Constant, Expr, Function, const
from ...functors import bind


def bind_params_by_name(func: Function, params: dict) -> Function:
    """Replaces the parameters that params names by their values."""
    values: dict[Expr, Expr] = {}
    by_name: dict[str, list[Expr]] = {}
    for param in func.params:
        by_name.setdefault(param.name_hint, []).append(param)
    for name, value in params.items():
        found = by_name.get(name, [])
        if len(found) > 1:
            raise ValueError(f"Multiple args in the function have name {name}")
        if found:
            values[found[0]] = value if isinstance(value, Constant) else const(value)
    return cast(Function, bind(func, values))


def create_executor(kind: str = "debug", mod=None, device=None, target="llvm", params=None) -> _Executor:
    """Returns an executor, which evaluates here for each kind."""
    return _Executor(mod, params)


def __getattr__(name: str):
    raise absent("tvm.relay.build_module", name)
