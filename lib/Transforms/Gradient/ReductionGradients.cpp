//===- ReductionGradients.cpp - Gradients of reductions -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for sums, means, variances and maxima along axes, and for sums that
// undo a broadcast. `g` is the gradient of the result, `x` the first operand.
//
//===----------------------------------------------------------------------===//

#include "GradientUtils.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

namespace {
/// The axes that an operation with ReduceAttrs or VarianceAttrs reduces.
struct GradientAxes {
  SmallVector<int64_t, 4> Axes; ///< ascending, from 0
  bool KeepsDims = false;
  bool HasAxis = false; ///< if not, all axes are reduced
};
} // namespace

/// Reads \p A, attributes of an operation on \p Rank dimensions.
template <typename AttrsT>
static GradientAxes readAxes(const AttrsT &A, int64_t Rank) {
  GradientAxes Reduced;
  Reduced.KeepsDims = A.keepdims();
  Reduced.HasAxis = A.hasAxis() && !A.axis().empty();
  llvm::BitVector Axes = findReducedAxes(A, Rank);
  for (unsigned I : Axes.set_bits())
    Reduced.Axes.push_back(I);
  return Reduced;
}

/// \p V, of the shape of the result, with length 1 on reduced axes.
static Value *restoreAxes(Rewriter &R, Value *V, const GradientAxes &Reduced) {
  if (Reduced.KeepsDims)
    return V;
  for (int64_t Axis : Reduced.Axes)
    V = R.create<ExpandDimsOp>(V, Axis);
  return V;
}

/// The number of elements of x for one element of the result.
static FailureOr<int64_t> countReduced(const GradientRequest &G,
                                       const GradientAxes &Reduced) {
  const TensorType *T = G.getOperandType(0);
  int64_t Count = 1;
  for (int64_t Axis : Reduced.Axes) {
    FailureOr<int64_t> Extent = getStaticExtent(G, T, Axis);
    if (failed(Extent))
      return failure();
    if (llvm::MulOverflow(Count, *Extent, Count))
      return G.emitError() << "expects fewer elements";
  }
  return Count;
}

