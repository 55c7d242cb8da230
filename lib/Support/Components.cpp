//===- Components.cpp - Strongly connected components ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Components.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Components.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

using namespace relay;

namespace {
/// A graph with an entry node, from which an edge goes to each node.
struct RootedGraph {
  RootedGraph(unsigned NumNodes,
              function_ref<ArrayRef<unsigned>(unsigned)> GetSuccessors)
      : GetSuccessors(GetSuccessors),
        Roots(llvm::to_vector<0>(llvm::seq(0u, NumNodes))) {}
  unsigned getRoot() const { return Roots.size(); }
  ArrayRef<unsigned> getSuccessors(unsigned N) const {
    return N == getRoot() ? ArrayRef(Roots) : GetSuccessors(N);
  }

  function_ref<ArrayRef<unsigned>(unsigned)> GetSuccessors;
  SmallVector<unsigned, 0> Roots;
};
} // namespace

template <> struct llvm::GraphTraits<const RootedGraph *> {
  using NodeRef = std::pair<const RootedGraph *, unsigned>;
  struct ToNode {
    const RootedGraph *G;
    NodeRef operator()(unsigned N) const { return {G, N}; }
  };
  using ChildIteratorType = llvm::mapped_iterator<const unsigned *, ToNode>;

  static NodeRef getEntryNode(const RootedGraph *G) {
    return {G, G->getRoot()};
  }
  static ChildIteratorType child_begin(NodeRef N) {
    return {N.first->getSuccessors(N.second).begin(), ToNode{N.first}};
  }
  static ChildIteratorType child_end(NodeRef N) {
    return {N.first->getSuccessors(N.second).end(), ToNode{N.first}};
  }
};

void relay::forEachComponent(
    unsigned NumNodes, function_ref<ArrayRef<unsigned>(unsigned)> GetSuccessors,
    function_ref<void(ArrayRef<unsigned> Nodes, bool HasCycle)> Visit) {
  const RootedGraph G(NumNodes, GetSuccessors);
  SmallVector<unsigned, 8> Nodes;
  for (auto I = llvm::scc_begin(&G); !I.isAtEnd(); ++I) {
    if (I->front().second == G.getRoot())
      continue;
    Nodes.clear();
    for (auto [Graph, N] : *I)
      Nodes.push_back(N);
    Visit(Nodes, I.hasCycle());
  }
}
