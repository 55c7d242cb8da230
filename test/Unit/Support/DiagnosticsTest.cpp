//===- DiagnosticsTest.cpp - Reporting of diagnostics ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of diagnostics, counts of errors, and printing.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/Diagnostics.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class DiagnosticsTest : public testing::Test {
protected:
  DiagnosticsTest() {
    Diags.setMainBuffer(llvm::MemoryBuffer::getMemBuffer("ab\ncde\n", "m"));
  }

  std::string Printed;
  llvm::raw_string_ostream OS{Printed};
  DiagnosticEngine Diags{OS};
};

TEST_F(DiagnosticsTest, OnlyErrorsAreCounted) {
  Diags.emitWarning({}, "w");
  EXPECT_EQ(Diags.getNumErrors(), 0u);
  Diags.emitError({}, "e");
  EXPECT_EQ(Diags.getNumErrors(), 1u);
  Diags.pushHandler([](const Diagnostic &) { return true; });
  Diags.emitError({}, "taken");
  Diags.popHandler();
  EXPECT_EQ(Diags.getNumErrors(), 2u);
  Diags.emitError({}, "dropped").abandon();
  EXPECT_EQ(Diags.getNumErrors(), 2u);
}

TEST_F(DiagnosticsTest, TheNewestHandlerIsAskedFirst) {
  std::string Heard;
  bool Takes = false;
  Diags.pushHandler([&](const Diagnostic &D) {
    Heard += "old " + D.Message + "; ";
    return true;
  });
  Diags.pushHandler([&](const Diagnostic &D) {
    Heard += "new " + D.Message + "; ";
    return Takes;
  });
  Diags.emitError({}, "a");
  EXPECT_EQ(std::exchange(Heard, ""), "new a; old a; ");
  Takes = true;
  Diags.emitError({}, "b");
  EXPECT_EQ(std::exchange(Heard, ""), "new b; ");
  Diags.popHandler();
  Diags.emitError({}, "c");
  EXPECT_EQ(Heard, "old c; ");
  EXPECT_EQ(Printed, "");
  Diags.popHandler();
  Diags.emitError({}, "d");
  EXPECT_EQ(Printed, "error: d\n");
}

TEST_F(DiagnosticsTest, NotesPrintBehindTheirDiagnostic) {
  Diags.emitError(Location::fromOffset(4), 2, "wrong ")
          .note(Location::fromOffset(0), "because ")
      << "of this";
  EXPECT_EQ(Printed, "m:2:2: error: wrong \ncde\n ^~\nm:1:1: note: because of "
                     "this\nab\n^\n");
  Printed.clear();
  Diags.emitWarning(Location::fromOffset(1), "odd");
  EXPECT_EQ(Printed, "m:1:2: warning: odd\nab\n ^\n");
}

TEST_F(DiagnosticsTest, ReleasedTextBetweenTwoOthers) {
  auto Add = [&](StringRef Text) {
    return Diags.setMainBuffer(llvm::MemoryBuffer::getMemBuffer(Text, "n"));
  };
  SourceTextRef First = Diags.getMainSource(), Second = Add("released"),
                Third = Add("third");
  Location End = Location::fromOffset(First->getEnd() - 1);
  Location Stale = Location::fromOffset(Second->getBegin() + 2);
  EXPECT_EQ(Diags.getSource(Stale), Second);
  Second.reset();
  Add("too long for the gap");
  EXPECT_EQ(Diags.getSource(End), First);
  EXPECT_EQ(Diags.getSource(Stale), nullptr);
  EXPECT_EQ(Diags.getSource(Location::fromOffset(1000)), nullptr);
}

TEST_F(DiagnosticsTest, IsFailure) {
  LogicalResult Result = Diags.emitError({}, "e");
  EXPECT_TRUE(failed(Result));
  FailureOr<int> Number = Diags.emitError({}, "e");
  EXPECT_TRUE(failed(Number));
}

} // namespace
