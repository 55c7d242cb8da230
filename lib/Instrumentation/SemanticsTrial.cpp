//===- SemanticsTrial.cpp - A function before and after a pass ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SemanticsTrial.h. An input that the function fails on before the pass
// (an index out of range, an integer divided by zero) has no meaning that the
// pass could change; another one takes its place.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/SemanticsTrial.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Walk.h"
#include "relay/Interpreter/ValuePrinter.h"
#include "relay/Support/RunLimits.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace relay;

void relay::forEachReachable(Function &F,
                             function_ref<void(Function &)> Visit) {
  llvm::SetVector<Function *> Found;
  Found.insert(&F);
  for (size_t I = 0; I != Found.size(); ++I) {
    walk(*Found[I], [&](Operation *Op) {
      if (Function *Named = getNamedFunction(*Op))
        Found.insert(Named);
    });
    Visit(*Found[I]);
  }
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// The distance from 1 to the next number of \p D, a float.
static double getEpsilon(DType D) {
  if (D.isBFloat())
    return 0x1p-7;
  return D.isFloat(16) ? 0x1p-10 : D.isFloat(32) ? 0x1p-23 : 0x1p-52;
}

/// The tolerance for \p Before, a tensor. The absolute one grows with the
/// elements, since what is rounded is sums of such elements. Types of few
/// digits may be rounded a number of times.
static Tolerance getTolerance(const PassTolerance &T, const Tensor &Before) {
  DType D = Before.getDType();
  if (T.isExact() || !(D.isFloat() || D.isBFloat()))
    return {};
  constexpr double Roundings = 16;
  double Largest = 0;
  for (int64_t I = 0; I != Before.getNumElements(); ++I)
    if (double Size = std::abs(Before.getDouble(I)); std::isfinite(Size))
      Largest = std::max(Largest, Size);
  double Rounding = Roundings * getEpsilon(D);
  return {std::max(T.Relative, Rounding),
          std::max(T.Absolute * std::max(Largest, 1.0), Rounding * Largest)};
}

static std::string getTypeText(const Tensor &T) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printTensorType(OS, T);
  return Text;
}

/// `12 ulp` and so on, of how many elements.
static std::string describeExtent(const TensorDifference &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << D.NumBeyond << " of " << D.NumElements << " elements: ";
  printDifference(OS, D);
  return Text;
}

static SemanticsDifference describeTensors(const Twine &What, const Tensor &Old,
                                           const Tensor &New,
                                           const TensorDifference &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << What;
  if (!D.IsCompared || !D.SameType) {
    OS << " was " << getTypeText(Old) << " and is " << getTypeText(New);
    return {Text, ""};
  }
  int64_t Index = *D.FirstBeyond;
  if (Old.getRank() != 0)
    OS << " at " << describeIndex(Old.getShape(), Index);
  OS << " was ";
  printElement(OS, Old, Index);
  OS << " and is ";
  printElement(OS, New, Index);
  return {Text, describeExtent(D)};
}

namespace {
/// How two values compare.
struct ValueComparison {
  /// The first part that differs; none if all agree.
  std::optional<SemanticsDifference> First;
  bool HasSameTypes = true;
  unsigned NumCompared = 0; ///< tensors
  /// Why a part was not compared; empty if none was left out.
  std::string LeftOut;
};
} // namespace

static ValueComparison compareParts(const RuntimeValue &Old,
                                    const RuntimeValue &New, StringRef What,
                                    const PassTolerance &T) {
  ValueComparison Result;
  compareValues(Old, New, {}, [&](const ValueDifference &D) {
    if (!D.isCompared()) {
      Result.LeftOut = D.Reason;
      return;
    }
    ++Result.NumCompared;
    std::string Where =
        (D.Path.empty() ? Twine(What) : "part " + D.Path + " of " + What).str();
    std::optional<SemanticsDifference> Found;
    if (D.K == ValueDifference::Kind::Structure) {
      Found = {Where + " differs: " + D.Reason, ""};
      Result.HasSameTypes = false;
    } else if (!D.agrees()) {
      const Tensor &Before = D.Expected->getTensor();
      const Tensor &After = D.Actual->getTensor();
      TensorDifference Elements =
          compareTensors(Before, After, getTolerance(T, Before));
      Result.HasSameTypes &= Elements.SameType;
      if (!Elements.agrees())
        Found = describeTensors(Where, Before, After, Elements);
    }
    if (Found && !Result.First)
      Result.First = std::move(Found);
  });
  return Result;
}

//===----------------------------------------------------------------------===//
// The first operation that differs
//===----------------------------------------------------------------------===//

/// Whether \p V is a reference or has one as a part. What it refers to may have
/// been overwritten since an operation gave it. Of values beyond the number
/// that are compared, any may be one.
static bool holdsReference(const RuntimeValue &V) {
  SmallVector<const RuntimeValue *, 8> Worklist = {&V};
  llvm::DenseSet<const void *> Seen;
  while (!Worklist.empty()) {
    const RuntimeValue &Part = *Worklist.pop_back_val();
    if (Part && Part.is(RuntimeValue::Kind::Reference))
      return true;
    if (!Part || !(Part.isTuple() || Part.is(RuntimeValue::Kind::Data)) ||
        !Seen.insert(Part.getIdentity()).second)
      continue;
    if (Seen.size() > MaxComparedValues)
      return true;
    for (const RuntimeValue &Field : Part.getFields())
      Worklist.push_back(&Field);
  }
  return false;
}

