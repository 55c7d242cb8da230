//===- Evaluator.h - Evaluates Relay ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs functions on values, on a stack of its own, so that calls nest as deep
// as memory allows. Functions are prepared once
// (lib/Interpreter/Evaluation/EvaluationPlan.h).
//
//   Evaluator E(M);
//   FailureOr<RuntimeValue> Result = E.evaluate(*M.lookupFunction("main"),
//   Args);
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_EVALUATION_EVALUATOR_H
#define RELAY_INTERPRETER_EVALUATION_EVALUATOR_H

#include "relay/Interpreter/Values/RuntimeValue.h"
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace relay {

struct WorkMeter;

/// Is notified of the steps of an evaluation.
class EvaluationListener {
public:
  virtual ~EvaluationListener();
  /// Before operator \p Op is computed.
  virtual void beforeOperation(const Operation &) {}
  /// \p Op, an operation of any kind but a constant, has the value \p Result.
  virtual void afterOperation(const Operation &, const RuntimeValue &) {}
  /// A parameter, or a variable of a match clause, has the value \p Bound.
  virtual void afterBinding(const BlockArgument &,
                            const RuntimeValue & /*Bound*/) {}
  /// Before an operator is computed, by \p Op, which calls it by name or as a
  /// value.
  virtual void beforeOperator(const Operation &, const OpInfo &) {}
  /// The operator has returned the value \p Result.
  virtual void afterOperator(const Operation &, const OpInfo &,
                             const RuntimeValue &) {}
};

struct EvaluatorOptions {
  static constexpr uint64_t DefaultSteps = 1'000'000'000;
  static constexpr uint64_t DefaultMemory = uint64_t(4) << 30;

  /// The number of operations on elements that count as a step, if one number
  /// limits both.
  static constexpr uint64_t WorkPerStep = 1024;

  /// Operations that may run.
  uint64_t MaxSteps = DefaultSteps;
  /// Operations on elements that kernels may do in one evaluation of a
  /// function, or in all calls of operators that are evaluated by themselves;
  /// where it is not set, WorkPerStep for each of MaxSteps.
  std::optional<uint64_t> MaxWork;
  /// Bytes that values and calls may hold; constants, which are there already,
  /// do not count.
  uint64_t MaxMemory = DefaultMemory;
  /// Elements that operators may compute.
  uint64_t MaxElements = std::numeric_limits<uint64_t>::max();
  /// The flag that raises the limits but that of memory, for messages; empty if
  /// there is none.
  StringLiteral LimitFlag = "-max-steps";
  /// Errors are diagnostics of the Context; otherwise only getError() has them.
  bool ReportsErrors = true;
  std::vector<EvaluationListener *> Listeners;
};

/// Values that hold closures or references are valid as long as the evaluator.
/// The functions that it has run must not change while it lives, and are
/// normalized and typed. Kernels work on the threads of the module's Context,
/// or on that of the caller alone where the Context is at work on several
/// already.
class Evaluator {
public:
  /// \p M is where functions and constructors are looked up.
  explicit Evaluator(Module &M, const EvaluatorOptions &Options = {});
  ~Evaluator();

  /// The result of \p F for \p Args, which are checked against the types of the
  /// parameters. Failure, with an error reported, where there is none.
  FailureOr<RuntimeValue> evaluate(Function &F, ArrayRef<RuntimeValue> Args);
  /// The same for a closure without captures.
  FailureOr<RuntimeValue> evaluateClosure(const Operation &Fn,
                                          ArrayRef<RuntimeValue> Args);
  /// The result of one call of an operator for values of its operands. What
  /// kernels do adds up over such calls: beyond MaxWork, all of them fail.
  FailureOr<RuntimeValue> evaluate(const Operation &Op,
                                   ArrayRef<RuntimeValue> Operands);

  /// Returns true if there is a kernel for \p Info.
  bool hasKernel(const OpInfo &Info) const;
  /// What went wrong last, without position.
  StringRef getError() const;
  /// Returns true if a limit of the options has ended an evaluation.
  bool hasHitLimit() const;
  /// Bytes that values hold now, and the most that they held.
  const MemoryMeter &getMemory() const;

private:
  class Impl;
  std::unique_ptr<Impl> TheImpl;
};

/// The result of one call of \p Info with the attributes \p A; failure, without
/// an error reported, where there is none, and where it takes more than
/// \p MaxMemory bytes or goes beyond the limit of \p Work, on which it counts.
FailureOr<RuntimeValue> evaluateOperator(Context &Ctx, const OpInfo &Info,
                                         const Attrs *A,
                                         ArrayRef<RuntimeValue> Operands,
                                         uint64_t MaxMemory, WorkMeter &Work);

/// Returns an error if \p V is not a value of type \p T, as far as tensors and
/// tuples show; "" otherwise. Dimensions that are not constant match all sizes.
std::string checkValue(const RuntimeValue &V, Type *T);

} // namespace relay

#endif // RELAY_INTERPRETER_EVALUATION_EVALUATOR_H
