//===- PrintableTextTest.cpp - Text that is safe for terminals ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Support/PrintableText.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

TEST(PrintableTextTest, PlainTextStays) {
  EXPECT_EQ(toPrintable(""), "");
  EXPECT_EQ(toPrintable("a b\n\tc\\x1B"), "a b\n\tc\\x1B");
  EXPECT_EQ(toPrintable("Gr\xc3\xb6\xc3\x9f"
                        "e \xe5\xb1\x82"),
            "Gr\xc3\xb6\xc3\x9f"
            "e \xe5\xb1\x82");
}

TEST(PrintableTextTest, ControlsAreEscaped) {
  EXPECT_EQ(toPrintable("a\x1b[31mred\r\x7f"), "a\\x1B[31mred\\x0D\\x7F");
  EXPECT_EQ(toPrintable(StringRef("\0b", 2)), "\\x00b");
  // CSI as one character outside of ASCII.
  EXPECT_EQ(toPrintable("\xc2\x9b"
                        "1m"),
            "\\xC2\\x9B1m");
}

TEST(PrintableTextTest, BrokenCharactersAreEscaped) {
  EXPECT_EQ(toPrintable("\xff\xc3"), "\\xFF\\xC3");
  EXPECT_EQ(toPrintable("\xe5\xb1"), "\\xE5\\xB1");
  EXPECT_EQ(toPrintable("\x80z"), "\\x80z");
}

TEST(PrintableTextTest, ColumnsAreCounted) {
  std::string Shown = "> ";
  unsigned Width = 2;
  appendPrintable("a\tb", Shown, Width);
  EXPECT_EQ(Shown, "> a     b");
  EXPECT_EQ(Width, 9u);
  appendPrintable("\x1b\xe5\xb1\x82", Shown, Width); // takes two columns
  EXPECT_EQ(Shown, "> a     b?\xe5\xb1\x82");
  EXPECT_EQ(Width, 12u);
}

} // namespace
