//===- StandardGroups.cpp - The groups of pipeline text -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The groups that every PassRegistry has: `function(…)`, `sequential(…)`,
// `repeat<N>(…)` and `fixpoint<max=N>(…)`.
//
//===----------------------------------------------------------------------===//

#include "StandardGroups.h"
#include "relay/Pass/PassManager.h"
#include "relay/Pass/PassRegistry.h"

using namespace relay;

static constexpr PassOptionInfo RepeatOptions[] = {
    {"count", PassOptionKind::Int, "2", "number of runs of the members",
     PassOptionShape::Scalar, /*IsOptional=*/false, /*IsPositional=*/true,
     /*Min=*/"1"}};
static constexpr PassOptionInfo FixpointOptions[] = {
    {"max", PassOptionKind::Int, "10", "largest number of runs of the members",
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

/// Creates the group `repeat` or `fixpoint`, whose only option is the number of
/// runs of the members.
template <bool UntilUnchanged>
static std::unique_ptr<Pass> createRepeat(const PassInfo &Info,
                                          const PassOptionValues &Values,
                                          PassList Members) {
  const PassOptionInfo &Option = Info.Options.front();
  int64_t Count = 0;
  Option.Default.getAsInteger(10, Count);
  Values.get(Option.Name, Count);
  return std::make_unique<RepeatPass>(
      Info, makeModulePipeline(std::move(Members)), Count, UntilUnchanged);
}

void relay::registerStandardGroups(PassRegistry &Registry) {
  Registry.registerGroup(ModuleToFunctionPassAdaptor::getStaticInfo(),
                         GroupRule::FunctionPasses, createFunctionGroup);
  Registry.registerGroup(SequentialPass::getStaticInfo(), GroupRule::Gated,
                         createSequential);
  Registry.registerGroup(
      makeGroupInfo("repeat", "runs passes several times", RepeatOptions),
      GroupRule::AsAround, createRepeat</*UntilUnchanged=*/false>);
  Registry.registerGroup(
      makeGroupInfo("fixpoint", "runs passes until nothing changes",
                    FixpointOptions),
      GroupRule::AsAround, createRepeat</*UntilUnchanged=*/true>);
}
