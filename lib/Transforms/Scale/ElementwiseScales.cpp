//===- ElementwiseScales.cpp - Scales through elementwise operators -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks of ScaleAxis.td for sums and rectifiers, which pass a scale on.
//
//===----------------------------------------------------------------------===//

#include "ScaleUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Rectifiers
//===----------------------------------------------------------------------===//

/// f(s * x) = s * f(x) where s is not negative and s * x does not wrap around.
static ScaleRequest requestPositive(const Operation &Op,
                                    const ScaleRequest &Request) {
  return isFloatTensor(Op.getType())
             ? ScaleRequest{Request.Axes, /*MustBePositive=*/true}
             : ScaleRequest();
}

OperandRequest relay::requestRectifierForward(const Operation &Op,
                                              const ScaleRequest &Result) {
  return {0, requestPositive(Op, Result)};
}

ScaledValue relay::scaleRectifierForward(Rewriter &R, const ForwardScale &S) {
  return {recreate(R, S.Op, S.getOperands()), S.Operand.Scale};
}

ScaleRequest relay::requestRectifierBackward(const Operation &Op,
                                             ArrayRef<ScaleRequest> Operands) {
  return requestPositive(Op, Operands[0]);
}

void relay::scaleRectifierBackward(Rewriter &, BackwardScale &S) {
  S.passOn(0);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Returns true if operand 1 - \p Data of \p Sum can be scaled along \p Axes of
/// operand Data.
static bool isSummedAlong(const Operation &Sum, unsigned Data,
                          ArrayRef<unsigned> Axes) {
  const TensorType *T = getTensor(Sum.getOperand(Data));
  const TensorType *Other = getTensor(Sum.getOperand(1 - Data));
  return T && Other && isAlongAxes(T, Other, Axes) && canAlignFactor(T, Axes);
}

/// s * x + b = s * (x + b / s), which integers do not satisfy.
OperandRequest relay::requestSumForward(const Operation &Op,
                                        const ScaleRequest &Result) {
  if (!isFloatTensor(Op.getType()))
    return {};
  for (unsigned I : {0, 1})
    if (isSummedAlong(Op, I, Result.Axes)) {
      OperandRequest Request = {I, Result};
      Request.Request.IsDivisor = true;
      return Request;
    }
  return {};
}

ScaledValue relay::scaleSumForward(Rewriter &R, const ForwardScale &S) {
  const AxisScale &Scale = S.Operand.Scale;
  SmallVector<Value *, 2> Operands = S.getOperands();
  Value *Factor =
      alignFactor(R, Scale.Factor, getTensor(S.Operand.V), Scale.Axes);
  Value *&Other = Operands[1 - S.Index];
  Other = R.create<DivideOp>(Other, Factor);
  return {recreate(R, S.Op, Operands), Scale};
}

/// Returns true if both operands of \p Sum pass on a scale.
static bool areBothScaled(const Operation &Sum,
                          ArrayRef<ScaleRequest> Operands) {
  const TensorType *L = getTensor(Sum.getOperand(0));
  const TensorType *R = getTensor(Sum.getOperand(1));
  return Operands[0] && Operands[0].Axes == Operands[1].Axes && L && R &&
         L->getShape() == R->getShape();
}

/// Returns the operand of \p Sum that passes on a scale if the other one is
/// multiplied by it.
static std::optional<unsigned> findScaled(const Operation &Sum,
                                          ArrayRef<ScaleRequest> Operands) {
  for (unsigned I : {0, 1})
    if (Operands[I] && isSummedAlong(Sum, I, Operands[I].Axes))
      return I;
  return std::nullopt;
}

ScaleRequest relay::requestSumBackward(const Operation &Op,
                                       ArrayRef<ScaleRequest> Operands) {
  if (areBothScaled(Op, Operands))
    return {Operands[0].Axes,
            Operands[0].MustBePositive || Operands[1].MustBePositive};
  std::optional<unsigned> Scaled = findScaled(Op, Operands);
  return Scaled ? Operands[*Scaled] : ScaleRequest();
}

void relay::scaleSumBackward(Rewriter &R, BackwardScale &S) {
  const Operation &Sum = S.getOp();
  if (areBothScaled(Sum, S.getRequests())) {
    S.passOn(0);
    S.passOn(1);
    return;
  }
  unsigned Scaled = *findScaled(Sum, S.getRequests());
  S.passOn(Scaled);
  const AxisScale &Scale = S.getScale();
  Value *Factor = alignFactor(R, Scale.Factor,
                              getTensor(Sum.getOperand(Scaled)), Scale.Axes);
  S.setOperand(1 - Scaled,
               R.create<MultiplyOp>(S.getOperand(1 - Scaled), Factor));
}

/// As in TVM, a negative axis is not recognized.
ScaleRequest relay::requestBiasAddBackward(const Operation &Op,
                                           ArrayRef<ScaleRequest> Operands) {
  ArrayRef<unsigned> Axes = Operands[0].Axes;
  bool IsAlong =
      Axes.size() == 1 && BiasAddOp(&Op).attrs().axis() == Axes.front();
  return IsAlong ? Operands[0] : ScaleRequest();
}

void relay::scaleBiasAddBackward(Rewriter &R, BackwardScale &S) {
  S.passOn(0);
  S.setOperand(1, R.create<MultiplyOp>(S.getOperand(1), S.getScale().Factor));
}
