//===- ExprRebuilder.cpp - Expressions with some nodes replaced -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies the nodes of an expression whose children change, and compares
// expressions. Iterative.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "relay/IR/StructuralEqual.h"

using namespace relay;
using namespace relay::python;

Expr::Ref relay::python::copyWithChildren(const Expr &Node,
                                          std::vector<Expr::Ref> Children) {
  Expr::Ref New = withChildren(Node, std::move(Children));
  New->setCheckedType(Node.getCheckedType());
  return New;
}

//===----------------------------------------------------------------------===//
// Rebuilding
//===----------------------------------------------------------------------===//

void ExprRebuilder::replace(const Expr &Node, Expr::Ref By) {
  New[&Node] = By.get();
  Owned.push_back(std::move(By));
}

/// Returns \p Node, or a copy with the new children.
const Expr *ExprRebuilder::rebuild(const Expr &Node) {
  bool HasChanged = llvm::any_of(Node.getChildren(), [&](const Expr::Ref &C) {
    return New.lookup(C.get()) != C.get();
  });
  if (!HasChanged)
    return &Node;
  std::vector<Expr::Ref> Children;
  for (const Expr::Ref &Child : Node.getChildren())
    Children.push_back(const_cast<Expr *>(New.lookup(Child.get())));
  Owned.push_back(copyWithChildren(Node, std::move(Children)));
  return Owned.back().get();
}

Expr::Ref ExprRebuilder::run(const Expr &Root, ReplaceFn Replace) {
  SmallVector<std::pair<const Expr *, unsigned>, 32> Stack;
  auto Enter = [&](const Expr *Node) {
    if (New.try_emplace(Node, nullptr).second)
      Stack.push_back({Node, 0});
  };
  Enter(&Root);
  while (!Stack.empty()) {
    auto &[Node, Next] = Stack.back();
    if (Next != Node->getChildren().size()) {
      Enter(Node->getChild(Next++).get());
      continue;
    }
    const Expr &Done = *Node;
    Stack.pop_back();
    const Expr *Copy = rebuild(Done);
    New[&Done] = Copy;
    if (Expr::Ref By = Replace(Done, *Copy); By && By.get() != Copy)
      replace(Done, std::move(By));
  }
  return const_cast<Expr *>(New.lookup(&Root));
}

//===----------------------------------------------------------------------===//
// Renaming
//===----------------------------------------------------------------------===//

static Expr::Ref keepCopy(const Expr &, const Expr &) { return {}; }

/// Returns a variable like \p Old, or \p Old if a rewrite has put another
/// expression in place of the variable: conversion to IR reports it.
static Expr::Ref copyVariable(const Expr &Old) {
  auto *V = dyn_cast<Var>(&Old);
  if (!V)
    return const_cast<Expr *>(&Old);
  Expr::Ref New = new Var(V->Name, V->Annotation, V->VirtualDevice);
  New->setCheckedType(V->getCheckedType());
  return New;
}

/// Returns a copy of \p Scope, a function or a `let`, with other variables.
static Expr::Ref renameScope(const Expr &Scope) {
  ExprRebuilder Rebuilder;
  if (auto *Fn = dyn_cast<FunctionExpr>(&Scope)) {
    for (const Expr::Ref &Param : Fn->getParams())
      Rebuilder.replace(*Param, copyVariable(*Param));
    return Rebuilder.run(Scope, keepCopy);
  }
  const Expr &Variable = *Scope.getChild(0), &Value = *Scope.getChild(1);
  Expr::Ref New = copyVariable(Variable);
  Rebuilder.replace(Variable, New);
  // Only a function may use its own name.
  Expr::Ref NewValue = const_cast<Expr *>(&Value);
  if (isa<FunctionExpr>(&Value))
    NewValue = Rebuilder.run(Value, keepCopy);
  Expr::Ref NewBody = Rebuilder.run(*Scope.getChild(2), keepCopy);
  return copyWithChildren(Scope, {New, NewValue, NewBody});
}

