//===- LayoutConversionTest.cpp - Hooks of convert-layout -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hook LayoutConversion that creates operations, and hooks LayoutInference
// with wrong answers, unlike the hooks of the tree, which test/Transforms
// covers.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/Verifier.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Layout/LayoutHooks.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

namespace {

/// For cuda, converts as the tree's hook does, but transposes the weight
/// itself. Declines for other targets.
FailureOr<ConvertedOp> convertByTranspose(Rewriter &R, const Target *T,
                                          Operation &Op,
                                          ArrayRef<std::string> Desired) {
  if (T->getName() != "cuda")
    return ConvertedOp();
  FailureOr<ConvertedOp> Converted = convertConv2D(R, T, Op, Desired);
  if (failed(Converted) || !R.startRewrite("convert", &Op))
    return Converted;
  Value *Weight =
      R.create<TransposeOp>(Op.getOperand(1), ArrayRef<int64_t>{2, 3, 1, 0});
  Converted->Operands = {Op.getOperand(0), Weight};
  return Converted;
}

/// Answers with the layout of the first operand, for \p NumInputs operands and
/// \p NumOutputs results.
template <unsigned NumInputs, unsigned NumOutputs>
LayoutAnswer answerLayouts(const LayoutQuery &Q) {
  SmallVector<LayoutRef> Inputs(NumInputs, Q.Old[0]);
  SmallVector<LayoutRef> Outputs(NumOutputs, Q.Old[0]);
  return {Inputs, Outputs};
}

/// Counts the announced rewrites, by rule.
struct Announcements : RewriteListener {
  void notifyRewrite(const Rewrite &R) override { ++Counts[R.Rule]; }
  llvm::StringMap<unsigned> Counts;
};

class LayoutConversionTest : public testing::Test {
protected:
  LayoutConversionTest() {
    registerAllOps(Ctx);
    OpHookEntry Entry;
    Entry.Op = &Conv2DOp::getInfo();
    Entry.Key = "gpu";
    Entry.Name = "convertByTranspose";
    llvm::cantFail(addOpHook<LayoutConversion>(Ctx, Entry, convertByTranspose));
  }

  /// Returns the result of @main in \p Text after convert-layout of operator
  /// \p Op to \p Layouts for \p TargetText.
  Value *run(StringRef Text, std::string Op, std::vector<std::string> Layouts,
             StringRef TargetText) {
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text), Ctx);
    EXPECT_TRUE(M && succeeded(inferTypes(*M)));
    M->setRewriteListeners(Listeners);
    PassContext PC(Ctx, Registry);
    llvm::cantFail(PC.setTarget(TargetText));
    AnalysisManagers AMs(PC);
    ConvertLayoutOptions Options;
    Options.DesiredLayouts[Op] = Layouts;
    auto P = createConvertLayoutPass(Options);
    Function &Main = *M->lookupFunction("main");
    EXPECT_TRUE(succeeded(
        static_cast<FunctionPass &>(*P).run(Main, AMs.Functions, PC)));
    M->setRewriteListeners({});
    Main.normalize();
    EXPECT_TRUE(succeeded(verify(*M)));
    return Main.getBody().getResult();
  }
  /// Returns the convolution of @main after convert-layout to NHWC.
  Conv2DOp convert(StringRef TargetText) {
    Value *Result = run(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1])
})",
                        "nn.conv2d", {"NHWC", "default"}, TargetText);
    return cast<Conv2DOp>(Result->getDefiningOp()->getOperand(0));
  }
  /// Converts the convolution below an addition to NHWC; \p Infer is the layout
  /// rule of the addition. Returns the operator of the result.
  StringRef convertBelowAddition(LayoutAnswer (*Infer)(const LayoutQuery &)) {
    OpHookEntry Entry;
    Entry.Op = &AddOp::getInfo();
    Entry.Key = "gpu";
    Entry.Name = "answerLayouts";
    llvm::cantFail(addOpHook<LayoutInference>(Ctx, Entry, Infer));
    return getName(run(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 1, 1), float32], %y: Tensor[(1, 4, 8, 8), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  add(%0, %y)
})",
                       "nn.conv2d", {"NHWC", "default"}, "cuda"));
  }
  static StringRef getName(Value *V) { return V->getDefiningOp()->getName(); }

  Context Ctx;
  PassRegistry Registry;
  std::unique_ptr<Module> M;
  Announcements Counter;
  std::vector<RewriteListener *> Listeners = {&Counter};
};

TEST_F(LayoutConversionTest, AnOperandOfTheHookIsUsedAsItIs) {
  Conv2DOp Conv = convert("cuda");
  EXPECT_EQ(getName(Conv.data()), "layout_transform");
  EXPECT_EQ(getName(Conv.weight()), "transpose");
  EXPECT_EQ(Conv.attrs().kernelLayout(), "HWIO");
  EXPECT_EQ(Counter.Counts.lookup("convert"), 1u);
}

TEST_F(LayoutConversionTest, OtherTargetsKeepTheConversionOfTheTree) {
  Conv2DOp Conv = convert("llvm");
  EXPECT_EQ(getName(Conv.data()), "layout_transform");
  EXPECT_EQ(getName(Conv.weight()), "layout_transform");
  EXPECT_EQ(Counter.Counts.lookup("convert"), 1u);
}

TEST_F(LayoutConversionTest, TheTreeIsAskedIfTheEntryHasNoOpinion) {
  Conv2DOp Conv = convert("rocm");
  EXPECT_EQ(getName(Conv.data()), "layout_transform");
  EXPECT_EQ(getName(Conv.weight()), "layout_transform");
  EXPECT_EQ(Counter.Counts.lookup("convert"), 1u);
}

TEST_F(LayoutConversionTest, AnOperationWithoutAnOpinionIsNotConverted) {
  OpHookEntry Entry;
  Entry.Op = &Conv1DOp::getInfo();
  Entry.Key = "gpu";
  Entry.Name = "convertByTranspose";
  llvm::cantFail(addOpHook<LayoutConversion>(Ctx, Entry, convertByTranspose));
  Value *Result = run(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8), float32], %w: Tensor[(4, 3, 1), float32]) {
  nn.conv1d(%x, %w, channels=4, kernel_size=[1])
})",
                      "nn.conv1d", {"NWC", "WIO"}, "rocm");
  EXPECT_EQ(cast<Conv1DOp>(Result).attrs().dataLayout(), "NCW");
  EXPECT_TRUE(Counter.Counts.empty());
}

TEST_F(LayoutConversionTest, AnOperationFollowsTheAnswerOfItsRule) {
  EXPECT_EQ(convertBelowAddition(answerLayouts<2, 1>), "layout_transform");
}

TEST_F(LayoutConversionTest, TooManyOperandsInAnAnswer) {
  EXPECT_EQ(convertBelowAddition(answerLayouts<3, 1>), "add");
}

TEST_F(LayoutConversionTest, TooManyResultsInAnAnswer) {
  EXPECT_EQ(convertBelowAddition(answerLayouts<2, 2>), "add");
}

} // namespace
