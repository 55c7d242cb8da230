//===- RulePass.h - Passes that are rules -----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function pass that applies a list of rules:
//
//   class FastMath : public RulePass<FastMathBase<FastMath>> {
//   public:
//     FastMath() : RulePass(getFastMathRules()) {}
//   };
//
// Each rule is a statistic of the pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_RULEPASS_H
#define RELAY_PATTERN_REWRITE_RULEPASS_H

#include "relay/Pattern/Rewrite/PatternPass.h"
#include "relay/Pattern/Rewrite/RewriteDriver.h"

namespace relay {

/// The rules of a pass and how often each was applied.
class PassRules {
public:
  using Entries = std::vector<RewriteRule>;
  /// Gives the rules that a pass has in a Context: the same number of rules
  /// with the same names and benefits in each. Failure has been reported.
  using Source = std::function<FailureOr<Entries>(Context &)>;

  /// \p Rules belong to no Context.
  PassRules(Pass &Owner, Entries Rules);
  /// The rules are asked for when they are compiled.
  PassRules(Pass &Owner, Source GetRules)
      : GetRules(std::move(GetRules)), Applied(Owner), Refused(Owner) {}
  /// The same rules, for \p Owner, a clone of their pass.
  PassRules(Pass &Owner, const PassRules &Other)
      : GetRules(Other.GetRules), MakeFold(Other.MakeFold),
        Applied(Owner, Other.Applied), Refused(Owner, Other.Refused),
        Compiled(Other.Compiled) {}

  /// Folds operations that rules create in a function with the function that \p
  /// Make returns for it; see RewriteOptions::Fold.
  void setFold(std::function<FoldFunction(Function &)> Make) {
    MakeFold = std::move(Make);
  }

  /// Compiles the rules for \p Ctx, if they are not.
  LogicalResult compile(Context &Ctx);
  /// Applies them to \p F. Returns whether anything changed.
  FailureOr<bool> apply(Function &F);

private:
  void declare(Entries &Rules);

  Source GetRules;
  std::function<FoldFunction(Function &)> MakeFold;
  NamedStatistics Applied;
  /// Functions in which a rule was refused for its type. Only rules of files
  /// have these, see RewriteRule::ExplainCheck.
  NamedStatistics Refused;
  CompiledForContext<RuleSet> Compiled;
};

/// Statistics of a rule of a file.
struct RuleUse {
  StringRef Name;
  uint64_t NumApplied = 0; ///< applications
  uint64_t NumRefused = 0; ///< functions where it would have changed a type
};

/// The rules of files that \p P has applied, in the order of the statistics;
/// none if it applies none.
std::vector<RuleUse> getRuleUses(const Pass &P);

template <typename BaseT>
class RulePass : public PatternPass<BaseT, PassRules> {
public:
  using PatternPass<BaseT, PassRules>::PatternPass;
};

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_RULEPASS_H
