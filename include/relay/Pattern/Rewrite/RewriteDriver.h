//===- RewriteDriver.h - Applying rules -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// applyRules() applies the rules of a set to a function until none matches any
// more, and takes away what becomes unused.
//
// Operations that a rule may match at are visited from the result upwards; what
// is made or changed comes behind all that are waiting. So of overlapping
// matches the outermost is taken, and the others' turn is in a later round, as
// in TVM. When nothing is left the function is looked through once more, until
// that finds nothing: the result does not depend on what was noticed to change.
//
// The debug log of the pass that runs tells from level 2 on, of what is left in
// the end, why rules do not apply to it; at level 1 only what rules tell of it
// (RewriteRule::ExplainCheck).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_REWRITEDRIVER_H
#define RELAY_PATTERN_REWRITE_REWRITEDRIVER_H

#include "relay/Pattern/Rewrite/RewriteRule.h"

namespace relay {

/// Gives a value, made by the Rewriter, in place of an operation that a rule
/// has made, or null: it stays. For calls of constants.
using FoldFunction = std::function<Value *(Rewriter &, Operation *)>;

struct RewriteOptions {
  /// How often rules may be applied: so often, and so often for an operation
  /// that the function has at first.
  uint64_t MinApplications = 10000, ApplicationsPerOperation = 16;
  /// Is told of each application, by the number of the rule.
  std::function<void(unsigned)> OnApplied;
  /// Is asked once for each operation that an application makes, operands
  /// first. May be empty.
  FoldFunction Fold;
};

/// Applies \p Rules to \p F, which is normalized and typed. \p R announces each
/// application by the rule's name and counts what is changed. Fails, with an
/// error that names the rule, when they keep applying, or when a replacement
/// has another type than what it stands for.
LogicalResult applyRules(Function &F, Rewriter &R, const RuleSet &Rules,
                         const RewriteOptions &Options = {});

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_REWRITEDRIVER_H
