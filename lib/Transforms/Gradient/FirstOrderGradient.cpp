//===- FirstOrderGradient.cpp - Differentiate each function ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differentiates each function of the module in mode first_order. Calls of
// functions have no gradient in that mode.
//
//===----------------------------------------------------------------------===//

#include "GradientModes.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class FirstOrderGradient final
    : public FirstOrderGradientBase<FirstOrderGradient> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &PC) override {
    OpHooks<GradientRule> Rules(M.getContext(), PC.getTargetKeys());
    for (Function &F : M.functions())
      if (failed(differentiateFirstOrder(F, Rules)) || failed(retype(F)))
        return failure();
    return preserved(M.getNumFunctions() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createFirstOrderGradientPass() {
  return std::make_unique<FirstOrderGradient>();
}
