//===- EvaluationPlan.h - Bodies as lists of instructions -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the evaluator runs: the body of a function or closure as a flat list of
// instructions over numbered slots. Regions of `if`, `match` and nested `let`s
// are part of the list, with jumps; those of closures are plans of their own.
// A plan is made once and run as often as its function is called.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_EVALUATION_EVALUATIONPLAN_H
#define RELAY_LIB_INTERPRETER_EVALUATION_EVALUATIONPLAN_H

#include "OperatorCall.h"
#include <vector>

namespace relay {

using Slot = uint32_t;

struct Instruction {
  enum class Kind : uint8_t {
    Load,        ///< Target = Value
    Kernel,      ///< Target = operator(Operands)
    Call,        ///< Target = Callee(Operands)
    CallValue,   ///< Target = Operands[0](Operands[1…])
    Tuple,       ///< Target = (Operands…)
    Project,     ///< Target = Operands[0].Number
    Construct,   ///< Target = Symbol(Operands…)
    Closure,     ///< Target = closure of Code that captures Operands
    RefCreate,   ///< Target = new cell of Operands[0]
    RefRead,     ///< Target = contents of Operands[0]
    RefWrite,    ///< contents of Operands[0] = Operands[1]; Target = ()
    Move,        ///< Target = Operands[0]
    Branch,      ///< goes on at Number unless Operands[0] holds
    MatchClause, ///< binds variables, or goes on at Number if it does not match
    NoMatch,     ///< the error that no clause matches
    Jump,        ///< goes on at Number
    Return       ///< the result is Operands[0]
  };

  Kind K;
  /// Of a call: the result is what the whole plan returns.
  bool IsTail = false;
  Slot Target = 0;
  /// An instruction, or the field of a tuple.
  uint32_t Number = 0;
  ArrayRef<Slot> Operands;
  /// Slots that nothing reads after this instruction.
  ArrayRef<Slot> Kills;
  /// What the instruction comes from; null for what only moves.
  const Operation *Op = nullptr;
  /// Kernel: the type of the result where all shapes are known; else null.
  Type *StaticType = nullptr;
  union {
    const void *None = nullptr;
    const OpHookNode *Function;            ///< Kernel; null: there is none
    const relay::Constructor *Constructor; ///< Construct
    const EvaluationPlan *Code;            ///< Closure
    const RuntimeValue *Value;             ///< Load
    const MatchPattern *Pattern;           ///< MatchClause
  };
};

/// The code of a function or closure.
class EvaluationPlan {
public:
  /// `@main`, or what the closure is called in messages.
  std::string Name;
  ArrayRef<BlockArgument *> Params;
  /// Slots: first parameters, then what is captured, then the others.
  unsigned NumSlots = 0;
  std::vector<Instruction> Code;
  /// The slot that holds the closure itself, if it calls itself by name.
  std::optional<Slot> Self;
  /// What the closure captures, in the order of its slots.
  SmallVector<Value *, 4> Captures;
  /// Slots of the variables of match clauses.
  llvm::DenseMap<const BlockArgument *, Slot> PatternSlots;

private:
  friend class EvaluationPlanBuilder;
  ArrayRef<Slot> copy(ArrayRef<Slot> Slots) { return Slots.copy(Memory); }

  llvm::BumpPtrAllocator Memory;
  std::vector<std::unique_ptr<RuntimeValue>> Values;
};

/// Makes and keeps the plans of a module's functions.
class EvaluationPlanCache {
public:
  /// \p M is where names are looked up; null: nowhere.
  EvaluationPlanCache(Context &Ctx, const Module *M)
      : Ctx(Ctx), M(M), Kernels(Ctx) {}

  const EvaluationPlan &get(Function &F);
  /// \p Fn is a closure.
  const EvaluationPlan &get(const Operation &Fn);
  /// Returns the number of closures found so far, each counted as often as a
  /// walk met it.
  size_t getNumClosuresFound() const { return NumClosuresFound; }

private:
  friend class EvaluationPlanBuilder;
  template <typename UnitT> void addClosuresIn(UnitT &Unit);
  void addClosure(const Operation &Fn);

  Context &Ctx;
  const Module *M;
  OpHooks<Kernel> Kernels;
  size_t NumClosuresFound = 0;
  llvm::DenseMap<const Block *, std::unique_ptr<EvaluationPlan>> Plans;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_EVALUATION_EVALUATIONPLAN_H