Expr::Ref relay::python::renameVariables(const Expr &Root) {
  llvm::DenseMap<const Expr *, unsigned> NumLets;
  visitPostOrder(Expr::Ref(const_cast<Expr *>(&Root)),
                 [&](const Expr::Ref &Node) {
                   if (isa<Let>(Node.get()))
                     ++NumLets[Node->getChild(0).get()];
                 });
  ExprRebuilder Rebuilder;
  return Rebuilder.run(Root, [&](const Expr &Node, const Expr &Copy) {
    bool IsScope =
        isa<FunctionExpr>(&Node) ||
        (isa<Let>(&Node) && NumLets.lookup(Node.getChild(0).get()) > 1);
    return IsScope ? renameScope(Copy) : Expr::Ref();
  });
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

static bool isSameTypeOrNull(Type *L, Type *R) {
  return L == R || (L && R && isSameType(L, R));
}

/// Compares patterns of clauses without their variables.
static bool haveSameShape(const MatchPatternExpr &L,
                          const MatchPatternExpr &R) {
  SmallVector<std::pair<const MatchPatternExpr *, const MatchPatternExpr *>, 4>
      Stack = {{&L, &R}};
  while (!Stack.empty()) {
    auto [A, B] = Stack.pop_back_val();
    if (A->K != B->K || A->Children.size() != B->Children.size())
      return false;
    if (A->K == MatchPatternExpr::Kind::Constructor &&
        cast<python::Constructor>(A->Target.get())->Name !=
            cast<python::Constructor>(B->Target.get())->Name)
      return false;
    for (auto [ChildA, ChildB] : llvm::zip(A->Children, B->Children))
      Stack.push_back({ChildA.get(), ChildB.get()});
  }
  return true;
}

/// Compares two nodes without their children.
static bool areAlike(const Expr &L, const Expr &R) {
  if (L.getKind() != R.getKind() ||
      L.getChildren().size() != R.getChildren().size())
    return false;
  switch (L.getKind()) {
  case ExprKind::Var:
    return isSameTypeOrNull(cast<Var>(L).Annotation, cast<Var>(R).Annotation) &&
           cast<Var>(L).VirtualDevice == cast<Var>(R).VirtualDevice;
  case ExprKind::GlobalVar:
    return cast<GlobalVar>(L).Name == cast<GlobalVar>(R).Name;
  case ExprKind::Constant:
    return cast<python::Constant>(L).Value == cast<python::Constant>(R).Value;
  case ExprKind::Op:
    return &L == &R;
  case ExprKind::Constructor:
    return cast<python::Constructor>(L).Name ==
           cast<python::Constructor>(R).Name;
  case ExprKind::Call: {
    auto &A = cast<Call>(L), &B = cast<Call>(R);
    // Type arguments are the result of inference.
    return A.Attributes == B.Attributes;
  }
  case ExprKind::TupleGetItem:
    return cast<python::TupleGetItem>(L).Index ==
           cast<python::TupleGetItem>(R).Index;
  case ExprKind::Match: {
    auto &A = cast<python::Match>(L), &B = cast<python::Match>(R);
    return A.IsComplete == B.IsComplete &&
           A.Patterns.size() == B.Patterns.size() &&
           llvm::all_of(llvm::zip(A.Patterns, B.Patterns), [](const auto &P) {
             return haveSameShape(*std::get<0>(P), *std::get<1>(P));
           });
  }
  case ExprKind::Function: {
    auto &A = cast<FunctionExpr>(L), &B = cast<FunctionExpr>(R);
    return A.Attributes == B.Attributes && A.VirtualDevice == B.VirtualDevice &&
           A.TypeParams.size() == B.TypeParams.size() &&
           isSameTypeOrNull(A.ResultAnnotation, B.ResultAnnotation);
  }
  default:
    return true;
  }
}

/// Returns true if equal nodes of this kind need not be shared alike.
static bool isFreelyShared(const Expr &Node) {
  return Node.getChildren().empty() && !isa<Var>(&Node);
}

bool relay::python::areStructurallyEqual(const Expr &L, const Expr &R) {
  if (&L == &R)
    return true;
  llvm::DenseMap<const Expr *, const Expr *> RightOf, LeftOf;
  SmallVector<std::pair<const Expr *, const Expr *>, 32> Stack = {{&L, &R}};
  while (!Stack.empty()) {
    auto [A, B] = Stack.pop_back_val();
    if (!areAlike(*A, *B))
      return false;
    if (isFreelyShared(*A))
      continue;
    auto [It, IsNew] = RightOf.try_emplace(A, B);
    auto [Back, IsNewBack] = LeftOf.try_emplace(B, A);
    if (It->second != B || Back->second != A)
      return false;
    if (!IsNew && !IsNewBack)
      continue;
    for (auto [ChildA, ChildB] : llvm::zip(A->getChildren(), B->getChildren()))
      Stack.push_back({ChildA.get(), ChildB.get()});
  }
  return true;
}
