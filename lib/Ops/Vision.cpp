//===- Vision.cpp - Object detection --------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Vision.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Vision.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Vision.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// data: [N, C, H, W] or [N, H, W, C], rois: [n, 5] -> [n, C, size..] or
/// [n, size.., C].
static RelationResult inferRegions(TypeRelation &R, ArrayRef<Dim> Size,
                                   StringRef Layout) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Data = R.getTensor(0), *Regions = R.getTensor(1);
  if (failed(checkRank(R, "data", Data, 4)) ||
      failed(checkRank(R, "rois", Regions, 2)) ||
      failed(checkCount(R, Size, 2, "pooled_size")))
    return RelationResult::Failed;
  Dim Count = Regions->getDim(0);
  if (Layout == "NCHW")
    return R.setResult(R.getTensorType(
        {Count, Data->getDim(1), Size[0], Size[1]}, Data->getDType()));
  if (Layout == "NHWC")
    return R.setResult(R.getTensorType(
        {Count, Size[0], Size[1], Data->getDim(3)}, Data->getDType()));
  return R.error("'layout' is \"" + Layout + "\", neither NCHW nor NHWC");
}

RelationResult relay::inferROIAlign(TypeRelation &R) {
  const auto &A = R.getAttrs<ROIAlignAttrs>();
  return inferRegions(R, A.pooledSize(), A.layout());
}
RelationResult relay::inferROIPool(TypeRelation &R) {
  const auto &A = R.getAttrs<ROIPoolAttrs>();
  return inferRegions(R, A.pooledSize(), A.layout());
}

// cls_prob: [N, ..], bbox_pred, im_info -> [N * number of regions, 5].
RelationResult relay::inferProposal(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Classes = R.getTensor(0);
  if (failed(checkRank(R, "cls_prob", Classes, 4)) ||
      failed(checkRank(R, "bbox_pred", R.getTensor(1), 4)) ||
      failed(checkRank(R, "im_info", R.getTensor(2), 2)) ||
      failed(checkDim(R, "the length of a row of im_info",
                      R.getTensor(2)->getDim(1), Dim::get(3))))
    return RelationResult::Failed;
  int64_t Regions = R.getAttrs<ProposalAttrs>().rpnPostNmsTopN();
  DimMath Math(R.getContext());
  return R.setResult(
      R.getTensorType({Math.mul(Classes->getDim(0), Regions), Dim::get(5)},
                      Classes->getDType()));
}

//===----------------------------------------------------------------------===//
// Suppression of boxes
//===----------------------------------------------------------------------===//

/// Returns the type of a tensor of int32 with the first \p Rank axes of \p T.
static Type *getPlacesType(TypeRelation &R, const TensorType *T,
                           unsigned Rank) {
  return R.getTensorType(T->getShape().take_front(Rank), DType::getInt(32));
}

// data: [N, boxes, numbers] -> (count: [N], boxes: like data, positions: [N,
// boxes]).
RelationResult relay::inferGetValidCounts(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0}))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  if (failed(checkRank(R, "data", Data, 3)))
    return RelationResult::Failed;
  return R.setResult(R.getTupleType(
      {getPlacesType(R, Data, 1), R.getOperand(0), getPlacesType(R, Data, 2)}));
}

// data: [N, boxes, numbers] -> (positions: [N, boxes], count: [N, 1]), or like
// data.
RelationResult relay::inferNonMaxSuppression(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0, 1}))
    return *Missing;
  const TensorType *Data = R.getTensor(0);
  if (failed(checkRank(R, "data", Data, 3)) ||
      failed(checkRank(R, "valid_count", R.getTensor(1), 1)))
    return RelationResult::Failed;
  if (!R.getAttrs<NonMaximumSuppressionAttrs>().returnIndices())
    return R.setResultLike(0);
  Type *Count =
      R.getTensorType({Data->getDim(0), Dim::get(1)}, DType::getInt(32));
  return R.setResult(R.getTupleType({getPlacesType(R, Data, 2), Count}));
}

