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

PassRules::PassRules(Pass &Owner, std::vector<RewriteRule> Rules)
    : Owner(Owner) {
  declare(Rules);
  GetRules = [All = std::make_shared<const std::vector<RewriteRule>>(
                  std::move(Rules))](Context &) { return *All; };
}

PassRules::PassRules(Pass &Owner, const PassRules &Other)
    : Owner(Owner), GetRules(Other.GetRules), Fold(Other.Fold),
      Declared(Other.Declared), Compiled(Other.Compiled) {
  addStatistics();
}

/// Puts \p Rules in the order of a RuleSet and makes a statistic of each.
void PassRules::declare(std::vector<RewriteRule> &Rules) {
  sortByBenefit(Rules);
  auto New = std::make_shared<Counters>();
  for (const RewriteRule &Rule : Rules)
    New->Texts.emplace_back(Rule.Name, "applications of " + Rule.Name +
                                           (Rule.Summary.empty() ? "" : ": ") +
                                           Rule.Summary);
  for (const auto &[Name, Description] : New->Texts)
    New->Infos.push_back({Name, Description});
  Declared = std::move(New);
  addStatistics();
}

void PassRules::addStatistics() {
  if (!Declared)
    return;
  for (const PassStatisticInfo &Info : Declared->Infos)
    Applied.push_back(std::make_unique<Statistic>(Owner, Info));
}

LogicalResult PassRules::compile(Context &Ctx) {
  auto Known = Compiled.lock();
  if (Known && &Known->getContext() == &Ctx)
    return success();
  FailureOr<std::vector<RewriteRule>> Rules = GetRules(Ctx);
  if (failed(Rules))
    return failure();
  if (!Declared)
    declare(*Rules);
  FailureOr<RuleSet> Set = RuleSet::compile(Ctx, std::move(*Rules));
  if (failed(Set))
    return failure();
  auto New = std::make_shared<const RuleSet>(std::move(*Set));
  assert(New->getRules().size() == Applied.size() &&
         "rules differ between contexts");
  Compiled = New;
  Ctx.keep(std::move(New));
  return success();
}

FailureOr<bool> PassRules::apply(Function &F) {
  if (failed(compile(F.getContext())))
    return failure();
  std::shared_ptr<const RuleSet> Rules = Compiled.lock();
  RewriteOptions Options;
  Options.OnApplied = [this](unsigned Rule) { ++*Applied[Rule]; };
  Options.Fold = Fold;
  Rewriter R(F);
  if (failed(applyRules(F, R, *Rules, Options)))
    return failure();
  return R.getNumRewrites() != 0;
}
