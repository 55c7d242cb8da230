//===- OpStats.cpp - Print how often each operator is called --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the counts of OpCounts.h, one table per function. Does not change the
// module.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/OpCounts.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

class OpStats final : public OpStatsBase<OpStats> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override {
    FunctionAnalysisManager &FAM =
        AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    for (Function &F : M.functions()) {
      Ctx.getOutput() << '@' << F.getName() << ": ";
      FAM.getResult<OpCountsAnalysis>(F).print(Ctx.getOutput());
    }
    return PreservedAnalyses::all();
  }
};

} // namespace

std::unique_ptr<Pass> relay::createOpStatsPass() {
  return std::make_unique<OpStats>();
}
