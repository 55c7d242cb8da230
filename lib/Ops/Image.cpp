//===- Image.cpp - Images -------------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Image.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Image.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Image.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

/// data: [N, C, spatial..] in a layout of \p Canonical -> the same with `size`.
template <typename AttrsT>
static RelationResult inferResize(TypeRelation &R, StringRef Canonical) {
  if (!R.getTensor(0))
    return R.unresolved(0);
  const auto &A = R.getAttrs<AttrsT>();
  unsigned Spatial = Canonical.size() - 2;
  if (failed(checkCount(R, A.size(), Spatial, "size")))
    return RelationResult::Failed;
  if (A.roi().size() != 2 * Spatial)
    return R.error("'roi' has " + countOf(A.roi().size(), "number") + ", not " +
                   Twine(2 * Spatial));
  std::optional<LayoutMap> Map;
  FailureOr<Shape> Out = getDataShape(R, A.layout(), Canonical, Map);
  if (failed(Out))
    return RelationResult::Failed;
  llvm::copy(A.size(), Out->begin() + 2);
  return setResultInLayout(R, *Map, *Out, A.outDtype());
}

RelationResult relay::inferResize1D(TypeRelation &R) {
  return inferResize<Resize1DAttrs>(R, "NCW");
}
RelationResult relay::inferResize2D(TypeRelation &R) {
  return inferResize<Resize2DAttrs>(R, "NCHW");
}
RelationResult relay::inferResize3D(TypeRelation &R) {
  return inferResize<Resize3DAttrs>(R, "NCDHW");
}

// data: [N, C, H, W], boxes: [n, 4], box_indices: [n] -> [n, C, crop_size..].
RelationResult relay::inferCropAndResize(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<CropAndResizeAttrs>();
  const TensorType *Boxes = R.getTensor(1);
  if (failed(checkCount(R, A.cropSize(), 2, "crop_size")))
    return RelationResult::Failed;
  if (Boxes->isScalar())
    return R.error("boxes is a scalar");
  std::optional<LayoutMap> Map;
  FailureOr<Shape> Out = getDataShape(R, A.layout(), "NCHW", Map);
  if (failed(Out))
    return RelationResult::Failed;
  Out->front() = Boxes->getDim(0);
  llvm::copy(A.cropSize(), Out->begin() + 2);
  return setResultInLayout(R, *Map, *Out, A.outDtype());
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

// data: [N, C, spatial..], grid: [N, rank, spatial'..] -> [N, C, spatial'..].
RelationResult relay::inferGridSample(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<GridSampleAttrs>();
  const TensorType *Grid = R.getTensor(1);
  StringRef Canonical = R.getTensor(0)->getRank() == 5 ? "NCDHW" : "NCHW";
  std::optional<LayoutMap> Map;
  FailureOr<Shape> Out = getDataShape(R, A.layout(), Canonical, Map);
  if (failed(Out) || failed(checkRank(R, "grid", Grid, Canonical.size())))
    return RelationResult::Failed;
  llvm::copy(Grid->getShape().drop_front(2), Out->begin() + 2);
  return setResultInLayout(R, *Map, *Out);
}

// data: [N, 2, 3] -> [N, 2, target_shape..].
RelationResult relay::inferAffineGrid(TypeRelation &R) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  ArrayRef<Dim> Target = R.getAttrs<AffineGridAttrs>().targetShape();
  if (failed(checkRank(R, "data", Data, 3)) ||
      failed(checkDim(R, "the number of rows", Data->getDim(1), Dim::get(2))) ||
      failed(
          checkDim(R, "the number of columns", Data->getDim(2), Dim::get(3))) ||
      failed(checkCount(R, Target, 2, "target_shape")))
    return RelationResult::Failed;
  return R.setResult(R.getTensorType(
      {Data->getDim(0), Dim::get(2), Target[0], Target[1]}, Data->getDType()));
}

//===----------------------------------------------------------------------===//
// Dilation
//===----------------------------------------------------------------------===//

// data: [N, C, H, W], weight: [C, kernel..] -> [N, C, H', W']. As in TVM, only
// the first two entries of strides and dilations are used.
RelationResult relay::inferDilation2D(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const auto &A = R.getAttrs<Dilation2DAttrs>();
  auto DataMap = getLayoutMap(R, A.dataLayout(), "NCHW", "data_layout");
  auto KernelMap = getLayoutMap(R, A.kernelLayout(), "IHW", "kernel_layout");
  auto Pad = getPadding(R, A.padding(), 2);
  if (failed(DataMap) || failed(KernelMap) || failed(Pad) ||
      failed(checkNonZero(R, A.strides(), "strides")))
    return RelationResult::Failed;
  if (A.strides().size() < 2 || A.dilations().size() < 2)
    return R.error("'strides' or 'dilations' has less than two numbers");
  auto Out = toCanonical(R, *DataMap, R.getTensor(0)->getShape());
  auto Kernel = toCanonical(R, *KernelMap, R.getTensor(1)->getShape());
  if (failed(Out) || failed(Kernel))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  (*Out)[1] = (*Kernel)[0];
  for (unsigned I : {0, 1})
    (*Out)[2 + I] = Math.windows(
        (*Out)[2 + I], (*Pad)[I],
        Math.dilated((*Kernel)[1 + I], A.dilations()[I]), A.strides()[I]);
  return setResultInLayout(R, *DataMap, *Out, A.outDtype());
}
