//===- PatternGroups.h - Matches that do not overlap ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matches of a pattern in a function that are partitioned or rewritten in
// one go: the outermost of those that overlap, and none of which a part is used
// elsewhere. Private to room Pattern.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_COMPOSITE_PATTERNGROUPS_H
#define RELAY_LIB_PATTERN_COMPOSITE_PATTERNGROUPS_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Match/Matcher.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

struct PatternGroup {
  /// Counts the matches that were found, those that were dropped included.
  unsigned Number;
  Operation *Root;
  SmallVector<Matcher::Binding, 8> Bindings;
  /// What is outside of the match, in the order of the pattern.
  SmallVector<ExprRef, 4> Params;
  /// All else that Root consists of, in post-order.
  SmallVector<ExprRef, 8> Nodes;
};

/// Which of the patterns in \p Wanted match anywhere. What is in a closure that
/// a partition has made counts as well: it may go into another. Fails where
/// that takes too many steps.
FailureOr<llvm::BitVector> findMatchingPatterns(Matcher &Match,
                                                const llvm::BitVector &Wanted);

/// The groups of the pattern \p I, inner ones first. Operations are roots, but
/// those of closures that a partition has made.
std::vector<PatternGroup> findPatternGroups(Matcher &Match, unsigned I);

/// Tells \p OnRefused of all operations that the pattern \p I may match at,
/// judged by their operator, and that are no roots of groups, inner ones first:
/// why. \p Match keeps the steps that it has left.
void explainRefusals(const Matcher &Match, unsigned I,
                     function_ref<void(Operation *, StringRef Why)> OnRefused);

/// What roots became that were replaced, for groups around them: those hold
/// expressions as they were matched.
using ReplacedExprs = llvm::DenseMap<ExprRef, Value *>;

/// Replaces \p Root, of any type, by \p By, and notes that in \p Replaced.
void replaceRoot(Rewriter &R, Operation *Root, Value *By,
                 ReplacedExprs &Replaced);

/// The value that \p E is as an argument of a call: null for an operator, a
/// global or a constructor, and for `let`s that are no operand as a whole:
/// those of a closure or a branch, and those behind another.
Value *getOutsideValue(ExprRef E);

/// Reports that \p What, `'name'` or `the patterns`, takes too long, if \p
/// Match says so.
LogicalResult checkSteps(const Matcher &Match, const Twine &What);

} // namespace relay

#endif // RELAY_LIB_PATTERN_COMPOSITE_PATTERNGROUPS_H
