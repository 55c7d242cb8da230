# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.annotation.annotation: marks for passes."""

from __future__ import annotations

from ..declare import Any, Call, Expr, make_call, operator, public_functions
from ..devices import virtual_device


@operator("annotation.checkpoint", 1)
def checkpoint(data: Expr) -> Call:
    """Marks a value to be recomputed for the gradient."""


@operator("annotation.compiler_begin", 1)
def compiler_begin(data: Expr, compiler: Any) -> Call:
    """Marks the beginning of a region for a compiler."""


@operator("annotation.compiler_end", 1)
def compiler_end(data: Expr, compiler: Any) -> Call:
    """Marks the end of a region for a compiler."""


@operator("annotation.stop_fusion", 1)
def stop_fusion(data: Expr) -> Call:
    """Prevents fusion across a value."""


def on_device(body: Expr, device: Any, constrain_result: bool = False, constrain_body: bool = True) -> Call:
    """Marks the device on which an expression is computed."""
    attributes = {"constrain_result": constrain_result, "constrain_body": constrain_body}
    if constrain_result or constrain_body:
        attributes["virtual_device"] = virtual_device(device)
    return make_call("on_device", (body,), attributes)


__all__ = public_functions(globals())
