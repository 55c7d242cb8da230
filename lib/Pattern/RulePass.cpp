//===- RulePass.cpp - Passes that are rules -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RulePass.h. Rules are ordered by benefit here, so that their numbers are
// those of the compiled set.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/RulePass.h"

using namespace relay;

PassRules::PassRules(Pass &Owner, std::vector<RewriteRule> Rules) {
  auto New = std::make_shared<Shared>();
  New->Rules = std::move(Rules);
  sortByBenefit(New->Rules); // as the numbers of a RuleSet
  for (const RewriteRule &Rule : New->Rules)
    New->Descriptions.push_back(
        "applications of " + Rule.Name +
        (Rule.Summary.empty() ? "" : ": " + Rule.Summary));
  for (auto [Rule, Description] :
       llvm::zip_equal(New->Rules, New->Descriptions))
    New->Infos.push_back({Rule.Name, Description});
  Declared = std::move(New);
  addStatistics(Owner);
}

PassRules::PassRules(Pass &Owner, const PassRules &Other)
    : Declared(Other.Declared), Compiled(Other.Compiled),
      CompiledFor(Other.CompiledFor) {
  addStatistics(Owner);
}

void PassRules::addStatistics(Pass &Owner) {
  for (const PassStatisticInfo &Info : Declared->Infos)
    Applied.push_back(std::make_unique<Statistic>(Owner, Info));
}

LogicalResult PassRules::compile(Context &Ctx) {
  if (Compiled && CompiledFor == &Ctx)
    return success();
  FailureOr<RuleSet> Set = RuleSet::compile(Ctx, Declared->Rules);
  if (failed(Set))
    return failure();
  Compiled = std::make_shared<const RuleSet>(std::move(*Set));
  CompiledFor = &Ctx;
  return success();
}

FailureOr<bool> PassRules::apply(Function &F) {
  if (failed(compile(F.getContext())))
    return failure();
  RewriteOptions Options;
  Options.OnApplied = [this](unsigned Rule) { ++*Applied[Rule]; };
  Rewriter R(F);
  if (failed(applyRules(F, R, *Compiled, Options)))
    return failure();
  return R.getNumRewrites() != 0;
}
