//===- ElementwiseGradients.cpp - Gradients of functions of elements ------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for operators that compute each element of the result from elements at
// the same position. `g` is the gradient of the result, `x` the first operand.
//
//===----------------------------------------------------------------------===//

#include "GradientUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

/// \p V squared, by multiplication.
static Value *squareElements(Rewriter &R, Value *V) {
  return R.create<MultiplyOp>(V, V);
}

/// g * \p Ones / \p Divisor: the slope is a reciprocal.
static GradientList divideOnes(Rewriter &R, const GradientRequest &G,
                               Value *Ones, Value *Divisor) {
  return {R.create<DivideOp>(R.create<MultiplyOp>(G.Gradient, Ones), Divisor)};
}

//===----------------------------------------------------------------------===//
// Trigonometric and hyperbolic functions
//===----------------------------------------------------------------------===//

/// g * (-1 / sqrt(1 - x²)).
FailureOr<GradientList> relay::differentiateAcos(Rewriter &R,
                                                 const GradientRequest &G) {
  Value *X = G.Operands[0], *One = onesLike(R, X);
  Value *Root =
      R.create<SqrtOp>(R.create<SubtractOp>(One, squareElements(R, X)));
  Value *Slope = R.create<DivideOp>(R.create<NegativeOp>(One), Root);
  return GradientList{R.create<MultiplyOp>(G.Gradient, Slope)};
}

/// g * 1 / sqrt(x² - 1).
FailureOr<GradientList> relay::differentiateAcosh(Rewriter &R,
                                                  const GradientRequest &G) {
  Value *X = G.Operands[0], *One = onesLike(R, X);
  Value *Root =
      R.create<SqrtOp>(R.create<SubtractOp>(squareElements(R, X), One));
  return divideOnes(R, G, One, Root);
}

/// g * 1 / sqrt(1 - x²).
FailureOr<GradientList> relay::differentiateAsin(Rewriter &R,
                                                 const GradientRequest &G) {
  Value *X = G.Operands[0], *One = onesLike(R, X);
  Value *Root =
      R.create<SqrtOp>(R.create<SubtractOp>(One, squareElements(R, X)));
  return divideOnes(R, G, One, Root);
}

/// g * 1 / sqrt(1 + x²).
FailureOr<GradientList> relay::differentiateAsinh(Rewriter &R,
                                                  const GradientRequest &G) {
  Value *X = G.Operands[0], *One = onesLike(R, X);
  Value *Root = R.create<SqrtOp>(R.create<AddOp>(One, squareElements(R, X)));
  return divideOnes(R, G, One, Root);
}

/// g * 1 / (1 + x²).
FailureOr<GradientList> relay::differentiateAtan(Rewriter &R,
                                                 const GradientRequest &G) {
  Value *X = G.Operands[0], *One = onesLike(R, X);
  Value *Sum = R.create<AddOp>(One, squareElements(R, X));
  return divideOnes(R, G, One, Sum);
}

/// g * 1 / (1 - x²).
FailureOr<GradientList> relay::differentiateAtanh(Rewriter &R,
                                                  const GradientRequest &G) {
  Value *X = G.Operands[0], *One = onesLike(R, X);
  Value *Difference = R.create<SubtractOp>(One, squareElements(R, X));
  return divideOnes(R, G, One, Difference);
}

/// g * (-1 * sin(x)).
FailureOr<GradientList> relay::differentiateCos(Rewriter &R,
                                                const GradientRequest &G) {
  Value *X = G.Operands[0];
  Value *MinusOne = R.create<NegativeOp>(onesLike(R, X));
  Value *Slope = R.create<MultiplyOp>(MinusOne, R.create<SinOp>(X));
  return GradientList{R.create<MultiplyOp>(G.Gradient, Slope)};
}

/// g * sinh(x).
FailureOr<GradientList> relay::differentiateCosh(Rewriter &R,
                                                 const GradientRequest &G) {
  return GradientList{
      R.create<MultiplyOp>(G.Gradient, R.create<SinhOp>(G.Operands[0]))};
}

/// g * cos(x).
FailureOr<GradientList> relay::differentiateSin(Rewriter &R,
                                                const GradientRequest &G) {
  return GradientList{
      R.create<MultiplyOp>(G.Gradient, R.create<CosOp>(G.Operands[0]))};
}

/// g * cosh(x).
FailureOr<GradientList> relay::differentiateSinh(Rewriter &R,
                                                 const GradientRequest &G) {
  return GradientList{
      R.create<MultiplyOp>(G.Gradient, R.create<CoshOp>(G.Operands[0]))};
}

