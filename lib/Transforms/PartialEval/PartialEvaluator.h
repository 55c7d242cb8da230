//===- PartialEvaluator.h - Evaluates one function --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the body of one function as far as values are known, and creates
// the new body in a draft: each operation that is evaluated creates, in the
// order of evaluation, the operation that computes its value, bound by `let`.
// Original bodies do not change. Nested blocks and calls are frames of an
// explicit stack.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTIALEVAL_PARTIALEVALUATOR_H
#define RELAY_LIB_TRANSFORMS_PARTIALEVAL_PARTIALEVALUATOR_H

#include "Fuel.h"
#include "Program.h"
#include "ReferenceStore.h"
#include "relay/IR/Core.h"
#include "relay/IR/Rewriter.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Kernels/Kernel.h"
#include <deque>

namespace relay {

/// Evaluates operators and primitive functions on constants. Functions share
/// the memory: each has a fixed part for its new constants.
class ConstantCalculator {
public:
  explicit ConstantCalculator(Module &M);

  /// Begins with another function.
  void reset();
  /// The result of an operator; none if it cannot be evaluated.
  std::optional<RuntimeValue> evaluate(const OpInfo &Info, const Attrs *A,
                                       ArrayRef<PartialValue *> Arguments);
  /// The result of the closure \p Fn, which has no captures.
  std::optional<RuntimeValue> evaluate(const Operation &Fn,
                                       ArrayRef<PartialValue *> Arguments);

private:
  Evaluator &getEvaluator();
  std::optional<RuntimeValue> accept(FailureOr<RuntimeValue> Result);

  Module &M;
  uint64_t MaxRoom, Room; ///< bytes
  WorkMeter Work;
  std::optional<Evaluator> TheEvaluator;
};

class PartialEvaluator {
public:
  struct Counts {
    unsigned NumEvaluated = 0, NumUnfolded = 0, NumChosen = 0, NumReads = 0;
  };

  /// Creates operations at the end of \p Into, a draft of \p F. Calls are
  /// unfolded until their bodies have \p Budget operations.
  PartialEvaluator(Program &P, ConstantCalculator &Constants, Function &F,
                   Block &Into, uint64_t Budget);

  /// Returns the result of the new body.
  Value *run();
  const Counts &getCounts() const { return Done; }
  /// The operations that may still be unfolded.
  uint64_t getBudget() const { return Budget; }

private:
  /// A block that is being evaluated.
  struct Frame {
    Block *From;
    Block::iterator It;
    Activation *Env;
    Block *To;
    uint32_t Depth; ///< regions around To
    /// The operation whose value is that of the block; null for the function.
    Operation *Source = nullptr;
    /// The new operation of which To is a region; null if From is evaluated in
    /// place.
    Operation *Target = nullptr;
    unsigned RegionNo = 0;
    ReferenceStore::Mark Before = {}; ///< if there is a target
    bool HasFuel = false;             ///< the last of SavedFuels belongs to it
  };

  // Values.
  PartialValue *makeValue(Value *Dynamic, KnownValue *Known = nullptr) {
    return new (Memory) PartialValue{Dynamic, Known, ++Clock};
  }
  KnownValue *makeKnown(KnownValue::Kind K) {
    return new (Memory) KnownValue{K};
  }
  KnownValue *makeKnown(KnownValue::Kind K, ArrayRef<PartialValue *> Fields);
  PartialValue *&getSlot(const Value *V);
  PartialValue *use(Value *V);
  SmallVector<PartialValue *, 4> useOperands(const Operation &Op,
                                             unsigned First = 0);
  Value *getDynamic(const PartialValue &V);
  SmallVector<Value *, 4> getDynamic(ArrayRef<PartialValue *> Values);
  void define(Operation &Source, PartialValue *V);

  // Types.
  Type *instantiate(Type *T) const;
  bool mayReplace(Type *Old, const PartialValue &V) const;
  Activation *createActivation(ProgramFunction &F, const BodyLayout &Layout,
                               Activation *Outer);
  void createSlots(Activation &Env, const BodyLayout &Layout);
  void bindTypes(Activation &Env, ArrayRef<TypeVarType *> Params,
                 ArrayRef<Type *> Types);

