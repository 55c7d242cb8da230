//===- TypeSolver.cpp - Unification of types ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Union-find over terms and the queue of relations. Terms themselves are
// TypeTerms.cpp. All recursion here is over types, whose depth is bounded.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeSolver.h"
#include "relay/IR/Operation.h"
#include "relay/IR/TypeRelation.h"

using namespace relay;

namespace relay {
/// One relation that waits for an unknown. The relations of one unknown are a
/// circular list, so that two lists are joined in constant time.
struct Waiting {
  RelationTerm *Relation;
  Waiting *Next;
};
} // namespace relay

//===----------------------------------------------------------------------===//
// Union-find
//===----------------------------------------------------------------------===//

TypeTerm *TypeSolver::find(TypeTerm *T) {
  ++NumSteps;
  while (T->Parent) {
    ++NumSteps;
    if (T->Parent->Parent)
      T->Parent = T->Parent->Parent;
    T = T->Parent;
  }
  return T;
}

void TypeSolver::merge(TypeTerm *From, TypeTerm *To) {
  From->Parent = To;
  ++NumMerges;
}

bool TypeSolver::bind(TypeTerm *Unknown, TypeTerm *T) {
  if (occurs(Unknown, T)) {
    Reason = "the type would contain itself";
    return false;
  }
  Waiting *Last = Unknown->LastWaiting;
  merge(Unknown, T);
  if (!Last)
    return true;
  if (T->K != TypeTerm::Kind::Unknown) {
    wake(Last);
    return true;
  }
  if (T->LastWaiting)
    std::swap(Last->Next, T->LastWaiting->Next);
  else
    T->LastWaiting = Last;
  return true;
}

/// Queues the relations of the list that ends with \p Last.
void TypeSolver::wake(Waiting *Last) {
  Waiting *W = Last;
  do {
    ++NumSteps;
    W = W->Next;
    RelationTerm &R = *W->Relation;
    if (!R.IsQueued && !R.IsDone) {
      R.IsQueued = true;
      Queue.push_back(&R);
    }
  } while (W != Last);
}

