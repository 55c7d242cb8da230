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

namespace relay {

class FlowGraph {
public:
  /// From a node to one that uses its value.
  struct Edge {
    uint32_t User;
    FusionKind Kind;
  };

  /// One more than the largest number of a node.
  uint32_t size() const { return Begins.size() - 1; }
  /// The users of node \p N; the last edge added comes first.
  ArrayRef<Edge> getUsers(uint32_t N) const {
    return ArrayRef(Edges).slice(Begins[N], Begins[N + 1] - Begins[N]);
  }

protected:
  /// An edge with its beginning.
  struct FullEdge {
    uint32_t From;
    Edge To;
  };

  /// Sets the edges of \p NumNodes nodes to \p All.
  void setEdges(uint32_t NumNodes, ArrayRef<FullEdge> All) {
    Begins.assign(NumNodes + 1, 0);
    for (const FullEdge &E : All)
      ++Begins[E.From];
    uint32_t Sum = 0;
    for (uint32_t &Begin : Begins)
      Begin = Sum += Begin;
    Edges.resize_for_overwrite(Sum);
    // Each node's edges are placed last first, which moves Begins to the
    // beginning.
    for (const FullEdge &E : All)
      Edges[--Begins[E.From]] = E.To;
  }

private:
  SmallVector<Edge, 0> Edges;
  SmallVector<uint32_t, 0> Begins = {0};
};

} // namespace relay

#endif // RELAY_ANALYSIS_FLOWGRAPH_H
