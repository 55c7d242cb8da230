//===- FlowGraph.h - Edges between numbered nodes ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The edges of a graph in which values flow from smaller to larger numbers.
// Graphs built on it define the nodes and the values: operations and tensors
// for fusion (DataflowGraph), or all expressions for patterns (ExprGraph of
// room Pattern).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_FLOWGRAPH_H
#define RELAY_ANALYSIS_FLOWGRAPH_H

#include "relay/IR/OpInfo.h"
#include "relay/Support/AdjacencyLists.h"

namespace relay {

class FlowGraph {
public:
  /// From a node to one that uses its value.
  struct Edge {
    uint32_t User;
    FusionKind Kind;
  };

  /// One more than the largest number of a node.
  uint32_t size() const { return Users.size(); }
  /// The users of node \p N; the last edge added comes first.
  ArrayRef<Edge> getUsers(uint32_t N) const { return Users[N]; }

protected:
  /// An edge with its beginning.
  using FullEdge = AdjacencyLists<Edge>::FullEdge;

  /// Sets the edges of \p NumNodes nodes to \p All.
  void setEdges(uint32_t NumNodes, ArrayRef<FullEdge> All) {
    Users.assign(NumNodes, All);
  }

private:
  AdjacencyLists<Edge> Users;
};

} // namespace relay

#endif // RELAY_ANALYSIS_FLOWGRAPH_H
