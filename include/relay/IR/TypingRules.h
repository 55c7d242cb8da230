//===- TypingRules.h - The type of each construct ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The typing of the language: one function per construct, over terms. The class
// that derives from TypingRules defines terms and their unification:
//
//   CompleteTyper   a term is a complete type: the Builder, the walk over a
//                   straight-line body, the Verifier;
//   FunctionTyper   a term is a node of the solver (room Analysis).
//
// The rules unify and run relations in TVM's order, since the order affects
// which dimensions are dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_TYPINGRULES_H
#define RELAY_IR_TYPINGRULES_H

#include "relay/IR/Core.h"
#include <optional>

namespace relay {

/// A function type taken apart.
template <typename Term> struct FuncParts {
  ArrayRef<TypeVarType *> TypeParams;
  ArrayRef<Term> Params;
  Term Result;
};

namespace typing {
/// `1 argument`, `2 arguments`.
std::string countOf(size_t N, StringRef Singular);
/// How messages call the value \p V.
std::string getNameOf(const Value *V);
/// `fn [A](A, List[A]) -> List[A]` of a constructor.
FuncType *getConstructorType(Context &Ctx, const Constructor &C);
/// The attributes that the call \p Op of an operator as a value passes: those
/// written or the operator's defaults; failure when it needs some.
FailureOr<const Attrs *> getPassedAttrs(Context &Ctx, const Operation &Op,
                                        const OpInfo &Info);
/// The error message for a projection of field \p Index from a \p T.
std::string getProjectionError(int64_t Index, Type *T);
} // namespace typing

/// The rules. \p Derived gives:
///
///   Context &getContext();  const Module *getModule();
///   Term getTerm(const Value *)           of an operand or a region's result
///   Term createUnknown(), createUntyped(), create(Type *)
///   Term createTuple(Terms), createFunc(TypeParams, Terms, Term),
///        createRef(Term)
///   bool isUnknown(Term), isUntyped(Term)
///   getFunc(Term), getTuple(Term), getRef(Term)   the parts, where known
///   TermList substitute(Terms, TypeParams, Terms)
///   Term fromAnnotation(Location, Type *)         unknown where there is none
///   std::optional<Term> unify(Term, Term, Location, What)
///        the unified term; none when they differ, which it reports
///   bool unifyInto(Term Param, Term Argument)     the argument stays
///   void mismatch(Term, Term, Location, What)     reports
///   void error(Location, Message), note(Location, Message)
///   std::string describe(Term)
///   void solve()                                  has relations run
///   Term relate(Op, Info, Attrs, Terms)           the result of a relation
///   Term getSignature(const Function *)           what calls see
///   TermList getTypeArgs(Op, FuncParts, Terms)    of a polymorphic call
///   TermList getTypeArgsOf(FuncParts, Term)       of a constructor's value
///   void setTypeArgs(Op, Terms)                   that were found
///   FuncType *getOperatorType(const OpInfo &)
///   void declareClosure(Op)                       before its region
///   Term getDeclaredResult(Op), getClosure(Op, Term Result),
///        getTermInside(Op)                        of a closure
///   void setTerm(const BlockArgument *, Term)     of a pattern's variable
///   void checkPatterns(Op)                        of a `match`
template <typename Derived, typename TermT> class TypingRules {
public:
  using Term = TermT;
  using TermList = SmallVector<Term, 4>;

protected:
  /// The type of \p Op, which has no regions.
  Term typeOperation(const Operation &Op);
  /// Types the parts of \p Op that are known before its regions.
  void enterRegions(const Operation &Op);
  /// The type of \p Op after its regions.
  Term leaveRegions(const Operation &Op);
  /// The variable that \p Op is bound to is of Op's type \p T.
  Term typeBinding(const Operation &Op, Term T);
  /// The result of \p F is of the type \p Declared.
  void typeResult(const Function &F, Term Declared);

private:
  Derived &self() { return static_cast<Derived &>(*this); }
  TermList getTerms(const Operation &Op);

  Term typeOperator(const Operation &Op, const OpInfo &Info, const Attrs *A,
                    ArrayRef<Term> Operands);
  Term typeCallGlobal(const Operation &Op);
  Term typeCallValue(const Operation &Op);
  Term typeCallOfOperator(const Operation &Op, const OpInfo &Info);
  Term typeCallConstructor(const Operation &Op);
  /// \p DefinedAt is where the callee is, if that is known.
  Term typeCall(const Operation &Op, const Twine &Name, Term Callee,
                ArrayRef<Term> Args, Location DefinedAt = {});
  bool passArguments(const Operation &Op, const Twine &Name,
                     ArrayRef<Term> Params, ArrayRef<Term> Args,
                     Location DefinedAt);
  Term typeSymbol(const Operation &Op);
  Term typeReference(const Operation &Op);
  Term typeProjection(const Operation &Op);

  Term leaveFn(const Operation &Op);
  Term leaveIf(const Operation &Op);
  Term leaveMatch(const Operation &Op);
  void typePattern(const Operation &Match, const MatchPattern &Root, Term Data);
  void typeVariable(const BlockArgument &Var, Term T);
  TermList openPattern(const Operation &Match, const MatchPattern &P, Term T);
  TermList openTuple(const Operation &Match, const MatchPattern &P, Term T);
  TermList openConstructor(const Operation &Match, const MatchPattern &P,
                           const Constructor &C, Term T);
};

//===----------------------------------------------------------------------===//
// Operations without regions
//===----------------------------------------------------------------------===//

template <typename D, typename T>
typename TypingRules<D, T>::TermList
TypingRules<D, T>::getTerms(const Operation &Op) {
  TermList Terms;
  for (const Value *V : Op.operands())
    Terms.push_back(self().getTerm(V));
  return Terms;
}

template <typename D, typename T>
T TypingRules<D, T>::typeOperation(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::Operator:
    return typeOperator(Op, Op.getInfo(), Op.getAttrs(), getTerms(Op));
  case OpCode::CallGlobal:
    return typeCallGlobal(Op);
  case OpCode::CallValue:
    return typeCallValue(Op);
  case OpCode::CallConstructor:
    return typeCallConstructor(Op);
  case OpCode::Tuple:
    return self().createTuple(getTerms(Op));
  case OpCode::TupleGetItem:
    return typeProjection(Op);
  case OpCode::Constant:
    return self().create(
        ConstantOp(&Op).attrs().value().getConstant()->getType());
  case OpCode::Alias:
    return self().getTerm(Op.getOperand(0));
  case OpCode::GlobalRef:
  case OpCode::OpRef:
  case OpCode::ConstructorRef:
    return typeSymbol(Op);
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return typeReference(Op);
  case OpCode::If:
  case OpCode::Match:
  case OpCode::Fn:
  case OpCode::Scope:
    break;
  }
  llvm_unreachable("a construct with regions");
}

