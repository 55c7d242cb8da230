//===- PatternCover.h - Patterns that shadow others -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether one pattern matches wherever another one does, by a
// comparison node by node that ignores swapped operands.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_COMPOSITE_PATTERNCOVER_H
#define RELAY_LIB_PATTERN_COMPOSITE_PATTERNCOVER_H

#include "relay/Pattern/Match/Pattern.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class PatternCover {
public:
  /// \p Budget is the maximal number of nodes and attributes to compare, and is
  /// decremented; several comparisons may share it.
  explicit PatternCover(uint64_t &Budget) : Budget(Budget) {}

  /// Returns true if \p General matches wherever \p Specific does. Returns
  /// false if unknown, as after the budget is exhausted.
  bool covers(const PatternNode &General, const PatternNode &Specific);

private:
  /// Deeper nodes are not compared.
  static constexpr unsigned MaxDepth = 1000;

  bool spend();
  bool asksFor(const PatternNode &Specific, const PatternNode &General);
  bool demands(const PatternNode &Specific, const PatternNode &General);
  const PatternNode *skipDemands(const PatternNode &Node);
  bool coversNew(const PatternNode &General, const PatternNode &Whole);
  bool coversChildren(const PatternNode &General, const PatternNode &Specific);

  uint64_t &Budget;
  /// The specific nodes compared with each general node: a node that occurs
  /// twice has one value at both.
  llvm::DenseMap<const PatternNode *, const PatternNode *> Compared;
  unsigned Depth = 0;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_COMPOSITE_PATTERNCOVER_H
