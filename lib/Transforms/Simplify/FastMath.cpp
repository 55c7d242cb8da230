//===- FastMath.cpp - Approximate exponentials ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the rules of FastMath.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Transforms/Passes.h"

#define RELAY_DEFINE_RULES
#include "relay/Transforms/Simplify/FastMath.h.inc"

using namespace relay;

bool relay::isFloatTensor(Value *V) {
  auto *T = dyn_cast_or_null<TensorType>(V->getType());
  return T && T->getDType().isFloat();
}

namespace {
class FastMath : public RulePass<FastMathBase<FastMath>> {
public:
  FastMath() : RulePass(getFastMathRules()) {}
};
} // namespace

std::unique_ptr<Pass> relay::createFastMathPass() {
  return std::make_unique<FastMath>();
}
