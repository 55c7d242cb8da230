//===- FreeTypeVars.cpp - Type variables declared outside -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FreeTypeVars.h.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/FreeTypeVars.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"

using namespace relay;

SmallVector<TypeVarType *, 2> FreeTypeVars::get() const {
  SmallVector<TypeVarType *, 2> Free;
  llvm::copy_if(Mentioned, std::back_inserter(Free),
                [&](TypeVarType *Var) { return !Declared.contains(Var); });
  return Free;
}

void FreeTypeVars::add(Type *T) {
  for (TypeVarType *Var : getFreeTypeVars(T))
    Mentioned.insert(Var);
}

void FreeTypeVars::add(const Operation *Op) {
  add(Op->getType());
  add(Op->getVarAnnotation());
  for (Type *T : Op->getTypeArgs())
    add(T);
  if (!Op->is(OpCode::Fn))
    return;
  const Signature &S = Op->getSignature();
  add(S.ResultAnnotation);
  Declared.insert(S.TypeParams.begin(), S.TypeParams.end());
}

void FreeTypeVars::addAll(Operation *Op) {
  walk(*Op, [&](Operation *Each) {
    for (const Value *Operand : Each->operands())
      add(Operand->getType());
    for (Block &Region : Each->getRegions())
      for (BlockArgument *Arg : Region.getArguments())
        add(Arg->getType());
    add(Each);
  });
}