/// g / (cos(x) * cos(x)), with two calls of cos as in TVM.
FailureOr<GradientList> relay::differentiateTan(Rewriter &R,
                                                const GradientRequest &G) {
  Value *X = G.Operands[0];
  Value *First = R.create<CosOp>(X), *Second = R.create<CosOp>(X);
  return GradientList{
      R.create<DivideOp>(G.Gradient, R.create<MultiplyOp>(First, Second))};
}

/// g * (1 - y²) of the result y.
FailureOr<GradientList> relay::differentiateTanh(Rewriter &R,
                                                 const GradientRequest &G) {
  Value *One = onesLike(R, G.Result);
  Value *Slope = R.create<SubtractOp>(One, squareElements(R, G.Result));
  return GradientList{R.create<MultiplyOp>(G.Gradient, Slope)};
}

//===----------------------------------------------------------------------===//
// Exponentials, logarithms and powers
//===----------------------------------------------------------------------===//

/// 2 / sqrt(pi) * exp(-x * x) * g.
FailureOr<GradientList> relay::differentiateErf(Rewriter &R,
                                                const GradientRequest &G) {
  FailureOr<Value *> Factor =
      getScalarOfData(R, G, 2 * llvm::numbers::inv_sqrtpi);
  if (failed(Factor))
    return failure();
  Value *X = G.Operands[0];
  Value *Power = R.create<MultiplyOp>(R.create<NegativeOp>(X), X);
  Value *Slope = R.create<MultiplyOp>(*Factor, R.create<ExpOp>(Power));
  return GradientList{R.create<MultiplyOp>(Slope, G.Gradient)};
}

/// g * exp(x), with a further call of exp as in TVM.
FailureOr<GradientList> relay::differentiateExp(Rewriter &R,
                                                const GradientRequest &G) {
  return GradientList{
      R.create<MultiplyOp>(G.Gradient, R.create<ExpOp>(G.Operands[0]))};
}

/// g * 1 / x.
FailureOr<GradientList> relay::differentiateLog(Rewriter &R,
                                                const GradientRequest &G) {
  Value *X = G.Operands[0];
  Value *Dividend = R.create<MultiplyOp>(G.Gradient, onesLike(R, X));
  return GradientList{R.create<DivideOp>(Dividend, X)};
}

/// g * 1 / (log(base) * x).
static FailureOr<GradientList>
differentiateLogarithm(Rewriter &R, const GradientRequest &G, double Base) {
  FailureOr<Value *> Number = getScalarOfData(R, G, Base);
  if (failed(Number))
    return failure();
  Value *X = G.Operands[0];
  Value *Dividend = R.create<MultiplyOp>(G.Gradient, onesLike(R, X));
  Value *Divisor = R.create<MultiplyOp>(R.create<LogOp>(*Number), X);
  return GradientList{R.create<DivideOp>(Dividend, Divisor)};
}

FailureOr<GradientList> relay::differentiateLog10(Rewriter &R,
                                                  const GradientRequest &G) {
  return differentiateLogarithm(R, G, 10);
}

FailureOr<GradientList> relay::differentiateLog2(Rewriter &R,
                                                 const GradientRequest &G) {
  return differentiateLogarithm(R, G, 2);
}

/// g * y * (1 - y) of the result y.
FailureOr<GradientList> relay::differentiateSigmoid(Rewriter &R,
                                                    const GradientRequest &G) {
  Value *One = onesLike(R, G.Result);
  Value *Scaled = R.create<MultiplyOp>(G.Gradient, G.Result);
  Value *Rest = R.create<SubtractOp>(One, G.Result);
  return GradientList{R.create<MultiplyOp>(Scaled, Rest)};
}

/// g * 0.5 * x^(-0.5).
FailureOr<GradientList> relay::differentiateSqrt(Rewriter &R,
                                                 const GradientRequest &G) {
  FailureOr<Value *> Half = getScalarOfData(R, G, 0.5);
  if (failed(Half))
    return failure();
  Value *Power = R.create<PowerOp>(G.Operands[0], R.create<NegativeOp>(*Half));
  Value *Scaled = R.create<MultiplyOp>(G.Gradient, *Half);
  return GradientList{R.create<MultiplyOp>(Scaled, Power)};
}

//===----------------------------------------------------------------------===//
// Piecewise linear functions
//===----------------------------------------------------------------------===//

/// Where x < 0: -1 * g, else 1 * g.
FailureOr<GradientList> relay::differentiateAbs(Rewriter &R,
                                                const GradientRequest &G) {
  Value *X = G.Operands[0];
  Value *One = onesLike(R, X), *MinusOne = R.create<NegativeOp>(One);
  Value *IsNegative = R.create<LessOp>(X, zerosLike(R, X));
  return GradientList{
      R.create<WhereOp>(IsNegative, R.create<MultiplyOp>(MinusOne, G.Gradient),
                        R.create<MultiplyOp>(One, G.Gradient))};
}

