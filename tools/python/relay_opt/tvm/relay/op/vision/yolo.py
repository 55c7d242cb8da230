# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.vision.yolo."""

from __future__ import annotations

from ..declare import Any, Call, Expr, operator, public_functions


@operator("vision.yolo_reorg", 1)
def yolo_reorg(data: Expr, stride: Any) -> Call:
    """Computes blocks of space as channels."""


__all__ = public_functions(globals())
