//===- FunctionTyper.h - Types of functions by unification ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to type inference: gives every value of some functions a term, has
// the solver unify them as the constructs of the language demand, and writes
// back what it found. Functions that call each other and whose signatures are
// not written out are typed together.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_ANALYSIS_FUNCTIONTYPER_H
#define RELAY_LIB_ANALYSIS_FUNCTIONTYPER_H

#include "TypingContext.h"
#include "relay/Analysis/TypeSolver.h"

namespace relay {

class FunctionTyper {
public:
  FunctionTyper(TypingContext &TC, ArrayRef<Function *> Functions);

  /// Types the functions, fills in annotations and sets their signatures.
  /// Errors go to the TypingContext; the types of what is wrong are null.
  void run();

private:
  /// What is to be written back of a function or closure.
  struct FnTerms {
    SmallVector<TypeTerm *, 4> Params;
    TypeTerm *Result = nullptr; ///< as annotated, or unknown
    TypeTerm *Whole = nullptr;
  };

  //===--- Declarations ---------------------------------------------------===//
  void declare(Function &F);
  FnTerms declareFn(Block &B, const Signature &Sig);
  TypeTerm *fromAnnotation(Location Loc, Type *T);
  /// What calls of \p F see; untyped when it is null.
  TypeTerm *getCallee(const Function *F);

  //===--- Bodies ---------------------------------------------------------===//
  void visitFunction(Function &F);
  void visitBody(Block &Body);
  void enter(Operation *Op);
  void leave(Operation *Op);
  void leaveFn(Operation *Op);
  void leaveMatch(Operation *Op);
  void visit(Operation *Op);
  /// Makes \p T the type of \p Op, and of the variable that it is bound to.
  void setTerm(Operation *Op, TypeTerm *T);

  //===--- Operations -----------------------------------------------------===//
  TypeTerm *visitOperator(Operation *Op);
  TypeTerm *addRelation(Operation *Op, const OpInfo &Info, const Attrs *A,
                        ArrayRef<TypeTerm *> Operands);
  TypeTerm *visitCallValue(Operation *Op);
  TypeTerm *visitCallOfOperator(Operation *Op, const OpInfo &Info);
  TypeTerm *visitCallConstructor(Operation *Op);
  /// \p DefinedAt is where the callee is, if that is known.
  TypeTerm *visitCall(Operation *Op, const Twine &Name, TypeTerm *Callee,
                      ArrayRef<TypeTerm *> Args, Location DefinedAt = {});
  TypeTerm *visitSymbol(Operation *Op);
  TypeTerm *visitReference(Operation *Op);
  TypeTerm *visitProjection(Operation *Op);
  SmallVector<TypeTerm *, 4> getTypeArgs(Operation *Op, size_t Count);

  //===--- Patterns -------------------------------------------------------===//
  void visitPattern(Operation *Match, const MatchPattern &Root, TypeTerm *Data);
  /// Unifies \p T with what \p P matches; the terms of P's children.
  SmallVector<TypeTerm *, 4> openPattern(Operation *Match,
                                         const MatchPattern &P, TypeTerm *T);

  //===--- Results --------------------------------------------------------===//
  void reportUnknown();
  bool reportUnknownIn(Function &F);
  void writeBack(Function &F);
  void writeBackArguments(Block &B);
  void writeBackOperation(Operation *Op);
  void writeBackResult(Signature &Sig, const FnTerms &Fn, Location Loc);
  /// The type of \p T; null when there is none, which is reported unless it
  /// follows from another error.
  Type *finish(TypeTerm *T, Location Loc);

  //===--- Terms of values ------------------------------------------------===//
  TypeTerm *&getTerm(const Value *V);
  SmallVector<TypeTerm *, 4> getTerms(Operation *Op);
  /// Unifies and reports that \p What is one type and not the other.
  void unify(TypeTerm *L, TypeTerm *R, Location Loc, const Twine &What);
  void reportMismatch(TypeTerm *L, TypeTerm *R, Location Loc,
                      const Twine &What);
  std::string describe(TypeTerm *T);

  TypingContext &TC;
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
  std::vector<std::pair<Operation *, SmallVector<TypeTerm *, 4>>> TypeArgs;
  size_t ErrorsBefore;
};

} // namespace relay

#endif // RELAY_LIB_ANALYSIS_FUNCTIONTYPER_H
