//===- ExpansionTest.cpp - Hooks of simplify-inference --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries that are added at run time, for a target and for all targets.
// test/Transforms covers the entries of the tree.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/Simplify/Expansion.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class ExpansionTest : public testing::Test {
protected:
  ExpansionTest() {
    registerAllOps(Ctx);
    registerAllPasses(Registry);
  }

  /// Returns the name of the operator of @main's result after
  /// simplify-inference of \p Body for \p TargetText.
  std::string run(StringRef Body, StringRef TargetText = "") {
    std::string Text = ("#[version = \"0.0.5\"]\n"
                        "def @main(%x: Tensor[(4), float32]) { " +
                        Body + " }")
                           .str();
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text), Ctx);
    if (!M || failed(inferTypes(*M)))
      return "no module";
    Function &Main = *M->lookupFunction("main");
    M->setRewriteListeners(Listeners);
    PassContext PC(Ctx, Registry);
    if (!TargetText.empty())
      llvm::cantFail(PC.setTarget(TargetText));
    AnalysisManagers AMs(PC);
    auto P = Registry.create(*Registry.lookupArgument("simplify-inference"));
    Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
      Errors += D.Message + "\n";
      return true;
    });
    LogicalResult Outcome =
        static_cast<FunctionPass &>(*P).run(Main, AMs.Functions, PC);
    Ctx.getDiagnostics().popHandler();
    if (failed(Outcome))
      return "failed";
    Value *Result = Main.getBody().getResult();
    Operation *Op = Result->getDefiningOp();
    return Op ? Op->getName().str() : "%x";
  }

  /// Adds an expansion of \p Op to OpT of operand 0, which applies if \p
  /// Applies.
  template <typename OpT>
  void add(const OpInfo &Op, StringRef Key, int Level, bool Applies = true) {
    OpHookEntry Entry;
    Entry.Op = &Op;
    Entry.Key = Key;
    Entry.Level = Level;
    Entry.Name = "a closure";
    llvm::cantFail(addOpHook<Expansion>(
        Ctx, Entry,
        [this, Applies](Rewriter &R, ExpandedResult &Result) -> Value * {
          ++NumCalls;
          if (!Applies || !Result.start(R))
            return nullptr;
          return R.create<OpT>(Result.getOp()->getOperand(0));
        }));
  }

  Context Ctx;
  PassRegistry Registry;
  std::unique_ptr<Module> M;
  std::vector<RewriteListener *> Listeners;
  unsigned NumCalls = 0;
  std::string Errors;
};

TEST_F(ExpansionTest, ARecordIsTheDefault) {
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])"), "divide");
  EXPECT_EQ(run("nn.dropout(%x).0"), "%x");
}

TEST_F(ExpansionTest, AHigherLevelOverridesTheRecord) {
  add<NegativeOp>(L2NormalizeOp::getInfo(), "", 11);
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])"), "negative");
}

TEST_F(ExpansionTest, ALowerLevelDoesNot) {
  add<NegativeOp>(L2NormalizeOp::getInfo(), "", 9);
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])"), "divide");
  EXPECT_EQ(NumCalls, 0u);
}

TEST_F(ExpansionTest, ATargetOverridesTheRecord) {
  add<NegativeOp>(L2NormalizeOp::getInfo(), "gpu", 10);
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])"), "divide");
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])", "llvm"), "divide");
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])", "cuda"),
            "negative");
}

TEST_F(ExpansionTest, NoOpinionLeavesItToTheRecord) {
  add<NegativeOp>(L2NormalizeOp::getInfo(), "gpu", 10, /*Applies=*/false);
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])", "cuda"), "divide");
  EXPECT_EQ(NumCalls, 1u);
}

TEST_F(ExpansionTest, OneResultOfATuple) {
  add<NegativeOp>(DropoutOp::getInfo(), "", 20);
  EXPECT_EQ(run("nn.dropout(%x).1"), "negative");
  EXPECT_EQ(NumCalls, 1u);
}

TEST_F(ExpansionTest, ATupleAsAWholeIsLeft) {
  add<NegativeOp>(DropoutOp::getInfo(), "", 20);
  EXPECT_EQ(run("nn.dropout(%x)"), "nn.dropout");
  EXPECT_EQ(run("let %t = nn.dropout(%x); %t.0"), "relay.tuple_get_item");
  EXPECT_EQ(NumCalls, 0u);
}

TEST_F(ExpansionTest, AnotherTypeIsAnErrorThatNamesTheFunction) {
  OpHookEntry Entry;
  Entry.Op = &L2NormalizeOp::getInfo();
  Entry.Level = 20;
  Entry.Name = "normalizeInHalf";
  Entry.Source = "half.cpp";
  llvm::cantFail(addOpHook<Expansion>(
      Ctx, Entry, [](Rewriter &R, ExpandedResult &Result) -> Value * {
        if (!Result.start(R))
          return nullptr;
        return R.create<CastOp>(Result.getOp()->getOperand(0),
                                DType::getFloat(16));
      }));
  EXPECT_EQ(run("add(nn.l2_normalize(%x, eps=1e-05f, axis=[0]), 1f)"),
            "failed");
  EXPECT_EQ(Errors,
            "'simplify-inference': 'normalizeInHalf' (half.cpp) expands "
            "'nn.l2_normalize' of type Tensor[(4), float32] to a value of type "
            "Tensor[(4), float16]; expected the same or a less dynamic type\n");
}

/// Refuses every rewrite.
struct Refusal : RewriteListener {
  bool shouldRewrite(const Rewrite &) override {
    ++NumAsked;
    return false;
  }
  unsigned NumAsked = 0;
};

TEST_F(ExpansionTest, ARefusedRewriteIsAnnouncedOnce) {
  add<NegativeOp>(L2NormalizeOp::getInfo(), "", 20);
  Refusal No;
  Listeners = {&No};
  EXPECT_EQ(run("nn.l2_normalize(%x, eps=1e-05f, axis=[0])"),
            "nn.l2_normalize");
  EXPECT_EQ(NumCalls, 1u);
  EXPECT_EQ(No.NumAsked, 1u);
}

} // namespace
