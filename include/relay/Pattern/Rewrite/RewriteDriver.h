//===- RewriteDriver.h - Applying rules -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// applyRules() applies the rules of a set to a function until none matches, and
// removes operations that become unused.
//
// Operations at which a rule may match are visited from the result upwards;
// created and changed operations are visited after all waiting ones. The
// outermost of overlapping matches is therefore rewritten first, and the others
// in a later round, as in TVM. When no operation is waiting, the whole function
// is visited again, until that finds no match: the result does not depend on
// the tracking of changes.
//
// The debug log of the running pass explains, from level 2 on, why rules do not
// apply to the remaining operations; at level 1 only explanations of the rules
// themselves (RewriteRule::ExplainCheck).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_REWRITEDRIVER_H
#define RELAY_PATTERN_REWRITE_REWRITEDRIVER_H

#include "relay/Pattern/Rewrite/RewriteRule.h"

namespace relay {

/// Returns a value, created by the Rewriter, that replaces an operation that a
/// rule has created; null leaves the operation unchanged. For calls of
/// constants.
using FoldFunction = std::function<Value *(Rewriter &, Operation *)>;

struct RewriteOptions {
  /// Limits of the applications of rules: MinApplications plus
  /// ApplicationsPerOperation for each initial operation of the function.
  uint64_t MinApplications = 10000, ApplicationsPerOperation = 16;
  /// Called for each application with the number of the rule.
  std::function<void(unsigned)> OnApplied;
  /// Called once with the number of each rule that matched but was refused for
  /// a reason that RewriteRule::ExplainCheck returns. May be empty.
  std::function<void(unsigned)> OnRefusedForType;
  /// Called once for each operation that an application creates, operands
  /// first. May be empty.
  FoldFunction Fold;
};

/// Applies \p Rules to \p F, which must be normalized and typed. \p R announces
/// each application by the name of the rule and counts changes. Fails, with an
/// error that names the rule, if rules apply without end, or if the types of a
/// replacement and of the root differ.
LogicalResult applyRules(Function &F, Rewriter &R, const RuleSet &Rules,
                         const RewriteOptions &Options = {});

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_REWRITEDRIVER_H
