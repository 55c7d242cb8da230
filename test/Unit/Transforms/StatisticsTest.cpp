//===- StatisticsTest.cpp - Statistics of passes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All statistics of each pass after one run on a small module.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class StatisticsTest : public testing::Test {
protected:
  StatisticsTest() {
    registerAllOps(Ctx);
    registerAllPasses(Registry);
  }

  /// Runs \p P on the module \p Text, which has no header; returns its
  /// statistics: `NumInlined=1 NumRemoved=2`.
  std::string count(std::unique_ptr<Pass> P, StringRef Text) {
    std::string Whole = ("#[version = \"0.0.5\"]\n" + Text).str();
    std::unique_ptr<Module> M =
        parseModule(llvm::MemoryBuffer::getMemBufferCopy(Whole, "test"), Ctx);
    if (!M || failed(inferTypes(*M)))
      return "not read";
    PassContext PC(Ctx, Registry);
    AnalysisManagers AMs(PC);
    if (failed(runPass(*P, *M, AMs.Modules, PC)))
      return "failed";
    std::string Result;
    for (const Statistic *S : P->getStatistics())
      Result += (Result.empty() ? "" : " ") + S->getName().str() + "=" +
                std::to_string(S->getValue());
    return Result;
  }

  Context Ctx;
  PassRegistry Registry;
};

TEST_F(StatisticsTest, DeadCodeElimination) {
  StringRef Text = R"(
def @main(%x: float32) {
  let %a = negative(%x);
  let %b = exp(%a);
  let %c = tanh(%x);
  let %d = abs(%c);
  add(%d, %d)
})";
  EXPECT_EQ(count(createDeadCodeEliminationPass({}), Text),
            "NumRemoved=2 NumInlined=0");
  DeadCodeEliminationOptions Inline;
  Inline.InlineOnce = true;
  EXPECT_EQ(count(createDeadCodeEliminationPass(Inline), Text),
            "NumRemoved=2 NumInlined=1");
}

TEST_F(StatisticsTest, EliminateCommonSubexpr) {
  EXPECT_EQ(count(createEliminateCommonSubexprPass(), R"(
def @main(%x: float32) { (exp(%x), exp(%x), exp(%x), tanh(%x)) }
def @f(%x: float32) { add(exp(%x), exp(%x)) })"),
            "NumMerged=3");
}

TEST_F(StatisticsTest, SimplifyInference) {
  EXPECT_EQ(count(createSimplifyInferencePass(), R"(
def @main(%x: Tensor[(2, 3), float32]) {
  %0 = nn.dropout(%x);
  %1 = nn.l2_normalize(%0.0, eps=0.1f, axis=[1]);
  nn.relu(%1)
})"),
            "NumSimplified=2");
}

TEST_F(StatisticsTest, Fusion) {
  EXPECT_EQ(count(createFuseOpsPass({}), R"(
def @main(%x: Tensor[(2, 3), float32]) {
  let %a = exp(tanh(%x));
  negative(%a)
})"),
            "NumFunctions=2");
  EXPECT_EQ(count(createDefuseOpsPass(), R"(
def @main(%x: float32) {
  %0 = fn (%y: float32, Primitive=1) { exp(%y) };
  %0(%0(%x))
})"),
            "NumInlined=2");
}

TEST_F(StatisticsTest, SplitArgs) {
  SplitArgsOptions Options;
  Options.MaxFunctionArgs = 4;
  EXPECT_EQ(count(createSplitArgsPass(Options), R"(
def @main(%x: Tensor[(2), float32]) {
  %0 = concatenate((%x, %x, %x, %x));
  %1 = concatenate((%0, %x));
  %1
})"),
            "NumSplit=1");
}

TEST_F(StatisticsTest, NormalForms) {
  StringRef Shared = R"(
def @main(%x: float32, %c: bool) {
  %0 = exp(%x);
  if (%c) { tanh(%0) } else { %0 }
})";
  EXPECT_EQ(count(createToANormalFormPass(), Shared), "NumBound=3");
  EXPECT_EQ(count(createToBasicBlockNormalFormPass(), Shared), "NumBound=1");
  EXPECT_EQ(count(createToGraphNormalFormPass(), R"(
def @main(%x: float32) { let %a = exp(%x); let %b = tanh(%a); %b })"),
            "NumUnbound=2");
}

TEST_F(StatisticsTest, Functions) {
  EtaExpandOptions Eta;
  Eta.ExpandGlobalVar = true;
  StringRef Text = R"(
def @main(%x: float32) { @f(@f(@g(%x))) }
def @f(%x: float32, Inline=1) -> float32 { @g(%x) }
def @g(%x: float32, Inline=1) -> float32 { %x }
def @unused(%x: float32) -> float32 { %x })";
  EXPECT_EQ(count(createEtaExpandPass(Eta), Text), "NumExpanded=3");
  EXPECT_EQ(count(createInlineGlobalsPass(), Text),
            "NumInlined=4 NumRemoved=2");
  EXPECT_EQ(count(createRemoveUnusedFunctionsPass({}), Text), "NumRemoved=1");
}

TEST_F(StatisticsTest, LambdaLift) {
  EXPECT_EQ(count(createLambdaLiftPass(), R"(
def @main(%x: float32) {
  let %f = fn (%y: float32) { exp(%y) };
  let %g = fn (%y: float32) { exp(%y) };
  let %h = fn (%y: float32) { add(%x, %y) };
  (%f, %g, %h)
})"),
            "NumLifted=3 NumFunctions=2 NumDropped=0");
}

} // namespace
