//===- BoundNodes.h - Nodes that every match binds --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The named nodes of a pattern that have a value at its root in every match.
// Excludes nodes of a single alternative, and nodes in a function or in a
// branch.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_MATCH_BOUNDNODES_H
#define RELAY_LIB_PATTERN_MATCH_BOUNDNODES_H

#include "relay/Pattern/Match/Pattern.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class BoundNodes {
public:
  /// Further named nodes are ignored, and count as not bound.
  static constexpr unsigned MaxNamed = 1000;

  explicit BoundNodes(const PatternNode &Root);

  bool isAlwaysBound(const PatternNode &Named) const {
    auto It = Bits.find(&Named);
    return It != Bits.end() && AtRoot.test(It->second);
  }

private:
  llvm::BitVector combine(const PatternNode &Node) const;

  llvm::DenseMap<const PatternNode *, unsigned> Bits;
  llvm::DenseMap<const PatternNode *, llvm::BitVector> Bound;
  llvm::BitVector AtRoot;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_MATCH_BOUNDNODES_H
