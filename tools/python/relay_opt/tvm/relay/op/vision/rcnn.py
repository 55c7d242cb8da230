# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.vision.rcnn: regions of interest."""

from __future__ import annotations

from ..declare import Any, Call, Expr, operator, public_functions


@operator("vision.proposal", 3)
def proposal(
    cls_prob: Expr,
    bbox_pred: Expr,
    im_info: Expr,
    scales: Any,
    ratios: Any,
    feature_stride: Any,
    threshold: Any,
    rpn_pre_nms_top_n: Any,
    rpn_post_nms_top_n: Any,
    rpn_min_size: Any,
    iou_loss: Any,
) -> Call:
    """Computes regions proposed to contain objects."""


@operator("vision.roi_align", 2)
def roi_align(
    data: Expr,
    rois: Expr,
    pooled_size: Any,
    spatial_scale: Any,
    sample_ratio: int = -1,
    layout: str = "NCHW",
    mode: str = "avg",
) -> Call:
    """Computes regions of interest, interpolated to one size."""


@operator("vision.roi_pool", 2)
def roi_pool(data: Expr, rois: Expr, pooled_size: Any, spatial_scale: Any, layout: str = "NCHW") -> Call:
    """Computes regions of interest, pooled to one size."""


__all__ = public_functions(globals())
