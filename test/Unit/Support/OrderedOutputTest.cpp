//===- OrderedOutputTest.cpp - Deterministic output of threads ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text, diagnostics and calls, deferred and direct.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/OrderedOutput.h"
#include "gtest/gtest.h"
#include <thread>
#include <unistd.h>

using namespace relay;

namespace {

class OrderedOutputTest : public testing::Test {
protected:
  OrderedOutputTest() {
    Diags.pushHandler([this](const Diagnostic &D) {
      TextOS << '[' << D.Message << ']';
      return true;
    });
  }
  /// Writes, reports and calls.
  void use(StringRef Name) {
    OS << Name << 1;
    Diags.emitWarning(Location(), Name);
    OS << Name << 2;
    runInOrder([this, Name] { TextOS << '(' << Name << ')'; });
  }

  std::string Text;
  llvm::raw_string_ostream TextOS{Text};
  OrderedStream OS{TextOS};
  DiagnosticEngine Diags;
};

TEST_F(OrderedOutputTest, TakesEffectAtOnce) {
  use("a");
  use("b");
  EXPECT_EQ(Text, "a1[a]a2(a)b1[b]b2(b)");
}

TEST_F(OrderedOutputTest, WaitsForItsTurn) {
  DeferredOutput First, Second;
  {
    DeferredOutput::Scope Scope(Second);
    use("b");
  }
  {
    DeferredOutput::Scope Scope(First);
    use("a");
    EXPECT_EQ(Text, "");
  }
  use("c");
  First.flush();
  Second.flush();
  EXPECT_EQ(Text, "c1[c]c2(c)a1[a]a2(a)b1[b]b2(b)");
  First.flush(); // nothing remains
  EXPECT_EQ(Text, "c1[c]c2(c)a1[a]a2(a)b1[b]b2(b)");
}

TEST_F(OrderedOutputTest, IsOfOneThread) {
  DeferredOutput Other;
  std::thread Thread([&] {
    DeferredOutput::Scope Scope(Other);
    use("b");
  });
  use("a");
  Thread.join();
  EXPECT_EQ(Text, "a1[a]a2(a)");
  Other.flush();
  EXPECT_EQ(Text, "a1[a]a2(a)b1[b]b2(b)");
}

TEST_F(OrderedOutputTest, DroppedWithoutFlush) {
  {
    DeferredOutput Output;
    DeferredOutput::Scope Scope(Output);
    use("a");
  }
  EXPECT_EQ(Text, "");
  EXPECT_EQ(Diags.getNumErrors(), 0u);
}

TEST_F(OrderedOutputTest, AfterCrashOnlyTexts) {
  DeferredOutput Output;
  {
    DeferredOutput::Scope Scope(Output);
    use("a");
  }
  int Pipe[2];
  ASSERT_EQ(pipe(Pipe), 0);
  Output.writeAfterCrash(Pipe[1]);
  close(Pipe[1]);
  char Written[100] = {};
  EXPECT_EQ(read(Pipe[0], Written, sizeof(Written)), 15);
  close(Pipe[0]);
  EXPECT_STREQ(Written, "a1warning: a\na2");
  EXPECT_EQ(Text, "");
}

TEST_F(OrderedOutputTest, States) {
  StateMap<std::string> States;
  int A = 0, B = 0;
  States[&A] = "a";
  std::string &OfB = States[&B];
  EXPECT_EQ(OfB, "");
  EXPECT_EQ(States[&A], "a");
  OfB = "b";
  EXPECT_EQ(States[&B], "b");
  EXPECT_EQ(*States.take(&A), "a");
  EXPECT_EQ(States.take(&A), nullptr);
  EXPECT_EQ(States[&A], "");
}

} // namespace
