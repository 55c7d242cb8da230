//===- ConvDenseScales.cpp - Scales into weights --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks of ScaleAxis.td for convolutions and nn.dense, which absorb a scale
// by multiplying their weight. Grouped convolutions absorb scales only if they
// are depthwise, and with blocked layouts only if data and weight are blocked
// alike.
//
//===----------------------------------------------------------------------===//

#include "ScaleUtils.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/NN.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace relay;

using Axes = SmallVector<unsigned, 2>;

/// Returns true if \p Op, which multiplies operand 0 by the weight, operand 1,
/// computes the same with a scaled weight as with \p Scaled, a type of its data
/// or result, scaled.
static bool canScaleWeight(const Operation &Op, const TensorType *Scaled) {
  const TensorType *Data = getTensor(Op.getOperand(0));
  const TensorType *Weight = getTensor(Op.getOperand(1));
  const TensorType *Result = getTensor(&Op);
  if (!Data || !Weight || !Result)
    return false;
  DType T = Weight->getDType();
  if (T != Scaled->getDType())
    return false;
  // Integers that wrap around in one type do not in another.
  bool IsFloat = T.isAnyFloat();
  return IsFloat || (T == Data->getDType() && T == Result->getDType());
}

/// Creates the operation of \p S with its weight scaled along \p A.
static ScaledValue scaleWeightForward(Rewriter &R, const ForwardScale &S,
                                      ArrayRef<unsigned> A) {
  SmallVector<Value *, 2> Operands = S.getOperands();
  Operands[1] = multiplyAlong(R, Operands[1], S.Operand.Scale.Factor, A);
  return recreate(R, S.Op, Operands);
}