/// The reduced axes of the call of \p G.
template <typename AttrsT>
static GradientAxes getGradientAxes(const GradientRequest &G) {
  return readAxes(G.Op.getAttrsAs<AttrsT>(), getRank(G.Op.getOperand(0)));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// g, broadcast to x.
FailureOr<GradientList> relay::differentiateSum(Rewriter &R,
                                                const GradientRequest &G) {
  Value *Wide = restoreAxes(R, G.Gradient, getGradientAxes<ReduceAttrs>(G));
  return GradientList{R.create<BroadcastToLikeOp>(Wide, G.Operands[0])};
}

/// g / count, broadcast to x.
FailureOr<GradientList> relay::differentiateMean(Rewriter &R,
                                                 const GradientRequest &G) {
  GradientAxes Reduced = getGradientAxes<ReduceAttrs>(G);
  FailureOr<int64_t> Count = countReduced(G, Reduced);
  if (failed(Count))
    return failure();
  FailureOr<Value *> Factor = getScalarOfData(R, G, 1.0 / *Count);
  if (failed(Factor))
    return failure();
  Value *Wide = restoreAxes(R, G.Gradient, Reduced);
  Value *Scaled = R.create<MultiplyOp>(Wide, *Factor);
  return GradientList{R.create<BroadcastToLikeOp>(Scaled, G.Operands[0])};
}

/// Returns true if the second operand of the variance is the mean of the first
/// one along \p Axes. Inference has checked that it keeps them.
static bool hasOwnMean(const GradientRequest &G, ArrayRef<int64_t> Axes) {
  const Operation *Mean = skipAliases(G.Op.getOperand(1))->getDefiningOp();
  if (!Mean || !isa<MeanOp>(Mean))
    return false;
  const Value *X = Mean->getOperand(0);
  GradientAxes Reduced = readAxes(Mean->getAttrsAs<ReduceAttrs>(), getRank(X));
  return skipAliases(X) == skipAliases(G.Op.getOperand(0)) &&
         ArrayRef(Reduced.Axes) == Axes;
}

/// With the mean of x as y, 2 / n * g * x for x and -2 * count / n * g * y for
/// y, as in TVM: their sum is right, since the gradient of y goes to x. With
/// another y, 2 / n * g * (x - y) for x and the negative of its sum for y. n is
/// count, or count - 1 if the variance is unbiased.
FailureOr<GradientList> relay::differentiateVariance(Rewriter &R,
                                                     const GradientRequest &G) {
  GradientAxes Reduced = getGradientAxes<VarianceAttrs>(G);
  FailureOr<int64_t> Count = countReduced(G, Reduced);
  if (failed(Count))
    return failure();
  double Divisor =
      *Count - (G.Op.getAttrsAs<VarianceAttrs>().unbiased() ? 1 : 0);
  FailureOr<Value *> OfData = getScalarOfData(R, G, 2.0 / Divisor);
  if (failed(OfData))
    return failure();
  Value *Wide = restoreAxes(R, G.Gradient, Reduced);
  Value *Scaled = R.create<MultiplyOp>(Wide, *OfData);
  if (!hasOwnMean(G, Reduced.Axes)) {
    Value *Deviation = R.create<SubtractOp>(G.Operands[0], G.Operands[1]);
    Value *OfX = R.create<MultiplyOp>(Scaled, Deviation);
    return GradientList{OfX, R.create<CollapseSumLikeOp>(
                                 R.create<NegativeOp>(OfX), G.Operands[1])};
  }
  FailureOr<Value *> OfMean = getScalarOfData(R, G, -2.0 * *Count / Divisor);
  return GradientList{
      R.create<MultiplyOp>(Scaled, G.Operands[0]),
      R.create<MultiplyOp>(R.create<MultiplyOp>(*OfMean, Wide), G.Operands[1])};
}

/// The operand was summed along the axes in which g is shorter.
FailureOr<GradientList> relay::differentiateCollapse(Rewriter &R,
                                                     const GradientRequest &G) {
  return withZeros(R, G,
                   R.create<BroadcastToLikeOp>(G.Gradient, G.Operands[0]));
}

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

/// The result, repeated along the reduced axes to the shape of x.
static FailureOr<Value *> repeatResult(Rewriter &R, const GradientRequest &G,
                                       const GradientAxes &Reduced) {
  if (!Reduced.HasAxis && !Reduced.KeepsDims)
    return static_cast<Value *>(
        R.create<FullLikeOp>(G.Operands[0], G.Result).getOperation());
  Value *Wide = restoreAxes(R, G.Result, Reduced);
  for (int64_t Axis : Reduced.Axes) {
    FailureOr<int64_t> Extent = getStaticExtent(G, G.getOperandType(0), Axis);
    if (failed(Extent))
      return failure();
    Wide = R.create<RepeatOp>(Wide, *Extent, Axis);
  }
  return Wide;
}

/// g, in equal parts for each element of x that is the maximum.
FailureOr<GradientList> relay::differentiateMax(Rewriter &R,
                                                const GradientRequest &G) {
  GradientAxes Reduced = getGradientAxes<ReduceAttrs>(G);
  if (Reduced.HasAxis && Reduced.Axes.empty()) // a sum along no axis is of all
    return GradientList{G.Gradient};
  FailureOr<Value *> Maxima = repeatResult(R, G, Reduced);
  if (failed(Maxima))
    return failure();
  ReduceAttrs::Builder Sum(R.getContext());
  Sum.keepdims(true);
  Value *Wide = G.Gradient;
  if (Reduced.HasAxis) {
    Sum.axis(Reduced.Axes);
    Wide = restoreAxes(R, Wide, Reduced);
  }
  Value *IsMax =
      R.create<CastLikeOp>(R.create<EqualOp>(*Maxima, G.Operands[0]), Wide);
  Value *Shares = R.create<SumOp>(IsMax, Sum.get());
  return GradientList{
      R.create<DivideOp>(R.create<MultiplyOp>(IsMax, Wide), Shares)};
}
