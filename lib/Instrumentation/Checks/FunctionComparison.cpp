//===- FunctionComparison.cpp - A function before and after a pass --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FunctionComparison.h. An input on which the function fails before the
// pass (an index out of range, an integer division by zero) has no result to
// preserve; another input replaces it.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/FunctionComparison.h"
#include "DifferenceFinder.h"
#include "ReferenceFollower.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Walk.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// The first operation that differs
//===----------------------------------------------------------------------===//

/// Evaluates both functions again. If all values together exceed the memory
/// limit, the operation remains unknown. Returns an operation that amplifies a
/// difference, if there is no other difference.
const Operation *FunctionComparison::findFirstOperation() {
  ValueRecorder OldValues, NewValues;
  EvaluatorOptions Limits = getLimits(/*Factor=*/1);
  Limits.Listeners.push_back(&OldValues);
  if (Follower)
    Follower->restart();
  Evaluator Old(*Before.getModule(), Limits);
  if (failed(Old.evaluate(Before, Outcome.Arguments)))
    return nullptr;
  DifferenceFinder Finder(OldValues, NewValues, After.getParams(), Twins,
                          Tolerance);
  Limits = getLimits(/*Factor=*/2);
  Limits.Listeners.push_back(&NewValues);
  Limits.Listeners.push_back(&Finder);
  Evaluator New(*After.getModule(), Limits);
  LogicalResult Evaluated = New.evaluate(After, Outcome.Arguments);
  Outcome.FirstOperation = Finder.getFirst();
  Outcome.FirstOperationDifference = Finder.getDifference();
  return failed(Evaluated) || Finder.getFirst() ? nullptr
                                                : Finder.getAmplifier();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Arguments and both evaluations together may use five eighths of the memory
/// that constants leave. The rest is for temporary memory of kernels and for
/// unused memory of the allocator. The limit is the same on each run,
/// independent of other allocations.
static uint64_t getMemoryOfEvaluation(const Context &Ctx, uint64_t Max) {
  uint64_t Limit = Ctx.getLimits().Memory;
  uint64_t Held = std::min<uint64_t>(Limit, Ctx.getConstantMemory());
  return std::min(Max, (Limit - Held) / 8);
}

EvaluatorOptions FunctionComparison::getLimits(unsigned Factor) const {
  constexpr uint64_t ElementsPerStep = 256, WorkPerElement = 256;
  EvaluatorOptions Limits;
  Limits.MaxElements =
      llvm::SaturatingMultiply<uint64_t>(Options.MaxElements, Factor);
  Limits.MaxSteps = std::max<uint64_t>(1, Limits.MaxElements / ElementsPerStep);
  Limits.MaxWork =
      llvm::SaturatingMultiply<uint64_t>(Limits.MaxElements, WorkPerElement);
  Limits.LimitFlag = "-semantics-max-elements";
  Limits.MaxMemory = MaxMemory * Factor;
  Limits.ReportsErrors = false;
  Limits.Requantize = Options.Requantize;
  if (Follower)
    Limits.Listeners.push_back(Follower.get());
  return Limits;
}

/// A pass may make a function slightly more expensive.
FunctionComparison::FunctionComparison(Function &Before, Function &After,
                                       const OperationTwins &Twins,
                                       const PassTolerance &Tolerance,
                                       const FunctionComparisonOptions &Options)
    : Before(Before), After(After), Twins(Twins), Tolerance(Tolerance),
      Options(Options),
      MaxMemory(getMemoryOfEvaluation(Before.getModule()->getContext(),
                                      Options.MaxMemory)),
      Follower(Tolerance.Steps ? std::make_unique<ReferenceFollower>(
                                     After, Twins, Tolerance.Steps)
                               : nullptr),
      OldEvaluator(*Before.getModule(), getLimits(/*Factor=*/1)),
      NewEvaluator(*After.getModule(), getLimits(/*Factor=*/2)) {}

FunctionComparison::~FunctionComparison() = default;

FunctionComparison::Step FunctionComparison::noteFailureBefore() {
  ++Outcome.NumFailed;
  if (Outcome.Reason.empty())
    Outcome.Reason = OldEvaluator.getError();
  return OldEvaluator.hasHitLimit() ? Step::Done : Step::Next;
}

/// Returns the name of an operator without a kernel that \p F may call.
static StringRef findWithoutKernel(Function &F, const Evaluator &E) {
  StringRef Name;
  for (Function *Each : getReachableFunctions(F))
    walk(*Each, [&](Operation *Op) {
      if (Op->is(OpCode::Operator) && !E.hasKernel(Op->getInfo()))
        Name = Op->getName();
    });
  return Name;
}

/// Not all operators have kernels for all data types of floats, and integers
/// that come from rounded floats may be refused.
FunctionComparison::Step FunctionComparison::noteFailureAfter() {
  std::string Error = NewEvaluator.getError().str();
  if (NewEvaluator.hasHitLimit() || Tolerance.ChangesFloatTypes ||
      !findWithoutKernel(After, NewEvaluator).empty()) {
    Outcome.Reason = "after the pass: " + Error;
    return Step::Done;
  }
  Outcome.K = ComparisonOutcome::Kind::Differs;
  Outcome.Difference.Text =
      "it fails on an input that it evaluated before: " + Error;
  return Step::Done;
}

/// Replaces this input by another one.
FunctionComparison::Step
FunctionComparison::noteAmplified(const Operation &Op) {
  ++Outcome.NumAmplified;
  if (Outcome.Amplifier.empty())
    Outcome.Amplifier = Op.getName();
  return Step::Next;
}

FunctionComparison::Step
FunctionComparison::compareResults(const RuntimeValue &Old,
                                   const RuntimeValue &New) {
  if (Follower)
    if (const Operation *Op =
            Follower->findDifference(OldEvaluator, Outcome.Difference)) {
      Outcome.FirstOperation = Op;
      Outcome.FirstOperationDifference = Outcome.Difference;
      Outcome.K = ComparisonOutcome::Kind::Differs;
      return Step::Done;
    }
  ResultComparison C = compareParts(Old, New, "its result", Tolerance);
  if (C.First) {
    Outcome.Difference = std::move(*C.First);
    if (const Operation *Op = findFirstOperation())
      return noteAmplified(*Op);
    Outcome.K = ComparisonOutcome::Kind::Differs;
    return Step::Done;
  }
  if (!C.LeftOut.empty())
    Outcome.Reason = "in its result: " + C.LeftOut;
  if (C.NumCompared == 0 && !C.LeftOut.empty()) {
    Outcome.K = ComparisonOutcome::Kind::NotCompared;
    return Step::Done;
  }
  ++Outcome.NumAgreed;
  return Step::Next;
}

FunctionComparison::Step FunctionComparison::tryInput(InputKind Input,
                                                      uint64_t Seed) {
  MemoryMeterRef Meter(new MemoryMeter(2 * MaxMemory));
  auto Arguments =
      RandomInputs(*Before.getModule(), Input, Seed, Meter.get()).make(Before);
  if (!Arguments) {
    Outcome.Reason = llvm::toString(Arguments.takeError());
    return Step::Done;
  }
  if (Follower)
    Follower->restart();
  FailureOr<RuntimeValue> Old = OldEvaluator.evaluate(Before, *Arguments);
  if (failed(Old))
    return noteFailureBefore();
  Outcome.Input = Input;
  Outcome.Seed = Seed;
  Outcome.Arguments = std::move(*Arguments);
  FailureOr<RuntimeValue> New = NewEvaluator.evaluate(After, Outcome.Arguments);
  return failed(New) ? noteFailureAfter() : compareResults(*Old, *New);
}

/// Returns true if both have the same parameters. The type parameters of a
/// clone are different objects with the same names.
static bool haveSameParameters(const Function &A, const Function &B) {
  return A.getParams().size() == B.getParams().size() &&
         llvm::all_of(llvm::zip(A.getParams(), B.getParams()), [](auto Pair) {
           Type *Old = std::get<0>(Pair)->getTypeForCallers();
           Type *New = std::get<1>(Pair)->getTypeForCallers();
           return Old && New && toString(Old) == toString(New);
         });
}

/// Returns true if all operations that \p F reaches are typed.
static bool isTyped(Function &F) {
  bool Typed = true;
  for (Function *Each : getReachableFunctions(F)) {
    Typed &= Each->getType() != nullptr;
    walk(*Each, [&](Operation *Op) { Typed &= Op->getType() != nullptr; });
  }
  return Typed;
}

ComparisonOutcome FunctionComparison::run() {
  if (!haveSameParameters(Before, After))
    Outcome.Reason = "the types of its parameters have changed";
  else if (!isTyped(Before) || !isTyped(After))
    Outcome.Reason = "it is not typed";
  else
    tryInputs();
  return std::move(Outcome);
}

void FunctionComparison::tryInputs() {
  // Sums with different rounding also overflow and cancel differently.
  SmallVector<InputKind, 5> Kinds = {InputKind::Plain, InputKind::Signed,
                                     InputKind::Edges, InputKind::Wide};
  if (Tolerance.isExact())
    Kinds.push_back(InputKind::Extremes);
  else if (Tolerance.Steps) // scales that are not positive have no steps
    Kinds = {InputKind::Plain};
  uint64_t MaxTries = 3 * uint64_t(Options.NumInputs);
  for (uint64_t I = 0; I != MaxTries; ++I) {
    if (Outcome.NumAgreed == Options.NumInputs)
      break;
    if (tryInput(Kinds[I % Kinds.size()], Options.Seed + I) == Step::Done)
      break;
  }
  if (Outcome.K == ComparisonOutcome::Kind::Differs)
    return;
  if (Outcome.NumAgreed != 0)
    Outcome.K = ComparisonOutcome::Kind::Agreed;
  else if (Outcome.NumAmplified != 0)
    Outcome.K = ComparisonOutcome::Kind::NotCompared;
}
