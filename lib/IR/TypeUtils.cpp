//===- TypeUtils.cpp - Substitution and unification of types --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions over complete types. The recursion is bounded by the depth of
// types.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TypeUtils.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/TypeRelation.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Traversal
//===----------------------------------------------------------------------===//

SmallVector<Type *, 4> relay::getParts(const Type *T) {
  SmallVector<Type *, 4> Parts;
  forEachPart(T, [&](Type *Part) { Parts.push_back(Part); });
  return Parts;
}

Type *relay::withParts(Context &Ctx, Type *T, ArrayRef<Type *> Parts) {
  switch (T->getKind()) {
  case Type::Kind::Tuple:
    return Ctx.getTupleType(Parts);
  case Type::Kind::Func:
    return Ctx.getFuncType(cast<FuncType>(T)->getTypeParams(),
                           Parts.drop_back(), Parts.back());
  case Type::Kind::Ref:
    return Ctx.getRefType(Parts[0]);
  case Type::Kind::Call:
    return Ctx.getTypeCall(cast<TypeCall>(T)->getName(), Parts);
  case Type::Kind::Tensor:
  case Type::Kind::Var:
  case Type::Kind::Incomplete:
    return T;
  }
  llvm_unreachable("unknown type");
}

Type *relay::rebuild(Context &Ctx, Type *T,
                     function_ref<Type *(Type *)> Replace) {
  SmallVector<Type *, 4> Parts;
  bool Changed = false;
  forEachPart(T, [&](Type *Part) {
    Parts.push_back(Replace(Part));
    Changed |= Parts.back() != Part;
  });
  return Changed ? withParts(Ctx, T, Parts) : T;
}

void relay::walkTypes(Type *Root, function_ref<bool(Type *)> Visit) {
  SmallVector<Type *, 8> Stack = {Root};
  while (!Stack.empty()) {
    Type *T = Stack.pop_back_val();
    if (!T || !Visit(T))
      continue;
    size_t Size = Stack.size();
    forEachPart(T, [&](Type *Part) { Stack.push_back(Part); });
    std::reverse(Stack.begin() + Size, Stack.end());
  }
}

std::optional<uint64_t> relay::getNumBytes(const Type *T) {
  constexpr uint64_t MaxBytes = uint64_t(1) << 48;
  const auto *Tensor = dyn_cast_or_null<TensorType>(T);
  std::optional<int64_t> Elements =
      Tensor ? Tensor->getNumElements() : std::nullopt;
  if (!Elements || uint64_t(*Elements) > MaxBytes)
    return std::nullopt;
  uint64_t Bytes = uint64_t(*Elements) * Tensor->getDType().getByteSize();
  return Bytes <= MaxBytes ? std::optional(Bytes) : std::nullopt;
}

