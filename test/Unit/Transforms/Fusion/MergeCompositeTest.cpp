//===- MergeCompositeTest.cpp - Pattern tables in C++ ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables that are passed to the pass, with checks, and a pass that is used in
// several contexts. Tests in test/Transforms cover tables from files.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/Fusion/MergeComposite.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Support/OutputFile.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class MergeCompositeTest : public testing::Test {
protected:
  /// Returns the names of the composites that \p P creates in @main, whose
  /// parameters and body are \p Main, in order.
  static std::vector<std::string> merge(Pass &P, StringRef Main, Context &Ctx) {
    registerAllOps(Ctx);
    PassRegistry Registry;
    std::string Text = ("#[version = \"0.0.5\"]\ndef @main" + Main).str();
    std::unique_ptr<Module> M =
        parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text), Ctx);
    if (!M || failed(inferTypes(*M)))
      return {"not read"};
    PassContext PC(Ctx, Registry);
    AnalysisManagers AMs(PC);
    if (failed(runPass(P, *M, AMs.Modules, PC)))
      return {"failed"};
    std::vector<std::string> Names;
    walk(*M->lookupFunction("main"), [&](FnOp Fn) {
      Attr Name = Fn->getSignature().getAttr(FunctionAttrs::Composite);
      Names.push_back(Name.getString().str());
    });
    return Names;
  }
  static std::vector<std::string> merge(std::vector<CompositePattern> Table,
                                        StringRef Main) {
    Context Ctx;
    return merge(*createMergeCompositePass(std::move(Table)), Main, Ctx);
  }

  static Pattern unary(StringRef Name, const Pattern &P = wildcard()) {
    return isOp(Name)(P);
  }
  using Names = std::vector<std::string>;
};

TEST_F(MergeCompositeTest, Order) {
  CompositePattern Relu("relu", unary("nn.relu"));
  CompositePattern Both("both", unary("nn.relu", unary("tanh")));
  StringRef Main = "(%x: Tensor[(4), float32]) { nn.relu(tanh(%x)) }";
  EXPECT_EQ(merge({Relu, Both}, Main), Names{"relu"});
  EXPECT_EQ(merge({Both, Relu}, Main), Names{"both"});
  EXPECT_EQ(merge({}, Main), Names());
}

/// A composite may contain another one as a whole.
TEST_F(MergeCompositeTest, Nested) {
  Pattern Call = wildcard()(wildcard());
  EXPECT_EQ(merge({{"inner", unary("tanh")}, {"outer", unary("nn.relu", Call)}},
                  "(%x: Tensor[(4), float32]) { nn.relu(tanh(%x)) }"),
            (Names{"inner", "outer"}));
}

/// A check sees the typed root before its pattern changes anything. A refused
/// match is available to later patterns, and is not retried in another form.
TEST_F(MergeCompositeTest, Check) {
  Pattern Conv = isOp<Conv2DOp>()(wildcard(), wildcard());
  auto IsNHWC = [](Operation *Root) {
    auto Conv = dyn_cast<Conv2DOp>(Root->getOperand(0));
    return Conv && Conv.attrs().dataLayout() == "NHWC" &&
           cast<TensorType>(Root->getType())->getRank() == 4;
  };
  std::vector<CompositePattern> Table = {{"nhwc", isOp<ReluOp>()(Conv), IsNHWC},
                                         {"any", isOp<ReluOp>()(Conv) | Conv}};
  StringRef Params = "(%x: Tensor[(1, 3, 3, 3), float32], %w: Tensor[(3, 3, 1, "
                     "1), float32]) { ";
  EXPECT_EQ(merge(Table, (Params + "nn.relu(nn.conv2d(%x, %w, "
                                   "data_layout=\"NHWC\")) }")
                             .str()),
            Names{"nhwc"});
  EXPECT_EQ(merge(Table, (Params + "nn.relu(nn.conv2d(%x, %w)) }").str()),
            Names{"any"});

  unsigned NumAsked = 0;
  auto Once = [&](Operation *) { return ++NumAsked == 2; };
  Pattern Twice = unary("nn.relu", unary("nn.relu"));
  EXPECT_EQ(merge({{"twice", Twice, Once}},
                  "(%x: float32) { "
                  "nn.relu(nn.relu(nn.relu(nn.relu(%x)))) }"),
            Names{"twice"});
  EXPECT_EQ(NumAsked, 2u);
}

TEST_F(MergeCompositeTest, NotCompiled) {
  EXPECT_EQ(merge({{"unknown", unary("nn.rleu")}}, "(%x: float32) { %x }"),
            Names{"failed"});
}

/// Clones of a pass that has not been initialized share its compiled table, but
/// each has its own statistics.
TEST_F(MergeCompositeTest, Clones) {
  Context Ctx;
  std::unique_ptr<Pass> P =
      createMergeCompositePass({{"relu", unary("nn.relu")}});
  StringRef Main = "(%x: float32) { nn.relu(%x) }";
  for (unsigned I = 0; I != 2; ++I) {
    std::unique_ptr<Pass> Clone = P->clone();
    EXPECT_EQ(merge(*Clone, Main, Ctx), Names{"relu"});
    ArrayRef<Statistic *> Statistics = Clone->getStatistics();
    ASSERT_EQ(Statistics.size(), 1u);
    EXPECT_EQ(Statistics[0]->getName(), "relu");
    EXPECT_EQ(Statistics[0]->getValue(), 1u);
  }
}

/// One file in several contexts, of which the second has the address of the
/// first. A clone shares the file's contents, but starts counting at zero.
TEST_F(MergeCompositeTest, Contexts) {
  llvm::SmallString<128> Path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("merge", "patterns", Path));
  llvm::cantFail(writeFile(Path, [](raw_ostream &OS) {
    OS << "pattern \"half\" = multiply(*, 0.5f): Tensor[(4), float32]\n"
          "pattern \"half\" = divide(*, 2f)\n";
  }));
  MergeCompositeOptions Options;
  Options.Patterns = Path.str().str();
  std::unique_ptr<Pass> P = createMergeCompositePass(Options);
  StringRef Main = "(%x: Tensor[(4), float32]) { "
                   "divide(multiply(%x, 0.5f), 2f) }";
  std::optional<Context> Ctx;
  for (unsigned I = 0; I != 2; ++I) {
    Ctx.emplace();
    EXPECT_EQ(merge(*P, Main, *Ctx), (Names{"half", "half"}));
    Ctx.reset();
  }
  llvm::sys::fs::remove(Path);
  std::unique_ptr<Pass> Clone = P->clone();
  Context Other;
  EXPECT_EQ(merge(*Clone, Main, Other), (Names{"half", "half"}));
  P->takeStatistics(*Clone);
  ASSERT_EQ(P->getStatistics().size(), 1u);
  EXPECT_EQ(P->getStatistics()[0]->getName(), "half");
  EXPECT_EQ(P->getStatistics()[0]->getValue(), 6u);
}

} // namespace
