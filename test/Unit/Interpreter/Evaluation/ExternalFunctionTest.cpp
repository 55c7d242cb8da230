//===- ExternalFunctionTest.cpp - Functions that libraries run ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of the kind ExternalCompiler: when they are called, with which values,
// and what happens if they decline or fail.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Evaluation/ExternalFunction.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

using RunFn = std::function<FailureOr<bool>(KernelCall &)>;

/// A function that a test evaluates itself.
class TestFunction : public ExternalFunction {
public:
  explicit TestFunction(RunFn Run) : Run(std::move(Run)) {}
  FailureOr<bool> run(KernelCall &Call) override { return Run(Call); }

private:
  RunFn Run;
};

class ExternalFunctionTest : public testing::Test {
protected:
  ExternalFunctionTest() { registerAllOps(Ctx); }

  /// Makes \p Run evaluate the functions of the compiler \p Key.
  void add(StringRef Key, RunFn Run) {
    OpHookRegistration Hooks(Ctx, "test", Key);
    Hooks.addHook<ExternalCompiler>(
        FnOp::getInfo(), "compile",
        [this, Run](Function &F,
                    unsigned) -> std::unique_ptr<ExternalFunction> {
          Compiled.push_back(F.getName().str());
          return Run ? std::make_unique<TestFunction>(Run) : nullptr;
        });
  }
  void read(StringRef Text) {
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "test"), Ctx);
    ASSERT_TRUE(M);
    ASSERT_TRUE(succeeded(inferTypes(*M)));
  }
  /// Evaluates @main of a number; NaN after an error.
  double evaluate(Evaluator &E, float X) {
    RuntimeValue Arg = Tensor::getScalar(DType::getFloat(32), X);
    FailureOr<RuntimeValue> V = E.evaluate(*M->lookupFunction("main"), Arg);
    return succeeded(V) ? V->getTensor().getDouble() : NAN;
  }
  static EvaluatorOptions getQuietOptions() {
    EvaluatorOptions Options;
    Options.ReportsErrors = false;
    return Options;
  }

  Context Ctx;
  std::unique_ptr<Module> M;
  std::vector<std::string> Compiled;
};

constexpr const char Increment[] =
    "def @main(%x: float32) { negative(@f(%x)) }\n"
    "def @f(%x: float32, Compiler=\"toy\") -> float32 { add(%x, 1f) }";

/// Adds 100 instead of 1.
FailureOr<bool> addHundred(KernelCall &Call) {
  Call.getOutput<float>()[0] = Call.getInput<float>(0)[0] + 100;
  return true;
}

TEST_F(ExternalFunctionTest, RunsInsteadOfTheBody) {
  add("toy", addHundred);
  read(Increment);
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), -102);
  EXPECT_EQ(evaluate(E, 3), -103);
  // A function is compiled once.
  EXPECT_EQ(Compiled, std::vector<std::string>{"f"});
}

TEST_F(ExternalFunctionTest, OtherCompilersAndNone) {
  add("other", addHundred);
  read(Increment);
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), -3);
  EXPECT_TRUE(Compiled.empty());
}

TEST_F(ExternalFunctionTest, DeclinesFunctions) {
  add("toy", nullptr);
  read(Increment);
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), -3);
  EXPECT_EQ(evaluate(E, 3), -4);
  EXPECT_EQ(Compiled.size(), 1u);
}

TEST_F(ExternalFunctionTest, DeclinesCalls) {
  add("toy", [](KernelCall &Call) -> FailureOr<bool> {
    if (Call.getInput<float>(0)[0] < 3)
      return addHundred(Call);
    Call.getOutput<float>()[0] = 7; // dropped
    return false;
  });
  read(Increment);
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), -102);
  EXPECT_EQ(evaluate(E, 3), -4);
}

TEST_F(ExternalFunctionTest, ErrorsNameTheFunction) {
  add("toy", [](KernelCall &Call) -> FailureOr<bool> {
    return Call.emitError("out of order");
  });
  read(Increment);
  Evaluator E(*M, getQuietOptions());
  EXPECT_TRUE(std::isnan(evaluate(E, 2)));
  EXPECT_EQ(E.getError(), "@f: out of order");
}

TEST_F(ExternalFunctionTest, MissingOutputsAreErrors) {
  add("toy", [](KernelCall &) -> FailureOr<bool> { return true; });
  read(Increment);
  Evaluator E(*M, getQuietOptions());
  EXPECT_TRUE(std::isnan(evaluate(E, 2)));
  EXPECT_EQ(E.getError(), "@f: the kernel left an output undefined");
}

