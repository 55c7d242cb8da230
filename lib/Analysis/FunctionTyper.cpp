//===- FunctionTyper.cpp - Types of functions by unification --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which functions, blocks and operations are visited, and the
// interface to the rules. FunctionTyperResults.cpp writes back results.
//
//===----------------------------------------------------------------------===//

#include "FunctionTyper.h"
#include "MatchCoverage.h"
#include "relay/IR/Walk.h"

using namespace relay;

FunctionTyper::FunctionTyper(TypingContext &TC, ArrayRef<Function *> Functions,
                             const ParamTypes &Replaced)
    : TC(TC), Replaced(Replaced), M(TC.getModule()), Ctx(TC.getContext()),
      Functions(Functions),
      S(Ctx, [&TC](const RelationTerm &R,
                   StringRef Message) { TC.error(R.Op->getLoc(), Message); }),
      ErrorsBefore(TC.getNumErrors()) {
  size_t NumTerms = 0;
  for (Function *F : Functions) {
    FirstTerm[F] = NumTerms;
    NumTerms += F->getNumValues();
  }
  Terms.resize(NumTerms);
}

void relay::typeFunctions(TypingContext &TC, ArrayRef<Function *> Functions) {
  // A call may change the type of a parameter whose uses have types already.
  // Further rounds type these uses, and the closures that they call. A
  // parameter may also alternate between two types.
  constexpr unsigned MaxRounds = 64, MaxRoundsOfKnown = 4;
  FunctionTyper::ParamTypes Replaced;
  size_t NumErrors = TC.getNumErrors();
  for (unsigned Round = 1;; ++Round) {
    FunctionTyper Typer(TC, Functions, Replaced);
    Typer.solveAll();
    FunctionTyper::ParamTypes Changed;
    if (Round == MaxRounds || TC.getNumErrors() != NumErrors ||
        !Typer.collectChangedParams(Changed))
      return Typer.writeBackAll();
    bool IsNew = llvm::any_of(Changed, [&](const auto &Entry) {
      return !Replaced.contains(Entry.first);
    });
    if (Round >= MaxRoundsOfKnown && !IsNew)
      return Typer.writeBackAll();
    for (auto [Param, T] : Changed)
      Replaced[Param] = T;
  }
}

void FunctionTyper::solveAll() {
  for (Function *F : Functions)
    declare(*F);
  for (Function *F : Functions)
    visitFunction(*F);
  S.solve();
  if (TypeArgs.empty())
    return;
  for (Function *F : Functions)
    walk(*F, [&](const Operation *Op) { keepTypeArgs(*Op); });
  S.solve();
}

/// Type arguments that nothing determines stay as inferred before: a pass may
/// have removed the use that determined them.
void FunctionTyper::keepTypeArgs(const Operation &Op) {
  if (!Op.hasInferredTypeArgs())
    return;
  auto It = TypeArgs.find(&Op);
  if (It == TypeArgs.end())
    return;
  for (auto [Term, Inferred] : llvm::zip(It->second, Op.getTypeArgs()))
    if (S.isUnknown(Term) && !Inferred->isIncomplete())
      (void)S.unify(Term, S.createFromText(Inferred));
}

bool FunctionTyper::collectChangedParams(ParamTypes &Types) {
  auto Collect = [&](ArrayRef<BlockArgument *> Params, const FnTerms &Parts) {
    for (auto [Param, Term] : llvm::zip_equal(Params, Parts.Params)) {
      Type *First = getFirstType(Param), *Last = S.resolve(Term);
      if (First && Last && First != Last && !First->isIncomplete() &&
          !Last->isIncomplete())
        Types[Param] = Last;
    }
  };
  for (auto &[Fn, Parts] : Closures)
    Collect(Fn->getRegion().getArguments(), Parts);
  for (Function *F : Functions)
    Collect(F->getParams(), Signatures.find(F)->second);
  return !Types.empty();
}

void FunctionTyper::writeBackAll() {
  reportUnknown();
  for (Function *F : Functions)
    writeBack(*F);
  TC.addSteps(S.getNumSteps());
}

//===----------------------------------------------------------------------===//
// Terms of values
//===----------------------------------------------------------------------===//

TypeTerm *&FunctionTyper::getTerm(const Value *V) {
  assert(V->getFunction() == Current && "a value of another function");
  return Terms[CurrentFirst + V->getIndex()];
}

std::string FunctionTyper::describe(TypeTerm *T) {
  return toString(S.resolve(T));
}

void FunctionTyper::mismatch(TypeTerm *L, TypeTerm *R, Location Loc,
                             const Twine &What) {
  StringRef Reason = S.getReason();
  // Unknowns are numbered as they are described.
  std::string Left = describe(L), Right = describe(R);
  TC.error(Loc, What + ": " + Left + " and " + Right +
                    (Reason.empty() ? "" : ": ") + Reason);
}