bool relay::isDynamic(Type *T) {
  bool Found = false;
  walkTypes(T, [&](Type *Part) {
    auto *Tensor = dyn_cast<TensorType>(Part);
    Found |= Tensor &&
             llvm::any_of(Tensor->getShape(), [](Dim D) { return D.isAny(); });
    return !Found;
  });
  return Found;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

TypeVarMap relay::makeTypeVarMap(ArrayRef<TypeVarType *> Vars,
                                 ArrayRef<Type *> Types) {
  TypeVarMap Map;
  for (auto [I, Var] : llvm::enumerate(Vars))
    Map[Var] = I < Types.size() ? Types[I] : nullptr;
  return Map;
}

/// Returns \p Map without the variables that \p Func binds.
static TypeVarMap withoutBound(TypeVarMap Map, const FuncType *Func) {
  for (TypeVarType *Var : Func->getTypeParams())
    Map.erase(Var);
  return Map;
}

Type *relay::substituteTypeVars(Context &Ctx, Type *T, const TypeVarMap &Map) {
  if (!T || !T->hasTypeVar())
    return T;
  if (auto *Var = dyn_cast<TypeVarType>(T)) {
    Type *New = Map.lookup(Var);
    return New ? New : T;
  }
  if (auto *Func = dyn_cast<FuncType>(T))
    if (llvm::any_of(Func->getTypeParams(),
                     [&](TypeVarType *Var) { return Map.contains(Var); }))
      return substituteTypeVars(Ctx, T, withoutBound(Map, Func));
  return rebuild(
      Ctx, T, [&](Type *Part) { return substituteTypeVars(Ctx, Part, Map); });
}

//===----------------------------------------------------------------------===//
// Free variables
//===----------------------------------------------------------------------===//

namespace {
class FreeVarFinder {
public:
  void add(const Type *T) {
    if (!T || !T->hasTypeVar())
      return;
    if (auto *Var = dyn_cast<TypeVarType>(T)) {
      if (!Bound.lookup(Var))
        Free.insert(const_cast<TypeVarType *>(Var)); // owned by the Context
      return;
    }
    ArrayRef<TypeVarType *> Params;
    if (auto *Func = dyn_cast<FuncType>(T))
      Params = Func->getTypeParams();
    for (const TypeVarType *Param : Params)
      ++Bound[Param];
    forEachPart(T, [this](const Type *Part) { add(Part); });
    for (const TypeVarType *Param : Params)
      --Bound[Param];
  }

  llvm::SmallSetVector<TypeVarType *, 4> Free;

private:
  /// The number of enclosing functions that bind each variable.
  llvm::SmallDenseMap<const TypeVarType *, unsigned, 4> Bound;
};
} // namespace

SmallVector<TypeVarType *, 4> relay::getFreeTypeVars(const Type *T) {
  FreeVarFinder Finder;
  Finder.add(T);
  return Finder.Free.takeVector();
}

//===----------------------------------------------------------------------===//
// Unification of complete types
//===----------------------------------------------------------------------===//

static Dim resolveDim(Dim D, const DimVarMap *Bindings) {
  if (!Bindings)
    return D;
  while (D.isVar()) {
    Dim Bound = Bindings->lookup(D);
    if (!Bound)
      return D;
    D = Bound;
  }
  return D;
}

Dim relay::joinDims(Dim L, Dim R, DimVarMap *Bindings) {
  L = resolveDim(L, Bindings);
  R = resolveDim(R, Bindings);
  if (L == R)
    return L;
  if (L.isAny() || R.isAny())
    return Dim::getAny();
  if (L.isConst() != R.isConst() && (L.isVar() || R.isVar())) {
    if (Bindings)
      (*Bindings)[L.isVar() ? L : R] = L.isVar() ? R : L;
    return L.isVar() ? R : L;
  }
  return provablyEqual(L, R) ? R : Dim();
}

/// Returns true if \p L and \p R, of the same kind, differ at most in their
/// parts. Variables and unknowns have no parts, and differ.
static bool hasSameHead(const Type *L, const Type *R) {
  if (auto *Call = dyn_cast<TypeCall>(L))
    return Call->getName() == cast<TypeCall>(R)->getName();
  return isa<TupleType, FuncType, RefType>(L);
}

namespace {
class Joiner {
public:
  Joiner(Context &Ctx, DimVarMap *Bindings) : Ctx(Ctx), Bindings(Bindings) {}

  Type *join(Type *L, Type *R) {
    if (L == R)
      return L;
    if (!L || !R || L->getKind() != R->getKind())
      return nullptr;
    if (auto *Tensor = dyn_cast<TensorType>(L))
      return joinTensors(Tensor, cast<TensorType>(R));
    if (!hasSameHead(L, R))
      return nullptr;
    SmallVector<Type *, 4> Parts = getParts(L);
    if (auto *Func = dyn_cast<FuncType>(L))
      if (!renameTypeParams(Func, cast<FuncType>(R), Parts))
        return nullptr;
    return joinParts(Parts, R);
  }

private:
  Type *joinTensors(TensorType *L, TensorType *R) {
    if (L->getDType() != R->getDType() || L->getRank() != R->getRank())
      return nullptr;
    SmallVector<Dim, 6> Shape;
    for (unsigned I = 0, E = L->getRank(); I != E; ++I) {
      Shape.push_back(joinDims(L->getDim(I), R->getDim(I), Bindings));
      if (!Shape.back())
        return nullptr;
    }
    return Ctx.getTensorType(Shape, L->getDType());
  }

  /// Replaces the type parameters of \p L in \p Parts by those of \p R. Returns
  /// false if their numbers differ.
  bool renameTypeParams(FuncType *L, FuncType *R,
                        MutableArrayRef<Type *> Parts) {
    if (L->getTypeParams().size() != R->getTypeParams().size())
      return false;
    TypeVarMap Map;
    for (auto [Old, New] : llvm::zip(L->getTypeParams(), R->getTypeParams()))
      Map[Old] = New;
    for (Type *&Part : Parts)
      Part = substituteTypeVars(Ctx, Part, Map);
    return true;
  }

  Type *joinParts(ArrayRef<Type *> Left, Type *R) {
    SmallVector<Type *, 4> Right = getParts(R);
    size_t N = Right.size();
    if (Left.size() != N)
      return nullptr;
    // The result of a function is unified first, as in TVM; the order affects
    // Bindings.
    size_t First = isa<FuncType>(R) ? N - 1 : 0;
    for (size_t I = 0; I != N; ++I) {
      Type *&Part = Right[(First + I) % N];
      Part = join(Left[(First + I) % N], Part);
      if (!Part)
        return nullptr;
    }
    return withParts(Ctx, R, Right);
  }

  Context &Ctx;
  DimVarMap *Bindings;
};
} // namespace

Type *relay::joinTypes(Context &Ctx, Type *L, Type *R, DimVarMap *Bindings) {
  return Joiner(Ctx, Bindings).join(L, R);
}

bool relay::isLessDynamic(Context &Ctx, Type *New, Type *Old) {
  if (!New || !Old || isSameType(New, Old))
    return true;
  // If extents are equal and their data types differ, the join takes the
  // second.
  Type *Joined = joinTypes(Ctx, New, Old);
  return Joined && isSameType(Joined, Old);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LogicalResult matchAll(Context &Ctx, ArrayRef<Type *> Patterns,
                              ArrayRef<Type *> Types, TypeVarMap &Map) {
  if (Patterns.size() != Types.size())
    return failure();
  for (auto [P, T] : llvm::zip(Patterns, Types))
    if (failed(matchTypeVars(Ctx, P, T, Map)))
      return failure();
  return success();
}

LogicalResult relay::matchTypeVars(Context &Ctx, Type *Pattern, Type *T,
                                   TypeVarMap &Map) {
  if (Pattern == T)
    return success();
  if (auto *Var = dyn_cast<TypeVarType>(Pattern)) {
    auto It = Map.find(Var);
    if (It == Map.end())
      return failure();
    Type *Joined = It->second ? joinTypes(Ctx, It->second, T) : T;
    if (!Joined)
      return failure(); // keeps the known parts
    It->second = Joined;
    return success();
  }
  if (!Pattern->hasTypeVar())
    return success(joinTypes(Ctx, Pattern, T));
  if (!T || Pattern->getKind() != T->getKind())
    return failure();
  if (!hasSameHead(Pattern, T))
    return failure();
  if (auto *Func = dyn_cast<FuncType>(Pattern)) {
    auto Others = cast<FuncType>(T)->getTypeParams();
    if (Func->getTypeParams().size() != Others.size())
      return failure();
    for (auto [Own, Other] : llvm::zip(Func->getTypeParams(), Others))
      Map[Own] = Other;
  }
  return matchAll(Ctx, getParts(Pattern), getParts(T), Map);
}
