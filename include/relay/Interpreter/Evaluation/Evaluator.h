//===- Evaluator.h - Evaluates Relay ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs functions on values, on its own stack, so that calls nest as deep as
// memory allows. Functions are prepared once
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
#include "relay/Ops/RequantizeMode.h"
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
  /// Called before operator \p Op is computed.
  virtual void beforeOperation(const Operation &) {}
  /// Called when \p Op, any operation but a constant, has the value \p Result,
  /// which may be replaced by another one of the same type.
  virtual void substitute(const Operation &, RuntimeValue & /*Result*/) {}
  /// Called with the value \p Result of \p Op after substitute() of all
  /// listeners.
  virtual void afterOperation(const Operation &, const RuntimeValue &) {}
  /// Called when a parameter, or a variable of a match clause, has the value \p
  /// Bound.
  virtual void afterBinding(const BlockArgument &,
                            const RuntimeValue & /*Bound*/) {}
  /// Called before an operator is computed by \p Op, which calls it by name or
  /// as a value.
  virtual void beforeOperator(const Operation &, const OpInfo &) {}
  /// Called when the operator has returned the value \p Result.
  virtual void afterOperator(const Operation &, const OpInfo &,
                             const RuntimeValue &) {}
};

struct EvaluatorOptions {
  static constexpr uint64_t DefaultSteps = 1'000'000'000;
  static constexpr uint64_t DefaultMemory = uint64_t(4) << 30;

  /// The number of operations on elements that count as a step if one number
  /// limits both.
  static constexpr uint64_t WorkPerStep = 1024;

  /// The maximal number of operations that run.
  uint64_t MaxSteps = DefaultSteps;
  /// The maximal number of operations on elements that kernels do in one
  /// evaluation of a function, or in all calls of separately evaluated
  /// operators; if not set, WorkPerStep for each of MaxSteps.
  std::optional<uint64_t> MaxWork;
  /// The maximal number of bytes that values and calls hold. Constants exist
  /// already and do not count.
  uint64_t MaxMemory = DefaultMemory;
  /// The maximal number of elements that operators compute.
  uint64_t MaxElements = std::numeric_limits<uint64_t>::max();
  /// The flag that raises all limits except memory, for messages; empty if
  /// there is none.
  StringLiteral LimitFlag = "-max-steps";
  /// If true, errors are diagnostics of the Context; otherwise only getError()
  /// has them.
  bool ReportsErrors = true;
  std::vector<EvaluationListener *> Listeners;
  /// The method of changes of scale that do not state one.
  RequantizeMode Requantize = {};
};

/// Evaluates functions and operators. Values that hold closures or references
/// are valid as long as the evaluator. Functions that it has run must be
/// normalized and typed, and must not change during its lifetime. Kernels work
/// on the threads of the module's Context, or only on the thread of the caller
/// if the Context is already working on several.
class Evaluator {
public:
  /// Functions and constructors are looked up in \p M.
  explicit Evaluator(Module &M, const EvaluatorOptions &Options = {});
  ~Evaluator();

  /// Returns the result of \p F for \p Args, which are checked against the
  /// types of the parameters. Fails, with an error reported, if there is no
  /// result.
  FailureOr<RuntimeValue> evaluate(Function &F, ArrayRef<RuntimeValue> Args);
  /// As above, for a closure without captures.
  FailureOr<RuntimeValue> evaluateClosure(const Operation &Fn,
                                          ArrayRef<RuntimeValue> Args);
  /// Returns the result of one call of an operator for values of its operands.
  /// The work of kernels adds up over such calls: beyond MaxWork, all of them
  /// fail.
  FailureOr<RuntimeValue> evaluate(const Operation &Op,
                                   ArrayRef<RuntimeValue> Operands);

  /// Returns true if there is a kernel for \p Info.
  bool hasKernel(const OpInfo &Info) const;
  /// Returns the last error, without position.
  StringRef getError() const;
  /// Returns true if a limit of the options has ended an evaluation.
  bool hasHitLimit() const;
  /// Returns the bytes that values hold now, and the maximum so far.
  const MemoryMeter &getMemory() const;

private:
  class Impl;
  std::unique_ptr<Impl> TheImpl;
};

/// Returns the result of one call of \p Info with the attributes \p A. Fails,
/// without an error reported, if there is no result, if the call takes more
/// than \p MaxMemory bytes, or if it exceeds the limit of \p Work, which counts
/// it.
FailureOr<RuntimeValue> evaluateOperator(Context &Ctx, const OpInfo &Info,
                                         const Attrs *A,
                                         ArrayRef<RuntimeValue> Operands,
                                         uint64_t MaxMemory, WorkMeter &Work);

/// Returns an error if \p V is not a value of type \p T, judged by tensors and
/// tuples; otherwise "". Dimensions that are not constant match all sizes.
std::string checkValue(const RuntimeValue &V, Type *T);

} // namespace relay

#endif // RELAY_INTERPRETER_EVALUATION_EVALUATOR_H
