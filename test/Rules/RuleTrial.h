//===- RuleTrial.h - Whether a rule keeps what is computed ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies a rule alone to instances of its pattern, and evaluates each of them
// before and after, as -verify-semantics does.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_RULES_RULETRIAL_H
#define RELAY_TEST_RULES_RULETRIAL_H

#include "relay/Pass/PassInfo.h"
#include "relay/Pattern/Rewrite/RewriteRule.h"

namespace relay::test {

struct RuleTrialOptions {
  /// Instances that the rule has to apply to, and that have to be evaluated.
  unsigned NumInstances = 1000;
  /// Instances are numbered from this.
  uint64_t First = 0;
  /// Instances to be made at most, for one that counts.
  unsigned TriesPerInstance = 400;
};

/// What came of a rule.
struct RuleOutcome {
  /// Instances that were made, and what became of them.
  uint64_t NumTries = 0, NumUntyped = 0, NumUnmatched = 0, NumNotEvaluated = 0,
           NumExcepted = 0;
  unsigned NumAgreed = 0;
  /// Why instances were not typed or not evaluated: one of the reasons.
  std::string WhyUntyped, WhyNotEvaluated;
  /// Of the smallest instance that shows that the rule is wrong: its number,
  /// the function before and after, the inputs and both results. Empty if none
  /// does.
  std::string Failure;

  /// `1000 instances agree`, or why there are fewer.
  std::string describe() const;
};

/// Tries \p Rule, of a pass that declares \p Tolerance.
RuleOutcome tryRule(const RewriteRule &Rule, const PassTolerance &Tolerance,
                    const RuleTrialOptions &Options);

} // namespace relay::test

#endif // RELAY_TEST_RULES_RULETRIAL_H
