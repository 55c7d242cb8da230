# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads modules and expressions from text and from TVM's JSON."""

from __future__ import annotations

import os
from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Expr, IRModule


def parse(text: str | bytes, name: str = "<text>", infer: bool = True, opaque_constants: bool = False) -> IRModule:
    """Reads a module from Relay text, or from JSON of TVM's save_json.

    name is the name of the text in messages. Types are inferred unless infer is
    false. With opaque_constants, constants whose data the text leaves out are
    read without it. Raises ParseError.
    """
    return _ext.read_module(text, name, infer, opaque_constants)


def read(path: str | os.PathLike[str], **options: Any) -> IRModule:
    """Reads the module in a file; see parse()."""
    with open(path, "rb") as file:
        return parse(file.read(), os.fspath(path), **options)


def parse_expr(text: str, name: str = "<text>") -> Expr:
    """Reads one expression."""
    result = _ext.read_expression(text, name)
    if isinstance(result, IRModule):
        raise ValueError("the text holds definitions, not an expression")
    return result
