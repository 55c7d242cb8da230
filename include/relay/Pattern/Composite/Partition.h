//===- Partition.h - Outlines matches to closures ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's partition(): replaces each match by the call of a new closure. Its
// parameters are the expressions that the leaves of the pattern matched, and
// its attribute PartitionedFromPattern lists the operations of its body.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_COMPOSITE_PARTITION_H
#define RELAY_PATTERN_COMPOSITE_PARTITION_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Match/Matcher.h"

namespace relay {

struct PartitionOptions {
  /// The name under which the rewrites are announced.
  StringRef Rule = "partition";
  /// Attributes of each closure in addition to PartitionedFromPattern.
  SmallVector<NamedAttr, 2> Attributes;
  /// Returns true if the match of this root is to become a closure. Called for
  /// all matches before anything changes, inner ones first. Refused matches are
  /// not retried in another form. Null accepts all.
  std::function<bool(Operation *Root)> Check;
  /// Called with the reason for the root of each match that does not become a
  /// closure. May be null.
  std::function<void(Operation *Root, StringRef Why)> OnRefused;
};

/// Returns true if \p Op is a closure that a partition created. Its body is
/// neither matched nor rewritten.
bool isPartition(const Operation *Op);

/// Partitions \p R's function by the pattern \p I of \p Match, which must be
/// for the same function, normalized. The outermost of overlapping matches is
/// chosen. A match is left unchanged if a part of it is used elsewhere, if a
/// parameter would be the variable of a `let` in it, or if it is a closure
/// created by a partition. Returns the number of closures; fails if matching
/// takes too long.
FailureOr<unsigned> partitionPattern(Rewriter &R, Matcher &Match, unsigned I,
                                     const PartitionOptions &Options);

} // namespace relay

#endif // RELAY_PATTERN_COMPOSITE_PARTITION_H
