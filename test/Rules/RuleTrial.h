//===- RuleTrial.h - Tests that a rule preserves results --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies a single rule to instances of its pattern, and evaluates each of them
// before and after, as -verify-semantics does.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_RULES_RULETRIAL_H
#define RELAY_TEST_RULES_RULETRIAL_H

#include "relay/Pass/PassInfo.h"
#include "relay/Pattern/Rewrite/RewriteRule.h"

namespace relay::test {

struct RuleTrialOptions {
  /// The number of instances to which the rule must apply and that must be
  /// evaluated.
  unsigned NumInstances = 1000;
  /// The number of the first instance.
  uint64_t First = 0;
  /// The maximal number of instances that are created for one that counts.
  unsigned TriesPerInstance = 400;
};

/// The result of testing a rule.
struct RuleOutcome {
  /// The number of created instances, by result.
  uint64_t NumTries = 0, NumUntyped = 0, NumUnmatched = 0, NumNotEvaluated = 0,
           NumExcepted = 0;
  unsigned NumAgreed = 0;
  /// A reason why instances were not typed or not evaluated.
  std::string WhyUntyped, WhyNotEvaluated;
  /// Describes the smallest instance for which the rule is wrong: its number,
  /// the function before and after, the inputs and both results. Empty if there
  /// is none.
  std::string Failure;

  /// Returns `1000 instances agree`, or why there are fewer.
  std::string describe() const;
};

/// Tests \p Rule, of a pass that declares \p Tolerance.
RuleOutcome tryRule(const RewriteRule &Rule, const PassTolerance &Tolerance,
                    const RuleTrialOptions &Options);

} // namespace relay::test

#endif // RELAY_TEST_RULES_RULETRIAL_H
