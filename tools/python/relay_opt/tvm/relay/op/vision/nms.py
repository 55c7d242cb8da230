# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.vision.nms: suppression of boxes that overlap."""

from __future__ import annotations

from ..declare import Any, Call, const, Expr, make_call, operator, public_functions, TupleWrapper


@operator("vision.regular_non_max_suppression", 2, result=4)
def regular_non_max_suppression(
    boxes: Expr,
    scores: Expr,
    max_detections_per_class: Any,
    max_detections: Any,
    num_classes: Any,
    iou_threshold: Any,
    score_threshold: Any,
) -> TupleWrapper:
    """Computes the best boxes of all classes: (boxes, scores, classes, count)."""


def _constant(value: Any, dtype: str) -> Expr:
    return value if isinstance(value, Expr) else const(value, dtype)


def get_valid_counts(data: Expr, score_threshold: Any, id_index: int = 0, score_index: int = 1) -> TupleWrapper:
    """Counts the boxes whose score is above a threshold, and moves them to the front."""
    threshold = _constant(score_threshold, "float32")
    attributes = {"score_threshold": None, "id_index": id_index, "score_index": score_index}
    return TupleWrapper(make_call("vision.get_valid_counts", (data, threshold), attributes), 3)


def non_max_suppression(
    data: Expr,
    valid_count: Expr,
    indices: Expr,
    max_output_size: Any = -1,
    iou_threshold: Any = 0.5,
    force_suppress: bool = False,
    top_k: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = 0,
    return_indices: bool = True,
    invalid_to_bottom: bool = False,
) -> Call | TupleWrapper:
    """Suppresses boxes that overlap one of a higher score: the boxes, or (indices, counts)."""
    size = _constant(max_output_size, "int32")
    threshold = _constant(iou_threshold, "float32")
    attributes = {
        "force_suppress": force_suppress,
        "top_k": top_k,
        "coord_start": coord_start,
        "score_index": score_index,
        "id_index": id_index,
        "return_indices": return_indices,
        "invalid_to_bottom": invalid_to_bottom,
    }
    call = make_call("vision.non_max_suppression", (data, valid_count, indices, size, threshold), attributes)
    return TupleWrapper(call, 2) if return_indices else call


def all_class_non_max_suppression(
    boxes: Expr,
    scores: Expr,
    max_output_boxes_per_class: Any = -1,
    iou_threshold: Any = -1.0,
    score_threshold: Any = -1.0,
    output_format: str = "onnx",
) -> TupleWrapper:
    """Suppresses boxes of each class: (indices, counts) for ONNX, (indices, scores, counts) for TensorFlow."""
    operands = (
        boxes,
        scores,
        _constant(max_output_boxes_per_class, "int32"),
        _constant(iou_threshold, "float32"),
        _constant(score_threshold, "float32"),
    )
    call = make_call("vision.all_class_non_max_suppression", operands, {"output_format": output_format})
    return TupleWrapper(call, 2 if output_format == "onnx" else 3)


__all__ = public_functions(globals())