template <typename D, typename T>
T TypingRules<D, T>::typeOperator(const Operation &Op, const OpInfo &Info,
                                  const Attrs *A, ArrayRef<T> Operands) {
  if (!Info.InferType) // not declared
    return self().createUntyped();
  if (LLVM_LIKELY(Info.takesOperands(Operands.size())))
    return self().relate(Op, Info, A, Operands);
  self().error(Op.getLoc(), "'" + Info.Name + "' takes " +
                                typing::countOf(Info.NumOperands, "operand") +
                                ", not " + Twine(Operands.size()));
  return self().createUntyped();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

template <typename D, typename T>
T TypingRules<D, T>::typeCallGlobal(const Operation &Op) {
  self().solve();
  StringRef Name = CallGlobalOp(&Op).attrs().callee();
  const Module *M = self().getModule();
  const Function *F = M ? M->lookupFunction(Name) : nullptr;
  return typeCall(Op, "@" + Name, self().getSignature(F), getTerms(Op),
                  F ? F->getLoc() : Location());
}

template <typename D, typename T>
T TypingRules<D, T>::typeCallValue(const Operation &Op) {
  self().solve();
  const Operation *Callee = skipAliases(Op.getOperand(0))->getDefiningOp();
  if (Callee && Callee->is(OpCode::OpRef))
    if (const OpInfo *Info =
            self().getContext().lookupOp(OpRefOp(Callee).attrs().symbol()))
      return typeCallOfOperator(Op, *Info);
  TermList Args = getTerms(Op);
  return typeCall(Op, typing::getNameOf(Op.getOperand(0)), Args[0],
                  ArrayRef(Args).drop_front());
}

/// A call of a variable that is an operator: the operator's relation counts.
template <typename D, typename T>
T TypingRules<D, T>::typeCallOfOperator(const Operation &Op,
                                        const OpInfo &Info) {
  TermList Terms = getTerms(Op);
  Terms.erase(Terms.begin());
  auto A = typing::getPassedAttrs(self().getContext(), Op, Info);
  if (failed(A)) {
    self().error(Op.getLoc(), "'" + Info.Name + "' needs attributes");
    return self().createUntyped();
  }
  Term Result = typeOperator(Op, Info, *A, Terms);
  Terms.push_back(Result);
  self().setTypeArgs(Op, Terms);
  return Result;
}

template <typename D, typename T>
T TypingRules<D, T>::typeCallConstructor(const Operation &Op) {
  self().solve();
  StringRef Name = CallConstructorOp(&Op).attrs().constructor();
  const Module *M = self().getModule();
  const Constructor *C = M ? M->lookupConstructor(Name) : nullptr;
  if (!C)
    return self().createUntyped();
  FuncType *Callee = typing::getConstructorType(self().getContext(), *C);
  return typeCall(Op, "'" + Name + "'", self().create(Callee), getTerms(Op));
}

template <typename D, typename T>
T TypingRules<D, T>::typeCall(const Operation &Op, const Twine &Name, T Callee,
                              ArrayRef<T> Args, Location DefinedAt) {
  if (self().isUntyped(Callee))
    return self().createUntyped();
  if (self().isUnknown(Callee)) {
    Term Result = self().createUnknown();
    self().unify(Callee, self().createFunc({}, Args, Result), Op.getLoc(),
                 Name + " is called");
    return Result;
  }
  std::optional<FuncParts<Term>> Fn = self().getFunc(Callee);
  if (!Fn) {
    self().error(Op.getLoc(), Name + " is called but is not a function: " +
                                  self().describe(Callee));
    return self().createUntyped();
  }
  if (Fn->Params.size() != Args.size()) {
    self().error(Op.getLoc(),
                 Name + " takes " +
                     typing::countOf(Fn->Params.size(), "argument") + ", not " +
                     Twine(Args.size()) + ": " + self().describe(Callee));
    self().note(DefinedAt, Name + " is defined here");
    return self().createUntyped();
  }
  if (Fn->TypeParams.empty()) {
    passArguments(Op, Name, Fn->Params, Args, DefinedAt);
    return Fn->Result;
  }
  TermList TypeArgs = self().getTypeArgs(Op, *Fn, Args);
  TermList Params(Fn->Params);
  Params.push_back(Fn->Result);
  Params = self().substitute(Params, Fn->TypeParams, TypeArgs);
  Term Result = Params.pop_back_val();
  self().setTypeArgs(Op, TypeArgs);
  // The result of a polymorphic function is meaningless for wrong arguments.
  return passArguments(Op, Name, Params, Args, DefinedAt)
             ? Result
             : self().createUntyped();
}

template <typename D, typename T>
bool TypingRules<D, T>::passArguments(const Operation &Op, const Twine &Name,
                                      ArrayRef<T> Params, ArrayRef<T> Args,
                                      Location DefinedAt) {
  bool Fits = true;
  for (auto [I, P] : llvm::enumerate(Params)) {
    if (self().unifyInto(P, Args[I]))
      continue;
    Fits = false;
    self().mismatch(P, Args[I], Op.getLoc(),
                    "argument " + Twine(I + 1) + " of " + Name +
                        " does not have the type of the parameter");
    self().note(DefinedAt, Name + " is defined here");
  }
  return Fits;
}

//===----------------------------------------------------------------------===//
// Symbols, references, projections
//===----------------------------------------------------------------------===//

template <typename D, typename T>
T TypingRules<D, T>::typeSymbol(const Operation &Op) {
  StringRef Symbol = Op.getAttrsAs<SymbolAttrs>().symbol();
  Context &Ctx = self().getContext();
  if (Op.is(OpCode::OpRef)) {
    const OpInfo *Info = Ctx.lookupOp(Symbol);
    FuncType *Ty = Info ? self().getOperatorType(*Info) : nullptr;
    return Ty ? self().create(Ty) : self().createUntyped();
  }
  const Module *M = self().getModule();
  if (Op.is(OpCode::GlobalRef))
    return self().getSignature(M ? M->lookupFunction(Symbol) : nullptr);
  const Constructor *C = M ? M->lookupConstructor(Symbol) : nullptr;
  return C ? self().create(typing::getConstructorType(Ctx, *C))
           : self().createUntyped();
}

template <typename D, typename T>
T TypingRules<D, T>::typeReference(const Operation &Op) {
  Term First = self().getTerm(Op.getOperand(0));
  if (Op.is(OpCode::RefCreate))
    return self().createRef(First);
  if (Op.is(OpCode::RefRead)) {
    if (std::optional<Term> Known = self().getRef(First))
      return *Known;
    Term Value = self().createUnknown();
    self().unify(First, self().createRef(Value), Op.getLoc(),
                 "operand of 'ref_read' is not a reference");
    return Value;
  }
  self().unify(
      First, self().createRef(self().getTerm(Op.getOperand(1))), Op.getLoc(),
      "'ref_write' of a value whose type is not that of the reference");
  return self().create(self().getContext().getTupleType({}));
}

template <typename D, typename T>
T TypingRules<D, T>::typeProjection(const Operation &Op) {
  Term Tuple = self().getTerm(Op.getOperand(0));
  int64_t Index = TupleGetItemOp(&Op).attrs().index();
  if (auto Fields = self().getTuple(Tuple))
    if (Index >= 0 && Index < int64_t(Fields->size()))
      return (*Fields)[Index];
  return self().relate(Op, Op.getInfo(), Op.getAttrs(), {Tuple});
}

//===----------------------------------------------------------------------===//
// Bindings, results, constructs with regions
//===----------------------------------------------------------------------===//

template <typename D, typename T>
T TypingRules<D, T>::typeBinding(const Operation &Op, T Value) {
  if (!Op.isBound() || !Op.getVarAnnotation())
    return Value;
  Term Written = self().fromAnnotation(Op.getLoc(), Op.getVarAnnotation());
  return self()
      .unify(Written, Value, Op.getLoc(),
             "value of %" + Op.getVarName() +
                 " does not have the declared type")
      .value_or(Value);
}

template <typename D, typename T>
void TypingRules<D, T>::typeResult(const Function &F, T Declared) {
  const Value *Result = F.getBody().getResult();
  const Operation *Op = Result->getDefiningOp();
  self().unify(Declared, self().getTerm(Result), Op ? Op->getLoc() : F.getLoc(),
               "result of @" + F.getName() +
                   " does not have the declared type");
}

template <typename D, typename T>
void TypingRules<D, T>::enterRegions(const Operation &Op) {
  if (Op.is(OpCode::If)) {
    Context &Ctx = self().getContext();
    self().unify(self().getTerm(Op.getOperand(0)),
                 self().create(Ctx.getScalarType(DType::getBool())),
                 Op.getLoc(), "condition is not a bool scalar");
    return;
  }
  if (Op.is(OpCode::Fn)) {
    self().solve();
    return self().declareClosure(Op);
  }
  if (Op.is(OpCode::Match))
    for (const MatchPattern *P : Op.getPatterns())
      typePattern(Op, *P, self().getTerm(Op.getOperand(0)));
}

template <typename D, typename T>
T TypingRules<D, T>::leaveRegions(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::Fn:
    return leaveFn(Op);
  case OpCode::Match:
    return leaveMatch(Op);
  case OpCode::If:
    return leaveIf(Op);
  default:
    return self().getTerm(Op.getRegion().getResult());
  }
}

