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

/// Releases \p Refs. The children of nodes that are deleted by this are
/// released by the outermost call, so that the stack depth is constant.
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

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

/// Creates \p Node with \p Children, without location and type.
static Expr *rebuild(const Expr &Node, std::vector<ExprRef> Children) {
  switch (Node.getKind()) {
  case ExprKind::Call: {
    auto &Old = static_cast<const Call &>(Node);
    return new Call(std::move(Children), Old.Attributes, Old.TypeArgs,
                    Old.InferredTypeArgs);
  }
  case ExprKind::Tuple:
    return new Tuple(std::move(Children));
  case ExprKind::TupleGetItem:
    return new TupleGetItem(Children[0],
                            static_cast<const TupleGetItem &>(Node).Index);
  case ExprKind::Let:
    return new Let(Children[0], Children[1], Children[2]);
  case ExprKind::If:
    return new If(Children[0], Children[1], Children[2]);
  case ExprKind::Match: {
    auto &Old = static_cast<const Match &>(Node);
    return new Match(std::move(Children), Old.Patterns, Old.IsComplete);
  }
  case ExprKind::Function: {
    auto &Old = static_cast<const FunctionExpr &>(Node);
    return new FunctionExpr(std::move(Children), Old.ResultAnnotation,
                            Old.TypeParams, Old.Attributes, Old.VirtualDevice);
  }
  case ExprKind::RefCreate:
    return new RefCreate(std::move(Children));
  case ExprKind::RefRead:
    return new RefRead(std::move(Children));
  case ExprKind::RefWrite:
    return new RefWrite(std::move(Children));
  default:
    llvm_unreachable("the node has no children");
  }
}

ExprRef relay::python::withChildren(const Expr &Node,
                                    std::vector<ExprRef> Children) {
  if (Children.empty() && Node.getChildren().empty())
    return const_cast<Expr *>(&Node);
  ExprRef New = rebuild(Node, std::move(Children));
  New->setLoc(Node.getLoc());
  return New;
}

ExprRef
relay::python::substitute(const ExprRef &Root,
                          const llvm::DenseMap<const Expr *, ExprRef> &Values) {
  llvm::DenseMap<const Expr *, ExprRef> New(Values);
  visitPostOrder(Root, [&](const ExprRef &Node) {
    if (New.count(Node.get()))
      return;
    std::vector<ExprRef> Children;
    bool IsChanged = false;
    bool IsFunction = Node->getKind() == ExprKind::Function;
    for (const ExprRef &Child : Node->getChildren()) {
      ExprRef Other = New.lookup(Child.get());
      IsChanged |= Other.get() != Child.get();
      bool IsBody = &Child == &Node->getChildren().back();
      if (IsFunction && !IsBody && Other.get() != Child.get())
        continue; // a parameter that has a value now
      Children.push_back(std::move(Other));
    }
    New[Node.get()] =
        IsChanged ? withChildren(*Node, std::move(Children)) : Node;
  });
  return New.lookup(Root.get());
}
