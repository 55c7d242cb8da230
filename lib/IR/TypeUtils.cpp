//===- TypeUtils.cpp - Substitution and unification of types --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions over complete types. They recurse: the depth of types is bounded.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/TypeUtils.h"
#include "relay/IR/TypeRelation.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

namespace {
class Substitution {
public:
  Substitution(Context &Ctx, const TypeVarMap &Map) : Ctx(Ctx), Map(Map) {}

  Type *apply(Type *T) {
    if (!T || !T->hasTypeVar())
      return T;
    switch (T->getKind()) {
    case Type::Kind::Var: {
      Type *New = Map.lookup(cast<TypeVarType>(T));
      return New ? New : T;
    }
    case Type::Kind::Tuple:
      return Ctx.getTupleType(apply(cast<TupleType>(T)->getFields()));
    case Type::Kind::Func: {
      auto *F = cast<FuncType>(T);
      return Ctx.getFuncType(F->getTypeParams(), apply(F->getParams()),
                             apply(F->getResult()));
    }
    case Type::Kind::Ref:
      return Ctx.getRefType(apply(cast<RefType>(T)->getValueType()));
    case Type::Kind::Call:
      return Ctx.getTypeCall(cast<TypeCall>(T)->getName(),
                             apply(cast<TypeCall>(T)->getArgs()));
    default:
      return T;
    }
  }

private:
  SmallVector<Type *, 4> apply(ArrayRef<Type *> Types) {
    SmallVector<Type *, 4> New;
    for (Type *T : Types)
      New.push_back(apply(T));
    return New;
  }

  Context &Ctx;
  const TypeVarMap &Map;
};
} // namespace

Type *relay::substituteTypeVars(Context &Ctx, Type *T, const TypeVarMap &Map) {
  return Substitution(Ctx, Map).apply(T);
}

//===----------------------------------------------------------------------===//
// Free variables
//===----------------------------------------------------------------------===//

using TypeVarList = SmallVector<const TypeVarType *, 4>;

static bool isClosedIn(const Type *T, TypeVarList &Bound) {
  if (!T->hasTypeVar())
    return true;
  auto AllClosed = [&](ArrayRef<Type *> Types) {
    return llvm::all_of(Types,
                        [&](Type *Part) { return isClosedIn(Part, Bound); });
  };
  switch (T->getKind()) {
  case Type::Kind::Var:
    return llvm::is_contained(Bound, cast<TypeVarType>(T));
  case Type::Kind::Tuple:
    return AllClosed(cast<TupleType>(T)->getFields());
  case Type::Kind::Ref:
    return isClosedIn(cast<RefType>(T)->getValueType(), Bound);
  case Type::Kind::Call:
    return AllClosed(cast<TypeCall>(T)->getArgs());
  case Type::Kind::Func: {
    auto *F = cast<FuncType>(T);
    size_t Outer = Bound.size();
    llvm::append_range(Bound, F->getTypeParams());
    bool Closed =
        AllClosed(F->getParams()) && isClosedIn(F->getResult(), Bound);
    Bound.truncate(Outer);
    return Closed;
  }
  default:
    return true;
  }
}

