# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.nn.utils: padding as operators hold it."""

from __future__ import annotations

from typing import Any


def _pad_tuple(padding: Any, dimensions: int) -> tuple:
    """Returns the padding before each axis, then the padding after each axis."""
    if isinstance(padding, int):
        return (padding,) * (2 * dimensions)
    sides = tuple(padding) if isinstance(padding, (list, tuple)) else ()
    if len(sides) == dimensions:
        return sides + sides
    if len(sides) == 2 * dimensions:
        return sides
    raise ValueError(f"Size of padding can only be {dimensions} or {2 * dimensions}")


def get_pad_tuple1d(padding: Any) -> tuple:
    """Returns (left, right)."""
    return _pad_tuple(padding, 1)


def get_pad_tuple2d(padding: Any) -> tuple:
    """Returns (top, left, bottom, right)."""
    return _pad_tuple(padding, 2)


def get_pad_tuple3d(padding: Any) -> tuple:
    """Returns (front, top, left, back, bottom, right)."""
    return _pad_tuple(padding, 3)
