//===- QnnLoweringTest.cpp - Hooks of the passes of QNN -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries that are added at run time. test/Transforms/QNN covers the entries of
// the tree.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/QNN/QnnLowering.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Legalize/Legalization.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class QnnLoweringTest : public testing::Test {
protected:
  QnnLoweringTest() {
    registerAllOps(Ctx);
    registerAllPasses(Registry);
  }

  /// Returns the name of the operator of the result of qnn.tanh after \p
  /// Argument for \p TargetText.
  std::string run(StringRef Argument, StringRef TargetText = "") {
    M = parseModule(
        llvm::MemoryBuffer::getMemBuffer("#[version = \"0.0.5\"]\n"
                                         "def @main(%x: Tensor[(4), int8]) { "
                                         "qnn.tanh(%x, 0.5f, 0, 0.5f, 0) }"),
        Ctx);
    if (!M || failed(inferTypes(*M)))
      return "no module";
    Function &Main = *M->lookupFunction("main");
    M->setRewriteListeners(Listeners);
    PassContext PC(Ctx, Registry);
    if (!TargetText.empty())
      llvm::cantFail(PC.setTarget(TargetText));
    AnalysisManagers AMs(PC);
    auto P = Registry.create(*Registry.lookupArgument(Argument));
    Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
      Errors += D.Message + "\n";
      return true;
    });
    LogicalResult Outcome =
        static_cast<FunctionPass &>(*P).run(Main, AMs.Functions, PC);
    Ctx.getDiagnostics().popHandler();
    if (failed(Outcome))
      return "failed";
    return Main.getBody().getResult()->getDefiningOp()->getName().str();
  }

  /// Adds \p Hook of qnn.tanh to the kind KindT.
  template <typename KindT, typename HookT>
  void add(StringRef Key, HookT Hook) {
    OpHookEntry Entry;
    Entry.Op = &QnnTanhOp::getInfo();
    Entry.Key = Key;
    Entry.Level = 20;
    Entry.Name = "myTanh";
    Entry.Source = "my.cpp";
    llvm::cantFail(addOpHook<KindT>(Ctx, Entry, Hook));
  }

  Context Ctx;
  PassRegistry Registry;
  std::unique_ptr<Module> M;
  std::vector<RewriteListener *> Listeners;
  std::string Errors;
};

FailureOr<Value *> createNegative(Rewriter &R, QnnLowering &Op) {
  if (!Op.start(R))
    return nullptr;
  Value *V = R.create<NegativeOp>(Op.getOp()->getOperand(0));
  return V;
}

TEST_F(QnnLoweringTest, AnEntryOfATargetPrecedes) {
  add<QnnCanonicalization>("cuda", createNegative);
  EXPECT_EQ(run("qnn-canonicalize"), "cast");
  EXPECT_EQ(run("qnn-canonicalize", "cuda"), "negative");
}

TEST_F(QnnLoweringTest, LegalizeAsksItsOwnHooks) {
  add<Legalization>("cuda", [](Rewriter &R, Lowering &Op) {
    if (!Op.start(R))
      return FailureOr<Value *>(nullptr);
    Value *V = R.create<NegativeOp>(Op.getOp()->getOperand(0));
    return FailureOr<Value *>(V);
  });
  EXPECT_EQ(run("legalize"), "qnn.tanh");
  EXPECT_EQ(run("qnn-legalize", "cuda"), "take");
  EXPECT_EQ(run("legalize", "cuda"), "negative");
}

TEST_F(QnnLoweringTest, TheOperationItselfStays) {
  add<QnnLegalization>("cuda", [](Rewriter &, QnnLowering &Op) {
    return FailureOr<Value *>(Op.getOp());
  });
  EXPECT_EQ(run("qnn-legalize"), "take");
  EXPECT_EQ(run("qnn-legalize", "cuda"), "qnn.tanh");
}

TEST_F(QnnLoweringTest, NullAsksTheNextEntry) {
  add<QnnLegalization>("cuda", [](Rewriter &, QnnLowering &) {
    return FailureOr<Value *>(nullptr);
  });
  EXPECT_EQ(run("qnn-legalize", "cuda"), "take");
}

TEST_F(QnnLoweringTest, AnotherTypeIsAnErrorThatNamesTheFunction) {
  add<QnnCanonicalization>("", [](Rewriter &R, QnnLowering &Op) {
    if (!Op.start(R))
      return FailureOr<Value *>(nullptr);
    Value *V = R.create<CastOp>(Op.getOp()->getOperand(0), DType::getInt(16));
    return FailureOr<Value *>(V);
  });
  EXPECT_EQ(run("qnn-canonicalize"), "failed");
  EXPECT_EQ(Errors, "'qnn.tanh' cannot be lowered: 'myTanh' (my.cpp) computes "
                    "a value of type Tensor[(4), int16], expected "
                    "Tensor[(4), int8]\n");
}

TEST_F(QnnLoweringTest, AMoreDynamicTypeIsAnError) {
  add<QnnCanonicalization>("", [this](Rewriter &R, QnnLowering &Op) {
    if (!Op.start(R))
      return FailureOr<Value *>(nullptr);
    Operation *V = R.create<CastOp>(Op.getOp()->getOperand(0), DType::getInt(8))
                       .getOperation();
    R.setType(V, Ctx.getTensorType({Dim::getAny()}, DType::getInt(8)));
    return FailureOr<Value *>(V);
  });
  EXPECT_EQ(run("qnn-canonicalize"), "failed");
  EXPECT_EQ(Errors, "'qnn.tanh' cannot be lowered: 'myTanh' (my.cpp) computes "
                    "a value of type Tensor[(?), int8], expected "
                    "Tensor[(4), int8]\n");
}

/// Refuses every rewrite.
struct QnnRefusal : RewriteListener {
  bool shouldRewrite(const Rewrite &) override {
    ++NumAsked;
    return false;
  }
  unsigned NumAsked = 0;
};

TEST_F(QnnLoweringTest, ARefusedRewriteIsAnnouncedOnce) {
  add<QnnCanonicalization>("", createNegative);
  QnnRefusal No;
  Listeners = {&No};
  EXPECT_EQ(run("qnn-canonicalize"), "qnn.tanh");
  EXPECT_EQ(No.NumAsked, 1u);
}

} // namespace
