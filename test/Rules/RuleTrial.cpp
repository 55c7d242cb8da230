//===- RuleTrial.cpp - Tests that a rule preserves results ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RuleTrial.h.
//
//===----------------------------------------------------------------------===//

#include "RuleTrial.h"
#include "InstanceMaker.h"
#include "relay/IR/Core.h"
#include "relay/IR/Verifier.h"
#include "relay/IR/Walk.h"
#include "relay/Instrumentation/Checks/FunctionComparison.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pattern/Rewrite/RewriteDriver.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace relay;
using namespace relay::test;

std::string RuleOutcome::describe() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << NumAgreed << " instances agree, of " << NumTries << " tries; "
     << NumUntyped << " were not well typed";
  if (!WhyUntyped.empty())
    OS << " (" << WhyUntyped << ")";
  OS << ", to " << NumUnmatched << " the rule did not apply, "
     << NumNotEvaluated << " were not evaluated";
  if (!WhyNotEvaluated.empty())
    OS << " (" << WhyNotEvaluated << ")";
  if (NumExcepted != 0)
    OS << ", " << NumExcepted << " were of numbers that it excepts";
  return Text;
}

//===----------------------------------------------------------------------===//
// Cancellation
//===----------------------------------------------------------------------===//

namespace {

/// Records the kinds of numbers that a function computes with.
class NumberListener final : public EvaluationListener {
public:
  void afterOperation(const Operation &, const RuntimeValue &V) override {
    note(V);
  }
  void note(const RuntimeValue &V) {
    if (V.isTensor())
      note(V.getTensor());
  }
  void note(const Tensor &T);

  double Largest = 1; ///< of finite numbers
  /// The numbers that a rule may except.
  ExceptedNumbers Found = ExceptedNumbers::None;
};

/// Tries one rule.
class RuleTrial {
public:
  RuleTrial(const RewriteRule &Rule, const PassTolerance &Tolerance,
            const RuleTrialOptions &Options)
      : Rule(Rule), Tolerance(Tolerance), Options(Options) {}

  RuleOutcome run();

private:
  void tryInstance(const RuleSet &Rules, uint64_t Number);
  std::unique_ptr<Module> apply(Module &Before, const RuleSet &Rules,
                                uint64_t Number);
  void compare(Module &Before, Module &After, uint64_t Number);
  bool isCancellation(Function &Before, Function &After,
                      ArrayRef<RuntimeValue> Arguments) const;
  bool isExcepted(Function &Before, ArrayRef<RuntimeValue> Arguments) const;
  void noteExcepted(const ComparisonOutcome &Trial);
  void noteFailure(uint64_t Number, Module &Before, Module *After,
                   const Twine &What, const ComparisonOutcome *Trial = nullptr);
  std::string takeErrors() { return std::exchange(Errors, ""); }

  const RewriteRule &Rule;
  const PassTolerance &Tolerance;
  const RuleTrialOptions &Options;
  Context Ctx;
  std::string Errors;
  RuleOutcome Outcome;
};

} // namespace

void NumberListener::note(const Tensor &T) {
  dispatchDType(T.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    using Limits = std::numeric_limits<E>;
    if (std::is_same_v<E, Half> || std::is_same_v<E, BFloat>)
      Found |= ExceptedNumbers::NarrowFloats;
    for (int64_t I = 0; I != T.getNumElements(); ++I) {
      double Number = T.getDouble(I);
      if (std::isfinite(Number))
        Largest = std::max(Largest, std::abs(Number));
      else
        Found |= ExceptedNumbers::NotFinite;
      if constexpr (std::is_integral_v<E> && !std::is_same_v<E, bool>)
        if (Number == double(Limits::min()) || Number == double(Limits::max()))
          Found |= ExceptedNumbers::IntegerLimits;
    }
  });
}

static FailureOr<RuntimeValue>
evaluate(Function &F, ArrayRef<RuntimeValue> Arguments,
         EvaluationListener *Listener = nullptr) {
  EvaluatorOptions Options;
  Options.ReportsErrors = false;
  if (Listener)
    Options.Listeners = {Listener};
  return Evaluator(*F.getModule(), Options).evaluate(F, Arguments);
}

