//===- FunctionComparison.h - Functions around a pass -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a function as it was before a pass and as it is after it, on the
// same generated inputs, and compares the results. Equal results do not prove
// equality for other inputs.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_FUNCTIONCOMPARISON_H
#define RELAY_INSTRUMENTATION_CHECKS_FUNCTIONCOMPARISON_H

#include "relay/Instrumentation/Checks/OperationTwins.h"
#include "relay/Interpreter/Compare/TensorDifference.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Values/RandomInputs.h"
#include "relay/Pass/PassInfo.h"

namespace relay {

class ReferenceFollower;

struct FunctionComparisonOptions {
  /// The number of inputs on which both functions must be evaluated.
  unsigned NumInputs = 4;
  uint64_t Seed = 0;
  /// The maximal number of elements that operators compute in one evaluation.
  uint64_t MaxElements = uint64_t(1) << 28;
  /// The maximal number of bytes that values hold in one evaluation; also at
  /// most an eighth of the memory limit minus constants. Arguments, and the
  /// function after the pass, may hold twice as much.
  uint64_t MaxMemory = uint64_t(1) << 30;
  /// The method of changes of scale that do not state one.
  RequantizeMode Requantize = {};
};

/// A changed element, or another difference of results.
struct ResultDifference {
  /// The difference: `its result at [1] was 2 and is 3`.
  std::string Text;
  /// The distance from the old value; empty if it is not a number.
  std::string Extent;
};

/// The result of evaluating a function.
struct ComparisonOutcome {
  enum class Kind : uint8_t { Agreed, Differs, NotEvaluated, NotCompared };
  Kind K = Kind::NotEvaluated;
  /// The number of inputs on which the results agreed, and on which the
  /// function before the pass failed.
  unsigned NumAgreed = 0, NumFailed = 0;
  /// The number of inputs on which the results differ because an unchanged
  /// operation amplifies differences within the tolerance; the operator of the
  /// first such operation.
  unsigned NumAmplified = 0;
  StringRef Amplifier;
  /// The reason why it was not evaluated or compared, or failed on some inputs.
  std::string Reason;

  // Set if the results differ:
  ResultDifference Difference;
  InputKind Input = InputKind::Plain;
  uint64_t Seed = 0;
  std::vector<RuntimeValue> Arguments;
  /// The first operation, in the order of evaluation, whose value differs from
  /// all values that the same operation had before; null if there is none or it
  /// is unknown.
  const Operation *FirstOperation = nullptr;
  ResultDifference FirstOperationDifference;
};

class FunctionComparison {
public:
  /// The functions belong to two modules and are not changed. \p Twins maps
  /// operations of \p After to operations of \p Before.
  FunctionComparison(Function &Before, Function &After,
                     const OperationTwins &Twins,
                     const PassTolerance &Tolerance,
                     const FunctionComparisonOptions &Options);
  ~FunctionComparison();

  ComparisonOutcome run();

private:
  /// Done if no further inputs are needed.
  enum class Step : uint8_t { Next, Done };
  void tryInputs();
  Step tryInput(InputKind Input, uint64_t Seed);
  Step noteFailureBefore();
  Step noteFailureAfter();
  Step compareResults(const RuntimeValue &Old, const RuntimeValue &New);
  Step noteAmplified(const Operation &Op);
  const Operation *findFirstOperation();
  EvaluatorOptions getLimits(unsigned Factor) const;

  Function &Before, &After;
  const OperationTwins &Twins;
  const PassTolerance &Tolerance;
  const FunctionComparisonOptions &Options;
  const uint64_t MaxMemory; ///< bytes, of the evaluation before the pass
  /// Null unless the pass may change integers by steps.
  std::unique_ptr<ReferenceFollower> Follower;
  Evaluator OldEvaluator, NewEvaluator;
  ComparisonOutcome Outcome;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_FUNCTIONCOMPARISON_H
