//===- CompleteTyper.h - The typing rules over complete types ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types one operation whose operands, regions and callees have known types.
// Types have no identity here: two types to unify are either equal, or a policy
// decides; see CompleteTyper::Unification.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_COMPLETETYPER_H
#define RELAY_IR_COMPLETETYPER_H

#include "relay/IR/TypingRules.h"

namespace relay {

class CompleteTyper : private TypingRules<CompleteTyper, Type *> {
public:
  /// How two types of one value are unified.
  enum class Unification {
    Equal, ///< they must be equal, else the solver is asked; no errors
    Join   ///< the result is their join; no other type changes
  };

  /// \p M is where functions and constructors are looked up; null: nowhere.
  CompleteTyper(Context &Ctx, const Module *M, Unification How)
      : Ctx(Ctx), M(M), How(How) {}
  virtual ~CompleteTyper();

  /// The type of \p Op; null when it cannot be told or is wrong. \p Op has as
  /// many operands as it takes.
  Type *infer(const Operation &Op);
  /// Returns true if the result of \p F, which is there, is as annotated.
  bool checkResult(const Function &F);
  /// Why the last infer() or checkResult() failed; empty where it did not, or
  /// where the type only cannot be told.
  StringRef getError() const { return Message; }
  /// Returns true if the last infer() depends on nothing but the declaration of
  /// the operation, its attributes and the types of its operands.
  bool isReusable() const { return Reusable; }

  /// Returns true if one value may be both an \p L and an \p R: they unify, or
  /// only the solver can tell.
  bool fits(Type *L, Type *R) { return unifyInto(L, R); }

  //===--- Steps of infer(), for a walk -----------------------------------===//
  /// Checks the requirements of \p Op that precede its regions.
  bool enter(const Operation &Op);
  /// The type of \p Op after its regions.
  Type *leave(const Operation &Op);

protected:
  /// The type of \p F that calls see.
  virtual FuncType *getTypeForCalls(const Function &F);

private:
  friend class TypingRules<CompleteTyper, Type *>;
  using TypeList = TermList;
  class Relation;

  void begin();
  Type *finish(Type *T);
  bool isTyped(const Operation &Op) const;
  bool hasTypedRegions(const Operation &Op) const;
  Type *join(Type *L, Type *R);

  //===--- Interface for the typing rules ---------------------------------===//
  Context &getContext() { return Ctx; }
  const Module *getModule() { return M; }
  Type *getTerm(const Value *V) { return V ? V->getType() : nullptr; }
  Type *createUnknown() { return Ctx.getIncompleteType(0); }
  Type *createUntyped() { return nullptr; }
  Type *create(Type *T) { return T; }
  Type *createTuple(ArrayRef<Type *> Fields);
  Type *createFunc(ArrayRef<TypeVarType *> TypeParams, ArrayRef<Type *> Params,
                   Type *Result);
  Type *createRef(Type *T) { return T ? Ctx.getRefType(T) : nullptr; }
  bool isUnknown(Type *T) { return isa_and_nonnull<IncompleteType>(T); }
  bool isUntyped(Type *T) { return !T; }
  std::optional<FuncParts<Type *>> getFunc(Type *T);
  std::optional<ArrayRef<Type *>> getTuple(Type *T);
  std::optional<Type *> getRef(Type *T);
  TypeList substitute(ArrayRef<Type *> Types, ArrayRef<TypeVarType *> Params,
                      ArrayRef<Type *> Args);
  Type *fromAnnotation(Location, Type *T) { return T ? T : createUnknown(); }
  std::optional<Type *> unify(Type *L, Type *R, Location Loc,
                              const Twine &What);
  bool unifyInto(Type *Param, Type *Argument);
  void mismatch(Type *L, Type *R, Location Loc, const Twine &What);
  void error(Location Loc, const Twine &Text);
  void note(Location, const Twine &) {}
  std::string describe(Type *T) { return toString(T); }
  void solve() {}
  Type *relate(const Operation &Op, const OpInfo &Info, const Attrs *A,
               ArrayRef<Type *> Operands);
  Type *getSignature(const Function *F);
  TypeList getTypeArgs(const Operation &Op, const FuncParts<Type *> &Callee,
                       ArrayRef<Type *> Args);
  TypeList getTypeArgsOf(const FuncType &Constructor, Type *Data);
  void setTypeArgs(const Operation &, ArrayRef<Type *>) { Reusable = false; }
  FuncType *getOperatorType(const OpInfo &Info);
  void declareClosure(const Operation &) {}
  Type *getDeclaredResult(const Operation &Fn);
  Type *getClosure(const Operation &Fn, Type *Result);
  Type *getTermInside(const Operation &) { return createUnknown(); }
  void setTerm(const BlockArgument *Var, Type *T);
  void checkPatterns(const Operation &) {}

  Context &Ctx;
  const Module *M;
  Unification How;
  bool HasFailed = false, Reusable = true;
  std::string Message;
};

} // namespace relay

#endif // RELAY_IR_COMPLETETYPER_H
