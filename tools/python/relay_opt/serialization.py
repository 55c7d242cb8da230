# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TVM's JSON and parameter files."""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Array, Expr, IRModule
from .values import array_from_numpy


def save_json(node: Any) -> str:
    """Returns a module or an expression as JSON that TVM 0.18 loads."""
    if isinstance(node, IRModule):
        return node._json()
    if isinstance(node, Expr):
        return _ext.expr_json(node)
    raise TypeError("save_json() takes an IRModule or an expression")


def load_json(text: str) -> Any:
    """Reads a module or an expression from JSON of any release of TVM."""
    return _ext.read_expression(text, "json")


def save_param_dict(params: dict[str, Any]) -> bytes:
    """Returns arrays by name in TVM's format."""
    arrays = {str(k): v if isinstance(v, Array) else array_from_numpy(v) for k, v in params.items()}
    return _ext.save_params(arrays)


def load_param_dict(data: bytes) -> dict[str, Array]:
    """Reads arrays that save_param_dict() wrote, here or in TVM."""
    return _ext.load_params(bytes(data))
