//===- ContextsTest.cpp - Several Contexts at once ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a program that each have a Context and a registry do not disturb
// each other.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "relay/Transforms/Passes.h"
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

/// What a pipeline makes of the model; empty if something fails.
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