// boxes: [N, boxes, 4], scores: [N, classes, boxes] -> for ONNX (positions:
// [all, 3], count: [1]), for TensorFlow (positions: [N, classes * boxes, 2],
// scores: [N, classes * boxes], count: [N]).
RelationResult relay::inferAllClassNonMaxSuppression(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0, 1}))
    return *Missing;
  const TensorType *Boxes = R.getTensor(0), *Scores = R.getTensor(1);
  if (failed(checkRank(R, "boxes", Boxes, 3)) ||
      failed(checkRank(R, "scores", Scores, 3)))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  DType Int64 = DType::getInt(64);
  Dim Batch = Boxes->getDim(0);
  Dim PerEntry = Math.mul(Scores->getDim(1), Boxes->getDim(1));
  StringRef Format =
      R.getAttrs<AllClassNonMaximumSuppressionAttrs>().outputFormat();
  if (Format == "onnx")
    return R.setResult(R.getTupleType(
        {R.getTensorType({Math.mul(Batch, PerEntry), Dim::get(3)}, Int64),
         R.getTensorType({Dim::get(1)}, Int64)}));
  return R.setResult(
      R.getTupleType({R.getTensorType({Batch, PerEntry, Dim::get(2)}, Int64),
                      R.getTensorType({Batch, PerEntry}, DType::getFloat(32)),
                      R.getTensorType({Batch}, Int64)}));
}

// boxes: [N, ..], scores -> (boxes: [N, n, 4], scores: [N, n], classes: [N, n],
// count: [N]), of float32 for boxes of any type.
RelationResult relay::inferRegularNonMaxSuppression(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Boxes = R.getTensor(0);
  if (failed(checkRank(R, "boxes", Boxes, 3)) ||
      failed(checkRank(R, "scores", R.getTensor(1), 3)))
    return RelationResult::Failed;
  Dim Batch = Boxes->getDim(0);
  Dim Count =
      DimMath(R.getContext())
          .get(R.getAttrs<RegularNonMaximumSuppressionAttrs>().maxDetections());
  DType T = DType::getFloat(32);
  Type *Numbers = R.getTensorType({Batch, Count}, T);
  return R.setResult(
      R.getTupleType({R.getTensorType({Batch, Count, Dim::get(4)}, T), Numbers,
                      Numbers, R.getTensorType({Batch}, DType::getInt(32))}));
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

// data: [N, C, H, W] -> [1, H * W * boxes per position, 4].
RelationResult relay::inferMultiBoxPrior(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (failed(checkRank(R, "data", Data, 4)))
    return RelationResult::Failed;
  const auto &A = R.getAttrs<MultiBoxPriorAttrs>();
  int64_t Boxes = int64_t(A.sizes().size() + A.ratios().size()) - 1;
  DimMath Math(R.getContext());
  Dim Places = Math.mul(Data->getDim(2), Data->getDim(3));
  return R.setResult(R.getTensorType(
      {Dim::get(1), Math.mul(Places, Boxes), Dim::get(4)}, Data->getDType()));
}

// cls_prob: [N, classes, anchors], loc_pred: [N, anchors * 4], anchor:
// [1, anchors, 4] -> (boxes: [N, anchors, 6], count: [N]).
RelationResult relay::inferMultiBoxTransformLoc(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Classes = R.getTensor(0), *Locations = R.getTensor(1),
                   *Anchors = R.getTensor(2);
  if (failed(checkRank(R, "cls_prob", Classes, 3)) ||
      failed(checkRank(R, "loc_pred", Locations, 2)) ||
      failed(checkRank(R, "anchor", Anchors, 3)))
    return RelationResult::Failed;
  Dim Batch = Classes->getDim(0), Count = Anchors->getDim(1);
  Dim PerClass = Classes->getDim(2);
  DimMath Math(R.getContext());
  if (failed(checkDim(R, "the number of anchors", Count, PerClass)) ||
      failed(checkDim(R, "the size of an anchor", Anchors->getDim(2),
                      Dim::get(4))) ||
      failed(checkDim(R, "the length of loc_pred", Locations->getDim(1),
                      Math.mul(PerClass, 4))))
    return RelationResult::Failed;
  return R.setResult(R.getTupleType(
      {R.getTensorType({Batch, Count, Dim::get(6)}, Classes->getDType()),
       R.getTensorType({Batch}, DType::getInt(32))}));
}

// data: [N, C, H, W] -> [N, C * stride^2, H / stride, W / stride].
RelationResult relay::inferYoloReorg(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (failed(checkRank(R, "data", Data, 4)))
    return RelationResult::Failed;
  int64_t Stride = R.getAttrs<YoloReorgAttrs>().stride();
  if (failed(checkInt32(R, Stride, "stride")))
    return RelationResult::Failed;
  if (Stride == 0)
    return R.error("'stride' is zero");
  DimMath Math(R.getContext());
  return R.setResult(R.getTensorType(
      {Data->getDim(0), Math.mul(Math.mul(Data->getDim(1), Stride), Stride),
       Math.floorDiv(Data->getDim(2), Stride),
       Math.floorDiv(Data->getDim(3), Stride)},
      Data->getDType()));
}
