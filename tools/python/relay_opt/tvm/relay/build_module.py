# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.build_module: binding of parameters, passes, and evaluation."""

from __future__ import annotations

from typing import Any

from typing import cast

from ..absent import absent
from ...evaluation import Executor as _Executor
from ...expr import Constant, Expr, Function, const
from ...functors import bind
from ...module import IRModule, from_expr
from ...passes import Pass
from ..target import Target


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


def optimize(mod: Any, target: Any = None, params: dict | None = None) -> tuple[IRModule, dict]:
    """Runs the passes of build() and returns the module, with the parameters bound, and no parameters."""
    mod = _bind_main(mod, params)
    passes = Pass("default<O4>")  # gated by the opt level of the context
    if target is None:
        return passes(mod), {}
    with Target(target):
        return passes(mod), {}


def _bind_main(mod: Any, params: dict | None) -> IRModule:
    mod = mod.shallow_copy() if isinstance(mod, IRModule) else from_expr(mod)
    if params:
        mod["main"] = bind_params_by_name(mod["main"], params)
    return mod


class ExecutorFactory:
    """What build() returns: there is no code generation, so it has no library."""

    def __init__(self, ir_mod: IRModule, target: Target, libmod_name: str, params: dict):
        self.ir_mod = ir_mod
        self.target = target
        self.libmod_name = libmod_name
        self.params = params

    def get_params(self) -> dict:
        """Returns the parameters that build() got."""
        return self.params

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"relay_opt generates no code: what relay.build returns has no '{name}'; relay.create_executor evaluates modules"
        )


def build(
    ir_mod: Any,
    target: Any = "llvm",
    target_host: Any = None,
    executor: Any = None,
    runtime: Any = None,
    workspace_memory_pools: Any = None,
    constant_memory_pools: Any = None,
    params: dict | None = None,
    mod_name: str = "default",
) -> ExecutorFactory:
    """Runs the passes on Relay of TVM's build(), which instruments see. No code is generated."""
    target = Target(target)
    bound = _bind_main(ir_mod, params)
    optimize(bound, target)
    return ExecutorFactory(bound, target, mod_name, dict(params or {}))


def create_executor(kind: str = "debug", mod=None, device=None, target="llvm", params=None) -> _Executor:
    """Returns an executor, which evaluates here for each kind."""
    return _Executor(mod, params)


def __getattr__(name: str):
    raise absent("tvm.relay.build_module", name)