template <typename D, typename T>
T TypingRules<D, T>::leaveFn(const Operation &Op) {
  Term Declared = self().getDeclaredResult(Op);
  Term Result =
      self()
          .unify(Declared, self().getTerm(Op.getRegion().getResult()),
                 Op.getLoc(),
                 "result of the function does not have the declared type")
          .value_or(Declared);
  Term Whole = self().getClosure(Op, Result);
  self().unify(self().getTermInside(Op), Whole, Op.getLoc(),
               "function is used with a different type");
  return Whole;
}

template <typename D, typename T>
T TypingRules<D, T>::leaveIf(const Operation &Op) {
  Term Then = self().getTerm(Op.getRegion(0).getResult());
  return self()
      .unify(Then, self().getTerm(Op.getRegion(1).getResult()), Op.getLoc(),
             "branches of 'if' have different types")
      .value_or(Then);
}

template <typename D, typename T>
T TypingRules<D, T>::leaveMatch(const Operation &Op) {
  Term Result = self().createUnknown();
  for (Block &B : Op.getRegions())
    Result = self()
                 .unify(Result, self().getTerm(B.getResult()), Op.getLoc(),
                        "clauses of 'match' have different types")
                 .value_or(Result);
  self().checkPatterns(Op);
  return Result;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

template <typename D, typename T>
void TypingRules<D, T>::typePattern(const Operation &Match,
                                    const MatchPattern &Root, T Data) {
  SmallVector<std::pair<const MatchPattern *, Term>, 8> Stack;
  Stack.push_back({&Root, Data});
  while (!Stack.empty()) {
    auto [P, Part] = Stack.pop_back_val();
    if (P->K == MatchPattern::Kind::Wildcard)
      continue;
    if (P->K == MatchPattern::Kind::Var) {
      typeVariable(*P->Variable, Part);
      continue;
    }
    TermList Children = openPattern(Match, *P, Part);
    for (auto [Child, Field] : llvm::zip(P->Children, Children))
      Stack.push_back({Child, Field});
  }
}

template <typename D, typename T>
void TypingRules<D, T>::typeVariable(const BlockArgument &Var, T Part) {
  if (Var.getAnnotation())
    Part = self()
               .unify(self().fromAnnotation(Var.getLoc(), Var.getAnnotation()),
                      Part, Var.getLoc(),
                      "%" + Var.getName() + " does not have the declared type")
               .value_or(Part);
  self().setTerm(&Var, Part);
}

/// Unifies \p Part with what \p P matches; the terms of P's children.
template <typename D, typename T>
typename TypingRules<D, T>::TermList
TypingRules<D, T>::openPattern(const Operation &Match, const MatchPattern &P,
                               T Part) {
  if (P.K == MatchPattern::Kind::Tuple)
    return openTuple(Match, P, Part);
  const Module *M = self().getModule();
  const Constructor *C = M ? M->lookupConstructor(P.Constructor) : nullptr;
  if (C && C->Fields.size() == P.Children.size())
    return openConstructor(Match, P, *C, Part);
  if (C)
    self().error(Match.getLoc(), "pattern '" + P.Constructor + "' has " +
                                     Twine(P.Children.size()) +
                                     " fields, but the constructor has " +
                                     Twine(C->Fields.size()));
  TermList Fields;
  while (Fields.size() < P.Children.size())
    Fields.push_back(self().createUntyped());
  return Fields;
}

template <typename D, typename T>
typename TypingRules<D, T>::TermList
TypingRules<D, T>::openTuple(const Operation &Match, const MatchPattern &P,
                             T Part) {
  if (auto Known = self().getTuple(Part))
    if (Known->size() == P.Children.size())
      return TermList(*Known);
  TermList Fields;
  while (Fields.size() < P.Children.size())
    Fields.push_back(self().createUnknown());
  self().unify(Part, self().createTuple(Fields), Match.getLoc(),
               "data does not match a tuple pattern");
  return Fields;
}

template <typename D, typename T>
typename TypingRules<D, T>::TermList
TypingRules<D, T>::openConstructor(const Operation &Match,
                                   const MatchPattern &P, const Constructor &C,
                                   T Part) {
  FuncType *Whole = typing::getConstructorType(self().getContext(), C);
  TermList Args = self().getTypeArgsOf(*Whole, Part), Fields;
  for (Type *Ty : Whole->getParams())
    Fields.push_back(self().create(Ty));
  Fields.push_back(self().create(Whole->getResult()));
  Fields = self().substitute(Fields, Whole->getTypeParams(), Args);
  self().unify(Part, Fields.pop_back_val(), Match.getLoc(),
               "data does not match the pattern '" + P.Constructor + "'");
  return Fields;
}

} // namespace relay

#endif // RELAY_IR_TYPINGRULES_H
