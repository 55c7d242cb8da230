//===- FakeQuantizationTest.cpp - Rules that are added at run time --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules of a plugin for fake-quantization-to-integer, and drafts that are
// discarded. test/Transforms/QNN covers the rules of the tree.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/QNN/FakeQuantization.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Passes.h"
#include "relay/Transforms/QNN/FakeQuantization.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class FakeQuantizationTest : public testing::Test, public RewriteListener {
protected:
  FakeQuantizationTest() {
    registerAllOps(Ctx);
    registerAllPasses(Registry);
    Listeners.push_back(this);
  }

  /// Runs the pass on the quantized cosine of dequantized integers, and returns
  /// the name of the operator of the result.
  std::string run(bool HardFail = false) {
    M = parseModule(
        llvm::MemoryBuffer::getMemBuffer(
            "#[version = \"0.0.5\"]\n"
            "def @main(%x: Tensor[(4), int8]) {\n"
            "  %0 = qnn.dequantize(%x, 0.5f, 0, out_dtype=\"float32\");\n"
            "  qnn.quantize(cos(%0), 0.5f, 0, out_dtype=\"int8\")\n"
            "}"),
        Ctx);
    if (!M || failed(inferTypes(*M)))
      return "no module";
    Function &Main = *M->lookupFunction("main");
    M->setRewriteListeners(Listeners);
    PassContext PC(Ctx, Registry);
    AnalysisManagers AMs(PC);
    FakeQuantizationToIntegerOptions Options;
    Options.HardFail = HardFail;
    auto P = createFakeQuantizationToIntegerPass(Options);
    std::string Error;
    Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
      Error = D.Message;
      return true;
    });
    LogicalResult Outcome =
        static_cast<FunctionPass &>(*P).run(Main, AMs.Functions, PC);
    Ctx.getDiagnostics().popHandler();
    if (failed(Outcome))
      return Error;
    return Main.getBody().getResult()->getDefiningOp()->getName().str();
  }

  template <typename HookT> void add(int Level, HookT Hook) {
    OpHookEntry Entry;
    Entry.Op = &CosOp::getInfo();
    Entry.Level = Level;
    Entry.Name = "quantizeMyCos";
    Entry.Source = "my.cpp";
    llvm::cantFail(addOpHook<FakeQuantization>(Ctx, Entry, Hook));
  }

  void notifyCreated(Operation *) override { ++NumCreated; }

  Context Ctx;
  PassRegistry Registry;
  std::unique_ptr<Module> M;
  std::vector<RewriteListener *> Listeners;
  unsigned NumCreated = 0;
};

/// The quantized form of `tanh` stands for any.
AffineValue createForm(AffineBuilder &B, FakeQuantizedOp &Q) {
  const AffineType &Data = *Q.getType(0), &Result = *Q.getRequestedType();
  return {B.create<QnnTanhOp>(Q.getOperand(0), Data.Scale, Data.ZeroPoint,
                              Result.Scale, Result.ZeroPoint),
          Result};
}

TEST_F(FakeQuantizationTest, KeepsRegionsWithoutRules) {
  EXPECT_EQ(run(), "qnn.quantize");
  EXPECT_EQ(NumCreated, 0u);
}

TEST_F(FakeQuantizationTest, AppliesRules) {
  add(10, createForm);
  EXPECT_EQ(run(), "qnn.tanh");
  EXPECT_EQ(NumCreated, 1u);
}

TEST_F(FakeQuantizationTest, AsksTheNextRule) {
  add(10, createForm);
  add(20, [](AffineBuilder &, FakeQuantizedOp &Q) {
    return Q.refuse("not applicable");
  });
  EXPECT_EQ(run(), "qnn.tanh");
}

TEST_F(FakeQuantizationTest, DiscardsOperationsOfRefusedRules) {
  add(10, [](AffineBuilder &B, FakeQuantizedOp &Q) {
    createForm(B, Q);
    return Q.refuse("not applicable");
  });
  EXPECT_EQ(run(), "qnn.quantize");
  EXPECT_EQ(NumCreated, 0u);
}

TEST_F(FakeQuantizationTest, DiscardsIllTypedIntegers) {
  add(10, [](AffineBuilder &B, FakeQuantizedOp &Q) {
    AffineType Wide = *Q.getRequestedType();
    Wide.ElementType = DType::getInt(32);
    Value *V = B.create<CastOp>(Q.getOperand(0), Wide.ElementType);
    V = B.create<QnnTanhOp>(V, Wide.Scale, Wide.ZeroPoint, Wide.Scale,
                            Wide.ZeroPoint);
    return AffineValue(V, Wide);
  });
  EXPECT_EQ(run(), "qnn.quantize");
  EXPECT_EQ(NumCreated, 0u);
}

/// Returns the error of the pass with hard-fail, for a rule with \p Reason.
std::string makeError(StringRef Reason) {
  return ("'fake-quantization-to-integer' cannot convert 'cos' to integers: "
          "the rule 'quantizeMyCos' (my.cpp) " +
          Reason)
      .str();
}

TEST_F(FakeQuantizationTest, ReportsMissingAffineTypes) {
  add(10, [](AffineBuilder &, FakeQuantizedOp &Q) {
    return AffineValue(Q.getOperand(0), ArrayRef<AffineType>());
  });
  EXPECT_EQ(run(), "qnn.quantize");
  EXPECT_EQ(run(/*HardFail=*/true),
            makeError("returns no affine type for each tensor"));
}

TEST_F(FakeQuantizationTest, ReportsIncompleteAffineTypes) {
  add(10, [](AffineBuilder &, FakeQuantizedOp &Q) {
    return AffineValue(Q.getOperand(0), AffineType());
  });
  EXPECT_EQ(run(/*HardFail=*/true),
            makeError("returns no affine type for each tensor"));
}

TEST_F(FakeQuantizationTest, ReportsMissingReasons) {
  add(10, [](AffineBuilder &, FakeQuantizedOp &) { return AffineValue(); });
  EXPECT_EQ(run(), "qnn.quantize");
  EXPECT_EQ(run(/*HardFail=*/true), makeError("gives no reason"));
}

} // namespace
