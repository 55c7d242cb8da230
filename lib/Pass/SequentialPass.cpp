//===- SequentialPass.cpp - TVM's group of passes -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SequentialPass: selects the members to run and their required passes.
// PassManager.cpp runs a single pass.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassManager.h"

using namespace relay;

static PassInfo makeSequentialInfo() {
  PassInfo Info;
  Info.Name = "sequential";
  Info.Argument = "sequential";
  Info.IsGroup = true;
  Info.Summary = "runs passes with TVM's opt levels and required passes";
  return Info;
}

const PassInfo SequentialPass::StaticInfo = makeSequentialInfo();

SequentialPass::SequentialPass(const PassInfo &Info, PassList Members,
                               std::string Options)
    : ModulePass(Info), Passes(std::move(Members)),
      Options(std::move(Options)) {
  assert(Info.IsGroup && Info.Unit == PassUnit::Module);
}

void SequentialPass::printPipeline(raw_ostream &OS) const {
  OS << getInfo().Argument;
  if (!Options.empty())
    OS << '<' << Options << '>';
  if (&getInfo() != &StaticInfo)
    return; // the members are implied
  OS << '(';
  llvm::interleave(
      Passes, OS, [&](const auto &P) { P->printPipeline(OS); }, ",");
  OS << ')';
}

std::unique_ptr<Pass> SequentialPass::clone() const {
  auto Copy = std::make_unique<SequentialPass>(getInfo(), PassList(), Options);
  for (const std::unique_ptr<Pass> &P : Passes)
    Copy->addPass(P->clone());
  return Copy;
}

void SequentialPass::forEachPass(function_ref<void(const Pass &)> Visit) const {
  Visit(*this);
  for (const auto *List : {&RequiredPasses, &Passes})
    for (const std::unique_ptr<Pass> &P : *List)
      P->forEachPass(Visit);
}

LogicalResult SequentialPass::initialize(Context &Ctx,
                                         const PassRegistry &Registry) {
  bool Failed = false;
  for (const std::unique_ptr<Pass> &P : Passes)
    Failed |= failed(P->initialize(Ctx, Registry));
  return llvm::success(!Failed);
}

/// Returns the pass \p Name of \p Registry, kept in \p Passes; null if there is
/// none.
static Pass *getRequired(StringRef Name, const PassRegistry &Registry,
                         PassList &Passes) {
  for (const std::unique_ptr<Pass> &P : Passes)
    if (P->getName() == Name)
      return P.get();
  const PassInfo *Info = Registry.lookupName(Name);
  if (!Info)
    return nullptr;
  std::unique_ptr<Pass> P = Registry.create(*Info);
  return P ? Passes.emplace_back(std::move(P)).get() : nullptr;
}

/// Runs the passes that \p P requires.
LogicalResult SequentialPass::runRequired(const Pass &P, PreservedAnalyses &PA,
                                          Module &M, ModuleAnalysisManager &AM,
                                          PassContext &Ctx) {
  for (StringRef Name : P.getInfo().Requires) {
    Pass *Required = getRequired(Name, Ctx.getRegistry(), RequiredPasses);
    if (!Required)
      return Ctx.getDiagnostics().emitError(
          Location(), "'" + P.getInfo().Argument + "' requires '" + Name +
                          "', which is not a registered pass");
    FailureOr<PreservedAnalyses> PassPA = runPass(*Required, M, AM, Ctx);
    if (failed(PassPA))
      return failure();
    PA.intersect(*PassPA);
  }
  return success();
}

FailureOr<PreservedAnalyses>
SequentialPass::run(Module &M, ModuleAnalysisManager &AM, PassContext &Ctx) {
  PreservedAnalyses PA = PreservedAnalyses::all();
  for (const std::unique_ptr<Pass> &P : Passes) {
    if (StringRef Reason = Ctx.getSkipReason(P->getInfo()); !Reason.empty()) {
      PassRun Run(*P, M, Ctx);
      Ctx.getInstrumentation().runBeforeSkippedPass(Run, Reason);
      continue;
    }
    if (failed(runRequired(*P, PA, M, AM, Ctx)))
      return failure();
    FailureOr<PreservedAnalyses> PassPA = runPass(*P, M, AM, Ctx);
    if (failed(PassPA))
      return failure();
    PA.intersect(*PassPA);
  }
  return PA;
}
