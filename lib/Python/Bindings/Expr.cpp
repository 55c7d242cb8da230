//===- Expr.cpp - Relay expressions as values -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The end of expressions, and the walk over them.
//
//===----------------------------------------------------------------------===//

#include "Expr.h"
#include "llvm/ADT/DenseSet.h"

using namespace relay;
using namespace relay::python;

/// Releases \p Refs. A node that is deleted meanwhile leaves its children to
/// the outermost call, so that the stack does not grow with the graph.
static void releaseAll(std::vector<ExprRef> &Refs) {
  static thread_local std::vector<ExprRef> Pending;
  static thread_local bool IsReleasing = false;
  for (ExprRef &R : Refs)
    Pending.push_back(std::move(R));
  if (IsReleasing)
    return;
  IsReleasing = true;
  while (!Pending.empty()) {
    ExprRef Last = std::move(Pending.back());
    Pending.pop_back();
    Last.reset();
  }
  IsReleasing = false;
}

Expr::~Expr() {
  if (!Children.empty())
    releaseAll(Children);
}

void relay::python::visitPostOrder(
    const ExprRef &Root, llvm::function_ref<void(const ExprRef &)> Visit) {
  llvm::DenseSet<const Expr *> Seen;
  // The children of nodes on the stack keep them alive.
  SmallVector<std::pair<const ExprRef *, unsigned>, 32> Stack;
  Seen.insert(Root.get());
  Stack.push_back({&Root, 0});
  while (!Stack.empty()) {
    auto &[Node, Next] = Stack.back();
    ArrayRef<ExprRef> Children = (*Node)->getChildren();
    if (Next == Children.size()) {
      const ExprRef &Done = *Node;
      Stack.pop_back();
      Visit(Done);
      continue;
    }
    const ExprRef &Child = Children[Next++];
    if (Seen.insert(Child.get()).second)
      Stack.push_back({&Child, 0});
  }
}
