//===- PostDominators.cpp - Where flows of tensors meet -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graph has no cycles and users have larger numbers, so one pass from last
// to first suffices: the parent of a node is the lowest common ancestor of its
// users. Jump pointers find that in O(log n) steps and carry the maximum of the
// kinds that they pass.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/PostDominators.h"

using namespace relay;

AnalysisKey PostDominatorsAnalysis::Key;

PostDominators::PostDominators(const DataflowGraph &Graph)
    : PostDominatorTree(Graph.size()), Graph(Graph) {
  for (uint32_t N = Graph.size(); N-- != 0;) {
    // An argument is not fused, and often has many users.
    if (Graph.isExternal(N) || !Graph.getOperation(N))
      addRoot(N);
    else
      addNode(N, Graph.getUsers(N));
  }
}

void PostDominatorTree::addNode(uint32_t N, ArrayRef<FlowGraph::Edge> Users) {
  if (Users.empty())
    return addRoot(N);
  uint32_t Parent = Users.front().User;
  FusionKind Kind = Users.front().Kind;
  for (const FlowGraph::Edge &E : Users.drop_front()) {
    Kind = std::max(Kind, E.Kind);
    Parent = meet(Parent, E.User, Kind);
    if (Parent == None)
      return addRoot(N);
  }
  addChild(N, Parent, Kind);
}

/// The jump of a child goes to its parent, or, when the two jumps from there
/// are of equal length, over both.
void PostDominatorTree::addChild(uint32_t N, uint32_t Parent, FusionKind Kind) {
  const Node &Up = Nodes[Parent], &Far = Nodes[Up.Jump];
  Node &New = Nodes[N];
  New.Parent = Parent;
  New.Depth = Up.Depth + 1;
  New.Kind = Kind;
  if (Up.Depth - Far.Depth != Far.Depth - Nodes[Far.Jump].Depth) {
    New.Jump = Parent;
    New.JumpKind = Kind;
    return;
  }
  New.Jump = Far.Jump;
  // Roots have no jump, so nothing is recorded for them.
  New.JumpKind = Kind;
  if (Up.Jump != Parent)
    New.JumpKind = std::max({Kind, Up.JumpKind, Far.JumpKind});
}

/// The lowest common ancestor of \p A and \p B, or None; raises \p Kind to the
/// kinds of the nodes below it.
uint32_t PostDominatorTree::meet(uint32_t A, uint32_t B,
                                 FusionKind &Kind) const {
  if (Nodes[A].Depth < Nodes[B].Depth)
    std::swap(A, B);
  auto Raise = [&](uint32_t &N, bool ToJump) {
    const Node &From = Nodes[N];
    Kind = std::max(Kind, ToJump ? From.JumpKind : From.Kind);
    N = ToJump ? From.Jump : From.Parent;
  };
  uint32_t Depth = Nodes[B].Depth;
  while (Nodes[A].Depth != Depth)
    Raise(A, Nodes[Nodes[A].Jump].Depth >= Depth);
  while (A != B) {
    if (Nodes[A].Parent == None)
      return None;
    bool ToJump = Nodes[A].Jump != Nodes[B].Jump;
    Raise(A, ToJump);
    Raise(B, ToJump);
  }
  return A;
}

bool PostDominatorTree::strictlyPostDominates(uint32_t Dominator,
                                              uint32_t N) const {
  uint32_t Depth = Nodes[Dominator].Depth;
  if (Nodes[N].Depth <= Depth)
    return false;
  while (Nodes[N].Depth != Depth) {
    const Node &From = Nodes[N];
    N = Nodes[From.Jump].Depth >= Depth ? From.Jump : From.Parent;
  }
  return N == Dominator;
}

void PostDominators::print(raw_ostream &OS) const {
  for (uint32_t N = 0; N != Nodes.size(); ++N) {
    Operation *Op = Graph.getOperation(N);
    uint32_t Parent = Nodes[N].Parent;
    if (!Op || Parent == None)
      continue;
    OS << '#' << N << ' ' << Op->getName() << " -> #" << Parent << ' '
       << Graph.getOperation(Parent)->getName() << " ("
       << getFusionKindName(Nodes[N].Kind) << ")\n";
  }
}
