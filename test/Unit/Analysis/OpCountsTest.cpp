//===- OpCountsTest.cpp - Numbers of calls of operators -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts in functions and in their regions, and sums.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/OpCounts.h"
#include "AnalysisTest.h"
#include "relay/Pass/PassContext.h"

using namespace relay;
using namespace relay::test;

namespace {

class OpCountsTest : public AnalysisTest {
protected:
  OpCountsTest() {
    read(R"(
def @main(%x: float32, %c: bool) {
  if (%c) { add(negative(%x), 1f) } else { negative(@f(%x)) }
}
def @f(%x: float32) -> float32 { exp(negative(%x)) }
)");
  }
  uint64_t count(const OpCounts &C, StringRef Name) {
    return C.lookup(*Ctx.lookupOp(Name));
  }
  std::string show(ArrayRef<OpCounts::Entry> Entries) {
    std::string Text;
    for (auto [Info, N] : Entries)
      Text += (Info->Name + "=" + llvm::Twine(N) + " ").str();
    return Text;
  }
};

TEST_F(OpCountsTest, CountsRegions) {
  OpCounts C(function());
  EXPECT_EQ(count(C, "negative"), 2u);
  EXPECT_EQ(count(C, "exp"), 0u);
  EXPECT_EQ(C.getNumOperations(), 6u);
  EXPECT_EQ(C.getNumOperatorCalls(), 3u);
}

TEST_F(OpCountsTest, ListsByName) {
  OpCounts C(function());
  EXPECT_EQ(show(C.getOperators()), "add=1 negative=2 ");
  EXPECT_EQ(show(C.getConstructs()),
            "relay.call_global=1 relay.constant=1 relay.if=1 ");
}

TEST_F(OpCountsTest, Sums) {
  OpCounts C(function());
  C += OpCounts(function("f"));
  EXPECT_EQ(count(C, "negative"), 3u);
  EXPECT_EQ(count(C, "exp"), 1u);
  EXPECT_EQ(C.getNumOperations(), 8u);
  EXPECT_EQ(OpCounts().getNumOperations(), 0u);
}

TEST_F(OpCountsTest, OfAModuleIsTheSum) {
  PassRegistry Registry;
  PassContext PC(Ctx, Registry);
  AnalysisManagers AMs(PC);
  const OpCounts &C = AMs.Modules.getResult<OpCountsAnalysis>(*M);
  EXPECT_EQ(C.getNumOperations(), 8u);
  EXPECT_EQ(C.getNumOperatorCalls(), 5u);
}

} // namespace
