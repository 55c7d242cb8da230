//===- TensorUtils.cpp - Axes of values -----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TensorUtils.h.
//
//===----------------------------------------------------------------------===//

#include "TensorUtils.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

void relay::setInsertionPointAfter(Builder &B, Value *V) {
  if (Operation *Op = V->getDefiningOp())
    B.setInsertionPointAfter(Op);
  else
    B.setInsertionPointToStart(*V->getParentBlock());
}

bool relay::isFloatTensor(const Type *T) {
  auto *Tensor = dyn_cast_or_null<TensorType>(T);
  return Tensor && Tensor->getDType().isAnyFloat();
}

const TensorType *relay::getTensor(const Value *V) {
  return dyn_cast_or_null<TensorType>(V->getType());
}

unsigned relay::getRank(const Value *V) {
  const TensorType *T = getTensor(V);
  return T ? T->getRank() : 0;
}

DType relay::getDType(const Value *V) {
  const TensorType *T = getTensor(V);
  return T ? T->getDType() : DType::getInt(32);
}

Dim relay::getExtent(const Value *V, StringRef Layout, char Axis) {
  const TensorType *T = getTensor(V);
  size_t I = Layout.find(Axis);
  return T && T->getRank() == Layout.size() && I != StringRef::npos
             ? T->getDim(I)
             : Dim();
}

Value *relay::expandAlongAxis(Builder &B, Value *V, int64_t Axis,
                              int64_t Rank) {
  int64_t NumAfter = Rank - 1 - getPosition(Axis, Rank);
  const TensorType *T = getTensor(V);
  if ((T && T->isScalar()) || NumAfter == 0)
    return V;
  return B.create<ExpandDimsOp>(V, /*Axis=*/1, NumAfter);
}
