//===- PartEqual.cpp - Equality of types and attributes -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PartEqual.h. Uniqued objects without variables are equal if and only if
// they are identical. An object with variables may match another one on the
// other side, so that pairs are compared once and remembered.
//===----------------------------------------------------------------------===//

#include "PartEqual.h"
#include "RawEqual.h"
#include "relay/IR/Constant.h"
#include <cmath>

using namespace relay;

template <typename Fn>
bool PartComparer::memoize(const void *L, const void *R, Fn &&Compare) {
  if (Known.contains({L, R}))
    return true;
  if (!Compare())
    return false;
  Known.insert({L, R});
  return true;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool PartComparer::same(const Type *L, const Type *R) {
  if (!L || !R || L->getKind() != R->getKind())
    return L == R;
  return memoize(L, R, [&] { return sameStructure(L, R); });
}

bool PartComparer::sameStructure(const Type *L, const Type *R) {
  switch (L->getKind()) {
  case Type::Kind::Tensor: {
    const auto *TL = cast<TensorType>(L), *TR = cast<TensorType>(R);
    return TL->getDType() == TR->getDType() &&
           sameList(toAttrs(TL->getShape()), toAttrs(TR->getShape()));
  }
  case Type::Kind::Tuple:
    return sameTypes(cast<TupleType>(L)->getFields(),
                     cast<TupleType>(R)->getFields());
  case Type::Kind::Func:
    return sameFunc(cast<FuncType>(L), cast<FuncType>(R));
  case Type::Kind::Ref:
    return same(cast<RefType>(L)->getValueType(),
                cast<RefType>(R)->getValueType());
  case Type::Kind::Var:
    return sameVar(cast<TypeVarType>(L), cast<TypeVarType>(R));
  case Type::Kind::Call:
    return cast<TypeCall>(L)->getName() == cast<TypeCall>(R)->getName() &&
           sameTypes(cast<TypeCall>(L)->getArgs(),
                     cast<TypeCall>(R)->getArgs());
  case Type::Kind::Incomplete:
    return true; // an unknown has no other property
  }
  llvm_unreachable("unknown kind of type");
}

bool PartComparer::sameTypes(ArrayRef<Type *> L, ArrayRef<Type *> R) {
  if (L.size() != R.size())
    return false;
  for (auto [TL, TR] : llvm::zip(L, R))
    if (!same(TL, TR))
      return false;
  return true;
}

/// The parameters of a function type are in scope only inside it.
bool PartComparer::sameFunc(const FuncType *L, const FuncType *R) {
  ArrayRef<TypeVarType *> PL = L->getTypeParams(), PR = R->getTypeParams();
  if (PL.size() != PR.size())
    return false;
  auto SameParts = [&] {
    return sameTypes(L->getParams(), R->getParams()) &&
           same(L->getResult(), R->getResult());
  };
  if (PL.empty())
    return SameParts();
  auto Outer = std::move(Known);
  Known.clear();
  SmallVector<decltype(TypeVars.override(PL[0], PR[0])), 4> Old;
  for (auto [VL, VR] : llvm::zip(PL, PR))
    Old.push_back(TypeVars.override(VL, VR));
  bool Result = SameParts();
  for (size_t I = PL.size(); I-- != 0;)
    TypeVars.restore(PL[I], PR[I], Old[I]);
  Known = std::move(Outer);
  return Result;
}

bool PartComparer::sameVar(const TypeVarType *L, const TypeVarType *R) {
  if (std::optional<bool> Matched = TypeVars.isMatched(L, R))
    return *Matched;
  if (!MatchFree)
    return L == R;
  return L->getVarKind() == R->getVarKind() && TypeVars.match(L, R);
}

bool PartComparer::matchTypeParams(ArrayRef<TypeVarType *> L,
                                   ArrayRef<TypeVarType *> R) {
  if (L.size() != R.size())
    return false;
  for (auto [VL, VR] : llvm::zip(L, R))
    if (!sameVar(VL, VR))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Attribute values
//===----------------------------------------------------------------------===//

bool PartComparer::same(Attr L, Attr R) {
  if (L.getKind() != R.getKind())
    return false;
  switch (L.getKind()) {
  case Attr::Kind::None:
  case Attr::Kind::Bool:
  case Attr::Kind::DType:
  case Attr::Kind::Int:
  case Attr::Kind::Any:
  case Attr::Kind::String:
    return L == R;
  case Attr::Kind::Float:
    return sameFloat(L, R);
  default:
    return memoize(reinterpret_cast<void *>(L.getOpaque()),
                   reinterpret_cast<void *>(R.getOpaque()),
                   [&] { return sameStructure(L, R); });
  }
}

bool PartComparer::sameStructure(Attr L, Attr R) {
  switch (L.getKind()) {
  case Attr::Kind::DimVar:
    return sameDimVar(Dim(L), Dim(R));
  case Attr::Kind::DimExpr: {
    Dim DL(L), DR(R);
    return DL.getOp() == DR.getOp() &&
           DL.getNumberType() == DR.getNumberType() &&
           sameList(toAttrs(DL.getOperands()), toAttrs(DR.getOperands()));
  }
  case Attr::Kind::Array:
    return sameList(L.getArray(), R.getArray());
  case Attr::Kind::Dict:
    return sameEntries(L.getDict(), R.getDict());
  case Attr::Kind::Object:
    return L.getTypeKey() == R.getTypeKey() &&
           sameEntries(L.getFields(), R.getFields());
  case Attr::Kind::Constant:
    return sameConstant(L.getConstant(), R.getConstant());
  case Attr::Kind::OpAttrs:
    return same(L.getOpAttrs(), R.getOpAttrs());
  case Attr::Kind::Type:
    return same(L.getType(), R.getType());
  case Attr::Kind::Raw:
    return sameRaw(L, R);
  default:
    return L == R;
  }
}

/// A field of an unknown node may be a number or the index of a node, possibly
/// of a list that contains the node itself: nodes under comparison count as
/// equal.
bool PartComparer::sameRaw(Attr L, Attr R) {
  std::pair Nodes(reinterpret_cast<const void *>(L.getOpaque()),
                  reinterpret_cast<const void *>(R.getOpaque()));
  if (!Open.insert(Nodes).second)
    return true;
  bool IsSame = isSameRaw(L, R, [&](Attr A, Attr B) { return same(A, B); });
  Open.erase(Nodes);
  return IsSame;
}

bool PartComparer::sameList(ArrayRef<Attr> L, ArrayRef<Attr> R) {
  if (L.size() != R.size())
    return false;
  for (auto [EL, ER] : llvm::zip(L, R))
    if (!same(EL, ER))
      return false;
  return true;
}

/// The order of entries is ignored.
bool PartComparer::sameEntries(ArrayRef<NamedAttr> L, ArrayRef<NamedAttr> R) {
  if (L.size() != R.size())
    return false;
  SmallVector<NamedAttr, 8> SL(L), SR(R);
  auto ByKey = [](const NamedAttr &A, const NamedAttr &B) {
    return A.first.getOpaque() < B.first.getOpaque();
  };
  llvm::sort(SL, ByKey);
  llvm::sort(SR, ByKey);
  for (auto [EL, ER] : llvm::zip(SL, SR))
    if (EL.first != ER.first || !same(EL.second, ER.second))
      return false;
  return true;
}

bool PartComparer::sameDimVar(Dim L, Dim R) {
  if (!MatchFree)
    return L == R;
  return L.isSizeVar() == R.isSizeVar() &&
         L.getNumberType() == R.getNumberType() && DimVars.match(L, R);
}

bool PartComparer::sameFloat(Attr L, Attr R) const {
  if (L == R)
    return true;
  return L.getNumberType() == R.getNumberType() &&
         std::fabs(L.getFloat() - R.getFloat()) < O.AttributeTolerance;
}

/// Equal contents are one object, also if they contain nan; so are equal opaque
/// constants.
bool PartComparer::sameConstant(const ConstantData *L,
                                const ConstantData *R) const {
  if (L == R)
    return true;
  DType T = L->getDType();
  if (L->isOpaque() || R->isOpaque() || L->getType() != R->getType() ||
      !T.isAnyFloat() || !hasElementType(T) || O.RelativeTolerance <= 0)
    return false;
  for (size_t I = 0, E = L->getNumElements(); I != E; ++I) {
    double VL = L->getDouble(I);
    double VR = R->getDouble(I);
    double Bound = O.RelativeTolerance * std::max(std::fabs(VL), std::fabs(VR));
    bool BothNaN = std::isnan(VL) && std::isnan(VR);
    if (VL != VR && !BothNaN &&
        !(std::isfinite(Bound) && std::fabs(VL - VR) <= Bound))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Lists of attributes
//===----------------------------------------------------------------------===//

bool PartComparer::same(const Attrs *L, const Attrs *R) {
  if (!L || !R || &L->getInfo() != &R->getInfo())
    return L == R;
  return memoize(L, R, [&] { return sameList(L->getSlots(), R->getSlots()); });
}

static ArrayRef<NamedAttr> getEntries(const Attrs *A) {
  return A && A->isDict() ? A->getEntries() : ArrayRef<NamedAttr>();
}

bool PartComparer::sameDict(const Attrs *L, const Attrs *R) {
  return sameEntries(getEntries(L), getEntries(R));
}

StringRef PartComparer::findDifference(const Attrs *L, const Attrs *R) {
  for (auto [Key, Value] : getEntries(L))
    if (!R || !same(Value, R->lookup(Key.getString())))
      return Key.getString();
  for (auto [Key, Value] : getEntries(R))
    if (!L || !L->lookup(Key.getString()))
      return Key.getString();
  if (!L || !R || L->isDict() || &L->getInfo() != &R->getInfo())
    return "";
  for (auto [Field, SL, SR] :
       llvm::zip(L->getInfo().Fields, L->getSlots(), R->getSlots()))
    if (!same(SL, SR))
      return Field.Name;
  return "";
}

bool relay::isSameType(const Type *L, const Type *R) {
  // Since types are uniqued, different objects are equal only if they have type
  // parameters.
  if (L == R)
    return true;
  EqualOptions Options;
  return PartComparer(Options, /*MatchFree=*/false).same(L, R);
}
