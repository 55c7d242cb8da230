//===- QnnDriver.cpp - Lower quantized operators by hooks -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines the tables of QnnLowerings.td, and rejects forms that they do not
// take.
//
//===----------------------------------------------------------------------===//

#include "QnnDriver.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Ops/QNN.h"
#include "relay/Transforms/QNN/QnnLowerings.h.inc"

using namespace relay;

/// Returns true if \p Op is an operator on scalars, one of whose parameters
/// varies along an axis.
static bool hasVectorForScalar(const Operation &Op) {
  auto HasRank = [](const Value &V, unsigned Rank) {
    const auto *T = dyn_cast<TensorType>(V.getType());
    return T && T->getRank() == Rank;
  };
  return HasRank(Op, 0) && llvm::any_of(Op.operands(), [&](const Value *V) {
           return HasRank(*V, 1);
         });
}

FailureOr<bool> relay::canLowerQnn(const QnnLowering &Op) {
  if (!Op.isTyped())
    return false; // without type inference
  if (hasVectorForScalar(*Op.getOp()))
    return Op.emitError("a scalar has a vector of scales or zero points");
  return true;
}
