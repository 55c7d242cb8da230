//===- FunctionTyper.h - Types of functions by unification ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to type inference: gives every value of some functions a term, has
// the solver unify them according to the rules (TypingRules.h), and writes back
// the results. Mutually recursive functions without written signatures are
// typed together.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_ANALYSIS_FUNCTIONTYPER_H
#define RELAY_LIB_ANALYSIS_FUNCTIONTYPER_H

#include "TypingContext.h"
#include "relay/Analysis/TypeSolver.h"
#include "relay/IR/TypingRules.h"

namespace relay {

/// Types \p Functions and sets their signatures. Errors go to the
/// TypingContext; values with errors have null types.
void typeFunctions(TypingContext &TC, ArrayRef<Function *> Functions);

class FunctionTyper : private TypingRules<FunctionTyper, TypeTerm *> {
public:
  /// Types of parameters of closures that replace the written ones.
  using ParamTypes = llvm::DenseMap<const BlockArgument *, Type *>;

  FunctionTyper(TypingContext &TC, ArrayRef<Function *> Functions,
                const ParamTypes &Replaced);

  /// Finds the types of the functions, without writing them back.
  void solveAll();
  /// Adds to \p Types the parameters of functions and closures that unification
  /// with an argument gave another type than they began with: parts of the body
  /// have types that follow from the old one. Returns true if there are any.
  bool collectChangedParams(ParamTypes &Types);
  /// Sets types and signatures, and reports unknown ones.
  void writeBackAll();

private:
  friend class TypingRules<FunctionTyper, TypeTerm *>;

  /// Terms to write back to a function or closure.
  struct FnTerms {
    SmallVector<TypeTerm *, 4> Params;
    TypeTerm *Result = nullptr; ///< as annotated, or unknown
    TypeTerm *Whole = nullptr;
  };

  //===--- Declarations ---------------------------------------------------===//
  void declare(Function &F);
  FnTerms declareFn(Block &B, const Signature &Sig);

  //===--- Bodies ---------------------------------------------------------===//
  void visitFunction(Function &F);
  void setTerm(const Operation *Op, TypeTerm *T);

  //===--- Interface for the typing rules ---------------------------------===//
  Context &getContext() { return Ctx; }
  const Module *getModule() { return &M; }
  TypeTerm *createUnknown() { return S.createUnknown(); }
  TypeTerm *createUntyped() { return S.createUntyped(); }
  TypeTerm *create(Type *T) { return S.create(T); }
  TypeTerm *createTuple(ArrayRef<TypeTerm *> Fields) {
    return S.createTuple(Fields);
  }
  TypeTerm *createFunc(ArrayRef<TypeVarType *> TypeParams,
                       ArrayRef<TypeTerm *> Params, TypeTerm *Result) {
    return S.createFunc(TypeParams, Params, Result);
  }
  TypeTerm *createRef(TypeTerm *Value) { return S.createRef(Value); }
  bool isUnknown(TypeTerm *T) { return S.isUnknown(T); }
  bool isUntyped(TypeTerm *T) { return S.isUntyped(T); }
  std::optional<FuncTerm> getFunc(TypeTerm *T) { return S.getFunc(T); }
  std::optional<ArrayRef<TypeTerm *>> getTuple(TypeTerm *T) {
    return S.getTuple(T);
  }
  std::optional<TypeTerm *> getRef(TypeTerm *T);
  TermList substitute(ArrayRef<TypeTerm *> Terms,
                      ArrayRef<TypeVarType *> Params,
                      ArrayRef<TypeTerm *> Args) {
    return S.substitute(Terms, Params, Args);
  }
  TypeTerm *fromAnnotation(Location Loc, Type *T);
  std::optional<TypeTerm *> unify(TypeTerm *L, TypeTerm *R, Location Loc,
                                  const Twine &What);
  bool unifyInto(TypeTerm *Param, TypeTerm *Argument) {
    return succeeded(S.unifyInto(Param, Argument));
  }
  void mismatch(TypeTerm *L, TypeTerm *R, Location Loc, const Twine &What);
  void error(Location Loc, const Twine &Message) { TC.error(Loc, Message); }
  void note(Location Loc, const Twine &Message) { TC.note(Loc, Message); }
  std::string describe(TypeTerm *T);
  void solve() { S.solve(); }
  TypeTerm *relate(const Operation &Op, const OpInfo &Info, const Attrs *A,
                   ArrayRef<TypeTerm *> Operands);
  TypeTerm *getSignature(const Function *F);
  TermList getTypeArgs(const Operation &Op, const FuncTerm &Callee,
                       ArrayRef<TypeTerm *> Args);
  TermList getTypeArgsOf(const FuncType &Constructor, TypeTerm *Data);
  void setTypeArgs(const Operation &Op, ArrayRef<TypeTerm *> Args) {
    TypeArgs[&Op] = TermList(Args);
  }
  FuncType *getOperatorType(const OpInfo &Info) {
    return Ctx.getOperatorType(Info);
  }
  void declareClosure(const Operation &Fn);
  TypeTerm *getDeclaredResult(const Operation &Fn) {
    return Closures[&Fn].Result;
  }
  TypeTerm *getClosure(const Operation &Fn, TypeTerm *) {
    return Closures[&Fn].Whole;
  }
  TypeTerm *getTermInside(const Operation &Fn) { return getTerm(&Fn); }
  void setTerm(const BlockArgument *Var, TypeTerm *T) { getTerm(Var) = T; }
  void checkPatterns(const Operation &Match);

  //===--- Results --------------------------------------------------------===//
  void keepTypeArgs(const Operation &Op);
  void reportUnknown();
  bool reportUnknownIn(Function &F);
  void writeBack(Function &F);
  void writeBackArguments(Block &B);
  void writeBackOperation(Operation *Op);
  void writeBackTypeArgs(Operation *Op, ArrayRef<TypeTerm *> Terms);
  /// The type of \p T; null when there is none, which is reported unless it
  /// follows from another error.
  Type *finish(TypeTerm *T, Location Loc);

  //===--- Terms of values ------------------------------------------------===//
  TypeTerm *&getTerm(const Value *V);

  Type *getFirstType(const BlockArgument *Param) const {
    Type *T = Replaced.lookup(Param);
    return T ? T : getInitialType(Param);
  }

  TypingContext &TC;
  const ParamTypes &Replaced;
  Module &M;
  Context &Ctx;
  SmallVector<Function *, 1> Functions;
  TypeSolver S;
  std::vector<TypeTerm *> Terms; ///< by function and Value::getIndex()
  llvm::DenseMap<const Function *, size_t> FirstTerm;
  const Function *Current = nullptr;
  size_t CurrentFirst = 0;
  llvm::DenseMap<const Function *, FnTerms> Signatures;
  llvm::DenseMap<const Function *, TypeTerm *> Callees;
  llvm::DenseMap<const Operation *, FnTerms> Closures;
  llvm::DenseMap<const Operation *, TermList> TypeArgs;
  size_t ErrorsBefore;
};

} // namespace relay

#endif // RELAY_LIB_ANALYSIS_FUNCTIONTYPER_H
