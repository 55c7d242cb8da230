//===- AnalysisTest.h - Modules to analyze ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixture that reads modules from text and finds values in them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_UNIT_ANALYSIS_ANALYSISTEST_H
#define RELAY_TEST_UNIT_ANALYSIS_ANALYSISTEST_H

#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/Module.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

namespace relay::test {

class AnalysisTest : public testing::Test {
protected:
  AnalysisTest() { registerAllOps(Ctx); }

  /// Reads and types \p Text, which has no header.
  void read(StringRef Text) {
    std::string Whole = ("#[version = \"0.0.5\"]\n" + Text).str();
    M = parseModule(llvm::MemoryBuffer::getMemBufferCopy(Whole, "test"), Ctx);
    ASSERT_TRUE(M);
    ASSERT_TRUE(succeeded(inferTypes(*M)));
  }
  Function &function(StringRef Name = "main") {
    return *M->lookupFunction(Name);
  }
  /// Returns the first operation of \p F that calls or is named \p Name.
  Operation *op(StringRef Name, StringRef F = "main") {
    Operation *Found = nullptr;
    walk(function(F), [&](Operation *Op) {
      if (!Found && (Op->getName() == Name || Op->getVarName() == Name))
        Found = Op;
    });
    EXPECT_TRUE(Found) << Name.str();
    return Found;
  }

  Context Ctx;
  std::unique_ptr<Module> M;
};

} // namespace relay::test

#endif // RELAY_TEST_UNIT_ANALYSIS_ANALYSISTEST_H
