//===- EvaluatorTest.cpp - Evaluates Relay --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface for passes: single operations, closures, unreported errors,
// memory.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "../../../../lib/Interpreter/Evaluation/EvaluationPlan.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class EvaluatorTest : public testing::Test {
protected:
  EvaluatorTest() { registerAllOps(Ctx); }

  void read(StringRef Text) {
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text, "test"), Ctx);
    ASSERT_TRUE(M);
    ASSERT_TRUE(succeeded(inferTypes(*M)));
  }
  Function &function(StringRef Name = "main") {
    return *M->lookupFunction(Name);
  }
  Operation *op(StringRef Name) {
    Operation *Found = nullptr;
    walk(function(), [&](Operation *Op) {
      if (!Found && (Op->getName() == Name || Op->getVarName() == Name))
        Found = Op;
    });
    EXPECT_TRUE(Found) << Name.str();
    return Found;
  }
  static RuntimeValue getFloat(float Value) {
    return Tensor::getScalar(DType::getFloat(32), Value);
  }
  RuntimeValue getVector(ArrayRef<float> Values) {
    Tensor T = Tensor::allocate(DType::getFloat(32), int64_t(Values.size()));
    llvm::copy(Values, T.getMutableElements<float>().begin());
    return T;
  }

  Context Ctx;
  std::unique_ptr<Module> M;
};

TEST_F(EvaluatorTest, OneOperation) {
  read("def @main(%x: float32) { add(%x, 2f) }");
  Operation *Add = op("add");
  Evaluator E(*M);
  auto Two = ConstantOp(Add->getOperand(1)->getDefiningOp()).attrs().value();
  RuntimeValue Constant = Tensor::get(*Two.getConstant());
  FailureOr<RuntimeValue> Sum = E.evaluate(*Add, {getFloat(3), Constant});
  ASSERT_TRUE(succeeded(Sum));
  EXPECT_EQ(Sum->getTensor().getDouble(), 5);
  EXPECT_EQ(Sum->getTensor().getConstant(Ctx),
            Ctx.getScalarConstant(DType::getFloat(32), 5.0));
}

TEST_F(EvaluatorTest, ConstantsAreUsedInPlace) {
  read("def @main() { 2f }");
  const ConstantData *Data = cast<ConstantOp>(function().getBody().getResult())
                                 .attrs()
                                 .value()
                                 .getConstant();
  Evaluator E(*M);
  FailureOr<RuntimeValue> Result = E.evaluate(function(), {});
  ASSERT_TRUE(succeeded(Result));
  EXPECT_EQ(Result->getTensor().getBytes().data(), Data->getBytes().data());
}

TEST_F(EvaluatorTest, Closure) {
  read("def @main(%x: float32) {\n"
       "  let %f = fn (%a: float32, Primitive=1) { negative(%a) };\n"
       "  %f(%x)\n"
       "}");
  Evaluator E(*M);
  FailureOr<RuntimeValue> Result = E.evaluateClosure(*op("f"), getFloat(3));
  ASSERT_TRUE(succeeded(Result));
  EXPECT_EQ(Result->getTensor().getDouble(), -3);
}

TEST_F(EvaluatorTest, QuietErrors) {
  read("def @main(%x: int32) { divide(%x, 0) }");
  EvaluatorOptions Options;
  Options.ReportsErrors = false;
  Evaluator E(*M, Options);
  RuntimeValue One = Tensor::getScalar(DType::getInt(32), int32_t(1));
  EXPECT_TRUE(failed(E.evaluate(function(), One)));
  EXPECT_EQ(E.getError(), "'divide': division by zero");
  EXPECT_EQ(Ctx.getDiagnostics().getNumErrors(), 0u);
}

TEST_F(EvaluatorTest, WorkFollowsSteps) {
  read("def @main(%x: Tensor[(4096), float32]) { negative(%x) }");
  RuntimeValue Input = Tensor::allocate(DType::getFloat(32), {4096});
  EvaluatorOptions Options;
  Options.ReportsErrors = false;
  Options.MaxSteps = 3;
  Evaluator E(*M, Options);
  EXPECT_TRUE(failed(E.evaluate(function(), Input)));
  EXPECT_EQ(E.getError(), "'negative': more than 3072 operations on elements; "
                          "raise -max-steps to allow it");
  EXPECT_TRUE(E.hasHitLimit());
  Options.MaxWork = 1 << 20;
  EXPECT_TRUE(succeeded(Evaluator(*M, Options).evaluate(function(), Input)));
}

