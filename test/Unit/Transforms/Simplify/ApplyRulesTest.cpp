//===- ApplyRulesTest.cpp - Rules in several contexts ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that applies rules outlives its contexts, which may have the same
// address one after the other. test/Transforms covers the other tests.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Support/OutputFile.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class ApplyRulesTest : public testing::Test {
protected:
  /// Returns the operator of the result of a function after \p P.
  std::string run(FunctionPass &P, Context &Ctx, StringRef Body) {
    registerAllOps(Ctx);
    PassRegistry Registry;
    std::string Text = ("#[version = \"0.0.5\"]\n"
                        "def @main(%x: Tensor[(4), float32]) { " +
                        Body + " }")
                           .str();
    std::unique_ptr<Module> M =
        parseModule(llvm::MemoryBuffer::getMemBufferCopy(Text), Ctx);
    if (!M || failed(inferTypes(*M)))
      return "no module";
    Function &Main = *M->lookupFunction("main");
    PassContext PC(Ctx, Registry);
    AnalysisManagers AMs(PC);
    if (failed(P.run(Main, AMs.Functions, PC)))
      return "failed";
    return Main.getBody().getResult()->getDefiningOp()->getName().str();
  }

  /// Runs \p P in two contexts, of which the second has the address of the
  /// first, and then in one at another address.
  void runThrice(FunctionPass &P, StringRef Body, const std::string &Expected) {
    std::optional<Context> Ctx;
    Ctx.emplace();
    const void *First = &*Ctx;
    EXPECT_EQ(run(P, *Ctx, Body), Expected);
    Ctx.reset();
    Ctx.emplace();
    ASSERT_EQ(&*Ctx, First);
    EXPECT_EQ(run(P, *Ctx, Body), Expected);
    Context Other;
    EXPECT_EQ(run(P, Other, Body), Expected);
    EXPECT_EQ(getCount(P), 3u);
  }

  static uint64_t getCount(const Pass &P) {
    uint64_t Count = 0;
    for (const Statistic *S : P.getStatistics())
      Count += S->getValue();
    return Count;
  }
};

TEST_F(ApplyRulesTest, GeneratedRules) {
  std::unique_ptr<Pass> P = createFastMathPass();
  runThrice(static_cast<FunctionPass &>(*P), "exp(%x)", "fast_exp");
}

TEST_F(ApplyRulesTest, RulesAsText) {
  llvm::SmallString<128> Path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("rewrite", "rules", Path));
  llvm::cantFail(writeFile(Path, [](raw_ostream &OS) {
    OS << "rule \"half\" = multiply(%x, 0.5f): Tensor[(4), float32] -> "
          "divide(%x, 2f)\n";
  }));
  ApplyRulesOptions Options;
  Options.Rules = Path.str().str();
  std::unique_ptr<Pass> P = createApplyRulesPass(Options);
  runThrice(static_cast<FunctionPass &>(*P), "multiply(%x, 0.5f)", "divide");
  // A clone shares the file's contents, but starts counting at zero.
  llvm::sys::fs::remove(Path);
  std::unique_ptr<Pass> Clone = P->clone();
  Context Ctx;
  EXPECT_EQ(run(static_cast<FunctionPass &>(*Clone), Ctx, "multiply(%x, 0.5f)"),
            "divide");
  EXPECT_EQ(getCount(*Clone), 1u);
  P->takeStatistics(*Clone);
  EXPECT_EQ(getCount(*P), 4u);
}

} // namespace
