//===- PipelinesTest.cpp - The pipelines of the tree ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All registered pipelines and extensions can be parsed. relay-opt checks this
// only if there are plugins.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PipelineParser.h"
#include "relay/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

TEST(PipelinesTest, AllFit) {
  PassRegistry Registry;
  registerAllPasses(Registry);
  EXPECT_FALSE(Registry.getPipelines().empty());
  std::string Text;
  llvm::raw_string_ostream Errors(Text);
  EXPECT_TRUE(succeeded(checkPipelines(Registry, Errors)));
  EXPECT_EQ(Text, "");
}

TEST(PipelinesTest, OneThatDoesNotFit) {
  PassRegistry Registry;
  registerAllPasses(Registry);
  ASSERT_TRUE(Registry.registerPipeline("mine", "fuse-ops,no-such-pass"));
  std::string Text;
  llvm::raw_string_ostream Errors(Text);
  EXPECT_TRUE(failed(checkPipelines(Registry, Errors)));
  EXPECT_NE(Text.find("no-such-pass"), std::string::npos);
}

} // namespace
