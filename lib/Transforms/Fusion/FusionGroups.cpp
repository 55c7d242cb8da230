//===- FusionGroups.cpp - Which operations become one function ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Phase 0 joins the surroundings of contractions, phase 1 operations that only
// move elements, phase 2 fields into tuples that have been joined to their
// users. Nodes are visited in order, inputs first. Groups are sets of a
// union-find.
//
//===----------------------------------------------------------------------===//

#include "FusionGroups.h"

using namespace relay;

FusionGroups::FusionGroups(const DataflowGraph &Graph)
    : Graph(Graph), SeenIn(Graph.size(), 0) {
  Groups.reserve(Graph.size());
  for (uint32_t N = 0; N != Graph.size(); ++N) {
    FusionKind Kind = Graph.getKind(N);
    Groups.push_back({N, 1, Kind, Kind == FusionKind::OutEWiseFusable});
    HasTuples |= Kind == FusionKind::Tuple;
  }
}

uint32_t FusionGroups::getRoot(uint32_t N) {
  while (Groups[N].Parent != N)
    N = Groups[N].Parent = Groups[Groups[N].Parent].Parent;
  return N;
}

void FusionGroups::fuse(const PostDominators &Tree, uint64_t MaxDepth) {
  auto Visit = [&](uint32_t N, unsigned Phase) {
    uint32_t Sink = Tree.getParent(N);
    std::optional<Rule> R = getRule(N, Sink, Tree.getKind(N), Phase);
    if (!R || !collectBetween(N, Sink, MaxDepth) || !allows(*R, Sink))
      return false;
    join(Sink);
    return true;
  };
  SmallVector<uint32_t, 0> Left; // by phase 0
  for (uint32_t N = 0; N != Graph.size(); ++N)
    if (Tree.getParent(N) != PostDominators::None && !Visit(N, 0))
      Left.push_back(N);
  for (uint32_t N : Left)
    Visit(N, 1);
  for (uint32_t N = 0; HasTuples && N != Graph.size(); ++N)
    if (Tree.getParent(N) != PostDominators::None)
      Visit(N, 2);
}

/// Returns the rule by which \p N joins \p Sink, where \p Step is the least
/// regular step on the way to it; none if it does not join in this phase.
std::optional<FusionGroups::Rule> FusionGroups::getRule(uint32_t N,
                                                        uint32_t Sink,
                                                        FusionKind Step,
                                                        unsigned Phase) {
  FusionKind Kind = Groups[N].Kind;
  if (Kind == FusionKind::Opaque)
    return std::nullopt;
  if (Phase == 2)
    return getTupleRule(N, Sink);
  if (Groups[Sink].Kind == FusionKind::Tuple || getRoot(N) == getRoot(Sink))
    return std::nullopt;
  if (Kind == FusionKind::OutEWiseFusable) {
    if (Phase != 0 || Step != FusionKind::ElemWise)
      return std::nullopt;
    return Rule{FusionKind::Broadcast, FusionKind::Broadcast};
  }
  if (Kind <= FusionKind::Broadcast) {
    if (Step > FusionKind::CommReduce)
      return std::nullopt;
    return Rule{FusionKind::Injective, FusionKind::OutEWiseFusable};
  }
  if (Phase == 0 || Kind == FusionKind::CommReduce)
    return std::nullopt;
  return Rule{FusionKind::Injective, FusionKind::Injective};
}

/// Fields follow a tuple that has joined the injective operation after it.
std::optional<FusionGroups::Rule> FusionGroups::getTupleRule(uint32_t N,
                                                             uint32_t Sink) {
  if (Groups[N].Kind > FusionKind::Injective ||
      Groups[Sink].Kind != FusionKind::Tuple ||
      Groups[getRoot(Sink)].Kind > FusionKind::Injective)
    return std::nullopt;
  return Rule{FusionKind::Injective, FusionKind::Injective};
}

/// Collects \p N and what lies on the paths from it to \p Sink. False when
/// these and Sink's group are more than \p MaxSize nodes.
bool FusionGroups::collectBetween(uint32_t N, uint32_t Sink, uint64_t MaxSize) {
  uint64_t Size = Groups[getRoot(Sink)].Size;
  Between.clear();
  if (Graph.getUsers(N).size() == 1) { // Sink
    Between.push_back(N);
    return Size + Groups[N].Size <= MaxSize;
  }
  ++NumCollections;
  auto Add = [&](uint32_t Node) {
    if (Node == Sink || SeenIn[Node] == NumCollections)
      return;
    SeenIn[Node] = NumCollections;
    Between.push_back(Node);
    Size += Groups[Node].Size;
  };
  Add(N);
  for (size_t I = 0; I != Between.size() && Size <= MaxSize; ++I) {
    for (const FlowGraph::Edge &E : Graph.getUsers(Between[I])) {
      Add(E.User);
      if (Size > MaxSize)
        break;
    }
  }
  return Size <= MaxSize;
}

bool FusionGroups::allows(Rule R, uint32_t Sink) {
  if (Groups[getRoot(Sink)].Kind > R.MaxSink)
    return false;
  return llvm::all_of(llvm::drop_begin(Between), [&](uint32_t Node) {
    return Groups[getRoot(Node)].Kind <= R.MaxInner;
  });
}

/// Makes the groups of all that was collected part of \p Sink's.
void FusionGroups::join(uint32_t Sink) {
  for (uint32_t Node : Between) {
    Group &From = Groups[getRoot(Node)];
    Group &To = Groups[getRoot(Sink)];
    if (&From == &To)
      continue;
    From.Parent = To.Parent;
    To.Size += From.Size;
    if (!From.Anchored)
      continue;
    To.Anchored = true;
    To.Kind = std::max(To.Kind, From.Kind);
  }
}
