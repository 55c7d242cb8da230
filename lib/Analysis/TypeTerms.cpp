//===- TypeTerms.cpp - The graph of types of the type solver --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Making terms of types and types of terms. Unification is TypeSolver.cpp. All
// recursion here is over types, whose depth is bounded.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeSolver.h"

using namespace relay;

using Kind = Type::Kind;

//===----------------------------------------------------------------------===//
// Making terms
//===----------------------------------------------------------------------===//

TypeTerm *TypeSolver::allocate(TypeTerm::Kind K) {
  auto *T = new (Arena.Allocate<TypeTerm>()) TypeTerm();
  T->K = K;
  return T;
}

TypeTerm *TypeSolver::createUnknown() {
  return allocate(TypeTerm::Kind::Unknown);
}

TypeTerm *TypeSolver::createUntyped() {
  return allocate(TypeTerm::Kind::Untyped);
}

TypeTerm *TypeSolver::createTuple(ArrayRef<TypeTerm *> Fields) {
  TypeTerm *T = allocate(TypeTerm::Kind::Tuple);
  T->Children = copy(Fields);
  return T;
}

TypeTerm *TypeSolver::createFunc(ArrayRef<TypeVarType *> TypeParams,
                                 ArrayRef<TypeTerm *> Params,
                                 TypeTerm *Result) {
  SmallVector<TypeTerm *, 8> Children(Params);
  Children.push_back(Result);
  TypeTerm *T = allocate(TypeTerm::Kind::Func);
  T->TypeParams = copy(TypeParams);
  T->Children = copy<TypeTerm *>(Children);
  return T;
}

TypeTerm *TypeSolver::createRef(TypeTerm *Value) {
  TypeTerm *T = allocate(TypeTerm::Kind::Ref);
  T->Children = copy<TypeTerm *>({Value});
  return T;
}

TypeTerm *TypeSolver::createCall(StringRef InternedName,
                                 ArrayRef<TypeTerm *> Args) {
  TypeTerm *T = allocate(TypeTerm::Kind::Call);
  T->Name = InternedName;
  T->Children = copy(Args);
  return T;
}

TypeTerm *TypeSolver::create(Type *T) {
  return convert(T, [this](IncompleteType *I) {
    assert(I->getId() < Unknowns.size() && "unknown of another solver");
    return Unknowns[I->getId()];
  });
}

TypeTerm *TypeSolver::createFromText(Type *T) {
  llvm::SmallDenseMap<IncompleteType *, TypeTerm *, 4> New;
  return convert(T, [&](IncompleteType *I) {
    TypeTerm *&Term = New[I];
    if (!Term)
      Term = createUnknown();
    return Term;
  });
}

TypeTerm *
TypeSolver::convert(Type *T,
                    function_ref<TypeTerm *(IncompleteType *)> OnIncomplete) {
  if (auto *I = dyn_cast<IncompleteType>(T))
    return OnIncomplete(I);
  TypeTerm *Term = allocate(TypeTerm::Kind::Known);
  Term->Ty = T;
  if (!T->isIncomplete())
    return Term;
  expand(Term);
  SmallVector<TypeTerm *, 4> Children;
  for (TypeTerm *Child : Term->Children)
    Children.push_back(convert(Child->Ty, OnIncomplete));
  Term->Children = copy<TypeTerm *>(Children);
  return Term;
}