  // Creating operations.
  void bind(Operation *New, const Operation &Source);
  Operation *emit(const Operation &Source, const OpInfo &Info,
                  ArrayRef<PartialValue *> Operands, const Attrs *A);
  PartialValue *emitConstant(const Operation &Source);
  PartialValue *emitValue(const Operation &Source, const RuntimeValue &V);
  void finishType(Operation *New, const Operation &Source);
  void copyArgument(BlockArgument &Arg, Block &To, bool IsAnnotated);

  // Constructs.
  void visit(Operation &Op);
  void visitTuple(Operation &Op);
  void visitProjection(TupleGetItemOp Op);
  void visitReference(Operation &Op);
  void visitIf(Operation &Op);
  void visitMatch(Operation &Op);
  std::optional<unsigned> chooseClause(Operation &Op, PartialValue *Data);
  enum class Match { Yes, No, Unknown };
  Match match(const MatchPattern &Root, PartialValue *Data);
  MatchPattern *copyPattern(const MatchPattern &From,
                            const llvm::DenseMap<const Value *, Value *> &Map);
  Activation *copySignature(Operation &Op, Operation *New);
  void visitFn(Operation &Op);
  void keepFn(Operation &Op);

  // Calls (PartialCalls.cpp).
  void visitOperator(Operation &Op);
  void visitCallGlobal(Operation &Op);
  void visitCallValue(Operation &Op);
  void visitCallConstructor(Operation &Op);
  void callOperator(Operation &Call, const OpInfo &Info, const Attrs *A,
                    ArrayRef<PartialValue *> Arguments);
  void callGlobal(Operation &Call, StringRef Name, Attr Attributes,
                  ArrayRef<PartialValue *> Arguments);
  void callClosure(Operation &Call, PartialValue *Callee,
                   ArrayRef<PartialValue *> Arguments);
  void callSymbol(Operation &Call, PartialValue *Callee, Attr Attributes,
                  ArrayRef<PartialValue *> Arguments);
  void callConstructor(Operation &Call, const CallConstructorAttrs *A,
                       ArrayRef<PartialValue *> Arguments);
  void keepCall(Operation &Call, Operation *New, bool MayWrite);
  void keepCallOf(Operation &Call, PartialValue *Callee,
                  ArrayRef<PartialValue *> Arguments, bool MayWrite);
  SmallVector<Type *, 2> getTypeArgs(const Operation &Call) const;
  bool unfold(Operation &Call, Block &Body, const Signature &Sig,
              ProgramFunction &F, Activation *Outer,
              ArrayRef<PartialValue *> Arguments);
  bool isWithinLimits(const BodyLayout &Layout) const;
  bool keepsTypes(Block &Body, ArrayRef<PartialValue *> Arguments,
                  Type *CallType) const;
  std::optional<Fuel> spendFuel(const Block &Body,
                                ArrayRef<PartialValue *> Arguments) const;
  void saveFuel(const Block &Body, Fuel New);

  // Frames.
  Frame &top() { return Frames.back(); }
  const Frame &top() const { return Frames.back(); }
  void enterInPlace(Block &From, Activation *Env, Operation &Source);
  void enterRegion(Operation &Source, Operation *Target, unsigned RegionNo,
                   Activation *Env);
  void leaveFrame();
  void leaveTarget(const Frame &Left);

  Program &P;
  ConstantCalculator &Constants;
  Function &F;
  Block &Into;
  Context &Ctx;
  Builder B;
  uint64_t Budget;
  Counts Done;

  llvm::BumpPtrAllocator Memory;
  std::deque<TypeVarMap> TypeMaps;
  uint64_t Clock = 0;
  ReferenceStore Store;
  SmallVector<Frame, 8> Frames;
  Value *Result = nullptr;

  /// That of the bodies that are being evaluated.
  llvm::DenseMap<const Block *, Fuel> Fuels;
  /// What Fuels held before.
  SmallVector<std::pair<const Block *, std::optional<Fuel>>, 8> SavedFuels;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTIALEVAL_PARTIALEVALUATOR_H