/// Scales the weight of the operation of \p S along \p A.
static void scaleWeightBackward(Rewriter &R, BackwardScale &S,
                                ArrayRef<unsigned> A) {
  S.setOperand(1, multiplyAlong(R, S.getOperand(1), S.getScale().Factor, A));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Returns the positions of the axis \p Name and of its blocks in \p L; none if
/// the axis is missing or comes after its blocks.
static Axes findAxes(const Layout &L, char Name) {
  int Axis = L.indexOf(Name), Blocks = L.indexOf(Name - 'A' + 'a');
  if (Axis < 0 || (Blocks >= 0 && Blocks < Axis))
    return {};
  return Blocks < 0 ? Axes{unsigned(Axis)}
                    : Axes{unsigned(Axis), unsigned(Blocks)};
}

/// Returns the extents of \p T along \p A.
static SmallVector<Dim, 2> getExtents(const TensorType *T,
                                      ArrayRef<unsigned> A) {
  return llvm::map_to_vector<2>(A, [T](unsigned I) { return T->getDim(I); });
}

namespace {
/// Finds the axes along which a convolution can absorb scales.
class ScaledConv {
public:
  /// \p Op is a nn.conv2d or a nn.conv3d.
  static ScaledConv get(const Operation &Op) {
    if (auto Conv = dyn_cast<Conv2DOp>(&Op))
      return ScaledConv(Op, Conv.attrs(), "OIHW");
    return ScaledConv(Op, Conv3DOp(&Op).attrs(), "OIDHW");
  }

  /// Return the axes of the data, or of the result, along which a scale can be
  /// absorbed, and set the axes of the weight. Return none if no scale can be
  /// absorbed.
  Axes matchData(Axes &Weight) const {
    return match(DataLayout, getTensor(Op.getOperand(0)),
                 isDepthwise() ? 'O' : 'I', Weight);
  }
  Axes matchResult(Axes &Weight) const {
    return match(OutLayout.empty() ? DataLayout : OutLayout, getTensor(&Op),
                 'O', Weight);
  }

private:
  template <typename AttrsT>
  ScaledConv(const Operation &Op, const AttrsT &A, StringRef PlainKernel)
      : Op(Op), DataLayout(A.dataLayout()), OutLayout(A.outLayout()),
        KernelLayout(A.kernelLayout()), PlainKernel(PlainKernel),
        Groups(A.groups()), Kernel(Layout::parse(KernelLayout)) {}

  /// Returns true if each channel of the result is that of one channel.
  bool isDepthwise() const;
  Axes match(StringRef LayoutText, const TensorType *Data, char WeightAxis,
             Axes &Weight) const;

  const Operation &Op;
  StringRef DataLayout, OutLayout, KernelLayout, PlainKernel;
  int64_t Groups;
  std::optional<Layout> Kernel;
};
} // namespace

bool ScaledConv::isDepthwise() const {
  const TensorType *Weight = getTensor(Op.getOperand(1));
  std::optional<LayoutMap> Map = LayoutMap::get(KernelLayout, PlainKernel);
  if (!Map || !Weight)
    return false;
  auto Shape = Map->forward(Op.getFunction()->getContext(), Weight->getShape());
  return succeeded(Shape) && (*Shape)[0].isConst(Groups) &&
         (*Shape)[1].isConst(1);
}

Axes ScaledConv::match(StringRef LayoutText, const TensorType *Data,
                       char WeightAxis, Axes &Weight) const {
  std::optional<Layout> L = Layout::parse(LayoutText);
  if (!L || !Kernel || !Data || !canScaleWeight(Op, Data) ||
      (Groups != 1 && !isDepthwise()))
    return {};
  const TensorType *WeightType = getTensor(Op.getOperand(1));
  Axes Result = findAxes(*L, 'C');
  Weight = findAxes(*Kernel, WeightAxis);
  bool IsBlocked = Result.size() == 2;
  if (Result.empty() || Weight.size() != Result.size() ||
      Kernel->contains('o') != IsBlocked ||
      Kernel->contains('i') != IsBlocked ||
      getExtents(Data, Result) != getExtents(WeightType, Weight) ||
      !canAlignFactor(WeightType, Weight))
    return {};
  return Result;
}

OperandRequest relay::requestConvForward(const Operation &Op,
                                         const ScaleRequest &) {
  Axes Weight;
  return {0, {ScaledConv::get(Op).matchData(Weight)}};
}

ScaledValue relay::scaleConvForward(Rewriter &R, const ForwardScale &S) {
  Axes Weight;
  ScaledConv::get(S.Op).matchData(Weight);
  return scaleWeightForward(R, S, Weight);
}

ScaleRequest relay::requestConvBackward(const Operation &Op,
                                        ArrayRef<ScaleRequest>) {
  Axes Weight;
  return {ScaledConv::get(Op).matchResult(Weight)};
}

void relay::scaleConvBackward(Rewriter &R, BackwardScale &S) {
  Axes Weight;
  ScaledConv::get(S.getOp()).matchResult(Weight);
  scaleWeightBackward(R, S, Weight);
}

//===----------------------------------------------------------------------===//
// nn.dense
//===----------------------------------------------------------------------===//

/// Returns the last axis of \p Scaled, a type of data [b, in] or result
/// [b, units]; none if its scale cannot be absorbed. TVM also requests axis 1
/// of three dimensions, which is not the axis of the weight.
static Axes getDenseAxes(const Operation &Op, const TensorType *Scaled) {
  bool IsMatrix =
      Scaled && Scaled->getRank() == 2 && canScaleWeight(Op, Scaled);
  return IsMatrix ? Axes{1} : Axes{};
}

OperandRequest relay::requestDenseForward(const Operation &Op,
                                          const ScaleRequest &) {
  return {0, {getDenseAxes(Op, getTensor(Op.getOperand(0)))}};
}

ScaledValue relay::scaleDenseForward(Rewriter &R, const ForwardScale &S) {
  return scaleWeightForward(R, S, /*Axes=*/{1});
}

ScaleRequest relay::requestDenseBackward(const Operation &Op,
                                         ArrayRef<ScaleRequest>) {
  return {getDenseAxes(Op, getTensor(&Op))};
}

void relay::scaleDenseBackward(Rewriter &R, BackwardScale &S) {
  scaleWeightBackward(R, S, /*Axes=*/{0});
}
