//===- PostDominators.h - Where flows of tensors meet -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The post-dominator tree of a DataflowGraph: the parent of a node is the first
// operation on all paths from the node. An argument, an external node, or a
// node whose paths end at different external nodes, has no parent.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_POSTDOMINATORS_H
#define RELAY_ANALYSIS_POSTDOMINATORS_H

#include "relay/Analysis/DataflowGraph.h"

namespace relay {

/// The post-dominator tree of any graph. Nodes are added after their users.
class PostDominatorTree {
public:
  static constexpr uint32_t None = ~0u;

  /// Creates a tree for \p Size nodes, each of which must then be added.
  explicit PostDominatorTree(uint32_t Size) : Nodes(Size) {}
  /// Adds \p N, which no other node post-dominates.
  void addRoot(uint32_t N) { Nodes[N].Jump = N; }
  /// Adds \p N, which flows only into \p Users. O(log n) per user.
  void addNode(uint32_t N, ArrayRef<FlowGraph::Edge> Users);

  /// The immediate post-dominator of \p N; None if there is none.
  uint32_t getParent(uint32_t N) const { return Nodes[N].Parent; }
  /// The least regular step on the paths from \p N to its parent.
  FusionKind getKind(uint32_t N) const { return Nodes[N].Kind; }
  /// Returns true if all paths from \p N lead through \p Dominator, another
  /// node. O(log n).
  bool strictlyPostDominates(uint32_t Dominator, uint32_t N) const;

protected:
  struct Node {
    uint32_t Parent = None;
    /// An ancestor further up; in a root the node itself. Jumps have lengths
    /// such that any ancestor is O(log depth) steps away.
    uint32_t Jump;
    uint32_t Depth = 0;
    FusionKind Kind = FusionKind::Opaque;
    /// The maximum of Kind over the nodes from this one to Jump, exclusively.
    FusionKind JumpKind = FusionKind::Opaque;
  };

  void addChild(uint32_t N, uint32_t Parent, FusionKind Kind);
  uint32_t meet(uint32_t A, uint32_t B, FusionKind &Kind) const;

  SmallVector<Node, 0> Nodes;
};

class PostDominators : public PostDominatorTree {
public:
  /// \p Graph outlives this. O(log n) an edge.
  explicit PostDominators(const DataflowGraph &Graph);

  /// A line a node that has a parent: `#3 nn.conv2d -> #5 add (Broadcast)`.
  void print(raw_ostream &OS) const;

private:
  const DataflowGraph &Graph;
};

struct PostDominatorsAnalysis {
  using Result = PostDominators;
  static AnalysisKey Key;
  static StringRef name() { return "PostDominatorsAnalysis"; }
  Result run(Function &F, FunctionAnalysisManager &AM) {
    return PostDominators(AM.getResult<DataflowGraphAnalysis>(F));
  }
};

} // namespace relay

#endif // RELAY_ANALYSIS_POSTDOMINATORS_H
