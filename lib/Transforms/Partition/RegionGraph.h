//===- RegionGraph.h - Dependences between regions --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which the regions of a function and the operations of the host
// have to be evaluated. A node is a region or an operation outside of regions;
// it depends on the nodes of its operands, on the previous `let` of its scope
// and, if it uses a variable of a scope, on the operation around the scope.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTITION_REGIONGRAPH_H
#define RELAY_LIB_TRANSFORMS_PARTITION_REGIONGRAPH_H

#include "AnnotatedRegions.h"
#include "relay/Support/AdjacencyLists.h"

namespace relay {

class RegionGraph {
public:
  /// How regions for the host become nodes: one per region, or one per
  /// operation.
  enum class HostNodes { Regions, Operations };

  /// Builds the graph of the normalized \p F; null if F has no annotations.
  /// Reports inconsistent annotations, and a region that depends on itself. A
  /// region for the host, which is not evaluated at once, may depend on itself:
  /// if one does, the nodes are as with HostNodes::Operations.
  static FailureOr<std::unique_ptr<RegionGraph>> create(Function &F,
                                                        HostNodes Host);
  /// The nodes of regions have the numbers of \p Regions; see create().
  RegionGraph(Function &F, AnnotatedRegions Regions, HostNodes Host);

  const AnnotatedRegions &getRegions() const { return Regions; }
  unsigned size() const { return Dependences.size(); }
  bool isRegion(unsigned Node) const { return Node < NumRegions; }
  /// Returns the node of the operation or argument \p V.
  unsigned getNode(const Value *V) const;
  /// The nodes that \p Node depends on.
  ArrayRef<unsigned> getDependences(unsigned Node) const {
    return Dependences[Node];
  }
  /// Returns the innermost block with a variable that \p Node depends on.
  const Block *getScope(unsigned Node) const { return Scopes[Node]; }
  /// The nodes in an order in which each comes after its dependences. Regions
  /// are in TVM's order, depth first from the result.
  ArrayRef<unsigned> getOrder() const { return Order; }

private:
  /// Gives \p Op a node of its own.
  void addNode(const Operation &Op) {
    NodeOf[Op.getIndex()] = NumNodes;
    OwnNodes.push_back({&Op, NumNodes++});
  }
  void addDependences(Block &B);
  void addOperandDependences(Operation &Op, unsigned Node);
  void addDependence(unsigned From, unsigned To) {
    if (From != To && To != NoRegion)
      FromTo.push_back({From, To});
  }
  /// Returns true if a region depends on itself.
  bool isCircular() const { return Circular != NoRegion; }
  LogicalResult reportCircle() const;
  void sort();
  void findScopes();

  Function &F;
  AnnotatedRegions Regions;
  unsigned NumRegions, NumNodes;
  /// By the index of an operation with a node of its own, outside of regions.
  SmallVector<unsigned, 0> NodeOf;
  std::vector<std::pair<const Operation *, unsigned>> OwnNodes;
  /// The node that the variables of a block depend on.
  llvm::DenseMap<const Block *, unsigned> EntryOf;
  std::vector<AdjacencyLists<unsigned>::FullEdge> FromTo;
  AdjacencyLists<unsigned> Dependences;
  SmallVector<unsigned, 0> Order;
  /// By node: the block of a variable or of an entry; null for other nodes
  /// until findScopes() has run.
  SmallVector<const Block *, 0> Scopes;
  llvm::DenseMap<const Block *, unsigned> DepthOf;
  /// A region that depends on itself.
  unsigned Circular = NoRegion;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTITION_REGIONGRAPH_H
