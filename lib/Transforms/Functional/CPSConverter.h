//===- CPSConverter.h - Continuation-passing style --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts one function to continuation-passing style. `fn (A) -> B` becomes
// `fn (A, fn (B) -> answer) -> answer`, where `answer` is a type parameter of
// the converted function, and the last parameter is the continuation.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FUNCTIONAL_CPSCONVERTER_H
#define RELAY_LIB_TRANSFORMS_FUNCTIONAL_CPSCONVERTER_H

#include "relay/IR/Rewriter.h"
#include "relay/IR/TypeUtils.h"

namespace relay {

/// Types in continuation-passing style.
class ContinuationTypes {
public:
  explicit ContinuationTypes(Context &Ctx) : Ctx(Ctx) {}

  /// The answer of all continuations; null as long as it is not known.
  void setAnswer(TypeVarType *New) { Answer = New; }
  Type *getAnswer() const { return Answer; }
  /// Replaces \p From, a type parameter of the original, by \p To.
  void replace(TypeVarType *From, TypeVarType *To) { Vars[From] = To; }

  /// The converted \p T; null if that is null.
  Type *get(Type *T);
  /// `fn (T) -> answer` of the converted \p T.
  Type *getContinuation(Type *T);

private:
  Type *convert(Type *T);

  Context &Ctx;
  Type *Answer = nullptr;
  TypeVarMap Vars;
  llvm::DenseMap<Type *, Type *> Known;
};

/// Returns true if \p F keeps its form, since its code is elsewhere.
bool keepsDirectStyle(const Function &F);

/// Reports an error unless \p F can be converted.
LogicalResult checkForCPS(Function &F);

/// Converts one function.
class CPSConverter {
public:
  /// Converts \p From. The result is added to \p To: to From itself, or to a
  /// function without parameters and operations. Gives To its signature and its
  /// parameters, after those that it has.
  CPSConverter(Rewriter &R, Function &From, Function &To);

  /// The converted functions, by the originals, without From if it is To.
  using FunctionMap = llvm::DenseMap<const Function *, Function *>;
  /// Creates the body, after the operations that To has.
  void createBody(const FunctionMap &Functions);

private:
  /// The rest of a block. Ops are the operations that are evaluated in
  /// sequence: all but constants and references to functions without names,
  /// which are copied for each use.
  struct Source {
    Operation *Scope; ///< whose region the block is, if it is one
    Value *Result;
    SmallVector<Operation *, 0> Ops;
    size_t Next = 0;
  };
  /// A part of the original to convert: the rest of a block, in the rest of the
  /// nested `let`s around it, into the end of To. Continuation takes the
  /// result.
  struct Task {
    SmallVector<Source, 1> Sources;
    Block *To;
    Value *Continuation;
  };

  void addArgument(Block &To, BlockArgument &Original);

  // Tasks.
  Source createSource(Block &B);
  void addTask(Block &From, Block &To, Value *Continuation);
  void run(Task &T);
  void finishSource(Task &T);

  // Values.
  Value *lookup(Value *Original);
  SmallVector<Value *, 4> getOperands(const Operation *Op);
  void define(Operation *Op, Operation *New);
  void defineBound(Operation *Op, Operation *New);
  void defineAs(Operation *Op, Value *New);

  // Closures.
  Operation *createClosure(Signature Sig, Type *T);
  Operation *createContinuation(Type *T);
  void resume(Task &T, Operation *Op, Operation *Continuation);

  // Operations.
  void convert(Task &T, Operation *Op);
  void convertCall(Task &T, Operation *Op);
  void convertChoice(Task &T, Operation *Op);
  Operation *createMatch(Operation *Op);
  Operation *createFn(Operation *Op);
  Operation *createAtom(Operation *Op);
  Operation *createGlobalCall(Operation *Op, ArrayRef<Value *> Operands);
  Operation *copyWith(Operation *Op, ArrayRef<Value *> Operands);

  Rewriter &R;
  Context &Ctx;
  Function &From, &To;
  ContinuationTypes Types;
  Value *Continuation = nullptr; ///< the parameter
  const FunctionMap *Functions = nullptr;
  const StringRef Name;
  llvm::DenseMap<const Value *, Value *> Map;
  /// The choices whose continuations are created before an operation is
  /// evaluated, inner ones first.
  llvm::DenseMap<const Operation *, SmallVector<Operation *, 1>> ChoicesAt;
  llvm::DenseMap<const Operation *, Operation *> ChoiceContinuations;
  SmallVector<Task, 8> Tasks;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FUNCTIONAL_CPSCONVERTER_H
