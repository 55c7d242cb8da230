//===- ExprGraph.cpp - Flow between the expressions of a function ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk numbers the expressions. All flow except the one around a recursive
// closure then leads from a smaller to a larger number, and the post-dominators
// are computed from the last expression to the first.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/ExprGraph.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

uint32_t &ExprGraph::number(ExprRef E) {
  switch (E.getKind()) {
  case ExprRef::Kind::Operation:
    return Operations[E.getOperation()->getIndex()];
  case ExprRef::Kind::Variable:
    return Variables[E.getVariable()->getIndex()];
  case ExprRef::Kind::Let:
    return Lets[E.getLetOperation()->getIndex()];
  default:
    return Others.try_emplace(E, None).first->second;
  }
}

uint32_t ExprGraph::getNumber(ExprRef E) const {
  uint32_t N = const_cast<ExprGraph *>(this)->number(E);
  assert(N < Exprs.size() && "not in the function");
  return N;
}

std::optional<uint32_t> ExprGraph::getPostDominator(uint32_t N) const {
  if (N + 1 == size())
    return size();
  uint32_t Parent = Tree.getParent(N);
  if (Parent == PostDominatorTree::None)
    return std::nullopt;
  return Parent;
}

void ExprGraph::addNumber(ExprRef E) {
  uint32_t &N = number(E);
  if (N < Exprs.size())
    return;
  N = Exprs.size();
  Exprs.push_back(E);
}

void relay::appendExprParts(ExprRef E, SmallVectorImpl<ExprRef> &Parts) {
  if (Operation *Bound = E.getLetOperation()) {
    Parts.push_back(ExprRef::getDefinition(Bound));
    Parts.push_back(ExprRef::getUse(Bound));
  }
  if (E.isCall())
    Parts.push_back(E.getCallee());
  if (Operation *Op = E.getOperation(OpCode::Match))
    Parts.push_back(ExprRef::getUse(Op->getOperand(0)));
  if (Operation *Op = E.getOperation())
    for (Block &B : Op->getRegions())
      for (BlockArgument *Arg : B.getArguments())
        Parts.push_back(ExprRef::getUse(Arg));
  for (unsigned I = 0, N = E.getNumInputs(); I != N; ++I)
    Parts.push_back(E.getInput(I));
}

void ExprGraph::numberAll(Function &F) {
  struct Task {
    ExprRef E;
    bool IsEntered;
  };
  SmallVector<Task, 0> Stack;
  SmallVector<ExprRef, 8> Parts;
  for (BlockArgument *Param : F.getParams())
    addNumber(ExprRef::getUse(Param));
  Stack.push_back({ExprRef::getBody(F.getBody()), false});
  while (!Stack.empty()) {
    auto [E, IsEntered] = Stack.pop_back_val();
    if (IsEntered) {
      addNumber(E);
      continue;
    }
    // The `let` numbers its variable after its value.
    if (E.isVariable() && E.getValue()->getDefiningOp())
      continue;
    uint32_t &N = number(E);
    if (N != None)
      continue;
    N = Seen;
    Stack.push_back({E, true});
    Parts.clear();
    appendExprParts(E, Parts);
    for (unsigned I = Parts.size(); I-- != 0;)
      Stack.push_back({Parts[I], I == 1 && E.getLetOperation()});
  }
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

/// Calls \p Callback for each edge, with the numbers of the two expressions.
template <typename Fn> void ExprGraph::forEachEdge(Fn &&Callback) const {
  for (auto [N, E] : llvm::enumerate(Exprs)) {
    auto Add = [&](ExprRef From, ExprRef To) {
      uint32_t A = getNumber(From), B = getNumber(To);
      if (A < B)
        Callback(A, B);
    };
    if (Operation *Bound = E.getLetOperation())
      Add(ExprRef::getDefinition(Bound), ExprRef::getUse(Bound));
    if (E.isCall())
      Add(E.getCallee(), E);
    if (Operation *Op = E.getOperation(OpCode::Match))
      for (Block &B : Op->getRegions())
        for (BlockArgument *Arg : B.getArguments())
          Add(ExprRef::getUse(Op->getOperand(0)), ExprRef::getUse(Arg));
    for (unsigned I = 0, NumInputs = E.getNumInputs(); I != NumInputs; ++I)
      Add(E.getInput(I), E);
  }
}

ExprGraph::ExprGraph(Function &F)
    : Operations(F.getNumValues(), None), Variables(F.getNumValues(), None),
      Lets(F.getNumValues(), None) {
  numberAll(F);
  SmallVector<FullEdge, 0> Edges;
  forEachEdge([&](uint32_t From, uint32_t To) {
    Edges.push_back({From, {To, FusionKind::Opaque}});
  });
  setEdges(Exprs.size(), Edges);
  Tree = PostDominatorTree(size());
  for (uint32_t N = size(); N-- != 0;)
    Tree.addNode(N, getUsers(N));
}
