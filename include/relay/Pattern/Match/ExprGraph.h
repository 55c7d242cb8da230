//===- ExprGraph.h - Flow between the expressions of a function -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value flow among all expressions of a function, including variables and
// `let`s, as in TVM's IndexedGraph. Dominator patterns and the uses of matched
// expressions need it. A value bound by a `let` flows into the variable, and
// the variable into its uses; the operand of a `match` flows into the variables
// of its patterns; parameters flow into their uses, and the body of a closure
// into the closure. In a closure bound by a `let`, a recursive call is not a
// use of the variable, so that the graph has no cycles.
//
// The nodes are expressions; the nodes of DataflowGraph, used by fusion, are
// operations with tensors flowing between them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_MATCH_EXPRGRAPH_H
#define RELAY_PATTERN_MATCH_EXPRGRAPH_H

#include "relay/Analysis/PostDominators.h"
#include "relay/Pattern/Match/ExprRef.h"

namespace relay {

/// Appends the subexpressions of \p E in the order in which TVM visits them:
/// callee, arguments; parameters, body; value, variable, body.
void appendExprParts(ExprRef E, SmallVectorImpl<ExprRef> &Parts);

class ExprGraph : public FlowGraph {
public:
  /// \p F must be normalized. Takes O(log n) per edge, otherwise linear time.
  explicit ExprGraph(Function &F);

  ExprRef getExpr(uint32_t N) const { return Exprs[N]; }
  /// Returns the number of \p E, which is in the function: by depth-first
  /// post-order of first visits, except that a variable comes after the value
  /// that a `let` binds to it.
  uint32_t getNumber(ExprRef E) const;
  /// Returns the immediate post-dominator of \p N. For the body of the function
  /// that is the function, which has the number size(). Returns nothing if \p N
  /// is unused or its flow ends at several expressions.
  std::optional<uint32_t> getPostDominator(uint32_t N) const;
  /// Returns true if all flow out of \p E passes through \p Dominator, which is
  /// another expression.
  bool strictlyPostDominates(ExprRef Dominator, ExprRef E) const {
    return Tree.strictlyPostDominates(getNumber(Dominator), getNumber(E));
  }

private:
  static constexpr uint32_t None = ~0u, Seen = ~0u - 1;

  uint32_t &number(ExprRef E);
  void numberAll(Function &F);
  void addNumber(ExprRef E);
  template <typename Fn> void forEachEdge(Fn &&Callback) const;

  SmallVector<ExprRef, 0> Exprs;
  /// By index of the operation or the variable.
  SmallVector<uint32_t, 0> Operations, Variables, Lets;
  /// Numbers of operators and symbols.
  llvm::DenseMap<ExprRef, uint32_t> Others;
  PostDominatorTree Tree{0};
};

} // namespace relay

#endif // RELAY_PATTERN_MATCH_EXPRGRAPH_H
