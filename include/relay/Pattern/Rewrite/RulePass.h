//===- RulePass.h - Passes defined by rules ---------------------*- C++ -*-===//
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

/// The rules of a pass and the numbers of their applications.
class RuleApplier {
public:
  using Entries = std::vector<RewriteRule>;
  /// Returns the rules of a pass for a Context. The number of rules, their
  /// names and their benefits are the same for each Context. Failure has been
  /// reported.
  using Source = std::function<FailureOr<Entries>(Context &)>;

  /// \p Rules belong to no Context.
  RuleApplier(Pass &Owner, Entries Rules);
  /// \p GetRules is called when the rules are compiled.
  RuleApplier(Pass &Owner, Source GetRules)
      : GetRules(std::move(GetRules)), Applied(Owner), Refused(Owner) {}
  /// Creates the same rules for \p Owner, a clone of the pass.
  RuleApplier(Pass &Owner, const RuleApplier &Other)
      : GetRules(Other.GetRules), MakeFold(Other.MakeFold),
        Applied(Owner, Other.Applied), Refused(Owner, Other.Refused),
        Compiled(Other.Compiled) {}

  /// Sets the function that returns the FoldFunction for a function, which
  /// folds operations that rules create; see RewriteOptions::Fold.
  void setFold(std::function<FoldFunction(Function &)> Make) {
    MakeFold = std::move(Make);
  }

  /// Compiles the rules for \p Ctx unless that has been done.
  LogicalResult compile(Context &Ctx, const PassRegistry &);
  /// Applies the rules to \p F, for whose Context they are compiled. Returns
  /// true if anything changed.
  FailureOr<bool> apply(Function &F);

private:
  void declare(Entries &Rules);

  Source GetRules;
  std::function<FoldFunction(Function &)> MakeFold;
  NamedStatistics Applied;
  /// The numbers of functions in which a rule was refused for its type. Only
  /// rules of files have these, see RewriteRule::ExplainCheck.
  NamedStatistics Refused;
  CompiledForContext<RuleSet> Compiled;
};

/// Statistics of a rule that was read from a file.
struct RuleUse {
  StringRef Name;
  uint64_t NumApplied = 0; ///< applications
  uint64_t NumRefused = 0; ///< functions where it would have changed a type
};

/// Returns the uses of rules that \p P read from files, in the order of the
/// statistics; empty if it read none.
std::vector<RuleUse> getRuleUses(const Pass &P);

template <typename BaseT>
class RulePass : public PatternPass<BaseT, RuleApplier> {
public:
  using PatternPass<BaseT, RuleApplier>::PatternPass;
};

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_RULEPASS_H