/// Returns true if results of floats are as close as the rounding of
/// intermediate values allows: after cancellation, the difference is less than
/// the error of each value. -verify-semantics, which sees only results, uses
/// tensors of many elements instead.
bool RuleTrial::isCancellation(Function &Before, Function &After,
                               ArrayRef<RuntimeValue> Arguments) const {
  NumberListener Listener;
  auto Old = evaluate(Before, Arguments, &Listener);
  auto New = evaluate(After, Arguments);
  if (Tolerance.isExact() || failed(Old) || failed(New))
    return false;
  for (const RuntimeValue &Argument : Arguments)
    Listener.note(Argument);
  bool Agrees = true;
  compareValues(*Old, *New, {}, [&](const ValueDifference &D) {
    if (D.K != ValueDifference::Kind::Tensors) {
      Agrees = false;
      return;
    }
    DType T = D.Expected->getTensor().getDType();
    if (!T.isFloat() && !T.isBFloat()) {
      Agrees &= D.agrees();
      return;
    }
    double Rounding = 16 * std::ldexp(1.0, T.isBFloat()    ? -7
                                           : T.isFloat(16) ? -10
                                           : T.isFloat(32) ? -23
                                                           : -52);
    relay::Tolerance Near = {std::max(Tolerance.Relative, Rounding),
                             std::max(Tolerance.Absolute, Rounding) *
                                 Listener.Largest};
    Agrees &=
        compareTensors(D.Expected->getTensor(), D.Actual->getTensor(), Near)
            .agrees();
  });
  return Agrees;
}

