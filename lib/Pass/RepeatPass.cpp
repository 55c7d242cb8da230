//===- RepeatPass.cpp - Groups that run several times ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `repeat<3>(…)` and `fixpoint<max=10>(…)`.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassManager.h"

using namespace relay;

RepeatPass::RepeatPass(const PassInfo &Info, ModulePassManager PM,
                       int64_t MaxRuns, bool UntilUnchanged)
    : ModulePass(Info), PM(std::move(PM)), MaxRuns(MaxRuns),
      UntilUnchanged(UntilUnchanged) {
  assert(Info.IsGroup && Info.Options.size() == 1 && MaxRuns > 0);
}

void RepeatPass::printPipeline(raw_ostream &OS) const {
  {
    const PassOptionInfo &Option = getInfo().Options.front();
    PassOptionValue Value = toOptionValue(MaxRuns);
    PassOptionPrinter P(OS, getInfo().Argument);
    if (Option.IsPositional || !(Value == *getDefaultValue(Option)))
      P.print(Option, Value);
  }
  OS << '(';
  PM.printPipeline(OS);
  OS << ')';
}

std::unique_ptr<Pass> RepeatPass::clone() const {
  return std::make_unique<RepeatPass>(getInfo(), PM.clone(), MaxRuns,
                                      UntilUnchanged);
}

void RepeatPass::forEachPass(function_ref<void(const Pass &)> Visit) const {
  Visit(*this);
  PM.forEachPass(Visit);
}

LogicalResult RepeatPass::initialize(Context &Ctx,
                                     const PassRegistry &Registry) {
  return PM.initialize(Ctx, Registry);
}

FailureOr<PreservedAnalyses>
RepeatPass::run(Module &M, ModuleAnalysisManager &AM, PassContext &Ctx) {
  PreservedAnalyses PA = PreservedAnalyses::all();
  for (int64_t I = 0; I != MaxRuns; ++I) {
    FailureOr<PreservedAnalyses> OfRun = PM.run(M, AM, Ctx);
    if (failed(OfRun))
      return failure();
    if (UntilUnchanged && OfRun->areAllPreserved())
      return PA;
    PA.intersect(*OfRun);
  }
  if (UntilUnchanged)
    Ctx.getDiagnostics().emitWarning(Location(),
                                     "'" + getInfo().Argument +
                                         "' still changes the module after " +
                                         Twine(MaxRuns) + " runs");
  return PA;
}