TEST_F(ExternalFunctionTest, CountsWorkAndMemory) {
  add("toy", [](KernelCall &Call) -> FailureOr<bool> {
    if (failed(Call.countWork(1000, 1000)))
      return failure();
    return addHundred(Call);
  });
  read(Increment);
  EvaluatorOptions Options = getQuietOptions();
  Options.MaxWork = 999'999;
  Evaluator E(*M, Options);
  EXPECT_TRUE(std::isnan(evaluate(E, 2)));
  EXPECT_TRUE(E.hasHitLimit());
  Options.MaxWork = 2'000'000;
  Evaluator Enough(*M, Options);
  EXPECT_EQ(evaluate(Enough, 2), -102);
}

TEST_F(ExternalFunctionTest, TuplesAndOperators) {
  add("toy", [this](KernelCall &Call) -> FailureOr<bool> {
    const Operation *Add = nullptr;
    walk(*M->lookupFunction("f"), [&](Operation *Op) {
      if (Op->getName() == "add")
        Add = Op;
    });
    ArrayRef<RuntimeValue> Pair = Call.getValue(0).getFields();
    FailureOr<RuntimeValue> Sum = evaluateWithin(Call, *Add, Pair);
    if (failed(Sum))
      return failure();
    Call.setOutput(0, Pair[1].getTensor());
    Call.setOutput(1, Sum->getTensor());
    return true;
  });
  read("def @main(%x: float32) { %0 = @f((%x, 10f)); "
       "multiply(%0.0, %0.1) }\n"
       "def @f(%p: (float32, float32), Compiler=\"toy\") -> (float32, float32) "
       "{ (%p.0, add(%p.0, %p.1)) }");
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), 120);
}

TEST_F(ExternalFunctionTest, FunctionsAsValuesAndEntryPoints) {
  add("toy", addHundred);
  read("def @main(%x: float32) { let %g = @f; %g(%x) }\n"
       "def @f(%x: float32, Compiler=\"toy\") -> float32 { add(%x, 1f) }");
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), 102);
  RuntimeValue Arg = Tensor::getScalar(DType::getFloat(32), 5.0f);
  FailureOr<RuntimeValue> V = E.evaluate(*M->lookupFunction("f"), Arg);
  ASSERT_TRUE(succeeded(V));
  EXPECT_EQ(V->getTensor().getDouble(), 105);
}

TEST_F(ExternalFunctionTest, LibrariesGetKnownShapes) {
  add("toy", addHundred);
  read("def @main(%x: float32) { negative(@f(reshape(%x, newshape=[1]))) }\n"
       "def @f(%x: Tensor[(?), float32], Compiler=\"toy\") { add(%x, 1f) }");
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), -3);
  EXPECT_TRUE(Compiled.empty());
}

/// Records the operators between whose calls a result is computed.
struct OperatorRecorder : EvaluationListener {
  void beforeOperator(const Operation &, const OpInfo &Op) override {
    Seen.push_back("before " + Op.Name.str());
  }
  void afterOperator(const Operation &, const OpInfo &Op,
                     const RuntimeValue &V) override {
    Seen.push_back("after " + Op.Name.str() + " " +
                   std::to_string(int(V.getTensor().getDouble())));
  }
  std::vector<std::string> Seen;
};

TEST_F(ExternalFunctionTest, ListenersSeeCallsOfLibrariesAsOperators) {
  add("toy", addHundred);
  read(Increment);
  OperatorRecorder Recorder;
  EvaluatorOptions Options;
  Options.Listeners = {&Recorder};
  Evaluator E(*M, Options);
  EXPECT_EQ(evaluate(E, 2), -102);
  EXPECT_EQ(Recorder.Seen,
            (std::vector<std::string>{
                "before relay.call_global", "after relay.call_global 102",
                "before negative", "after negative -102"}));
}

TEST_F(ExternalFunctionTest, HigherLevelsComeFirst) {
  add("toy", addHundred);
  OpHookRegistration Hooks(Ctx, "test", "toy", /*Level=*/20);
  Hooks.addHook<ExternalCompiler>(
      FnOp::getInfo(), "decline",
      [](Function &F, unsigned) -> std::unique_ptr<ExternalFunction> {
        if (F.getName() == "f")
          return nullptr;
        return std::make_unique<TestFunction>(
            [](KernelCall &Call) -> FailureOr<bool> {
              return Call.emitError("unexpected");
            });
      });
  read(Increment);
  Evaluator E(*M);
  EXPECT_EQ(evaluate(E, 2), -102);
}

} // namespace