bool relay::isClosed(const Type *T) {
  TypeVarList Bound;
  return isClosedIn(T, Bound);
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

namespace {
class Joiner {
public:
  Joiner(Context &Ctx, DimVarMap *Bindings) : Ctx(Ctx), Bindings(Bindings) {}

  Type *join(Type *L, Type *R) {
    if (L == R)
      return L;
    if (!L || !R || L->getKind() != R->getKind())
      return nullptr;
    switch (L->getKind()) {
    case Type::Kind::Tensor:
      return joinTensors(cast<TensorType>(L), cast<TensorType>(R));
    case Type::Kind::Tuple: {
      SmallVector<Type *, 4> Fields;
      if (!joinAll(cast<TupleType>(L)->getFields(),
                   cast<TupleType>(R)->getFields(), Fields))
        return nullptr;
      return Ctx.getTupleType(Fields);
    }
    case Type::Kind::Func:
      return joinFuncs(cast<FuncType>(L), cast<FuncType>(R));
    case Type::Kind::Ref: {
      Type *Value = join(cast<RefType>(L)->getValueType(),
                         cast<RefType>(R)->getValueType());
      return Value ? Ctx.getRefType(Value) : nullptr;
    }
    case Type::Kind::Call:
      return joinCalls(cast<TypeCall>(L), cast<TypeCall>(R));
    case Type::Kind::Var:
    case Type::Kind::Incomplete:
      return nullptr;
    }
    llvm_unreachable("unknown type");
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

  Type *joinFuncs(FuncType *L, FuncType *R) {
    if (L->getTypeParams().size() != R->getTypeParams().size())
      return nullptr;
    TypeVarMap Map;
    for (auto [Old, New] : llvm::zip(L->getTypeParams(), R->getTypeParams()))
      Map[Old] = New;
    Substitution Rename(Ctx, Map);
    SmallVector<Type *, 4> LeftParams, Params;
    for (Type *P : L->getParams())
      LeftParams.push_back(Rename.apply(P));
    Type *Result = join(Rename.apply(L->getResult()), R->getResult());
    if (!Result || !joinAll(LeftParams, R->getParams(), Params))
      return nullptr;
    return Ctx.getFuncType(R->getTypeParams(), Params, Result);
  }

  Type *joinCalls(TypeCall *L, TypeCall *R) {
    SmallVector<Type *, 4> Args;
    if (L->getName() != R->getName() ||
        !joinAll(L->getArgs(), R->getArgs(), Args))
      return nullptr;
    return Ctx.getTypeCall(R->getName(), Args);
  }

  bool joinAll(ArrayRef<Type *> L, ArrayRef<Type *> R,
               SmallVectorImpl<Type *> &Out) {
    if (L.size() != R.size())
      return false;
    for (auto [A, B] : llvm::zip(L, R)) {
      Out.push_back(join(A, B));
      if (!Out.back())
        return false;
    }
    return true;
  }

  Context &Ctx;
  DimVarMap *Bindings;
};
} // namespace

Type *relay::joinTypes(Context &Ctx, Type *L, Type *R, DimVarMap *Bindings) {
  return Joiner(Ctx, Bindings).join(L, R);
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

static LogicalResult matchFuncs(Context &Ctx, FuncType *Pattern, FuncType *T,
                                TypeVarMap &Map) {
  if (Pattern->getTypeParams().size() != T->getTypeParams().size())
    return failure();
  for (auto [Own, Other] :
       llvm::zip(Pattern->getTypeParams(), T->getTypeParams()))
    Map[Own] = Other;
  if (failed(matchAll(Ctx, Pattern->getParams(), T->getParams(), Map)))
    return failure();
  return matchTypeVars(Ctx, Pattern->getResult(), T->getResult(), Map);
}

LogicalResult relay::matchTypeVars(Context &Ctx, Type *Pattern, Type *T,
                                   TypeVarMap &Map) {
  if (Pattern == T)
    return success();
  if (auto *Var = dyn_cast<TypeVarType>(Pattern)) {
    auto It = Map.find(Var);
    if (It == Map.end())
      return failure();
    It->second = It->second ? joinTypes(Ctx, It->second, T) : T;
    return success(It->second);
  }
  if (!Pattern->hasTypeVar())
    return success(joinTypes(Ctx, Pattern, T));
  if (!T || Pattern->getKind() != T->getKind())
    return failure();
  switch (Pattern->getKind()) {
  case Type::Kind::Tuple:
    return matchAll(Ctx, cast<TupleType>(Pattern)->getFields(),
                    cast<TupleType>(T)->getFields(), Map);
  case Type::Kind::Ref:
    return matchTypeVars(Ctx, cast<RefType>(Pattern)->getValueType(),
                         cast<RefType>(T)->getValueType(), Map);
  case Type::Kind::Call:
    if (cast<TypeCall>(Pattern)->getName() != cast<TypeCall>(T)->getName())
      return failure();
    return matchAll(Ctx, cast<TypeCall>(Pattern)->getArgs(),
                    cast<TypeCall>(T)->getArgs(), Map);
  case Type::Kind::Func:
    return matchFuncs(Ctx, cast<FuncType>(Pattern), cast<FuncType>(T), Map);
  default:
    return failure();
  }
}

Type *relay::getCallResultType(Context &Ctx, const FuncType *Callee,
                               ArrayRef<Type *> Arguments,
                               ArrayRef<Type *> TypeArgs) {
  if (Callee->getParams().size() != Arguments.size() ||
      TypeArgs.size() > Callee->getTypeParams().size())
    return nullptr;
  TypeVarMap Map;
  for (auto [I, Var] : llvm::enumerate(Callee->getTypeParams()))
    Map[Var] = I < TypeArgs.size() ? TypeArgs[I] : nullptr;
  if (failed(matchAll(Ctx, Callee->getParams(), Arguments, Map)))
    return nullptr;
  for (TypeVarType *Var : Callee->getTypeParams())
    if (!Map.lookup(Var))
      return nullptr;
  return substituteTypeVars(Ctx, Callee->getResult(), Map);
}