/// Zero where x is outside of the limits, else 1 * g.
FailureOr<GradientList> relay::differentiateClip(Rewriter &R,
                                                 const GradientRequest &G) {
  const ClipAttrs &A = G.Op.getAttrsAs<ClipAttrs>();
  FailureOr<Value *> Min = getScalarOfData(R, G, A.aMin());
  if (failed(Min))
    return failure();
  Value *Max = *getScalarOfData(R, G, A.aMax());
  Value *X = G.Operands[0], *Zero = zerosLike(R, X);
  Value *Inside = R.create<MultiplyOp>(onesLike(R, X), G.Gradient);
  Value *IsAbove = R.create<LessOp>(R.create<BroadcastToLikeOp>(Max, X), X);
  Value *IsBelow = R.create<LessOp>(X, R.create<BroadcastToLikeOp>(*Min, X));
  Value *Upper = R.create<WhereOp>(IsAbove, Zero, Inside);
  return GradientList{R.create<WhereOp>(IsBelow, Zero, Upper)};
}

/// Where x < 0: zero, else 1 * g.
FailureOr<GradientList> relay::differentiateRelu(Rewriter &R,
                                                 const GradientRequest &G) {
  Value *X = G.Operands[0], *Zero = zerosLike(R, X);
  Value *Active = R.create<MultiplyOp>(onesLike(R, X), G.Gradient);
  return GradientList{
      R.create<WhereOp>(R.create<LessOp>(X, Zero), Zero, Active)};
}

FailureOr<GradientList> relay::differentiateNegative(Rewriter &R,
                                                     const GradientRequest &G) {
  return GradientList{R.create<NegativeOp>(G.Gradient)};
}

FailureOr<GradientList> relay::differentiateCopy(Rewriter &,
                                                 const GradientRequest &G) {
  return GradientList{G.Gradient};
}

/// The gradient in the data type of the first operand.
FailureOr<GradientList> relay::differentiateCast(Rewriter &R,
                                                 const GradientRequest &G) {
  return withZeros(R, G, R.create<CastLikeOp>(G.Gradient, G.Operands[0]));
}

/// The result, which is zeros.
FailureOr<GradientList>
relay::differentiateZerosLike(Rewriter &, const GradientRequest &G) {
  return GradientList{G.Result};
}

/// Zeros for each operand.
FailureOr<GradientList> relay::differentiateStep(Rewriter &R,
                                                 const GradientRequest &G) {
  GradientList Result;
  for (Value *Operand : G.Operands)
    Result.push_back(zerosLike(R, Operand));
  return Result;
}

//===----------------------------------------------------------------------===//
// Functions of several elements
//===----------------------------------------------------------------------===//

FailureOr<GradientList> relay::differentiateAdd(Rewriter &R,
                                                const GradientRequest &G) {
  return collapseBoth(R, G, G.Gradient, G.Gradient);
}

FailureOr<GradientList> relay::differentiateSubtract(Rewriter &R,
                                                     const GradientRequest &G) {
  return collapseBoth(R, G, G.Gradient, R.create<NegativeOp>(G.Gradient));
}

FailureOr<GradientList> relay::differentiateMultiply(Rewriter &R,
                                                     const GradientRequest &G) {
  return collapseBoth(R, G, R.create<MultiplyOp>(G.Gradient, G.Operands[1]),
                      R.create<MultiplyOp>(G.Gradient, G.Operands[0]));
}

/// g / y and -(g * r / y) of the result r of x / y.
FailureOr<GradientList> relay::differentiateDivide(Rewriter &R,
                                                   const GradientRequest &G) {
  Value *Y = G.Operands[1];
  Value *Scaled = R.create<MultiplyOp>(G.Gradient, G.Result);
  return collapseBoth(R, G, R.create<DivideOp>(G.Gradient, Y),
                      R.create<NegativeOp>(R.create<DivideOp>(Scaled, Y)));
}

/// The gradient where an operand is selected, else zero.
FailureOr<GradientList> relay::differentiateWhere(Rewriter &R,
                                                  const GradientRequest &G) {
  Value *Condition = G.Operands[0], *Zero = zerosLike(R, G.Gradient);
  Value *OfX = R.create<WhereOp>(Condition, G.Gradient, Zero);
  Value *OfY = R.create<WhereOp>(Condition, Zero, G.Gradient);
  return GradientList{zerosLike(R, Condition),
                      R.create<CollapseSumLikeOp>(OfX, G.Operands[1]),
                      R.create<CollapseSumLikeOp>(OfY, G.Operands[2])};
}
