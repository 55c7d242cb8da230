//===- StandardGroups.cpp - The groups of pipeline text
//--------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every PassRegistry knows: `function(…)`, `sequential(…)`, `repeat<N>(…)`
// and `fixpoint<max=N>(…)`.
//
//===----------------------------------------------------------------------===//

#include "StandardGroups.h"
#include "relay/Pass/PassManager.h"
#include "relay/Pass/PassRegistry.h"

using namespace relay;

static constexpr PassOptionInfo RepeatOptions[] = {
    {"count", PassOptionKind::Int, "2", "how often the members run",
     PassOptionShape::Scalar, /*IsOptional=*/false, /*IsPositional=*/true,
     /*Min=*/"1"}};
static constexpr PassOptionInfo FixpointOptions[] = {
    {"max", PassOptionKind::Int, "10", "how often the members run at most",
     PassOptionShape::Scalar, /*IsOptional=*/false, /*IsPositional=*/false,
     /*Min=*/"1"}};

static PassInfo makeGroupInfo(StringRef Argument, StringRef Summary,
                              ArrayRef<PassOptionInfo> Options) {
  PassInfo Info;
  Info.Name = Info.Argument = Argument;
  Info.IsGroup = true;
  Info.Summary = Summary;
  Info.Options = Options;
  return Info;
}

static std::unique_ptr<Pass> createFunctionGroup(const PassInfo &,
                                                 const PassOptionValues &,
                                                 PassList Members) {
  FunctionPassManager FPM;
  for (std::unique_ptr<Pass> &P : Members)
    FPM.addPass(std::unique_ptr<FunctionPass>(cast<FunctionPass>(P.release())));
  return std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM));
}

static std::unique_ptr<Pass>
createSequential(const PassInfo &, const PassOptionValues &, PassList Members) {
  return std::make_unique<SequentialPass>(SequentialPass::getStaticInfo(),
                                          std::move(Members));
}

static std::unique_ptr<Pass> createRepeat(const PassInfo &Info,
                                          const PassOptionValues &Values,
                                          PassList Members) {
  int64_t Count = 2;
  Values.get("count", Count);
  return std::make_unique<RepeatPass>(
      Info, makeModulePipeline(std::move(Members)), Count,
      /*UntilUnchanged=*/false);
}

static std::unique_ptr<Pass> createFixpoint(const PassInfo &Info,
                                            const PassOptionValues &Values,
                                            PassList Members) {
  int64_t Max = 10;
  Values.get("max", Max);
  return std::make_unique<RepeatPass>(
      Info, makeModulePipeline(std::move(Members)), Max,
      /*UntilUnchanged=*/true);
}

void relay::registerStandardGroups(PassRegistry &Registry) {
  Registry.registerGroup(ModuleToFunctionPassAdaptor::getStaticInfo(),
                         GroupRule::FunctionPasses, createFunctionGroup);
  Registry.registerGroup(SequentialPass::getStaticInfo(), GroupRule::Gated,
                         createSequential);
  Registry.registerGroup(
      makeGroupInfo("repeat", "passes that run several times", RepeatOptions),
      GroupRule::AsAround, createRepeat);
  Registry.registerGroup(makeGroupInfo("fixpoint",
                                       "passes that run until nothing changes",
                                       FixpointOptions),
                         GroupRule::AsAround, createFixpoint);
}