std::optional<TypeTerm *> FunctionTyper::unify(TypeTerm *L, TypeTerm *R,
                                               Location Loc,
                                               const Twine &What) {
  if (succeeded(S.unify(L, R)))
    return L;
  mismatch(L, R, Loc, What);
  return std::nullopt;
}

std::optional<TypeTerm *> FunctionTyper::getRef(TypeTerm *T) {
  TypeTerm *Value = S.getRef(T);
  return Value ? std::optional(Value) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

TypeTerm *FunctionTyper::fromAnnotation(Location Loc, Type *T) {
  if (!T)
    return S.createUnknown();
  TC.checkWritten(Loc, T);
  return S.createFromText(T);
}

FunctionTyper::FnTerms FunctionTyper::declareFn(Block &B,
                                                const Signature &Sig) {
  FnTerms Fn;
  for (BlockArgument *Arg : B.getArguments()) {
    Fn.Params.push_back(fromAnnotation(Arg->getLoc(), getFirstType(Arg)));
    getTerm(Arg) = Fn.Params.back();
  }
  Location Loc = B.getParentOp() ? B.getParentOp()->getLoc() : Location();
  Fn.Result = fromAnnotation(Loc, Sig.ResultAnnotation);
  Fn.Whole = S.createFunc(Sig.TypeParams, Fn.Params, Fn.Result);
  return Fn;
}

void FunctionTyper::declare(Function &F) {
  Current = &F;
  CurrentFirst = FirstTerm.lookup(&F);
  FnTerms Fn = declareFn(F.getBody(), F.getSignature());
  Callees[&F] = Fn.Whole;
  Signatures[&F] = std::move(Fn);
}

/// In a closure's own body nothing is known of it.
void FunctionTyper::declareClosure(const Operation &Fn) {
  getTerm(&Fn) = S.createUnknown();
  Closures[&Fn] = declareFn(Fn.getRegion(), Fn.getSignature());
}

TypeTerm *FunctionTyper::getSignature(const Function *F) {
  TypeTerm *&T = Callees[F];
  if (T)
    return T;
  FuncType *Known = F ? TC.getSignature(*F) : nullptr;
  return T = Known ? S.createFromText(Known) : S.createUntyped();
}

//===----------------------------------------------------------------------===//
// Relations, type arguments, patterns
//===----------------------------------------------------------------------===//

TypeTerm *FunctionTyper::relate(const Operation &Op, const OpInfo &Info,
                                const Attrs *A, ArrayRef<TypeTerm *> Operands) {
  TypeTerm *Result = S.createUnknown();
  S.addRelation(Info, A, &Op, Operands, Result);
  return Result;
}

/// The written type arguments, and unknowns for the others.
FunctionTyper::TermList FunctionTyper::getTypeArgs(const Operation &Op,
                                                   const FuncTerm &Callee,
                                                   ArrayRef<TypeTerm *>) {
  size_t Count = Callee.TypeParams.size();
  TermList Args;
  for (Type *T : Op.getWrittenTypeArgs().take_front(Count))
    Args.push_back(S.createFromText(T));
  while (Args.size() < Count)
    Args.push_back(S.createUnknown());
  return Args;
}

FunctionTyper::TermList
FunctionTyper::getTypeArgsOf(const FuncType &Constructor, TypeTerm *) {
  TermList Args;
  while (Args.size() < Constructor.getTypeParams().size())
    Args.push_back(S.createUnknown());
  return Args;
}

void FunctionTyper::checkPatterns(const Operation &Match) {
  if (!Match.isCompleteMatch())
    return;
  if (auto Case = findUnmatchedCase(M, Match.getPatterns()))
    TC.error(Match.getLoc(), "'match' does not handle " + *Case +
                                 "; 'match?' may leave cases out");
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void FunctionTyper::visitFunction(Function &F) {
  Current = &F;
  CurrentFirst = FirstTerm.lookup(&F);
  struct Visitor : IRVisitor {
    explicit Visitor(FunctionTyper &Typer) : Typer(Typer) {}
    void enter(Operation *Op) {
      if (Op->getNumRegions())
        Typer.enterRegions(*Op);
    }
    void leave(Operation *Op) {
      Typer.setTerm(Op, Op->getNumRegions() ? Typer.leaveRegions(*Op)
                                            : Typer.typeOperation(*Op));
    }
    FunctionTyper &Typer;
  };
  traverse(F, Visitor(*this));
  typeResult(F, Signatures[&F].Result);
}

/// Makes \p T the type of \p Op, and of the variable that it is bound to.
void FunctionTyper::setTerm(const Operation *Op, TypeTerm *T) {
  getTerm(Op) = typeBinding(*Op, T);
}