namespace {

/// Keeps what operations evaluate to.
class ValueRecorder final : public EvaluationListener {
public:
  void afterOperation(const Operation &Op, const RuntimeValue &V) override {
    SmallVector<RuntimeValue, 1> &Seen = Values[&Op];
    if (Seen.size() < MaxValues)
      Seen.push_back(V);
    else
      Overflown.insert(&Op);
  }
  /// All values of \p Op; none if there were too many.
  ArrayRef<RuntimeValue> getValues(const Operation *Op) const {
    auto Found = Values.find(Op);
    if (Found == Values.end() || Overflown.contains(Op))
      return {};
    return Found->second;
  }

private:
  static constexpr size_t MaxValues = 64;
  llvm::DenseMap<const Operation *, SmallVector<RuntimeValue, 1>> Values;
  llvm::DenseSet<const Operation *> Overflown;
};

/// Looks for the first operation whose value is none of those recorded.
class DifferenceFinder final : public EvaluationListener {
public:
  DifferenceFinder(const ValueRecorder &Recorded, const OperationTwins &Twins,
                   const PassTolerance &T, SemanticsOutcome &Outcome)
      : Recorded(Recorded), Twins(Twins), T(T), Outcome(Outcome) {}

  void afterOperation(const Operation &Op, const RuntimeValue &V) override {
    if (Outcome.FirstOperation || holdsReference(V))
      return;
    StringRef Name = Op.getName();
    Name.consume_front("relay.");
    std::optional<SemanticsDifference> First;
    for (const RuntimeValue &Old : Recorded.getValues(Twins.lookup(&Op))) {
      ValueComparison C = compareParts(Old, V, Name, T);
      if (!C.First || !C.HasSameTypes)
        return; // as before, or made another thing on purpose
      if (!First)
        First = std::move(C.First);
    }
    if (!First)
      return;
    Outcome.FirstOperation = &Op;
    Outcome.OfFirstOperation = std::move(*First);
  }

private:
  const ValueRecorder &Recorded;
  const OperationTwins &Twins;
  const PassTolerance &T;
  SemanticsOutcome &Outcome;
};

} // namespace