void TypeSolver::expand(TypeTerm *T) {
  assert(T->K == TypeTerm::Kind::Known);
  switch (T->Ty->getKind()) {
  case Kind::Tuple:
    T->K = TypeTerm::Kind::Tuple;
    break;
  case Kind::Func:
    T->K = TypeTerm::Kind::Func;
    T->TypeParams = cast<FuncType>(T->Ty)->getTypeParams();
    break;
  case Kind::Ref:
    T->K = TypeTerm::Kind::Ref;
    break;
  case Kind::Call:
    T->K = TypeTerm::Kind::Call;
    T->Name = cast<TypeCall>(T->Ty)->getName();
    break;
  default:
    return;
  }
  SmallVector<TypeTerm *, 4> Children;
  for (Type *Part : getParts(T->Ty)) {
    Children.push_back(allocate(TypeTerm::Kind::Known));
    Children.back()->Ty = Part;
  }
  T->Children = copy<TypeTerm *>(Children);
  T->ResolvedAt = 0;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

namespace relay {
/// One run of TypeSolver::substitute.
class TermSubstitution {
public:
  TermSubstitution(TypeSolver &S, ArrayRef<TypeVarType *> Params,
                   ArrayRef<TypeTerm *> Args)
      : S(S) {
    for (auto [P, A] : llvm::zip(Params, Args))
      Map[P] = A;
  }

  TypeTerm *apply(TypeTerm *T, unsigned Depth);

private:
  /// Returns this substitution without the variables \p Bound.
  TermSubstitution withoutBound(ArrayRef<TypeVarType *> Bound) const {
    TermSubstitution Inner(S, {}, {});
    Inner.Map = Map;
    for (TypeVarType *Var : Bound)
      Inner.Map.erase(Var);
    return Inner;
  }

  TypeSolver &S;
  llvm::SmallDenseMap<Type *, TypeTerm *, 4> Map;
  llvm::SmallDenseMap<TypeTerm *, TypeTerm *, 8> Done;
};
} // namespace relay

TypeTerm *TermSubstitution::apply(TypeTerm *T, unsigned Depth) {
  T = S.find(T);
  if (T->K == TypeTerm::Kind::Known) {
    if (!T->Ty->hasTypeVar())
      return T;
    if (isa<TypeVarType>(T->Ty)) {
      TypeTerm *New = Map.lookup(T->Ty);
      return New ? New : T;
    }
    S.expand(T);
  }
  if (T->Children.empty() || S.isTooDeep(Depth))
    return T;
  if (TypeTerm *New = Done.lookup(T))
    return New;
  if (llvm::any_of(T->TypeParams,
                   [&](TypeVarType *Var) { return Map.contains(Var); }))
    return Done[T] = withoutBound(T->TypeParams).apply(T, Depth);
  bool HasChanged = false;
  SmallVector<TypeTerm *, 4> Children;
  for (TypeTerm *Child : T->Children) {
    Children.push_back(apply(Child, Depth + 1));
    HasChanged |= Children.back() != S.find(Child);
  }
  TypeTerm *New = T;
  if (HasChanged) {
    New = S.allocate(T->K);
    New->Name = T->Name;
    New->TypeParams = T->TypeParams;
    New->Children = S.copy<TypeTerm *>(Children);
  }
  return Done[T] = New;
}

SmallVector<TypeTerm *, 4>
TypeSolver::substitute(ArrayRef<TypeTerm *> Terms,
                       ArrayRef<TypeVarType *> Params,
                       ArrayRef<TypeTerm *> Args) {
  TermSubstitution Substitution(*this, Params, Args);
  SmallVector<TypeTerm *, 4> Result;
  for (TypeTerm *T : Terms)
    Result.push_back(Substitution.apply(T, 0));
  return Result;
}

//===----------------------------------------------------------------------===//
// Taking apart
//===----------------------------------------------------------------------===//

std::optional<FuncTerm> TypeSolver::getFunc(TypeTerm *T) {
  T = find(T);
  if (T->K == TypeTerm::Kind::Known)
    expand(T);
  if (T->K != TypeTerm::Kind::Func)
    return std::nullopt;
  return FuncTerm{T->TypeParams, T->Children.drop_back(), T->Children.back()};
}

std::optional<ArrayRef<TypeTerm *>> TypeSolver::getTuple(TypeTerm *T) {
  T = find(T);
  if (T->K == TypeTerm::Kind::Known)
    expand(T);
  if (T->K != TypeTerm::Kind::Tuple)
    return std::nullopt;
  return T->Children;
}

TypeTerm *TypeSolver::getRef(TypeTerm *T) {
  T = find(T);
  if (T->K == TypeTerm::Kind::Known)
    expand(T);
  return T->K == TypeTerm::Kind::Ref ? T->Children[0] : nullptr;
}

//===----------------------------------------------------------------------===//
// Types of terms
//===----------------------------------------------------------------------===//

Type *TypeSolver::resolve(TypeTerm *T) {
  Reason = "";
  return resolve(T, 0);
}

Type *TypeSolver::resolve(TypeTerm *T, unsigned Depth) {
  T = find(T);
  switch (T->K) {
  case TypeTerm::Kind::Known:
    return T->Ty;
  case TypeTerm::Kind::Untyped:
    return nullptr;
  case TypeTerm::Kind::Unknown:
    if (!T->Ty) {
      T->Ty = Ctx.getIncompleteType(Unknowns.size());
      Unknowns.push_back(T);
    }
    return T->Ty;
  default:
    break;
  }
  if (T->ResolvedAt == NumMerges)
    return T->Ty;
  if (isTooDeep(Depth))
    return nullptr;
  T->Ty = build(T, Depth);
  T->ResolvedAt = NumMerges;
  return T->Ty;
}

Type *TypeSolver::build(TypeTerm *T, unsigned Depth) {
  SmallVector<Type *, 4> Parts;
  for (TypeTerm *Child : T->Children) {
    Type *Part = resolve(Child, Depth + 1);
    if (!Part)
      return nullptr;
    Parts.push_back(Part);
  }
  Type *Result;
  switch (T->K) {
  case TypeTerm::Kind::Tuple:
    Result = Ctx.getTupleType(Parts);
    break;
  case TypeTerm::Kind::Func:
    Result = Ctx.getFuncType(T->TypeParams, ArrayRef(Parts).drop_back(),
                             Parts.back());
    break;
  case TypeTerm::Kind::Ref:
    Result = Ctx.getRefType(Parts[0]);
    break;
  case TypeTerm::Kind::Call:
    Result = Ctx.getTypeCall(T->Name, Parts);
    break;
  default:
    llvm_unreachable("a term without parts");
  }
  if (isTooDeep(Result->getDepth() - 1))
    return nullptr;
  if (Result->getSize() <= Type::MaxSize)
    return Result;
  Reason = Type::TooLarge;
  return nullptr;
}

bool TypeSolver::isTooDeep(unsigned Depth) {
  if (Depth < Type::MaxDepth)
    return false;
  Reason = Type::TooDeep;
  return true;
}