/// Returns true if \p Unknown is a part of \p T.
bool TypeSolver::occurs(TypeTerm *Unknown, TypeTerm *T) {
  if (T->Children.empty())
    return false;
  ++LastStamp;
  SmallVector<TypeTerm *, 16> Stack = {T};
  while (!Stack.empty()) {
    TypeTerm *Next = find(Stack.pop_back_val());
    if (Next == Unknown)
      return true;
    if (Next->Stamp == LastStamp)
      continue;
    Next->Stamp = LastStamp;
    Stack.append(Next->Children.begin(), Next->Children.end());
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Unification
//===----------------------------------------------------------------------===//

LogicalResult TypeSolver::unify(TypeTerm *L, TypeTerm *R) {
  Reason = "";
  return success(unify(L, R, 0));
}

LogicalResult TypeSolver::unifyInto(TypeTerm *L, TypeTerm *R) {
  Reason = "";
  return success(unify(L, R, 0, /*KeepRight=*/true));
}

bool TypeSolver::unify(TypeTerm *L, TypeTerm *R, unsigned Depth,
                       bool KeepRight) {
  L = find(L);
  R = find(R);
  if (L == R)
    return true;
  if (L->K == TypeTerm::Kind::Unknown)
    return bind(L, R);
  if (R->K == TypeTerm::Kind::Unknown)
    return bind(R, L);
  if (L->K == TypeTerm::Kind::Untyped || R->K == TypeTerm::Kind::Untyped)
    return true;
  if (isTooDeep(Depth))
    return false;
  // Functions may be polymorphic to different degrees: see unifyFuncs().
  if (L->K == TypeTerm::Kind::Known && R->K == TypeTerm::Kind::Known &&
      (L->Ty == R->Ty || !isa<FuncType>(L->Ty)))
    return unifyKnown(L, R, KeepRight);
  if (L->K == TypeTerm::Kind::Known)
    expand(L);
  if (R->K == TypeTerm::Kind::Known)
    expand(R);
  if (!unifyParts(L, R, Depth))
    return false;
  // The parts may have been unified with the whole by now.
  if (KeepRight || find(L) == find(R))
    return true;
  // The less polymorphic of two function types represents both.
  if (L->TypeParams.size() < R->TypeParams.size())
    std::swap(L, R);
  merge(find(L), find(R));
  return true;
}

bool TypeSolver::unifyKnown(TypeTerm *L, TypeTerm *R, bool KeepRight) {
  Type *Joined = joinTypes(Ctx, L->Ty, R->Ty, &DimBindings);
  if (!Joined)
    return false;
  L->Ty = Joined;
  if (KeepRight) {
    ++NumMerges;
    return true;
  }
  R->Ty = Joined;
  merge(L, R);
  return true;
}

bool TypeSolver::unifyParts(TypeTerm *L, TypeTerm *R, unsigned Depth) {
  if (L->K != R->K || L->Name != R->Name)
    return false;
  if (L->K == TypeTerm::Kind::Func &&
      (!L->TypeParams.empty() || !R->TypeParams.empty()))
    return unifyFuncs(L, R, Depth);
  return unifyAll(L->Children, R->Children, Depth);
}

/// Like TVM, instantiates the type parameters of the side that has more, with
/// the parameters of the other side and with unknowns.
bool TypeSolver::unifyFuncs(TypeTerm *L, TypeTerm *R, unsigned Depth) {
  if (L->TypeParams.size() < R->TypeParams.size())
    std::swap(L, R);
  SmallVector<TypeTerm *, 4> Args;
  for (TypeVarType *Var : R->TypeParams)
    Args.push_back(create(Var));
  while (Args.size() < L->TypeParams.size())
    Args.push_back(createUnknown());
  return unifyAll(substitute(L->Children, L->TypeParams, Args), R->Children,
                  Depth);
}

bool TypeSolver::unifyAll(ArrayRef<TypeTerm *> L, ArrayRef<TypeTerm *> R,
                          unsigned Depth) {
  if (L.size() != R.size())
    return false;
  for (auto [A, B] : llvm::zip(L, R))
    if (!unify(A, B, Depth + 1))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

namespace relay {
/// The interface of the solver to relations.
class SolverRelation final : public TypeRelation {
public:
  SolverRelation(TypeSolver &S, const RelationTerm &R,
                 ArrayRef<Type *> Operands)
      : TypeRelation(S.Ctx, *R.Info, R.A, Operands, S.resolve(R.Result)), S(S),
        R(R) {
    if (R.Op && R.Op->is(*R.Info)) // not a call of the operator as a value
      setOperation(R.Op);
  }

private:
  Type *known(Type *T) const override {
    auto *I = dyn_cast_or_null<IncompleteType>(T);
    if (!I)
      return T;
    TypeTerm *Term = S.Unknowns[I->getId()];
    return S.isUnknown(Term) ? nullptr : S.resolve(Term);
  }

  LogicalResult unify(int I, Type *T) override {
    TypeTerm *Term = I < 0 ? R.Result : R.Operands[I];
    LogicalResult Outcome = S.unify(Term, S.create(T));
    if (I < 0)
      Result = S.resolve(R.Result);
    return Outcome;
  }

  LogicalResult unifyResultWith(unsigned I) override {
    return S.unify(R.Result, R.Operands[I]);
  }

  TypeSolver &S;
  const RelationTerm &R;
};
} // namespace relay

void TypeSolver::addRelation(const OpInfo &Info, const Attrs *A,
                             const Operation *Op, ArrayRef<TypeTerm *> Operands,
                             TypeTerm *Result) {
  auto *R = new (Arena.Allocate<RelationTerm>())
      RelationTerm{&Info, A, Op, copy(Operands), Result};
  R->IsQueued = true;
  Relations.push_back(R);
  Queue.push_back(R);
}

void TypeSolver::solve() {
  // Running one may queue others.
  for (size_t I = 0; I != Queue.size(); ++I) {
    RelationTerm &R = *Queue[I];
    R.IsQueued = false;
    run(R);
  }
  Queue.clear();
}

void TypeSolver::run(RelationTerm &R) {
  ++NumSteps;
  if (R.Info->Code == OpCode::TupleGetItem)
    return runProjection(R);
  SmallVector<Type *, 8> Operands;
  for (TypeTerm *T : R.Operands) {
    Operands.push_back(resolve(T));
    if (!Operands.back()) { // An error has been reported already.
      unify(R.Result, createUntyped(), 0);
      R.IsDone = true;
      return;
    }
  }
  SolverRelation Relation(*this, R, Operands);
  switch (R.Info->InferType(Relation)) {
  case RelationResult::Solved:
    R.IsDone = true;
    return;
  case RelationResult::Failed:
    return fail(R, Relation.getMessage());
  case RelationResult::Unresolved:
    return wait(R);
  }
}

void TypeSolver::runProjection(RelationTerm &R) {
  TypeTerm *Tuple = find(R.Operands[0]);
  if (Tuple->K == TypeTerm::Kind::Unknown)
    return wait(R);
  R.IsDone = true;
  if (Tuple->K == TypeTerm::Kind::Untyped) {
    unify(R.Result, Tuple, 0);
    return;
  }
  auto Fields = getTuple(Tuple);
  int64_t Index = cast<TupleGetItemAttrs>(R.A)->index();
  if (!Fields || Index < 0 || Index >= int64_t(Fields->size()))
    return fail(R, typing::getProjectionError(Index, resolve(Tuple)));
  if (succeeded(unify(R.Result, (*Fields)[Index])))
    return;
  std::string Field = toString(resolve((*Fields)[Index]));
  fail(R, "field " + std::to_string(Index) + " is " + Field + ", not " +
              toString(resolve(R.Result)));
}

void TypeSolver::fail(RelationTerm &R, StringRef Message) {
  R.IsDone = true;
  OnError(R, Message);
  unify(R.Result, createUntyped(), 0);
}

/// The first part of \p T that is unknown; null when there is none.
TypeTerm *TypeSolver::findUnknown(TypeTerm *T) {
  ++LastStamp;
  SmallVector<TypeTerm *, 16> Stack = {T};
  while (!Stack.empty()) {
    TypeTerm *Next = find(Stack.pop_back_val());
    if (Next->K == TypeTerm::Kind::Unknown)
      return Next;
    if (Next->Stamp == LastStamp)
      continue;
    Next->Stamp = LastStamp;
    for (TypeTerm *Child : llvm::reverse(Next->Children))
      Stack.push_back(Child);
  }
  return nullptr;
}

void TypeSolver::wait(RelationTerm &R) {
  for (TypeTerm *T : R.Operands) {
    TypeTerm *Unknown = findUnknown(T);
    if (!Unknown)
      continue;
    auto *W = new (Arena.Allocate<Waiting>()) Waiting{&R, nullptr};
    Waiting *&Last = Unknown->LastWaiting;
    W->Next = Last ? std::exchange(Last->Next, W) : W;
    if (!Last)
      Last = W;
  }
}

SmallVector<const RelationTerm *> TypeSolver::getUnsolvedRelations() const {
  SmallVector<const RelationTerm *> Unsolved;
  for (const RelationTerm *R : Relations)
    if (!R->IsDone)
      Unsolved.push_back(R);
  return Unsolved;
}