/// Evaluates both once more. Where all values together take more memory than
/// is allowed, the operation stays unknown.
void SemanticsTrial::findFirstOperation() {
  ValueRecorder Recorder;
  EvaluatorOptions Limits = getLimits(/*Factor=*/1);
  Limits.Listeners = {&Recorder};
  Evaluator Old(*Before.getModule(), Limits);
  if (failed(Old.evaluate(Before, Outcome.Arguments)))
    return;
  DifferenceFinder Finder(Recorder, Twins, Tolerance, Outcome);
  Limits.Listeners = {&Finder};
  Evaluator New(*After.getModule(), Limits);
  (void)New.evaluate(After, Outcome.Arguments);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Arguments and both evaluations together may hold five eighths of the memory
/// that constants leave. The rest is for what kernels take besides, and for
/// what the allocator does not use. The same on each run, whatever else is
/// held.
static uint64_t getMemoryOfEvaluation(const Context &Ctx, uint64_t Max) {
  uint64_t Limit = getMemoryLimit();
  if (!Limit)
    return Max;
  uint64_t Held = std::min<uint64_t>(Limit, Ctx.getConstantMemory());
  return std::min(Max, (Limit - Held) / 8);
}

EvaluatorOptions SemanticsTrial::getLimits(unsigned Factor) const {
  constexpr uint64_t ElementsPerStep = 256, WorkPerElement = 256;
  EvaluatorOptions Limits;
  Limits.MaxElements =
      llvm::SaturatingMultiply<uint64_t>(Options.MaxElements, Factor);
  Limits.MaxSteps = std::max<uint64_t>(1, Limits.MaxElements / ElementsPerStep);
  Limits.MaxWork =
      llvm::SaturatingMultiply<uint64_t>(Limits.MaxElements, WorkPerElement);
  Limits.LimitFlag = "-semantics-max-elements";
  Limits.MaxMemory = MaxMemory * Factor;
  Limits.NumThreads = Options.NumThreads;
  Limits.ReportsErrors = false;
  return Limits;
}

/// A pass may make a function somewhat more costly.
SemanticsTrial::SemanticsTrial(Function &Before, Function &After,
                               const OperationTwins &Twins,
                               const PassTolerance &Tolerance,
                               const SemanticsTrialOptions &Options)
    : Before(Before), After(After), Twins(Twins), Tolerance(Tolerance),
      Options(Options),
      MaxMemory(getMemoryOfEvaluation(Before.getModule()->getContext(),
                                      Options.MaxMemory)),
      OldEvaluator(*Before.getModule(), getLimits(/*Factor=*/1)),
      NewEvaluator(*After.getModule(), getLimits(/*Factor=*/2)) {}

SemanticsTrial::Step SemanticsTrial::noteFailureBefore() {
  ++Outcome.NumFailed;
  if (Outcome.Reason.empty())
    Outcome.Reason = OldEvaluator.getError();
  return OldEvaluator.hasHitLimit() ? Step::Done : Step::Next;
}

/// The name of an operator that \p F may call and that has no kernel.
static StringRef findWithoutKernel(Function &F, const Evaluator &E) {
  StringRef Name;
  forEachReachable(F, [&](Function &Each) {
    walk(Each, [&](Operation *Op) {
      if (Op->is(OpCode::Operator) && !E.hasKernel(Op->getInfo()))
        Name = Op->getName();
    });
  });
  return Name;
}

SemanticsTrial::Step SemanticsTrial::noteFailureAfter() {
  std::string Error = NewEvaluator.getError().str();
  if (NewEvaluator.hasHitLimit() ||
      !findWithoutKernel(After, NewEvaluator).empty()) {
    Outcome.Reason = "after the pass: " + Error;
    return Step::Done;
  }
  Outcome.K = SemanticsOutcome::Kind::Differs;
  Outcome.Difference.Text =
      "it fails on an input that it took before: " + Error;
  return Step::Done;
}

SemanticsTrial::Step SemanticsTrial::compareResults(const RuntimeValue &Old,
                                                    const RuntimeValue &New) {
  ValueComparison C = compareParts(Old, New, "its result", Tolerance);
  if (C.First) {
    Outcome.K = SemanticsOutcome::Kind::Differs;
    Outcome.Difference = std::move(*C.First);
    findFirstOperation();
    return Step::Done;
  }
  if (!C.LeftOut.empty())
    Outcome.Reason = "in its result: " + C.LeftOut;
  if (C.NumCompared == 0 && !C.LeftOut.empty()) {
    Outcome.K = SemanticsOutcome::Kind::NotCompared;
    return Step::Done;
  }
  ++Outcome.NumAgreed;
  return Step::Next;
}

SemanticsTrial::Step SemanticsTrial::tryInput(InputKind Input, uint64_t Seed) {
  MemoryMeterRef Meter(new MemoryMeter(2 * MaxMemory));
  auto Arguments =
      RandomInputs(*Before.getModule(), Input, Seed, Meter.get()).make(Before);
  if (!Arguments) {
    Outcome.Reason = llvm::toString(Arguments.takeError());
    return Step::Done;
  }
  FailureOr<RuntimeValue> Old = OldEvaluator.evaluate(Before, *Arguments);
  if (failed(Old))
    return noteFailureBefore();
  Outcome.Input = Input;
  Outcome.Seed = Seed;
  Outcome.Arguments = std::move(*Arguments);
  FailureOr<RuntimeValue> New = NewEvaluator.evaluate(After, Outcome.Arguments);
  return failed(New) ? noteFailureAfter() : compareResults(*Old, *New);
}

/// Whether both take the same arguments. Type parameters of a clone are others
/// of the same names.
static bool haveSameParameters(const Function &A, const Function &B) {
  return A.getParams().size() == B.getParams().size() &&
         llvm::all_of(llvm::zip(A.getParams(), B.getParams()), [](auto Pair) {
           Type *Old = std::get<0>(Pair)->getType();
           Type *New = std::get<1>(Pair)->getType();
           return Old && New && toString(Old) == toString(New);
         });
}

/// Whether inference has found the types of all that \p F reaches.
static bool isTyped(Function &F) {
  bool Typed = true;
  forEachReachable(F, [&](Function &Each) {
    Typed &= Each.getType() != nullptr;
    walk(Each, [&](Operation *Op) { Typed &= Op->getType() != nullptr; });
  });
  return Typed;
}

SemanticsOutcome SemanticsTrial::run() {
  if (!haveSameParameters(Before, After))
    Outcome.Reason = "the types of its parameters are others";
  else if (!isTyped(Before) || !isTyped(After))
    Outcome.Reason = "it is not typed";
  else
    tryInputs();
  return std::move(Outcome);
}

void SemanticsTrial::tryInputs() {
  // Sums that are rounded differently overflow and cancel differently, too.
  SmallVector<InputKind, 4> Kinds = {InputKind::Plain, InputKind::Signed,
                                     InputKind::Edges};
  if (Tolerance.isExact())
    Kinds.push_back(InputKind::Extremes);
  uint64_t MaxTries = 3 * uint64_t(Options.NumInputs);
  for (uint64_t I = 0; I != MaxTries; ++I) {
    if (Outcome.NumAgreed == Options.NumInputs)
      break;
    if (tryInput(Kinds[I % Kinds.size()], Options.Seed + I) == Step::Done)
      break;
  }
  if (Outcome.K != SemanticsOutcome::Kind::Differs && Outcome.NumAgreed != 0)
    Outcome.K = SemanticsOutcome::Kind::Agreed;
}
