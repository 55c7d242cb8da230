//===- ConvRelations.cpp - Types of convolutions --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ConvRelations.h. Shapes are computed in the canonical layouts and then
// converted to the layouts of the attributes.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/ConvRelations.h"

using namespace relay;

namespace {
/// One application of a convolution's relation.
class ConvRelation {
public:
  ConvRelation(TypeRelation &R, const ConvParams &P)
      : R(R), P(P), Math(R.getContext()), Spatial(P.getNumSpatial()) {}

  /// Computes \c DataShape, \c Pad, \c OutChannels and \c Kernel; returns
  /// Solved on success.
  RelationResult prepare();
  RelationResult finish(function_ref<Dim(unsigned)> GetOutput);

protected:
  /// Returns the weight's shape [O, I, kernel...], or the order of \c
  /// KernelAxes, that the attributes require.
  virtual Shape getExpectedWeight() = 0;
  /// Returns true if attributes do not determine the weight's shape.
  virtual bool needsWeight() const { return false; }
  /// Checks the known weight of canonical shape \c WeightShape and reads the
  /// channels and the kernel from it.
  virtual LogicalResult readWeight() = 0;
  virtual ~ConvRelation() = default;

  LogicalResult checkAttrs();
  LogicalResult getMaps();
  /// Reads the weight, or assigns its type if attributes determine the shape.
  RelationResult prepareWeight();
  RelationResult assignWeight();
  RelationResult ignoreWeight();
  LogicalResult checkKernelSize();

  TypeRelation &R;
  const ConvParams &P;
  DimMath Math;
  unsigned Spatial;
  std::optional<LayoutMap> DataMap, KernelMap, OutMap;
  const TensorType *Data = nullptr, *Weight = nullptr;

public:
  Shape DataShape;   ///< canonical
  Shape WeightShape; ///< canonical; empty when the weight is unknown
  SmallVector<Dim, 3> Pad;
  SmallVector<Dim, 3> Kernel; ///< without dilation
  Dim OutChannels;

  Dim getDilatedKernel(unsigned I) {
    return Math.dilated(Kernel[I], P.Dilation[I]);
  }
  DimMath &getMath() { return Math; }
};

class DirectConv final : public ConvRelation {
public:
  using ConvRelation::ConvRelation;

private:
  /// Returns true if each input channel has its own kernels: weight is [C, O /
  /// C, ...].
  bool isDepthwise() const {
    return P.HasDepthwise && P.Groups > 1 && DataShape[1].isConst(P.Groups) &&
           !WeightShape.empty() && WeightShape[0].isConst(P.Groups);
  }
  /// Only the type of a grouped weight determines which of two forms it has.
  bool needsWeight() const override { return P.HasDepthwise && P.Groups > 1; }
  Shape getExpectedWeight() override;
  LogicalResult readWeight() override;
};

class TransposedConv final : public ConvRelation {
public:
  using ConvRelation::ConvRelation;

private:
  Shape getExpectedWeight() override;
  LogicalResult readWeight() override;
};
} // namespace

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult ConvRelation::checkAttrs() {
  if (failed(checkAtLeast(R, P.Strides, Spatial, "strides")) ||
      failed(checkAtLeast(R, P.Dilation, Spatial, "dilation")) ||
      failed(checkNonZero(R, P.Strides, "strides")))
    return failure();
  if (!P.KernelSize.empty() &&
      failed(checkCount(R, P.KernelSize, Spatial, "kernel_size")))
    return failure();
  if (P.Groups == 0) {
    R.error("'groups' is zero");
    return failure();
  }
  auto Totals = getPadding(R, P.Padding, Spatial);
  if (failed(Totals))
    return failure();
  Pad = *Totals;
  return success();
}

LogicalResult ConvRelation::getMaps() {
  auto Take = [&](std::optional<LayoutMap> &Map, StringRef Text,
                  StringRef Canonical, StringRef Name) {
    auto Found = getLayoutMap(R, Text, Canonical, Name);
    if (succeeded(Found))
      Map = *Found;
    return Map.has_value();
  };
  StringRef Out = P.getOutLayout();
  return success(
      Take(DataMap, P.DataLayout, P.DataAxes, "data_layout") &&
      Take(KernelMap, P.KernelLayout, P.KernelAxes, "kernel_layout") &&
      Take(OutMap, Out, P.DataAxes, "out_layout"));
}

//===----------------------------------------------------------------------===//
// Data and weight
//===----------------------------------------------------------------------===//

RelationResult ConvRelation::prepare() {
  Data = R.getTensor(0);
  if (!Data)
    return R.unresolved(0);
  Weight = P.AnyWeight ? nullptr : R.getTensor(P.WeightOperand);
  if (!Weight && !P.AnyWeight && R.getOperand(P.WeightOperand))
    return R.unresolved(P.WeightOperand);
  if (failed(checkAttrs()) || failed(getMaps()))
    return RelationResult::Failed;
  auto Canonical = toCanonical(R, *DataMap, Data->getShape());
  if (failed(Canonical))
    return RelationResult::Failed;
  DataShape = *Canonical;
  return P.AnyWeight ? ignoreWeight() : prepareWeight();
}

