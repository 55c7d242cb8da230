//===- ProductScales.cpp - Scales into weights ----------------------------===//
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
  bool IsFloat = T.isFloat() || T.isBFloat();
  return IsFloat || (T == Data->getDType() && T == Result->getDType());
}

/// Returns operation \p Op with operands \p Data and \p Weight.
static Value *recreate(Rewriter &R, const Operation &Op, Value *Data,
                       Value *Weight) {
  return R.createTypedOperation(Op.getInfo(), {Data, Weight}, Op.getAttrs(),
                                Op.getType());
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
/// The axes by which a convolution absorbs scales.
template <typename ConvT> class ScaledConv {
public:
  explicit ScaledConv(const Operation &Op)
      : Op(Op), A(ConvT(&Op).attrs()), Kernel(Layout::parse(A.kernelLayout())) {
  }

  /// Returns the axes of the data along which a scale can be absorbed, and sets
  /// those of the weight; none if it cannot be.
  Axes matchData(Axes &Weight) const {
    return match(A.dataLayout(), getTensor(Op.getOperand(0)),
                 isDepthwise() ? 'O' : 'I', Weight);
  }
  /// Likewise, of the result.
  Axes matchResult(Axes &Weight) const {
    return match(A.outLayout().empty() ? A.dataLayout() : A.outLayout(),
                 getTensor(&Op), 'O', Weight);
  }

private:
  /// Returns true if each channel of the result is that of one channel.
  bool isDepthwise() const;
  Axes match(StringRef DataLayout, const TensorType *Data, char WeightAxis,
             Axes &Weight) const;

  static constexpr const char *Primal =
      std::is_same_v<ConvT, Conv2DOp> ? "OIHW" : "OIDHW";

  const Operation &Op;
  const std::decay_t<decltype(std::declval<ConvT>().attrs())> &A;
  std::optional<Layout> Kernel;
};
} // namespace

template <typename ConvT> bool ScaledConv<ConvT>::isDepthwise() const {
  const TensorType *Weight = getTensor(Op.getOperand(1));
  std::optional<LayoutMap> Map = LayoutMap::get(A.kernelLayout(), Primal);
  if (!Map || !Weight)
    return false;
  auto Shape = Map->forward(Op.getFunction()->getContext(), Weight->getShape());
  return succeeded(Shape) && (*Shape)[0].isConst(A.groups()) &&
         (*Shape)[1].isConst(1);
}

template <typename ConvT>
Axes ScaledConv<ConvT>::match(StringRef DataLayout, const TensorType *Data,
                              char WeightAxis, Axes &Weight) const {
  std::optional<Layout> L = Layout::parse(DataLayout);
  if (!L || !Kernel || !Data || !canScaleWeight(Op, Data) ||
      (A.groups() != 1 && !isDepthwise()))
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

template <typename ConvT>
static OperandRequest requestForward(const Operation &Op) {
  Axes Weight;
  return {0, {ScaledConv<ConvT>(Op).matchData(Weight)}};
}

template <typename ConvT>
static ScaledValue scaleForward(Rewriter &R, const ForwardScale &S) {
  Axes Weight;
  ScaledConv<ConvT>(S.Op).matchData(Weight);
  return recreate(
      R, S.Op, S.Operand.V,
      multiplyAlong(R, S.Op.getOperand(1), S.Operand.Scale.Factor, Weight));
}

template <typename ConvT>
static ScaleRequest requestBackward(const Operation &Op) {
  Axes Weight;
  return {ScaledConv<ConvT>(Op).matchResult(Weight)};
}

template <typename ConvT>
static void scaleBackward(Rewriter &R, BackwardScale &S) {
  Axes Weight;
  ScaledConv<ConvT>(S.getOp()).matchResult(Weight);
  S.setOperand(1,
               multiplyAlong(R, S.getOperand(1), S.getScale().Factor, Weight));
}

OperandRequest relay::requestConv2DForward(const Operation &Op,
                                           const ScaleRequest &) {
  return requestForward<Conv2DOp>(Op);
}
ScaledValue relay::scaleConv2DForward(Rewriter &R, const ForwardScale &S) {
  return scaleForward<Conv2DOp>(R, S);
}
ScaleRequest relay::requestConv2DBackward(const Operation &Op,
                                          ArrayRef<ScaleRequest>) {
  return requestBackward<Conv2DOp>(Op);
}
void relay::scaleConv2DBackward(Rewriter &R, BackwardScale &S) {
  scaleBackward<Conv2DOp>(R, S);
}

OperandRequest relay::requestConv3DForward(const Operation &Op,
                                           const ScaleRequest &) {
  return requestForward<Conv3DOp>(Op);
}
ScaledValue relay::scaleConv3DForward(Rewriter &R, const ForwardScale &S) {
  return scaleForward<Conv3DOp>(R, S);
}
ScaleRequest relay::requestConv3DBackward(const Operation &Op,
                                          ArrayRef<ScaleRequest>) {
  return requestBackward<Conv3DOp>(Op);
}
void relay::scaleConv3DBackward(Rewriter &R, BackwardScale &S) {
  scaleBackward<Conv3DOp>(R, S);
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
  return recreate(R, S.Op, S.Operand.V,
                  multiplyAlong(R, S.Op.getOperand(1), S.Operand.Scale.Factor,
                                /*Axes=*/{1}));
}

ScaleRequest relay::requestDenseBackward(const Operation &Op,
                                         ArrayRef<ScaleRequest>) {
  return {getDenseAxes(Op, getTensor(&Op))};
}

void relay::scaleDenseBackward(Rewriter &R, BackwardScale &S) {
  S.setOperand(1, multiplyAlong(R, S.getOperand(1), S.getScale().Factor,
                                /*Axes=*/{0}));
}
