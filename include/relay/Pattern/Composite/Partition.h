//===- Partition.h - Making closures of what matches ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's partition(): each match becomes the call of a new closure, whose
// parameters are what the leaves of the pattern matched, and whose attribute
// PartitionedFromPattern lists what is in its body.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_COMPOSITE_PARTITION_H
#define RELAY_PATTERN_COMPOSITE_PARTITION_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Match/Matcher.h"

namespace relay {

struct PartitionOptions {
  /// What the rewrites are announced as.
  StringRef Rule = "partition";
  /// Of each closure, besides PartitionedFromPattern.
  SmallVector<NamedAttr, 2> Attributes;
  /// Whether the match of this root is to be made a closure; all are asked
  /// before anything changes, inner ones first. Those refused are not tried in
  /// another way. Null: all are.
  std::function<bool(Operation *Root)> Check;
  /// Is told of each operation that the pattern may match at, judged by its
  /// operator, and that no closure is made of: why. Null: nobody asks.
  std::function<void(Operation *Root, StringRef Why)> OnRefused;
};

/// Whether \p Op is a closure that a partition has made; nothing in it is
/// matched or rewritten.
bool isPartition(const Operation *Op);

/// Partitions \p R's function by the pattern \p I of \p Match, which is of the
/// same function, normalized. Of overlapping matches the outermost is taken. A
/// match of which a part is used elsewhere stays as it is, and so do one whose
/// parameter would be the variable of a `let` in it, and a closure that a
/// partition has made. Returns the number of closures; fails where matching
/// takes too long.
FailureOr<unsigned> partitionPattern(Rewriter &R, Matcher &Match, unsigned I,
                                     const PartitionOptions &Options);

} // namespace relay

#endif // RELAY_PATTERN_COMPOSITE_PARTITION_H
