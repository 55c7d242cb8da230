//===- ContextsTest.cpp - Several Contexts in parallel --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a program, each with its own Context and registry, do not affect
// each other. One pipeline serves several Contexts, in any order.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <thread>

using namespace relay;

static constexpr StringLiteral ContextsModel = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4), float32]) {
  %0 = full(0.5f, shape=[2, 4], dtype="float32");
  %1 = nn.dense(%x, %0, units=2);
  %2 = nn.relu(%1);
  add(multiply(%2, 1f), exp(%2))
}
)";

/// Returns the result of a pipeline on the model; empty on failure.
static std::string optimizeInOwnContext() {
  PassRegistry Registry;
  registerAllPasses(Registry);
  Context Ctx;
  registerAllOps(Ctx);
  std::unique_ptr<Module> M =
      parseModule(llvm::MemoryBuffer::getMemBufferCopy(ContextsModel), Ctx);
  FailureOr<ModulePassManager> Pipeline = parsePipeline(
      "fold-constant,simplify-expr,fast-math,fuse-ops", "pipeline", Registry);
  if (!M || failed(inferTypes(*M)) || failed(Pipeline))
    return "";
  PassContext PC(Ctx, Registry);
  AnalysisManagers AMs(PC);
  if (failed(Pipeline->run(*M, AMs.Modules, PC)))
    return "";
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printModule(*M, OS);
  return Text;
}

TEST(ContextsTest, OnSeveralThreads) {
  std::string Expected = optimizeInOwnContext();
  EXPECT_NE(Expected.find("fast_exp"), std::string::npos);
  std::vector<std::string> Wrong(4);
  std::vector<std::thread> Threads;
  for (std::string &Result : Wrong)
    Threads.emplace_back([&Result, &Expected] {
      for (unsigned I = 0; I != 10; ++I)
        if (std::string Text = optimizeInOwnContext(); Text != Expected)
          Result += Text + "\n";
    });
  for (std::thread &T : Threads)
    T.join();
  for (const std::string &Result : Wrong)
    EXPECT_EQ(Result, "");
}

namespace {
/// A pipeline with rules from a file, and modules to run it on.
class SharedPipelineTest : public testing::Test {
protected:
  SharedPipelineTest() {
    registerAllPasses(Registry);
    int FD;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("rules", "relay", FD, RuleFile));
    llvm::raw_fd_ostream(FD, true)
        << "rule \"relu\" = nn.relu(%x) -> maximum(%x, 0f)\n";
  }
  ~SharedPipelineTest() override { llvm::sys::fs::remove(RuleFile); }

  ModulePassManager getPipeline() {
    auto Pipeline = parsePipeline(
        ("fold-constant,apply-rules<rules=" + RuleFile + ">,simplify-expr")
            .str(),
        "pipeline", Registry);
    EXPECT_TRUE(succeeded(Pipeline));
    return std::move(*Pipeline);
  }

  /// Reads the model, runs \p Pipeline and drops the module.
  std::string run(Context &Ctx, ModulePassManager &Pipeline) {
    std::unique_ptr<Module> M =
        parseModule(llvm::MemoryBuffer::getMemBufferCopy(ContextsModel), Ctx);
    PassContext PC(Ctx, Registry);
    AnalysisManagers AMs(PC);
    if (!M || failed(inferTypes(*M)) ||
        failed(Pipeline.run(*M, AMs.Modules, PC)))
      return "";
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printModule(*M, OS);
    return Text;
  }

  PassRegistry Registry;
  llvm::SmallString<64> RuleFile;
};

/// Compiled rules hold their text: no additional text means that nothing has
/// been compiled again.
TEST_F(SharedPipelineTest, AlternatesBetweenTwoContexts) {
  Context A, B;
  registerAllOps(A);
  registerAllOps(B);
  ModulePassManager Pipeline = getPipeline();
  std::string Expected = run(A, Pipeline);
  EXPECT_NE(Expected.find("maximum("), std::string::npos);
  EXPECT_EQ(run(B, Pipeline), Expected);
  // The text of a module is released when the next one is read.
  EXPECT_EQ(run(A, Pipeline), Expected);
  size_t NumTexts = A.getDiagnostics().getNumTexts();
  size_t Uniqued = A.getUniquedMemory();
  for (unsigned I = 0; I != 20; ++I) {
    EXPECT_EQ(run(A, Pipeline), Expected);
    EXPECT_EQ(run(B, Pipeline), Expected);
  }
  EXPECT_EQ(A.getDiagnostics().getNumTexts(), NumTexts);
  EXPECT_EQ(A.getUniquedMemory(), Uniqued);
}

TEST_F(SharedPipelineTest, OutlivesContexts) {
  ModulePassManager Pipeline = getPipeline();
  std::string Expected;
  for (unsigned I = 0; I != 3; ++I) {
    Context Ctx;
    registerAllOps(Ctx);
    std::string Text = run(Ctx, Pipeline);
    EXPECT_NE(Text, "");
    if (I != 0) {
      EXPECT_EQ(Text, Expected);
    }
    Expected = Text;
  }
}

/// The text of rules is released with the pipeline, the text of a module with
/// the module once another has been read.
TEST_F(SharedPipelineTest, TextsGoWithTheirLastUser) {
  Context Ctx;
  registerAllOps(Ctx);
  {
    ModulePassManager Pipeline = getPipeline();
    for (unsigned I = 0; I != 5; ++I) {
      EXPECT_NE(run(Ctx, Pipeline), "");
      EXPECT_LE(Ctx.getDiagnostics().getNumTexts(), 2u);
    }
  }
  Ctx.getDiagnostics().setMainBuffer(llvm::MemoryBuffer::getMemBuffer("a"));
  EXPECT_EQ(Ctx.getDiagnostics().getNumTexts(), 1u);
  EXPECT_EQ(Ctx.getDiagnostics().getMainOffset(), 0u);
}
} // namespace