RelationResult ConvRelation::prepareWeight() {
  if (Weight) {
    auto Canonical = toCanonical(R, *KernelMap, Weight->getShape());
    if (failed(Canonical))
      return RelationResult::Failed;
    WeightShape = *Canonical;
  }
  if (P.Channels && !P.KernelSize.empty())
    return assignWeight();
  if (!Weight)
    return RelationResult::Unresolved;
  if (failed(checkKernelSize()) || failed(readWeight()))
    return RelationResult::Failed;
  Kernel.assign(WeightShape.begin() + 2, WeightShape.end());
  return RelationResult::Solved;
}

LogicalResult ConvRelation::checkKernelSize() {
  for (auto [I, D] : llvm::enumerate(P.KernelSize))
    if (failed(checkDim(R, "'kernel_size'", D, WeightShape[2 + I])))
      return failure();
  return success();
}

RelationResult ConvRelation::assignWeight() {
  if (!Weight && needsWeight())
    return RelationResult::Unresolved;
  auto Expected = fromCanonical(R, *KernelMap, getExpectedWeight());
  if (failed(Expected))
    return RelationResult::Failed;
  DType T = Weight ? Weight->getDType() : Data->getDType();
  if (failed(R.setOperand(P.WeightOperand, R.getTensorType(*Expected, T))))
    return RelationResult::Failed;
  OutChannels = P.Channels;
  Kernel.assign(P.KernelSize.begin(), P.KernelSize.end());
  return RelationResult::Solved;
}

RelationResult ConvRelation::ignoreWeight() {
  if (!P.Channels || P.KernelSize.empty())
    return R.error("'channels' or 'kernel_size' is missing");
  OutChannels = P.Channels;
  Kernel.assign(P.KernelSize.begin(), P.KernelSize.end());
  return RelationResult::Solved;
}

RelationResult ConvRelation::finish(function_ref<Dim(unsigned)> GetOutput) {
  Shape Out = {DataShape[0], OutChannels};
  for (unsigned I = 0; I != Spatial; ++I)
    Out.push_back(GetOutput(I));
  auto InLayout = fromCanonical(R, *OutMap, Out);
  if (failed(InLayout))
    return RelationResult::Failed;
  DType T =
      P.AllowsVoid ? P.OutDType : getOutDType(P.OutDType, Data->getDType());
  return R.setResult(R.getTensorType(*InLayout, T));
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

Shape DirectConv::getExpectedWeight() {
  Shape Expected;
  if (isDepthwise())
    Expected = {DataShape[1], Math.floorDiv(P.Channels, DataShape[1])};
  else
    Expected = {P.Channels, Math.floorDiv(DataShape[1], P.Groups)};
  Expected.append(P.KernelSize.begin(), P.KernelSize.end());
  return Expected;
}

LogicalResult DirectConv::readWeight() {
  OutChannels = WeightShape[0];
  if (P.Channels &&
      failed(checkDim(R, "'channels'", P.Channels, WeightShape[0])))
    return failure();
  return checkDim(R, "the number of input channels of the weight",
                  WeightShape[1],
                  P.ReadsWithoutGroups ? DataShape[1]
                                       : Math.floorDiv(DataShape[1], P.Groups));
}

RelationResult relay::inferConv(TypeRelation &R, const ConvParams &P) {
  DirectConv Conv(R, P);
  RelationResult Prepared = Conv.prepare();
  if (Prepared != RelationResult::Solved)
    return Prepared;
  return Conv.finish([&](unsigned I) {
    return Conv.getMath().windows(Conv.DataShape[2 + I], Conv.Pad[I],
                                  Conv.getDilatedKernel(I), P.Strides[I]);
  });
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

Shape TransposedConv::getExpectedWeight() {
  Shape Expected = {DataShape[1], Math.floorDiv(P.Channels, P.Groups)};
  Expected.append(P.KernelSize.begin(), P.KernelSize.end());
  return Expected;
}

LogicalResult TransposedConv::readWeight() {
  OutChannels = WeightShape[1];
  if (P.Channels &&
      failed(checkDim(R, "the number of output channels",
                      Math.floorDiv(P.Channels, P.Groups), WeightShape[1])))
    return failure();
  return checkDim(R, "the number of input channels of the weight",
                  WeightShape[0], DataShape[1]);
}

RelationResult relay::inferConvTranspose(TypeRelation &R, const ConvParams &P) {
  if (failed(checkAtLeast(R, P.OutputPadding, P.getNumSpatial(),
                          "output_padding")))
    return RelationResult::Failed;
  TransposedConv Conv(R, P);
  RelationResult Prepared = Conv.prepare();
  if (Prepared != RelationResult::Solved)
    return Prepared;
  DimMath &Math = Conv.getMath();
  return Conv.finish([&](unsigned I) {
    Dim In = Conv.DataShape[2 + I];
    Dim Spread = Math.mul(P.Strides[I], Math.sub(In, 1));
    Dim Full = Math.add(Spread, Conv.getDilatedKernel(I));
    return Math.add(Math.sub(Full, Conv.Pad[I]), P.OutputPadding[I]);
  });
}
