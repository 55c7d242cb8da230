//===- FusionGroups.h - Which operations become one function ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The groups that FuseOps makes functions of, by TVM's rules: in three phases
// each node may join the group of its post-dominator, together with everything
// between the two. A group is named by its root, through which alone values
// leave it. Does not change the IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FUSION_FUSIONGROUPS_H
#define RELAY_LIB_TRANSFORMS_FUSION_FUSIONGROUPS_H

#include "relay/Analysis/PostDominators.h"

namespace relay {

class FusionGroups {
public:
  /// Every node alone. \p Graph outlives this.
  explicit FusionGroups(const DataflowGraph &Graph);

  /// Joins groups of at most \p MaxDepth nodes each. The work for a node is
  /// bounded by MaxDepth.
  void fuse(const PostDominators &Tree, uint64_t MaxDepth);

  /// The root of the group of \p N.
  uint32_t getRoot(uint32_t N);

private:
  /// The kinds allowed between a node and its post-dominator, and for the group
  /// of the post-dominator.
  struct Rule {
    FusionKind MaxInner, MaxSink;
  };

  std::optional<Rule> getRule(uint32_t N, uint32_t Sink, FusionKind Step,
                              unsigned Phase);
  std::optional<Rule> getTupleRule(uint32_t N, uint32_t Sink);
  bool collectBetween(uint32_t N, uint32_t Sink, uint64_t MaxSize);
  bool allows(Rule R, uint32_t Sink);
  void join(uint32_t Sink);

  struct Group {
    /// A node on the way to the root; the node itself in a root.
    uint32_t Parent;
    /// Nodes in the group when this node was last its root.
    uint32_t Size = 1;
    /// As of the same time. TVM judges by this, and not by the group that the
    /// node has become part of, in some places.
    FusionKind Kind;
    /// Holds an OutEWiseFusable node.
    bool Anchored;
  };

  const DataflowGraph &Graph;
  SmallVector<Group, 0> Groups;
  bool HasTuples = false;
  /// The nodes between a node and its post-dominator, the former included.
  SmallVector<uint32_t, 16> Between;
  /// By node: the last collection that came by it.
  SmallVector<uint32_t, 0> SeenIn;
  uint32_t NumCollections = 0;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FUSION_FUSIONGROUPS_H
