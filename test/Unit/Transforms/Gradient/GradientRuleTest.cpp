//===- GradientRuleTest.cpp - Rules of gradients --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests rules added at run time. test/Transforms/Gradient covers the rules of
// the tree.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/Dyn.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Ops/Tensor.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Gradient/Gradient.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

using ModeValue = GradientOptions::ModeValue;
using RuleFn = FailureOr<GradientList> (*)(Rewriter &, const GradientRequest &);

class GradientRuleTest : public testing::TestWithParam<ModeValue> {
protected:
  GradientRuleTest() {
    registerAllOps(Ctx);
    registerAllPasses(Registry);
  }

  /// Differentiates `add(%x, %y)` with \p Rule. Returns the errors.
  std::string run(RuleFn Rule, StringRef Shape = "2, 3") {
    OpHookEntry Entry;
    Entry.Op = &AddOp::getInfo();
    Entry.Level = 20;
    Entry.Name = "myRule";
    Entry.Source = "my.cpp";
    llvm::cantFail(addOpHook<GradientRule>(Ctx, Entry, Rule));
    std::string Text = ("#[version = \"0.0.5\"]\n"
                        "def @main(%x: Tensor[(" +
                        Shape + "), float32], %y: Tensor[(" + Shape +
                        "), float32]) { add(%x, %y) }")
                           .str();
    M = parseModule(llvm::MemoryBuffer::getMemBuffer(Text), Ctx);
    if (!M || failed(inferTypes(*M)))
      return "no module";
    GradientOptions Options;
    Options.Mode = GetParam();
    auto P = createGradientPass(Options);
    PassContext PC(Ctx, Registry);
    AnalysisManagers AMs(PC);
    std::string Errors;
    Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
      Errors += D.Message;
      return true;
    });
    LogicalResult Outcome =
        static_cast<ModulePass &>(*P).run(*M, AMs.Modules, PC);
    Ctx.getDiagnostics().popHandler();
    EXPECT_EQ(failed(Outcome), !Errors.empty());
    return Errors;
  }

  Context Ctx;
  PassRegistry Registry;
  std::unique_ptr<Module> M;
};

INSTANTIATE_TEST_SUITE_P(Modes, GradientRuleTest,
                         testing::Values(ModeValue::FirstOrder,
                                         ModeValue::HigherOrder));

FailureOr<GradientList> returnNone(Rewriter &, const GradientRequest &) {
  return GradientList();
}

FailureOr<GradientList> returnThree(Rewriter &, const GradientRequest &G) {
  return GradientList{G.Gradient, G.Gradient, G.Gradient};
}

FailureOr<GradientList> returnNull(Rewriter &, const GradientRequest &G) {
  return GradientList{G.Gradient, nullptr};
}

FailureOr<GradientList> returnSum(Rewriter &R, const GradientRequest &G) {
  return GradientList{R.create<SumOp>(G.Gradient), G.Gradient};
}

FailureOr<GradientList> returnDoubles(Rewriter &R, const GradientRequest &G) {
  Value *V = R.create<CastOp>(G.Gradient, DType::getFloat(64));
  return GradientList{G.Gradient, V};
}

FailureOr<GradientList> returnDynamic(Rewriter &R, const GradientRequest &G) {
  Value *Shape = R.create<ShapeOfOp>(G.Gradient, DType::getInt(32));
  InitOpAttrs::Builder Attributes(R.getContext());
  Attributes.dtype(DType::getFloat(32));
  Value *Ones = R.create<DynOnesOp>(Shape, Attributes.get());
  return GradientList{Ones, G.Gradient};
}

TEST_P(GradientRuleTest, TheNumberOfGradientsIsChecked) {
  EXPECT_EQ(run(returnNone),
            "no gradient of 'add': 'myRule' (my.cpp) computes gradients of 0 "
            "operands, expected 2");
}

TEST_P(GradientRuleTest, FurtherGradientsAreAnError) {
  EXPECT_EQ(run(returnThree),
            "no gradient of 'add': 'myRule' (my.cpp) computes gradients of 3 "
            "operands, expected 2");
}

TEST_P(GradientRuleTest, NullIsAnError) {
  EXPECT_EQ(run(returnNull), "no gradient of 'add': 'myRule' (my.cpp) computes "
                             "no gradient of operand 1");
}

TEST_P(GradientRuleTest, AnotherShapeIsAnError) {
  EXPECT_EQ(run(returnSum),
            "no gradient of 'add': 'myRule' (my.cpp) computes a gradient of "
            "type float32 for operand 0, expected Tensor[(2, 3), float32]");
}

TEST_P(GradientRuleTest, AnotherDataTypeIsAnError) {
  EXPECT_EQ(run(returnDoubles),
            "no gradient of 'add': 'myRule' (my.cpp) computes a gradient of "
            "type Tensor[(2, 3), float64] for operand 1, expected "
            "Tensor[(2, 3), float32]");
}

TEST_P(GradientRuleTest, DataTypesOfDynamicShapesAreChecked) {
  EXPECT_EQ(run(returnDoubles, "2, ?"),
            "no gradient of 'add': 'myRule' (my.cpp) computes a gradient of "
            "type Tensor[(2, ?), float64] for operand 1, expected "
            "Tensor[(2, ?), float32]");
}

TEST_P(GradientRuleTest, DynamicShapesAreAccepted) {
  EXPECT_EQ(run(returnDynamic, "?, ?"), "");
}

} // namespace
