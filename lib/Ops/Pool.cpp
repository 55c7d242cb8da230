//===- Pool.cpp - Pooling -------------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of Pool.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Pool.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Pool.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Type relations
//===----------------------------------------------------------------------===//

/// Returns the positions of the axes \p Names in data of the layout \p Text.
static FailureOr<SmallVector<unsigned, 3>>
getSpatialAxes(TypeRelation &R, const TensorType *Data, StringRef Text,
               StringRef Names) {
  auto L = getLayout(R, Text, "layout");
  if (failed(L))
    return failure();
  auto Positions = getUnsplitAxes(R, *L, Names);
  if (failed(Positions))
    return failure();
  for (unsigned I : *Positions)
    if (I >= Data->getRank()) {
      R.error("a tensor of rank " + Twine(Data->getRank()) +
              " does not have layout " + Text);
      return failure();
    }
  return Positions;
}

namespace {
/// The attributes of pooling by windows.
struct PoolParams {
  StringRef Axes; ///< the spatial ones, `HW`
  StringRef Layout, OutLayout;
  ArrayRef<Dim> PoolSize, Strides, Dilation, Padding;
  bool CeilMode;

  template <typename AttrsT>
  static PoolParams get(const AttrsT &A, StringRef Axes) {
    return {Axes,        A.layout(),   A.outLayout(), A.poolSize(),
            A.strides(), A.dilation(), A.padding(),   A.ceilMode()};
  }
};
} // namespace

static LogicalResult checkPool(TypeRelation &R, const PoolParams &P) {
  unsigned N = P.Axes.size();
  return success(succeeded(checkAtLeast(R, P.PoolSize, N, "pool_size")) &&
                 succeeded(checkAtLeast(R, P.Strides, N, "strides")) &&
                 succeeded(checkAtLeast(R, P.Dilation, N, "dilation")) &&
                 succeeded(checkNonZero(R, P.Strides, "strides")));
}

/// data: [.., spatial.., ..] -> spatial axes according to
/// DimMath::poolWindows().
static RelationResult inferPool(TypeRelation &R, const PoolParams &P) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  if (failed(checkPool(R, P)))
    return RelationResult::Failed;
  if (!P.OutLayout.empty() && failed(getLayout(R, P.OutLayout, "out_layout")))
    return RelationResult::Failed;
  auto Positions = getSpatialAxes(R, Data, P.Layout, P.Axes);
  auto Pad = getPadding(R, P.Padding, P.Axes.size());
  if (failed(Positions) || failed(Pad))
    return RelationResult::Failed;
  DimMath Math(R.getContext());
  Shape Out(Data->getShape());
  for (auto [I, Position] : llvm::enumerate(*Positions)) {
    Dim Length = Math.dilated(P.PoolSize[I], P.Dilation[I]);
    Out[Position] = Math.poolWindows(Out[Position], (*Pad)[I], Length,
                                     P.Strides[I], P.CeilMode);
  }
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

// The attribute classes of average pooling have the same fields at the same
// positions.
RelationResult relay::inferPool1D(TypeRelation &R) {
  return inferPool(R, PoolParams::get(R.getAttrs<MaxPool1DAttrs>(), "W"));
}
RelationResult relay::inferPool2D(TypeRelation &R) {
  return inferPool(R, PoolParams::get(R.getAttrs<MaxPool2DAttrs>(), "HW"));
}
RelationResult relay::inferPool3D(TypeRelation &R) {
  return inferPool(R, PoolParams::get(R.getAttrs<MaxPool3DAttrs>(), "DHW"));
}

/// grad, data -> the type of data.
RelationResult relay::inferPoolGrad(TypeRelation &R) {
  if (!R.getTensor(1))
    return R.unresolved(1);
  return R.setResultLike(1);
}

/// data: [.., spatial.., ..] -> spatial axes of \p Sizes, one for all or one
/// each; unchanged if there are none.
static RelationResult inferPoolTo(TypeRelation &R, StringRef Layout,
                                  StringRef Axes, ArrayRef<Dim> Sizes) {
  const TensorType *Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  auto Positions = getSpatialAxes(R, Data, Layout, Axes);
  if (failed(Positions))
    return RelationResult::Failed;
  if (Sizes.size() > 1 &&
      failed(checkCount(R, Sizes, Axes.size(), "output_size")))
    return RelationResult::Failed;
  Shape Out(Data->getShape());
  for (auto [I, Position] : llvm::enumerate(*Positions))
    if (!Sizes.empty())
      Out[Position] = Sizes.size() == 1 ? Sizes[0] : Sizes[I];
  return R.setResult(R.getTensorType(Out, Data->getDType()));
}

RelationResult relay::inferGlobalPool2D(TypeRelation &R) {
  StringRef Layout = R.getAttrs<GlobalPool2DAttrs>().layout();
  return inferPoolTo(R, Layout, "HW", {Dim::get(1)});
}

RelationResult relay::inferAdaptivePool1D(TypeRelation &R) {
  const auto &A = R.getAttrs<AdaptivePool1DAttrs>();
  return inferPoolTo(R, A.layout(), "W", A.outputSize());
}

RelationResult relay::inferAdaptivePool2D(TypeRelation &R) {
  const auto &A = R.getAttrs<AdaptivePool2DAttrs>();
  return inferPoolTo(R, A.layout(), "HW", A.outputSize());
}

RelationResult relay::inferAdaptivePool3D(TypeRelation &R) {
  const auto &A = R.getAttrs<AdaptivePool3DAttrs>();
  return inferPoolTo(R, A.layout(), "DHW", A.outputSize());
}
