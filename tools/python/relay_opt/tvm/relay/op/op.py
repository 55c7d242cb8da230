# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.op: operators by name, and the hooks of operators, which Python cannot register."""

from __future__ import annotations

from typing import Any, Callable, cast

from ...._relay_opt import Op
from ...absent import absent
from .declare import Call, Expr, make_call

HOOKS = frozenset(
    (
        "register",
        "register_alter_op_layout",
        "register_broadcast_schedule",
        "register_compute",
        "register_convert_op_layout",
        "register_external_compiler",
        "register_fake_quantization_to_integer",
        "register_gradient",
        "register_infer_correct_layout",
        "register_injective_schedule",
        "register_legalize",
        "register_mixed_precision_conversion",
        "register_optional_fake_quantization_to_integer",
        "register_pattern",
        "register_reduce_schedule",
        "register_schedule",
        "register_shape_func",
        "register_stateful",
        "register_strategy",
    )
)


def get(op_name: str) -> Op:
    """Returns the operator of a name."""
    return cast(Op, Op.get(op_name))


def debug(expr: Expr, debug_func: Any = None) -> Call:
    """Marks a value for a debugger. A function to call on the value cannot be given."""
    if debug_func is not None:
        raise NotImplementedError("relay_opt does not call a function of Python for 'debug'")
    return make_call("debug", (expr,), {})


def hook(name: str) -> Callable[..., Any]:
    """Returns the function in place of TVM's function that registers a hook of an operator."""

    def register(op_name: str, *arguments: Any, **keywords: Any) -> Any:
        raise NotImplementedError(
            f"'{name}' of '{op_name}' cannot be done from Python; docs/Hooks.md says how a plugin or a file of facts "
            "does it"
        )

    register.__name__ = name
    return register


def __getattr__(name: str) -> Any:
    if name in HOOKS:
        return hook(name)
    raise absent("tvm.relay.op.op", name)
