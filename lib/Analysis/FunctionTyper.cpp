//===- FunctionTyper.cpp - Types of functions by unification --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions, closures and the constructs with regions. Single operations are
// FunctionTyperOps.cpp; writing back is FunctionTyperResults.cpp. The order in
// which things are unified and relations run is TVM's, since it shows where
// dimensions are dynamic.
//
//===----------------------------------------------------------------------===//

#include "FunctionTyper.h"
#include "MatchCoverage.h"

using namespace relay;

FunctionTyper::FunctionTyper(TypingContext &TC, ArrayRef<Function *> Functions)
    : TC(TC), M(TC.getModule()), Ctx(TC.getContext()), Functions(Functions),
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

void FunctionTyper::run() {
  for (Function *F : Functions)
    declare(*F);
  for (Function *F : Functions)
    visitFunction(*F);
  S.solve();
  reportUnknown();
  for (Function *F : Functions)
    writeBack(*F);
}

//===----------------------------------------------------------------------===//
// Terms of values
//===----------------------------------------------------------------------===//

TypeTerm *&FunctionTyper::getTerm(const Value *V) {
  assert(V->getFunction() == Current && "a value of another function");
  return Terms[CurrentFirst + V->getIndex()];
}

SmallVector<TypeTerm *, 4> FunctionTyper::getTerms(Operation *Op) {
  SmallVector<TypeTerm *, 4> Result;
  for (Value *V : Op->operands())
    Result.push_back(getTerm(V));
  return Result;
}

std::string FunctionTyper::describe(TypeTerm *T) {
  return toString(S.resolve(T));
}

void FunctionTyper::reportMismatch(TypeTerm *L, TypeTerm *R, Location Loc,
                                   const Twine &What) {
  StringRef Reason = S.getReason();
  // Unknowns are numbered as they are described.
  std::string Left = describe(L), Right = describe(R);
  TC.error(Loc, What + ": " + Left + " and " + Right +
                    (Reason.empty() ? "" : ": ") + Reason);
}

void FunctionTyper::unify(TypeTerm *L, TypeTerm *R, Location Loc,
                          const Twine &What) {
  if (failed(S.unify(L, R)))
    reportMismatch(L, R, Loc, What);
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
    Fn.Params.push_back(fromAnnotation(Arg->getLoc(), getInitialType(Arg)));
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

TypeTerm *FunctionTyper::getCallee(const Function *F) {
  TypeTerm *&T = Callees[F];
  if (T)
    return T;
  FuncType *Known = F ? TC.getSignature(*F) : nullptr;
  return T = Known ? S.createFromText(Known) : S.createUntyped();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void FunctionTyper::visitFunction(Function &F) {
  Current = &F;
  CurrentFirst = FirstTerm.lookup(&F);
  visitBody(F.getBody());
  Value *Result = F.getBody().getResult();
  Operation *Op = Result->getDefiningOp();
  unify(Signatures[&F].Result, getTerm(Result), Op ? Op->getLoc() : F.getLoc(),
        "result of @" + F.getName() + " is not of the type declared");
}

void FunctionTyper::visitBody(Block &Body) {
  struct Frame {
    Block *B;
    Block::iterator It;
    unsigned Region;
  };
  SmallVector<Frame, 8> Stack = {{&Body, Body.begin(), 0}};
  while (true) {
    Frame &Top = Stack.back();
    if (Top.It != Top.B->end()) {
      Operation *Op = &*Top.It;
      if (!Op->getNumRegions()) {
        visit(Op);
        ++Top.It;
        continue;
      }
      enter(Op);
      Block &First = Op->getRegion(0);
      Stack.push_back({&First, First.begin(), 0});
      continue;
    }
    if (Stack.size() == 1)
      return;
    Operation *Parent = Top.B->getParentOp();
    if (unsigned Next = Top.Region + 1; Next < Parent->getNumRegions()) {
      Block &B = Parent->getRegion(Next);
      Top = {&B, B.begin(), Next};
      continue;
    }
    leave(Parent);
    Stack.pop_back();
    ++Stack.back().It;
  }
}

void FunctionTyper::setTerm(Operation *Op, TypeTerm *T) {
  if (Op->isBound() && Op->getVarAnnotation()) {
    TypeTerm *Written = fromAnnotation(Op->getLoc(), Op->getVarAnnotation());
    unify(Written, T, Op->getLoc(),
          "value of %" + Op->getVarName() + " is not of the type declared");
  }
  getTerm(Op) = T;
}

void FunctionTyper::enter(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::If:
    unify(getTerm(Op->getOperand(0)),
          S.create(Ctx.getScalarType(DType::getBool())), Op->getLoc(),
          "condition is not a scalar of bool");
    return;
  case OpCode::Fn:
    S.solve();
    // What the closure's own body sees of it.
    getTerm(Op) = S.createUnknown();
    Closures[Op] = declareFn(Op->getRegion(), Op->getSignature());
    return;
  case OpCode::Match:
    for (auto [P, B] : llvm::zip(Op->getPatterns(), Op->getRegions()))
      visitPattern(Op, *P, getTerm(Op->getOperand(0)));
    return;
  default:
    return;
  }
}

void FunctionTyper::leave(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Fn:
    return leaveFn(Op);
  case OpCode::Match:
    return leaveMatch(Op);
  case OpCode::If: {
    TypeTerm *Then = getTerm(Op->getRegion(0).getResult());
    unify(Then, getTerm(Op->getRegion(1).getResult()), Op->getLoc(),
          "branches of 'if' have different types");
    return setTerm(Op, Then);
  }
  default:
    return setTerm(Op, getTerm(Op->getRegion().getResult()));
  }
}

