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

/// The rules of a pass: how often each was applied, and their program, which is
/// made for the first function.
class PassRules {
public:
  PassRules(Pass &Owner, std::vector<RewriteRule> Rules);
  /// The same rules, for a clone of their pass.
  PassRules(Pass &Owner, const PassRules &Other);

  /// Applies them to \p F. Returns whether anything changed.
  FailureOr<bool> apply(Function &F);

private:
  struct Shared {
    std::vector<RewriteRule> Rules;
    std::vector<std::string> Descriptions; ///< of statistics
    std::vector<PassStatisticInfo> Infos;
  };
  void addStatistics(Pass &Owner);
  LogicalResult compile(Context &Ctx);

  std::shared_ptr<const Shared> Declared;
  std::vector<std::unique_ptr<Statistic>> Applied;
  std::shared_ptr<const RuleSet> Compiled;
  Context *CompiledFor = nullptr;
};

template <typename BaseT> class RulePass : public BaseT {
public:
  explicit RulePass(std::vector<RewriteRule> Rules)
      : Rules(*this, std::move(Rules)) {}
  RulePass(const RulePass &Other) : BaseT(Other), Rules(*this, Other.Rules) {}

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    FailureOr<bool> Changed = Rules.apply(F);
    if (failed(Changed))
      return failure();
    return this->preserved(*Changed);
  }

private:
  PassRules Rules;
};

} // namespace relay

#endif // RELAY_PATTERN_RULEPASS_H
