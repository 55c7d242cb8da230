//===- ToANormalForm.cpp - Bind everything by `let` -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds every operation, in the order of LetBinder.h. Like TVM's pass, it skips
// primitive functions and functions of other compilers, and names the result of
// each `let` expression; unlike it, only if the result has no name, and not in
// a function that is in A-normal form already, so that a second run changes
// nothing.
//
//===----------------------------------------------------------------------===//

#include "LetBinder.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

/// Returns true if \p Op puts its body on a device.
static bool hasDevice(const Operation *Op) {
  return getFixedDevice(Op) ||
         (Op->is(OpCode::Fn) && Op->getSignature().VirtualDevice);
}

/// Returns true if every operation of \p F that the pass would bind is bound.
/// Functions with devices are never counted as such: operations may lack an
/// `on_device`.
static bool isInANormalForm(Function &F) {
  if (F.getSignature().VirtualDevice)
    return false;
  return !walk<WalkOrder::PreOrder>(F, [](Operation *Op) {
            if (isSymbolRef(*Op))
              return WalkResult::advance();
            if (!Op->isBound() || Op->is(OpCode::Scope) || hasDevice(Op))
              return WalkResult::interrupt();
            return isPrimitiveFn(Op) ? WalkResult::skip()
                                     : WalkResult::advance();
          }).wasInterrupted();
}

namespace {
class ToANormalForm final : public ToANormalFormBase<ToANormalForm> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override {
    LetBinder::Outcome Done = LetBinder::runOnFunctions(M, AM, Ctx, bindAll);
    NumBound += Done.NumBound;
    return preserved(Done.HasChanged);
  }

private:
  static LetBinder::Outcome bindAll(Function &F, const ValuePurity *Purity) {
    if (isCompiledAsOne(F.getSignature()) || isInANormalForm(F))
      return {};
    return LetBinder(F, Purity).run();
  }
};
} // namespace

std::unique_ptr<Pass> relay::createToANormalFormPass() {
  return std::make_unique<ToANormalForm>();
}