void FunctionTyper::leaveFn(Operation *Op) {
  FnTerms &Fn = Closures[Op];
  TypeTerm *Used = getTerm(Op);
  unify(Fn.Result, getTerm(Op->getRegion().getResult()), Op->getLoc(),
        "result of the function is not of the type declared");
  unify(Used, Fn.Whole, Op->getLoc(), "function is used as of another type");
  setTerm(Op, Fn.Whole);
}

void FunctionTyper::leaveMatch(Operation *Op) {
  TypeTerm *Result = S.createUnknown();
  for (Block &B : Op->getRegions())
    unify(Result, getTerm(B.getResult()), Op->getLoc(),
          "clauses of 'match' have different types");
  setTerm(Op, Result);
  if (!Op->isCompleteMatch())
    return;
  if (auto Case = findUnmatchedCase(M, Op->getPatterns()))
    TC.error(Op->getLoc(), "'match' does not handle " + *Case +
                               "; 'match?' may leave cases out");
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void FunctionTyper::visitPattern(Operation *Match, const MatchPattern &Root,
                                 TypeTerm *Data) {
  SmallVector<std::pair<const MatchPattern *, TypeTerm *>, 8> Stack;
  Stack.push_back({&Root, Data});
  while (!Stack.empty()) {
    auto [P, T] = Stack.pop_back_val();
    if (P->K == MatchPattern::Kind::Wildcard)
      continue;
    if (P->K == MatchPattern::Kind::Var) {
      BlockArgument *Var = P->Variable;
      if (Var->getAnnotation())
        unify(fromAnnotation(Var->getLoc(), Var->getAnnotation()), T,
              Var->getLoc(),
              "%" + Var->getName() + " is not of the type declared");
      getTerm(Var) = T;
      continue;
    }
    auto Children = openPattern(Match, *P, T);
    for (auto [Child, Term] : llvm::zip(P->Children, Children))
      Stack.push_back({Child, Term});
  }
}

SmallVector<TypeTerm *, 4> FunctionTyper::openPattern(Operation *Match,
                                                      const MatchPattern &P,
                                                      TypeTerm *T) {
  SmallVector<TypeTerm *, 4> Fields;
  auto MakeUnknown = [&](auto Make) {
    Fields.clear();
    while (Fields.size() < P.Children.size())
      Fields.push_back((S.*Make)());
  };
  MakeUnknown(&TypeSolver::createUnknown);
  if (P.K == MatchPattern::Kind::Tuple) {
    unify(T, S.createTuple(Fields), Match->getLoc(),
          "data does not match a tuple pattern");
    return Fields;
  }
  const Constructor *C = M.lookupConstructor(P.Constructor);
  if (!C || C->Fields.size() != P.Children.size()) {
    if (C)
      TC.error(Match->getLoc(), "pattern '" + P.Constructor + "' has " +
                                    Twine(P.Children.size()) +
                                    " fields, the constructor " +
                                    Twine(C->Fields.size()));
    MakeUnknown(&TypeSolver::createUntyped);
    return Fields;
  }
  FuncType *Whole = TC.getConstructorType(*C);
  SmallVector<TypeTerm *, 4> Args;
  while (Args.size() < Whole->getTypeParams().size())
    Args.push_back(S.createUnknown());
  TypeTerm *Def =
      S.substitute(S.create(Whole->getResult()), Whole->getTypeParams(), Args);
  unify(T, Def, Match->getLoc(),
        "data does not match the pattern '" + P.Constructor + "'");
  for (auto [Field, Ty] : llvm::zip(Fields, Whole->getParams()))
    Field = S.substitute(S.create(Ty), Whole->getTypeParams(), Args);
  return Fields;
}
