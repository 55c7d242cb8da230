//===- RulePass.cpp - Passes defined by rules -----------------------------===//
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
#include "llvm/ADT/StringSet.h"

using namespace relay;

/// The suffix of statistics that count refusals.
static constexpr StringLiteral RefusedSuffix = ".refused";

RuleApplier::RuleApplier(Pass &Owner, Entries Rules)
    : Applied(Owner), Refused(Owner) {
  declare(Rules);
  GetRules = [All = std::make_shared<const Entries>(std::move(Rules))](
                 Context &) { return *All; };
}

/// Sorts \p Rules as a RuleSet does and declares their statistics.
void RuleApplier::declare(Entries &Rules) {
  sortByBenefit(Rules);
  NamedStatistics::NamesAndDescriptions Texts;
  for (const RewriteRule &Rule : Rules)
    Texts.emplace_back(Rule.Name, "applications of " + Rule.Name +
                                      (Rule.Summary.empty() ? "" : ": ") +
                                      Rule.Summary);
  Applied.declare(std::move(Texts));
  if (llvm::none_of(Rules,
                    [](const RewriteRule &R) { return !!R.ExplainCheck; }))
    return;
  NamedStatistics::NamesAndDescriptions Refusals;
  for (const RewriteRule &Rule : Rules)
    Refusals.emplace_back((Rule.Name + RefusedSuffix).str(),
                          "functions where " + Rule.Name +
                              " would have changed a type");
  Refused.declare(std::move(Refusals));
}

std::vector<RuleUse> relay::getRuleUses(const Pass &P) {
  // Refusals come last, so that they take precedence over rules whose names
  // have the suffix.
  llvm::StringMap<const Statistic *> ByName;
  for (const Statistic *S : P.getStatistics())
    ByName[S->getName()] = S;
  std::vector<RuleUse> Uses;
  llvm::StringSet<> Seen;
  for (const Statistic *S : P.getStatistics())
    if (const Statistic *Refused =
            ByName.lookup((S->getName() + RefusedSuffix).str()))
      if (Seen.insert(S->getName()).second)
        Uses.push_back({S->getName(), S->getValue(), Refused->getValue()});
  return Uses;
}

LogicalResult RuleApplier::compile(Context &Ctx, const PassRegistry &) {
  bool IsDeclared = Applied.areDeclared();
  return Compiled.compile(Ctx, GetRules, IsDeclared, [this](Entries &Rules) {
    if (!Applied.areDeclared())
      declare(Rules);
    assert(Rules.size() == Applied.size() && "rules differ between contexts");
  });
}

FailureOr<bool> RuleApplier::apply(Function &F) {
  std::shared_ptr<const RuleSet> Rules = Compiled.lookup(F.getContext());
  RewriteOptions Options;
  Options.OnApplied = [this](unsigned Rule) { ++Applied[Rule]; };
  if (Refused.areDeclared())
    Options.OnRefusedForType = [this](unsigned Rule) { ++Refused[Rule]; };
  if (MakeFold)
    Options.Fold = MakeFold(F);
  Rewriter R(F);
  if (failed(applyRules(F, R, *Rules, Options)))
    return failure();
  return R.getNumRewrites() != 0;
}
