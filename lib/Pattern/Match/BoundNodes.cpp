//===- BoundNodes.cpp - Nodes that every match binds ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See BoundNodes.h.
//
//===----------------------------------------------------------------------===//

#include "BoundNodes.h"

using namespace relay;

/// Returns the nodes that every match of \p Node binds.
llvm::BitVector BoundNodes::combine(const PatternNode &Node) const {
  ArrayRef<const PatternNode *> Children = Node.getChildren();
  if (Node.is(PatternKind::Function))
    Children = {};
  else if (Node.is(PatternKind::If))
    Children = Children.take_front();
  llvm::BitVector Result;
  if (Node.is(PatternKind::Alternative)) {
    Result = Bound.lookup(Children.front());
    for (const PatternNode *Child : Children.drop_front())
      Result &= Bound.lookup(Child);
  } else {
    for (const PatternNode *Child : Children)
      Result |= Bound.lookup(Child);
  }
  Result.resize(Bits.size());
  if (auto It = Bits.find(&Node); It != Bits.end())
    Result.set(It->second);
  return Result;
}

BoundNodes::BoundNodes(const PatternNode &Root) {
  SmallVector<const PatternNode *, 0> Order = listNodes(Root);
  for (const PatternNode *Node : Order)
    if (!Node->getLabel().empty() && Bits.size() != MaxNamed)
      Bits.try_emplace(Node, Bits.size());
  for (const PatternNode *Node : Order)
    Bound[Node] = combine(*Node);
  AtRoot = std::move(Bound[&Root]);
  Bound.clear();
}
