//===- Captures.cpp - What a closure uses of its surroundings -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Captures.h.
//
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "relay/IR/TypeUtils.h"

using namespace relay;

Captures::Captures(Operation *Fn) : Fn(Fn) {
  walk(Fn->getRegion());
  addTypes(Fn);
}

SmallVector<TypeVarType *, 2> Captures::getTypeVars() const {
  SmallVector<TypeVarType *, 2> Free;
  llvm::copy_if(TypeVars, std::back_inserter(Free),
                [&](TypeVarType *Var) { return !OwnTypeVars.contains(Var); });
  return Free;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

bool Captures::enterUse(Value *V, Operation *, Block *) {
  Operation *Op = V->getDefiningOp();
  if (Op == Fn) {
    Recursive = true;
    return false;
  }
  if (Op && Op->isFloating())
    return Seen.insert(Op).second;
  if (!isInside(V) && Variables.insert(V))
    addType(V->getType());
  return false;
}

void Captures::enterBlock(Block &B) {
  Inside.insert(&B);
  for (BlockArgument *Arg : B.getArguments())
    addType(Arg->getType());
}

void Captures::leave(Operation *Op) {
  addTypes(Op);
  if (!isInside(Op))
    Nodes.push_back(Op);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void Captures::addTypes(const Operation *Op) {
  addType(Op->getType());
  addType(Op->getVarAnnotation());
  addTypes(Op->getTypeArgs());
  if (!Op->is(OpCode::Fn))
    return;
  const Signature &S = Op->getSignature();
  addType(S.ResultAnnotation);
  OwnTypeVars.insert(S.TypeParams.begin(), S.TypeParams.end());
}

void Captures::addTypes(ArrayRef<Type *> Types) {
  for (Type *T : Types)
    addType(T);
}

void Captures::addType(Type *Root) {
  walkTypes(Root, [&](Type *T) {
    if (auto *Var = dyn_cast<TypeVarType>(T))
      TypeVars.insert(Var);
    else if (auto *Func = dyn_cast<FuncType>(T))
      OwnTypeVars.insert(Func->getTypeParams().begin(),
                         Func->getTypeParams().end());
    return T->hasTypeVar();
  });
}
