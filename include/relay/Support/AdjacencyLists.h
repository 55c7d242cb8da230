//===- AdjacencyLists.h - Edges of a graph by node --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The edges of a graph whose nodes are numbers, sorted by the node that they
// start at, in one array.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_ADJACENCYLISTS_H
#define RELAY_SUPPORT_ADJACENCYLISTS_H

#include "relay/Support/LLVM.h"

namespace relay {

/// `EdgeT` describes an edge without its start, for example by its end.
template <typename EdgeT> class AdjacencyLists {
public:
  /// An edge with its start.
  struct FullEdge {
    uint32_t From;
    EdgeT To;
  };

  /// One more than the largest number of a node.
  uint32_t size() const { return Begins.size() - 1; }
  /// The edges of node \p N; the last edge of the range comes first.
  ArrayRef<EdgeT> operator[](uint32_t N) const {
    return ArrayRef(Edges).slice(Begins[N], Begins[N + 1] - Begins[N]);
  }

  /// Sets the edges of \p NumNodes nodes to \p All, a range of FullEdge.
  template <typename RangeT> void assign(uint32_t NumNodes, const RangeT &All) {
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
  SmallVector<EdgeT, 0> Edges;
  SmallVector<uint32_t, 0> Begins = {0};
};

} // namespace relay

#endif // RELAY_SUPPORT_ADJACENCYLISTS_H
