//===- PatternGroups.h - Matches that do not overlap ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matches of a pattern in a function that are partitioned or rewritten
// together: the outermost of overlapping matches, without matches whose parts
// are used elsewhere. Private to room Pattern.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_COMPOSITE_PATTERNGROUPS_H
#define RELAY_LIB_PATTERN_COMPOSITE_PATTERNGROUPS_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Match/Matcher.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

struct PatternGroup {
  /// Counts the matches found, including dropped ones.
  unsigned Number;
  Operation *Root;
  SmallVector<Matcher::Binding, 8> Bindings;
  /// The inputs of the match, in the order of the pattern.
  SmallVector<ExprRef, 4> Params;
  /// All else that Root consists of, in post-order.
  SmallVector<ExprRef, 8> Nodes;

  /// The operations among Nodes, Root included.
  SmallVector<Operation *, 8> getOperations() const;
};

/// Returns the patterns of \p Wanted that match anywhere, including closures
/// created by a partition: these may be in another one. Fails if matching takes
/// too many steps.
FailureOr<llvm::BitVector> findMatchingPatterns(Matcher &Match,
                                                const llvm::BitVector &Wanted);

/// The groups of the pattern \p I, inner ones first. Roots are operations,
/// except operations in closures created by a partition.
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

/// The value of \p E as an argument of a call: null for an operator, a global
/// or a constructor, and for `let`s that are not a whole operand: in a closure
/// or a branch, or after another `let`.
Value *getOutsideValue(ExprRef E);

/// Reports that \p What, `'name'` or `the patterns`, takes too long, if \p
/// Match says so.
LogicalResult checkSteps(const Matcher &Match, const Twine &What);

} // namespace relay

#endif // RELAY_LIB_PATTERN_COMPOSITE_PATTERNGROUPS_H
