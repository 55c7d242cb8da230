//===- TypeRenaming.cpp - Type variables of copies ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions over types and attributes are recursive: the depth of types is
// bounded, and the parser limits the nesting of attributes.
//
//===----------------------------------------------------------------------===//

#include "TypeRenaming.h"
#include "relay/IR/Walk.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void TypeRenaming::rename(ArrayRef<TypeVarType *> Params) {
  for (TypeVarType *Var : Params)
    if (TypeVarType *&Own = Fresh[Var]; !Own)
      Own = Ctx.createTypeVar(Var->getName(), Var->getVarKind());
}

void TypeRenaming::renameTypeParams(Signature &S) {
  if (LLVM_LIKELY(S.TypeParams.empty()))
    return;
  rename(S.TypeParams);
  TypeParamList New;
  for (TypeVarType *Var : S.TypeParams)
    New.push_back(Fresh.lookup(Var));
  S.TypeParams = std::move(New);
}

void TypeRenaming::substitute(ArrayRef<TypeVarType *> Params,
                              ArrayRef<Type *> Args) {
  for (auto [Param, Arg] : llvm::zip(Params, Args))
    Substituted[Param] = Arg;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type *TypeRenaming::apply(Type *T) {
  if (!T || !T->hasTypeVar())
    return T;
  if (Type *Known = Types.lookup(T))
    return Known;
  Type *New = substituteTypeVars(Ctx, renameIn(T), Substituted);
  return Types[T] = New;
}

/// Returns \p T with variables of signatures renamed, including those that T
/// binds.
Type *TypeRenaming::renameIn(Type *T) {
  if (!T || !T->hasTypeVar() || Fresh.empty())
    return T;
  if (auto *Var = dyn_cast<TypeVarType>(T)) {
    TypeVarType *New = Fresh.lookup(Var);
    return New ? New : T;
  }
  Type *New =
      relay::rebuild(Ctx, T, [this](Type *Part) { return renameIn(Part); });
  auto *Func = dyn_cast<FuncType>(New);
  if (!Func || Func->getTypeParams().empty())
    return New;
  SmallVector<TypeVarType *, 4> Params(Func->getTypeParams());
  for (TypeVarType *&Param : Params)
    if (TypeVarType *Own = Fresh.lookup(Param))
      Param = Own;
  return Ctx.getFuncType(Params, Func->getParams(), Func->getResult());
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attr TypeRenaming::apply(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::Array:
  case Attr::Kind::Dict:
  case Attr::Kind::Object:
  case Attr::Kind::OpAttrs:
  case Attr::Kind::Type:
    break;
  default:
    return A;
  }
  if (Attr Known = Attributes.lookup(A))
    return Known;
  Attr New = rebuild(A);
  return Attributes[A] = New;
}

/// Returns \p A, which may contain types, with all parts replaced.
Attr TypeRenaming::rebuild(Attr A) {
  SmallVector<NamedAttr, 4> Entries;
  auto ApplyToEntries = [&](ArrayRef<NamedAttr> From) {
    for (auto [Key, Value] : From)
      Entries.push_back({Key, apply(Value)});
  };
  switch (A.getKind()) {
  case Attr::Kind::Type:
    return Ctx.getTypeAttr(apply(A.getType()));
  case Attr::Kind::OpAttrs:
    return Ctx.getOpAttrsAttr(apply(A.getOpAttrs()));
  case Attr::Kind::Array: {
    SmallVector<Attr, 4> Elements;
    for (Attr Element : A.getArray())
      Elements.push_back(apply(Element));
    return Ctx.getArray(Elements);
  }
  case Attr::Kind::Dict:
    ApplyToEntries(A.getDict());
    return Ctx.getDict(Entries);
  case Attr::Kind::Object:
    // A dimension is equal only to itself.
    if (A.isDim())
      return A;
    ApplyToEntries(A.getFields());
    return Ctx.getObject(A.getTypeKey(), Entries);
  default:
    llvm_unreachable("an attribute without parts");
  }
}

const Attrs *TypeRenaming::apply(const Attrs *A) {
  if (!A)
    return A;
  SmallVector<Attr, 8> Slots(A->getSlots());
  for (Attr &Slot : Slots)
    Slot = apply(Slot);
  return ArrayRef(Slots) == A->getSlots() ? A
                                          : Ctx.getAttrs(A->getInfo(), Slots);
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

void TypeRenaming::applyTo(Signature &S) {
  S.ResultAnnotation = apply(S.ResultAnnotation);
  S.Attributes = apply(S.Attributes);
}

void TypeRenaming::applyToArguments(Block &B) {
  for (BlockArgument *Arg : B.getArguments()) {
    Arg->setAnnotation(apply(Arg->getAnnotation()));
    Arg->setTypeRaw(apply(Arg->getType()));
  }
}

void TypeRenaming::applyTo(Function &F, Operation &Op) {
  Op.setTypeRaw(apply(Op.getType()));
  Op.setAttrsRaw(apply(Op.getAttrs()));
  if (Op.isBound())
    Op.bind(Op.getVarName(), apply(Op.getVarAnnotation()),
            Op.getVarVirtualDevice());
  if (!Op.getTypeArgs().empty()) {
    SmallVector<Type *, 4> Args(Op.getTypeArgs());
    for (Type *&Arg : Args)
      Arg = apply(Arg);
    Op.setTypeArgs(F, Args, Op.hasInferredTypeArgs());
  }
  if (Op.is(OpCode::Fn))
    applyTo(Op.getSignature());
  for (Block &Region : Op.getRegions())
    applyToArguments(Region);
}

void TypeRenaming::applyToOperations(Block &B) {
  walk(B, [&](Operation *Op) { applyTo(*B.getFunction(), *Op); });
}
