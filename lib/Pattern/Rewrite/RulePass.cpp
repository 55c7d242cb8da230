//===- RulePass.cpp - Passes that are rules -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RulePass.h. Rules are ordered by benefit here, so that their numbers
// agree with the compiled set.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Rewrite/RulePass.h"

using namespace relay;

PassRules::PassRules(Pass &Owner, Entries Rules) : Applied(Owner) {
  declare(Rules);
  GetRules = [All = std::make_shared<const Entries>(std::move(Rules))](
                 Context &) { return *All; };
}

/// Puts \p Rules in the order of a RuleSet and makes a statistic of each.
void PassRules::declare(Entries &Rules) {
  sortByBenefit(Rules);
  NamedStatistics::NamesAndDescriptions Texts;
  for (const RewriteRule &Rule : Rules)
    Texts.emplace_back(Rule.Name, "applications of " + Rule.Name +
                                      (Rule.Summary.empty() ? "" : ": ") +
                                      Rule.Summary);
  Applied.declare(std::move(Texts));
}

LogicalResult PassRules::compile(Context &Ctx) {
  return Compiled.compile(Ctx, GetRules, [this](Entries &Rules) {
    if (!Applied.areDeclared())
      declare(Rules);
    assert(Rules.size() == Applied.size() && "rules differ between contexts");
  });
}

FailureOr<bool> PassRules::apply(Function &F) {
  if (failed(compile(F.getContext())))
    return failure();
  std::shared_ptr<const RuleSet> Rules = Compiled.lookup(F.getContext());
  RewriteOptions Options;
  Options.OnApplied = [this](unsigned Rule) { ++Applied[Rule]; };
  if (MakeFold)
    Options.Fold = MakeFold(F);
  Rewriter R(F);
  if (failed(applyRules(F, R, *Rules, Options)))
    return failure();
  return R.getNumRewrites() != 0;
}
