//===- RemoveClipAfterRequantize.cpp - Remove redundant clips -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the rule of RemoveClipAfterRequantize.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Transforms/Passes.h"

#define RELAY_DEFINE_RULES
#include "relay/Transforms/QNN/RemoveClipAfterRequantize.h.inc"

using namespace relay;

/// Wider limits do not hold: the cast of a number outside of the range wraps
/// around.
bool relay::narrowsToRange(DType From, double Low, double High, DType To) {
  if (From != DType::getInt(32))
    return false;
  if (To == DType::getInt(8))
    return Low == -128 && High == 127;
  if (To == DType::getUInt(8))
    return Low == 0 && High == 255;
  return To == DType::getInt(16) && Low == -32768 && High == 32767;
}

namespace {
class RemoveClipAfterRequantize
    : public RulePass<
          RemoveClipAfterRequantizeBase<RemoveClipAfterRequantize>> {
public:
  RemoveClipAfterRequantize() : RulePass(getRemoveClipAfterRequantizeRules()) {}
};
} // namespace

std::unique_ptr<Pass> relay::createRemoveClipAfterRequantizePass() {
  return std::make_unique<RemoveClipAfterRequantize>();
}
