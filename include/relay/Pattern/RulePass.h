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

#ifndef RELAY_PATTERN_RULEPASS_H
#define RELAY_PATTERN_RULEPASS_H

#include "relay/Pass/Pass.h"
#include "relay/Pattern/RewriteDriver.h"

namespace relay {

/// The rules of a pass and how often each was applied.
class PassRules {
public:
  /// Gives the rules that a pass has in a Context: the same number of rules
  /// with the same names and benefits in each. Failure has been reported.
  using Source = std::function<FailureOr<std::vector<RewriteRule>>(Context &)>;

  /// \p Rules belong to no Context.
  PassRules(Pass &Owner, std::vector<RewriteRule> Rules);
  /// The rules are asked for when they are compiled.
  PassRules(Pass &Owner, Source GetRules)
      : Owner(Owner), GetRules(std::move(GetRules)) {}
  /// The same rules, for \p Owner, a clone of their pass.
  PassRules(Pass &Owner, const PassRules &Other);

  /// What calls that rules make are folded by; see RewriteOptions::Fold.
  void setFold(std::function<Value *(Rewriter &, Operation *)> Function) {
    Fold = std::move(Function);
  }

  /// Compiles the rules for \p Ctx, if they are not.
  LogicalResult compile(Context &Ctx);
  /// Applies them to \p F. Returns whether anything changed.
  FailureOr<bool> apply(Function &F);

private:
  /// What statistics refer to.
  struct Counters {
    std::vector<std::pair<std::string, std::string>> Texts;
    std::vector<PassStatisticInfo> Infos;
  };
  void declare(std::vector<RewriteRule> &Rules);
  void addStatistics();

  Pass &Owner;
  Source GetRules;
  std::function<Value *(Rewriter &, Operation *)> Fold;
  std::shared_ptr<const Counters> Declared;
  std::vector<std::unique_ptr<Statistic>> Applied;
  /// Kept by its Context: while it is there, that is where it is at home.
  std::weak_ptr<const RuleSet> Compiled;
};

template <typename BaseT> class RulePass : public BaseT {
public:
  explicit RulePass(std::vector<RewriteRule> Rules)
      : Rules(*this, std::move(Rules)) {}
  RulePass(const RulePass &Other) : BaseT(Other), Rules(*this, Other.Rules) {}

  LogicalResult initialize(Context &Ctx) override { return Rules.compile(Ctx); }
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    FailureOr<bool> Changed = Rules.apply(F);
    if (failed(Changed))
      return failure();
    return this->preserved(*Changed);
  }

protected:
  /// For a pass whose options tell where the rules are.
  template <typename OptionsT>
  RulePass(OptionsT Options, PassRules::Source GetRules)
      : BaseT(std::move(Options)), Rules(*this, std::move(GetRules)) {}

  PassRules Rules;
};

} // namespace relay

#endif // RELAY_PATTERN_RULEPASS_H
