//===- EvaluationPlan.h - Bodies as lists of instructions -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code that the evaluator runs: the body of a function or closure as a flat
// list of instructions over numbered slots. Regions of `if`, `match` and nested
// `let`s are part of the list, with jumps; closures have plans of their own. A
// plan is built once and run at each call of its function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_EVALUATION_EVALUATIONPLAN_H
#define RELAY_LIB_INTERPRETER_EVALUATION_EVALUATIONPLAN_H

#include "ExternalCall.h"
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
    Branch,      ///< jumps to Number unless Operands[0] is true
    MatchClause, ///< binds variables, or jumps to Number if it does not match
    NoMatch,     ///< reports the error that no clause matches
    Jump,        ///< jumps to Number
    Return       ///< returns Operands[0]
  };

  Kind K;
  /// For a call: its result is the result of the plan.
  bool IsTail = false;
  Slot Target = 0;
  /// An instruction, or the field of a tuple.
  uint32_t Number = 0;
  ArrayRef<Slot> Operands;
  /// Slots that nothing reads after this instruction. A memory.kill clears the
  /// slots of its variable even if something reads them.
  ArrayRef<Slot> Kills;
  /// The operation that the instruction implements; null for moves.
  const Operation *Op = nullptr;
  /// Kernel: the type of the result if all shapes are known, otherwise null.
  Type *StaticType = nullptr;
  union {
    const void *None = nullptr;
    const OpHookNode *Function;            ///< Kernel; null if there is none
    const relay::Constructor *Constructor; ///< Construct
    /// The plan of the body. Closure: of the closure. Call: of the function,
    /// see declare(); null if the function is not defined.
    const EvaluationPlan *Code;
    const RuntimeValue *Value;   ///< Load
    const MatchPattern *Pattern; ///< MatchClause
  };
};

/// The code of a function or closure.
class EvaluationPlan {
public:
  /// `@main`, or the name of the closure in messages.
  std::string Name;
  ArrayRef<BlockArgument *> Params;
  /// Number of slots: parameters, then captures, then other values.
  unsigned NumSlots = 0;
  std::vector<Instruction> Code;
  bool hasCode() const { return !Code.empty(); }
  /// The slot of the closure itself, if it is recursive.
  std::optional<Slot> Self;
  /// The captured values, in the order of their slots.
  SmallVector<Value *, 4> Captures;
  /// Slots of the variables of match clauses.
  llvm::DenseMap<const BlockArgument *, Slot> PatternSlots;
  /// The memory.kill that clears a slot; the last one, if branches have
  /// several.
  llvm::DenseMap<Slot, const Operation *> Freed;
  /// The global function; null for a closure.
  Function *Global = nullptr;
  /// Runs instead of the code, unless it declines; null if there is none.
  std::unique_ptr<ExternalFunction> External;

private:
  friend class EvaluationPlanBuilder;
  ArrayRef<Slot> copy(ArrayRef<Slot> Slots) { return Slots.copy(Memory); }

  llvm::BumpPtrAllocator Memory;
  std::vector<std::unique_ptr<RuntimeValue>> Values;
};

/// Creates and keeps the plans of a module's functions.
class EvaluationPlanCache {
public:
  /// Names are looked up in \p M, unless null.
  EvaluationPlanCache(Context &Ctx, const Module *M)
      : Ctx(Ctx), M(M), Kernels(Ctx) {}

  const EvaluationPlan &get(Function &F);
  /// Returns the plan of \p F, which may be without code until get().
  EvaluationPlan &declare(Function &F);
  /// \p Fn is a closure.
  const EvaluationPlan &get(const Operation &Fn);
  /// Returns the number of closures found so far, counted once per visit.
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
