# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.vision.multibox: anchor boxes."""

from __future__ import annotations

from ..declare import Any, Call, Expr, operator, public_functions, TupleWrapper


@operator("vision.multibox_prior", 1)
def multibox_prior(
    data: Expr,
    sizes: Any = (1.0,),
    ratios: Any = (1.0,),
    steps: Any = (-1.0, -1.0),
    offsets: Any = (0.5, 0.5),
    clip: bool = False,
) -> Call:
    """Computes anchor boxes of each place."""


@operator("vision.multibox_transform_loc", 3, result=2)
def multibox_transform_loc(
    cls_prob: Expr,
    loc_pred: Expr,
    anchor: Expr,
    clip: bool = True,
    threshold: float = 0.01,
    variances: Any = (0.1, 0.1, 0.2, 0.2),
    keep_background: bool = False,
) -> TupleWrapper:
    """Computes boxes from anchors and predictions: (boxes, count)."""


__all__ = public_functions(globals())
