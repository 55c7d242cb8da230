//===- ToANormalForm.cpp - Bind everything by `let` -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds every operation, in the order of LetBinder.h. Like TVM's pass, it skips
// primitive functions and functions of other compilers, and names the result of
// each `let` expression; unlike it, only if the result has no name, so that
// repeated runs reach a fixed point.
//
//===----------------------------------------------------------------------===//

#include "LetBinder.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

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
    if (isCompiledAsOne(F.getSignature()))
      return {};
    return LetBinder(F, Purity).run();
  }
};
} // namespace

std::unique_ptr<Pass> relay::createToANormalFormPass() {
  return std::make_unique<ToANormalForm>();
}
