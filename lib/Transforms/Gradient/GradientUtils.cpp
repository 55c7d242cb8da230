//===- GradientUtils.cpp - Parts of gradients -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GradientRequest, and what rules of several families create.
//
//===----------------------------------------------------------------------===//

#include "GradientUtils.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Dyn.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Transforms/Gradient/Gradients.h.inc"

using namespace relay;

const TensorType *GradientRequest::getOperandType(unsigned I) const {
  return getTensor(Op.getOperand(I));
}

InFlightDiagnostic GradientRequest::emitError() const {
  return Op.getFunction()->getContext().emitError(
      Op.getLoc(), "no gradient of '" + Op.getName() + "': ");
}

Value *relay::zerosLike(Rewriter &R, Value *V) {
  return R.create<ZerosLikeOp>(V);
}

Value *relay::onesLike(Rewriter &R, Value *V) {
  return R.create<OnesLikeOp>(V);
}

GradientList relay::withZeros(Rewriter &R, const GradientRequest &G,
                              Value *First) {
  GradientList Result = {First};
  for (Value *Operand : G.Operands.drop_front())
    Result.push_back(zerosLike(R, Operand));
  return Result;
}

GradientList relay::collapseBoth(Rewriter &R, const GradientRequest &G,
                                 Value *First, Value *Second) {
  return {R.create<CollapseSumLikeOp>(First, G.Operands[0]),
          R.create<CollapseSumLikeOp>(Second, G.Operands[1])};
}

FailureOr<Value *> relay::getScalarOfData(Rewriter &R, const GradientRequest &G,
                                          double Number) {
  const TensorType *T = G.getOperandType(0);
  if (!T || !hasElementType(T->getDType()))
    return G.emitError() << "expects a tensor of numbers";
  return static_cast<Value *>(R.constant(T->getDType(), Number));
}

Value *relay::createLimitVector(Rewriter &R, ArrayRef<int64_t> List) {
  SmallVector<int32_t, 4> Elements;
  for (int64_t Limit : List)
    Elements.push_back(std::clamp<int64_t>(Limit, INT32_MIN, INT32_MAX));
  int64_t Length = List.size();
  TensorType *T =
      R.getContext().getTensorType(ArrayRef(Length), DType::getInt(32));
  return R.constant(T, ArrayRef<int32_t>(Elements));
}

Value *relay::createLength(Rewriter &R, Value *V) {
  DType Index = DType::getInt(32);
  Value *Shape = R.create<ShapeOfOp>(V, Index);
  return R.create<TakeOp>(Shape, R.constant(Index, 0), 0, 0);
}

FailureOr<int64_t> relay::getStaticExtent(const GradientRequest &G,
                                          const TensorType *T, unsigned I) {
  if (T && I < T->getRank() && T->getDim(I).isConst())
    return T->getDim(I).getInt();
  return G.emitError() << "expects known extents, got "
                       << (T ? toString(T) : "an unknown type");
}
