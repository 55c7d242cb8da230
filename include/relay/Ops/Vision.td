//===- Vision.td - Object detection ------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that find objects in images: `vision.*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_VISION_TD
#define RELAY_OPS_VISION_TD

include "relay/IR/OpBase.td"

def ROIAlignAttrs : AttrsDef<"relay.attrs.ROIAlignAttrs"> {
  let Fields = (ins DimArray:$pooled_size, Double:$spatial_scale,
                    Default<Int, "-1">:$sample_ratio,
                    DefaultText<String, "NCHW">:$layout,
                    DefaultText<String, "avg">:$mode);
}
def ROIPoolAttrs : AttrsDef<"relay.attrs.ROIPoolAttrs"> {
  let Fields = (ins DimArray:$pooled_size, Double:$spatial_scale,
                    DefaultText<String, "NCHW">:$layout);
}
def ProposalAttrs : AttrsDef<"relay.attrs.ProposalAttrs"> {
  let Fields = (ins Default<FloatArray, "[4f, 8f, 16f, 32f]">:$scales,
                    Default<FloatArray, "[0.5f, 1f, 2f]">:$ratios,
                    Default<Int, "16">:$feature_stride,
                    Default<Double, "0.7f">:$threshold,
                    Default<Int, "6000">:$rpn_pre_nms_top_n,
                    Default<Int, "300">:$rpn_post_nms_top_n,
                    Default<Int, "16">:$rpn_min_size,
                    Default<Bool, "False">:$iou_loss);
}
def GetValidCountsAttrs : AttrsDef<"relay.attrs.GetValidCountsAttrs"> {
  let Fields = (ins Nullable<Object>:$score_threshold,
                    Default<Int, "0">:$id_index,
                    Default<Int, "1">:$score_index);
}
def NonMaximumSuppressionAttrs : AttrsDef<"relay.attrs.NonMaximumSuppressionAttrs"> {
  let Fields = (ins Default<Bool, "False">:$force_suppress,
                    Default<Int, "-1">:$top_k, Default<Int, "2">:$coord_start,
                    Default<Int, "1">:$score_index,
                    Default<Int, "0">:$id_index,
                    Default<Bool, "True">:$return_indices,
                    Default<Bool, "False">:$invalid_to_bottom);
}
def AllClassNonMaximumSuppressionAttrs : AttrsDef<"relay.attrs.AllClassNonMaximumSuppressionAttrs"> {
  let Fields = (ins DefaultText<String, "onnx">:$output_format);
}
def RegularNonMaximumSuppressionAttrs : AttrsDef<"relay.attrs.RegularNonMaximumSuppressionAttrs"> {
  let Fields = (ins Int:$max_detections_per_class, Int:$max_detections,
                    Int:$num_classes, Double:$iou_threshold,
                    Double:$score_threshold);
}
def MultiBoxPriorAttrs : AttrsDef<"relay.attrs.MultiBoxPriorAttrs"> {
  let Fields = (ins Default<FloatArray, "[1f]">:$sizes,
                    Default<FloatArray, "[1f]">:$ratios,
                    Default<FloatArray, "[-1f, -1f]">:$steps,
                    Default<FloatArray, "[0.5f, 0.5f]">:$offsets,
                    Default<Bool, "False">:$clip);
}
def MultiBoxTransformLocAttrs : AttrsDef<"relay.attrs.MultiBoxTransformLocAttrs"> {
  let Fields = (ins Default<Bool, "True">:$clip,
                    Default<Double, "0.01f">:$threshold,
                    Default<FloatArray, "[0.10000000149011612f, 0.10000000149011612f, 0.20000000298023224f, 0.20000000298023224f]">:$variances,
                    Default<Bool, "False">:$keep_background);
}
def YoloReorgAttrs : AttrsDef<"relay.attrs.YoloReorgAttrs"> {
  let Fields = (ins Default<Integer, "1">:$stride);
}

def ROIAlignOp : Op<"vision.roi_align"> {
  let Summary = "regions of interest, interpolated to one size";
  let Operands = (ins Tensor:$data, Tensor:$rois);
  let Attributes = ROIAlignAttrs;
  let FusionKind = OutEWiseFusable;
  let Traits = [AttrsAsMeta];
  let Relation = "inferROIAlign";
  let ShapeDataDependent = [0];
}
def ROIPoolOp : Op<"vision.roi_pool"> {
  let Summary = "regions of interest, pooled to one size";
  let Operands = (ins Tensor:$data, Tensor:$rois);
  let Attributes = ROIPoolAttrs;
  let FusionKind = OutEWiseFusable;
  let Traits = [AttrsAsMeta];
  let Relation = "inferROIPool";
}
def ProposalOp : Op<"vision.proposal"> {
  let Summary = "regions proposed to contain objects";
  let Operands = (ins Tensor:$cls_prob, Tensor:$bbox_pred, Tensor:$im_info);
  let Attributes = ProposalAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferProposal";
}
def GetValidCountsOp : Op<"vision.get_valid_counts"> {
  let Summary = "boxes with a score above a threshold: (count, boxes, indices)";
  let Operands = (ins Tensor:$data, Expr:$score_threshold);
  let Attributes = GetValidCountsAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferGetValidCounts";
  let ShapeDataDependent = [0];
}
def NonMaxSuppressionOp : Op<"vision.non_max_suppression"> {
  let Summary = "boxes that do not overlap better ones";
  let Operands = (ins Tensor:$data, Tensor:$valid_count, Tensor:$indices,
                      Expr:$max_output_size, Expr:$iou_threshold);
  let Attributes = NonMaximumSuppressionAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferNonMaxSuppression";
  let ShapeDataDependent = [0];
}
def AllClassNonMaxSuppressionOp : Op<"vision.all_class_non_max_suppression"> {
  let Summary = "boxes of each class that do not overlap better ones";
  let Operands = (ins Tensor:$boxes, Tensor:$scores,
                      Expr:$max_output_boxes_per_class,
                      Expr:$iou_threshold, Expr:$score_threshold);
  let Attributes = AllClassNonMaximumSuppressionAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferAllClassNonMaxSuppression";
  let ShapeDataDependent = [0];
}
def RegularNonMaxSuppressionOp : Op<"vision.regular_non_max_suppression"> {
  let Summary = "the best boxes of all classes: (boxes, scores, classes, count)";
  let Operands = (ins Tensor:$boxes, Tensor:$scores);
  let Attributes = RegularNonMaximumSuppressionAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferRegularNonMaxSuppression";
  let ShapeDataDependent = [0];
}
def MultiBoxPriorOp : Op<"vision.multibox_prior"> {
  let Summary = "anchor boxes of each place";
  let Operands = (ins Tensor:$data);
  let Attributes = MultiBoxPriorAttrs;
  let Relation = "inferMultiBoxPrior";
}
def MultiBoxTransformLocOp : Op<"vision.multibox_transform_loc"> {
  let Summary = "boxes from anchors and predictions: (boxes, count)";
  let Operands = (ins Tensor:$cls_prob, Tensor:$loc_pred, Tensor:$anchor);
  let Attributes = MultiBoxTransformLocAttrs;
  let Relation = "inferMultiBoxTransformLoc";
}
def YoloReorgOp : Op<"vision.yolo_reorg"> {
  let Summary = "blocks of space as channels";
  let Operands = (ins Tensor:$data);
  let Attributes = YoloReorgAttrs;
  let FusionKind = Injective;
  let Relation = "inferYoloReorg";
}

#endif // RELAY_OPS_VISION_TD
