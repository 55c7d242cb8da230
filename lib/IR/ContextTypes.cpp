//===- ContextTypes.cpp - Uniqued dimensions and types --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniquing of dimensions and types, and creation of variables, which have an
// identity. DimExpr.cpp implements arithmetic of dimensions.
//
//===----------------------------------------------------------------------===//

#include "ContextImpl.h"
#include "ValueFolding.h"

using namespace relay;
using namespace relay::uniquing;

//===----------------------------------------------------------------------===//
// Dimensions that need storage
//===----------------------------------------------------------------------===//

/// Returns the properties that variables must share to be reused.
static std::pair<uintptr_t, uint64_t> getDimVarKey(Attr Name, DType T,
                                                   bool SizeVar) {
  return {Name.getOpaque(), T.getRaw() << 1 | uint64_t(SizeVar)};
}

Dim Context::createDimVar(StringRef Name, DType T, bool SizeVar) {
  Attr NameAttr = getString(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  auto Unused = Impl->UnusedDimVars.find(getDimVarKey(NameAttr, T, SizeVar));
  if (Unused != Impl->UnusedDimVars.end() && !Unused->second.empty())
    return Dim(Attr(Unused->second.pop_back_val()));
  return Dim(
      Attr(new (Impl->Identities.Allocate<DimVarStorage>())
               DimVarStorage{{Attr::Kind::DimVar}, SizeVar, T, NameAttr}));
}

void Context::reuseDimVar(Dim Var) {
  const auto *S = static_cast<const DimVarStorage *>(Var.storage());
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  Impl->UnusedDimVars[getDimVarKey(S->Name, S->Ty, S->SizeVar)].push_back(S);
}

Dim Context::getDimExpr(DimOp Op, ArrayRef<Dim> Operands, DType T) {
  if (Dim Folded = foldDimExpr(Op, Operands, T, *this))
    return Folded;
  return Dim(Attr(Impl->DimExprs.get(
      {Op, T, Operands}, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        auto *S = new (A.Allocate<DimExprStorage>())
            DimExprStorage{{Attr::Kind::DimExpr}, Op, T, {}, 0};
        for (Dim D : Operands)
          S->Operands[S->NumOperands++] = D;
        return S;
      })));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TensorType *Context::getTensorType(ArrayRef<Dim> Shape, DType T) {
  return Impl->TensorTypes.get(
      {Shape, T.getRaw()}, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<TensorType>())
                              TensorType(copyInto(A, Shape), T));
      });
}

TensorType *Context::getTensorType(ArrayRef<int64_t> Shape, DType T) {
  SmallVector<Dim, 8> Dims;
  for (int64_t D : Shape)
    Dims.push_back(getDim(D));
  return getTensorType(Dims, T);
}

TupleType *Context::getTupleType(ArrayRef<Type *> Fields) {
  return Impl->TupleTypes.get(
      Fields, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<TupleType>())
                              TupleType(copyInto(A, Fields)));
      });
}

FuncType *Context::getFuncType(ArrayRef<TypeVarType *> TypeParams,
                               ArrayRef<Type *> Params, Type *Result) {
  return Impl->FuncTypes.get(
      {TypeParams, Params, Result}, Impl->Multithreaded,
      [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<FuncType>()) FuncType(
            copyInto(A, TypeParams), copyInto(A, Params), Result));
      });
}

RefType *Context::getRefType(Type *Value) {
  return Impl->RefTypes.get(
      Value, Impl->Multithreaded, [&](llvm::BumpPtrAllocator &A) {
        return Impl->note(new (A.Allocate<RefType>()) RefType(Value));
      });
}

TypeCall *Context::getTypeCall(StringRef Name, ArrayRef<Type *> Args) {
  StringRef Interned = intern(Name);
  return Impl->TypeCalls.get({Interned.data(), Args}, Impl->Multithreaded,
                             [&](llvm::BumpPtrAllocator &A) {
                               return Impl->note(
                                   new (A.Allocate<TypeCall>())
                                       TypeCall(Interned, copyInto(A, Args)));
                             });
}

TypeVarType *Context::createTypeVar(StringRef Name, TypeVarKind Kind) {
  StringRef Interned = intern(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  auto It = Impl->UnusedTypeVars.find({Interned.data(), unsigned(Kind)});
  // A variable that a list has reused in the meantime is no longer unused.
  while (It != Impl->UnusedTypeVars.end() && !It->second.empty()) {
    TypeVarType *Var = It->second.pop_back_val();
    Var->IsUnused = false;
    if (!Var->NumHolders)
      return Var;
  }
  return new (Impl->Identities.Allocate<TypeVarType>())
      TypeVarType(*this, Interned, Kind);
}

void Context::reuseTypeVar(TypeVarType *Var) {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  if (std::exchange(Var->IsUnused, true))
    return;
  std::pair<const char *, unsigned> Key(Var->getName().data(),
                                        unsigned(Var->getVarKind()));
  Impl->UnusedTypeVars[Key].push_back(Var);
}

FuncType *Context::getOperatorType(const OpInfo &Info) {
  if (!Info.isOperator() || !Info.isRegistered())
    return nullptr;
  {
    OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
    if (FuncType *T = Impl->OperatorTypes.lookup(&Info))
      return T;
  }
  SmallVector<TypeVarType *, 4> Vars;
  for (int I = 0; I < Info.NumOperands; ++I)
    Vars.push_back(createTypeVar("in" + std::to_string(I)));
  SmallVector<Type *, 4> Params(Vars.begin(), Vars.end());
  Vars.push_back(createTypeVar("out"));
  FuncType *New = getFuncType(Vars, Params, Vars.back());
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  return Impl->OperatorTypes.try_emplace(&Info, New).first->second;
}

IncompleteType *Context::getIncompleteType(uint32_t Id) {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  while (Impl->Incomplete.size() <= Id)
    Impl->Incomplete.push_back(new (Impl->Identities.Allocate<IncompleteType>())
                                   IncompleteType(Impl->Incomplete.size()));
  return Impl->Incomplete[Id];
}

unsigned Context::getCustomTypeId(StringRef Name) {
  StringRef Interned = intern(Name);
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  auto [It, New] =
      Impl->CustomTypeIds.try_emplace(Interned, Impl->CustomTypeNames.size());
  if (New)
    Impl->CustomTypeNames.push_back(Interned);
  return It->second;
}

StringRef Context::getCustomTypeName(unsigned Id) const {
  OptionalLock Lock(Impl->Mutex, Impl->Multithreaded);
  return Id < Impl->CustomTypeNames.size() ? Impl->CustomTypeNames[Id]
                                           : StringRef();
}

uint32_t Context::getLargestTypeSize() const { return Impl->LargestTypeSize; }