/// Returns true if the computation includes numbers that the rule excepts.
bool RuleTrial::isExcepted(Function &Before,
                           ArrayRef<RuntimeValue> Arguments) const {
  if (Rule.Except == ExceptedNumbers::None)
    return false;
  NumberListener Listener;
  (void)evaluate(Before, Arguments, &Listener);
  for (const RuntimeValue &Argument : Arguments)
    Listener.note(Argument);
  walk(Before, [&](Operation *Op) {
    if (auto C = dyn_cast<ConstantOp>(Op))
      Listener.note(Tensor::get(*C.attrs().value().getConstant()));
  });
  return (Rule.Except & Listener.Found) != ExceptedNumbers::None;
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

static void printResult(raw_ostream &OS, StringRef When,
                        const FailureOr<RuntimeValue> &Result) {
  OS << "computes " << When << ": ";
  if (succeeded(Result))
    printValue(OS, *Result);
  OS << '\n';
}

/// Prints \p M, and the constants that are not in its text.
static void printFunctions(raw_ostream &OS, Module &M) {
  Function &F = *M.lookupFunction("main");
  printFunction(F, OS);
  unsigned Number = 0;
  walk(F, [&](Operation *Op) {
    auto C = dyn_cast<ConstantOp>(Op);
    if (!C || C.attrs().value().getConstant()->isScalar())
      return;
    OS << "constant " << Number++ << " = ";
    printValue(OS, Tensor::get(*C.attrs().value().getConstant()));
    OS << '\n';
  });
}

/// Keeps the shortest report, which has the smallest instance.
void RuleTrial::noteFailure(uint64_t Number, Module &Before, Module *After,
                            const Twine &What, const ComparisonOutcome *Trial) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "rule '" << Rule.Name << "' is wrong: " << What << "\ninstance "
     << Number << ":\n";
  printFunctions(OS, Before);
  if (After) {
    OS << "becomes\n";
    printFunctions(OS, *After);
  }
  if (Trial) {
    OS << "on " << describe(Trial->Input) << " of seed " << Trial->Seed << '\n';
    for (auto [I, Argument] : llvm::enumerate(Trial->Arguments)) {
      OS << "%x" << I << " = ";
      printValue(OS, Argument);
      OS << '\n';
    }
    Function &Old = *Before.lookupFunction("main");
    Function &New = *After->lookupFunction("main");
    printResult(OS, "before", evaluate(Old, Trial->Arguments));
    printResult(OS, "after", evaluate(New, Trial->Arguments));
  }
  if (Outcome.Failure.empty() || Text.size() < Outcome.Failure.size())
    Outcome.Failure = Text;
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

/// Returns a copy of \p Before after the rule has been applied; null if it does
/// not apply, or if the result is reported.
std::unique_ptr<Module> RuleTrial::apply(Module &Before, const RuleSet &Rules,
                                         uint64_t Number) {
  std::unique_ptr<Module> After = Before.clone();
  Function &F = *After->lookupFunction("main");
  unsigned NumApplied = 0;
  RewriteOptions Limits;
  Limits.MinApplications = 100;
  Limits.OnApplied = [&](unsigned) { ++NumApplied; };
  Rewriter R(F);
  if (failed(applyRules(F, R, Rules, Limits))) {
    noteFailure(Number, Before, nullptr, takeErrors());
    return nullptr;
  }
  if (NumApplied == 0) {
    ++Outcome.NumUnmatched;
    return nullptr;
  }
  F.normalize();
  if (succeeded(verify(*After)))
    return After;
  noteFailure(Number, Before, After.get(), takeErrors());
  return nullptr;
}

/// An instance whose results agreed for other inputs counts.
void RuleTrial::noteExcepted(const ComparisonOutcome &Trial) {
  if (Trial.NumAgreed != 0)
    ++Outcome.NumAgreed;
  else
    ++Outcome.NumExcepted;
}

void RuleTrial::compare(Module &Before, Module &After, uint64_t Number) {
  Function &Old = *Before.lookupFunction("main");
  Function &New = *After.lookupFunction("main");
  OperationTwins Twins;
  FunctionComparisonOptions ComparisonOptions;
  ComparisonOptions.Seed = Number % 1024 * 4;
  ComparisonOptions.MaxElements = 1 << 22;
  ComparisonOutcome Trial =
      FunctionComparison(Old, New, Twins, Tolerance, ComparisonOptions).run();
  switch (Trial.K) {
  case ComparisonOutcome::Kind::Agreed:
    ++Outcome.NumAgreed;
    break;
  case ComparisonOutcome::Kind::Differs:
    if (isCancellation(Old, New, Trial.Arguments))
      ++Outcome.NumAgreed;
    else if (isExcepted(Old, Trial.Arguments))
      noteExcepted(Trial);
    else
      noteFailure(Number, Before, &After, Trial.Difference.Text, &Trial);
    break;
  case ComparisonOutcome::Kind::NotEvaluated:
  case ComparisonOutcome::Kind::NotCompared:
    ++Outcome.NumNotEvaluated;
    Outcome.WhyNotEvaluated = Trial.Reason;
    break;
  }
}

void RuleTrial::tryInstance(const RuleSet &Rules, uint64_t Number) {
  ++Outcome.NumTries;
  uint64_t Seed = llvm::xxh3_64bits(Rule.Name) + Number;
  InstanceMaker Maker(Ctx, Seed, Tolerance.isExact());
  Chance Examples(Seed);
  std::unique_ptr<Module> Before = Maker.make(
      Rule.Examples.empty() ? Rule.Source
                            : Examples.pick(ArrayRef(Rule.Examples)));
  if (!Before || failed(verify(*Before))) {
    ++Outcome.NumUntyped;
    std::string Why = takeErrors();
    if (Why.empty())
      Why = Maker.getObstacle();
    if (!Why.empty())
      Outcome.WhyUntyped = Why;
    return;
  }
  if (std::unique_ptr<Module> After = apply(*Before, Rules, Number))
    compare(*Before, *After, Number);
}

RuleOutcome RuleTrial::run() {
  registerAllOps(Ctx);
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
    Errors = D.Message;
    return true;
  });
  auto Rules = RuleSet::compile(Ctx, {Rule});
  if (failed(Rules)) {
    Outcome.Failure = takeErrors();
    return Outcome;
  }
  // After a failure, further instances are tried to find a smaller one.
  constexpr uint64_t TriesForSmaller = 300;
  uint64_t NumTries = uint64_t(Options.NumInstances) * Options.TriesPerInstance;
  for (uint64_t I = 0; I < NumTries; ++I) {
    if (Outcome.NumAgreed == Options.NumInstances)
      break;
    bool HadFailed = !Outcome.Failure.empty();
    tryInstance(*Rules, Options.First + I);
    if (!HadFailed && !Outcome.Failure.empty())
      NumTries = std::min(NumTries, I + TriesForSmaller);
  }
  return Outcome;
}

RuleOutcome relay::test::tryRule(const RewriteRule &Rule,
                                 const PassTolerance &Tolerance,
                                 const RuleTrialOptions &Options) {
  return RuleTrial(Rule, Tolerance, Options).run();
}