TEST_F(EvaluatorTest, WorkOfOperatorsAddsUp) {
  read("def @main(%x: Tensor[(4096), float32]) { negative(%x) }");
  RuntimeValue Input = Tensor::allocate(DType::getFloat(32), {4096});
  EvaluatorOptions Options;
  Options.ReportsErrors = false;
  Options.MaxWork = 1 << 20;
  Options.LimitFlag = "";
  Evaluator E(*M, Options);
  unsigned NumCalls = 0;
  while (NumCalls != 300 && succeeded(E.evaluate(*op("negative"), Input)))
    ++NumCalls;
  EXPECT_LT(NumCalls, 300u); // of 4096 operations or more
  EXPECT_EQ(E.getError(),
            "'negative': more than 1048576 operations on elements");
  EXPECT_TRUE(failed(E.evaluate(*op("negative"), Input)));
}

TEST_F(EvaluatorTest, ArgumentsAreChecked) {
  read("def @main(%x: Tensor[(2), float32]) { negative(%x) }");
  EvaluatorOptions Options;
  Options.ReportsErrors = false;
  Evaluator E(*M, Options);
  EXPECT_TRUE(failed(E.evaluate(function(), getFloat(1))));
  EXPECT_EQ(E.getError(),
            "argument %x: the type is Tensor[(2), float32], but the value is a "
            "tensor of () and float32");
  EXPECT_TRUE(failed(E.evaluate(function(), {})));
  EXPECT_EQ(E.getError(), "@main takes 1 arguments, not 0");
  EXPECT_TRUE(succeeded(E.evaluate(function(), getVector({1, 2}))));
}

TEST_F(EvaluatorTest, BuffersAreFreedAfterTheirLastUse) {
  // Each of the ten results has 4000 bytes; two are held at a time.
  std::string Text = "def @main(%x: Tensor[(1000), float32]) {\n"
                     "  %0 = negative(%x);\n";
  for (unsigned I = 1; I != 10; ++I)
    Text += "  %" + std::to_string(I) + " = negative(%" +
            std::to_string(I - 1) + ");\n";
  read(Text + "  %9\n}");
  Evaluator E(*M);
  ASSERT_TRUE(succeeded(
      E.evaluate(function(), getVector(std::vector<float>(1000, 1.0f)))));
  EXPECT_GE(E.getMemory().getPeak(), 8000u);
  EXPECT_LT(E.getMemory().getPeak(), 12000u);
  EXPECT_EQ(E.getMemory().getUsed(), 0u);
}

TEST_F(EvaluatorTest, CirclesOfReferencesAreFreed) {
  read("def @main() {\n"
       "  let %r = ref(fn (%x: int32) -> int32 { %x });\n"
       "  let %f = fn (%x: int32) -> int32 { (ref_read(%r))(%x) };\n"
       "  let %u = ref_write(%r, %f);\n"
       "  0\n"
       "}");
  // Leak checkers find memory that is not freed.
  Evaluator E(*M);
  EXPECT_TRUE(succeeded(E.evaluate(function(), {})));
}

/// Returns `let %f0 = fn () { let %f1 = fn () { ... add(%x, 1f) ... }; %f1() };
/// %f0()`.
std::string nestClosures(unsigned Depth) {
  std::string Begin, End;
  for (unsigned I = 0; I != Depth; ++I) {
    std::string Name = "%f" + std::to_string(I);
    Begin += "let " + Name + " = fn () {\n";
    End = "};\n" + Name + "()\n" + End;
  }
  return "def @main(%x: float32) {\n" + Begin + "add(%x, 1f)\n" + End + "}\n";
}

// All closures are planned together with the enclosing function. If each were
// planned at its first call, the innermost one would be visited 1000 times.
TEST_F(EvaluatorTest, NestedClosuresArePlannedOnce) {
  read(nestClosures(1000));
  EvaluationPlanCache Plans(Ctx, M.get());
  Plans.get(function());
  EXPECT_EQ(Plans.getNumClosuresFound(), 1000u);
  walk(function(), [&](FnOp Closure) { Plans.get(*Closure.getOperation()); });
  EXPECT_EQ(Plans.getNumClosuresFound(), 1000u);

  FailureOr<RuntimeValue> Result =
      Evaluator(*M).evaluate(function(), getFloat(3));
  ASSERT_TRUE(succeeded(Result));
  EXPECT_EQ(Result->getTensor().getDouble(), 4);
}

TEST_F(EvaluatorTest, CallOfAnUndefinedFunction) {
  read("def @main(%x: float32) { add(@f(%x), 1f) }\n"
       "def @f(%x: float32) { %x }\n");
  M->eraseFunction(M->lookupFunction("f"));
  EvaluationPlanCache Plans(Ctx, M.get());
  ArrayRef<Instruction> Code = Plans.get(function()).Code;
  const auto *Call = llvm::find_if(Code, [](const Instruction &I) {
    return I.K == Instruction::Kind::Call;
  });
  ASSERT_NE(Call, Code.end());
  EXPECT_EQ(Call->Code, nullptr);

  Evaluator E(*M);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(failed(E.evaluate(function(), getFloat(3))));
  EXPECT_NE(
      testing::internal::GetCapturedStderr().find("undefined function `@f`"),
      std::string::npos);
}

} // namespace
