//===- LayoutConversionTest.cpp - Hooks of convert-layout -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hook LayoutConversion that creates operations, unlike the hooks of the
// tree, which test/Transforms covers.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/Verifier.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Layout/LayoutInference.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include "relay/Transforms/Layout/Layouts.h.inc"

using namespace relay;

namespace {

/// Converts as the tree's hook does, but transposes the weight itself.
FailureOr<ConvertedOp> convertByTranspose(Rewriter &R, Operation &Op,
                                          ArrayRef<std::string> Desired) {
  FailureOr<ConvertedOp> Converted = convertConv2D(R, Op, Desired);
  if (failed(Converted) || !R.startRewrite("convert", &Op))
    return Converted;
  Value *Weight =
      R.create<TransposeOp>(Op.getOperand(1), ArrayRef<int64_t>{2, 3, 1, 0});
  Converted->Operands = {Op.getOperand(0), Weight};
  return Converted;
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

  /// Returns the convolution of @main after convert-layout to NHWC for \p
  /// TargetText.
  Conv2DOp convert(StringRef TargetText) {
    constexpr const char *Text = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1])
})";
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text), Ctx);
    EXPECT_TRUE(M && succeeded(inferTypes(*M)));
    M->setRewriteListeners(Listeners);
    PassContext PC(Ctx, Registry);
    llvm::cantFail(PC.setTarget(TargetText));
    AnalysisManagers AMs(PC);
    ConvertLayoutOptions Options;
    Options.DesiredLayouts["nn.conv2d"] = {"NHWC", "default"};
    auto P = createConvertLayoutPass(Options);
    Function &Main = *M->lookupFunction("main");
    EXPECT_TRUE(succeeded(
        static_cast<FunctionPass &>(*P).run(Main, AMs.Functions, PC)));
    M->setRewriteListeners({});
    Main.normalize();
    EXPECT_TRUE(succeeded(verify(*M)));
    Value *Result = Main.getBody().getResult();
    return cast<Conv2DOp>(Result->getDefiningOp()->getOperand(0));
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

} // namespace
