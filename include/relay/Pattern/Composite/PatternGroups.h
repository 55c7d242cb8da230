//===- PatternGroups.h - Matches that do not overlap ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matches of a pattern in a function that are partitioned or rewritten
// together: the outermost of overlapping matches, without matches whose parts
// have other uses.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_COMPOSITE_PATTERNGROUPS_H
#define RELAY_PATTERN_COMPOSITE_PATTERNGROUPS_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Match/Matcher.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

struct PatternGroup {
  /// The number of matches found so far, including dropped ones.
  unsigned Number;
  /// The operation of the root; null for a `let` or an operator.
  Operation *Root;
  ExprRef RootExpr;
  SmallVector<Matcher::Binding, 8> Bindings;
  /// The inputs of the match, in the order of the pattern.
  SmallVector<ExprRef, 4> Params;
  /// All other expressions that Root consists of, in post-order.
  SmallVector<ExprRef, 8> Nodes;

  /// The operations among Nodes, Root included.
  SmallVector<Operation *, 8> getOperations() const;
};

/// Returns the patterns of \p Wanted that match anywhere. Includes matches at
/// closures created by a partition, which may be in another closure. Fails if
/// matching takes too many steps.
FailureOr<llvm::BitVector> findMatchingPatterns(Matcher &Match,
                                                const llvm::BitVector &Wanted);

/// Called with an operation and the reason why it is not the root of a group.
using RefusedRootFn = function_ref<void(Operation *Root, StringRef Why)>;

/// Returns the groups of the pattern \p I, inner ones first. Roots are
/// operations outside of closures created by a partition. Calls \p OnRefused
/// for the roots of other matches, inner ones first, unless it is null.
std::vector<PatternGroup> findPatternGroups(Matcher &Match, unsigned I,
                                            RefusedRootFn OnRefused = nullptr);

/// As above, for callers that can replace expressions of all kinds: `let`s and
/// operators may be roots, too.
std::vector<PatternGroup> findGroupsOfAllExprs(Matcher &Match, unsigned I);

/// Returns true if the pattern \p I may match at \p Op, judged by its operator.
/// All operations are candidates for a pattern whose callee is not an operator.
bool mayMatchAt(const PatternProgram &Program, unsigned I, const Operation *Op);

/// Calls \p OnRefused for each operation at which the pattern \p I may match,
/// judged by its operator, but does not, or which is in a group or composite;
/// inner operations first. Uses no steps of \p Match.
void explainMismatches(const Matcher &Match, unsigned I,
                       RefusedRootFn OnRefused);

/// Values of replaced roots, for the groups that contain them: groups hold
/// expressions as they were matched.
using ReplacedExprs = llvm::DenseMap<ExprRef, Value *>;

/// Replaces \p Root, of any type, by \p By, and records that in \p Replaced.
void replaceRoot(Rewriter &R, Operation *Root, Value *By,
                 ReplacedExprs &Replaced);

/// Returns the value of \p E as an argument of a call. Returns null for an
/// operator, a global or a constructor, and for `let`s that are not a whole
/// operand: in a closure or a branch, or after another `let`.
Value *getOutsideValue(ExprRef E);

/// Reports that \p What, `'name'` or `the patterns`, takes too long, if \p
/// Match is exhausted.
LogicalResult checkSteps(const Matcher &Match, const Twine &What);

} // namespace relay

#endif // RELAY_PATTERN_COMPOSITE_PATTERNGROUPS_H
