//===- IRDiffTest.cpp - Differences between two dumps ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// diffDumps() with numbers that shift, and printUnifiedDiff().
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/IRDiff.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

/// Returns all lines of the diff, each with its sign; equal lines have the
/// later text.
std::string diff(StringRef Before, StringRef After) {
  std::string Text;
  for (const DiffLine &L : diffDumps(Before, After)) {
    Text += char(L.K);
    Text += L.isAfter() ? L.After : L.Before;
    Text += '\n';
  }
  return Text;
}

std::string print(StringRef Before, StringRef After, bool Color = false) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printUnifiedDiff(diffDumps(Before, After), OS, Color);
  return Text;
}

TEST(IRDiffTest, ShiftedNumbersAreTheSame) {
  EXPECT_EQ(
      diff("%0 = a(%x);\n%1 = b(%0);\n%2 = c(%1, %0);\n%2\n",
           "%0 = z(%x);\n%1 = a(%x);\n%2 = b(%1);\n%3 = c(%2, %1);\n%3\n"),
      "+%0 = z(%x);\n %1 = a(%x);\n %2 = b(%1);\n %3 = c(%2, %1);\n "
      "%3\n");
}

TEST(IRDiffTest, OtherOperand) {
  EXPECT_EQ(diff("%0 = a(%x);\n%1 = a(%x);\nadd(%0, %1)\n",
                 "%0 = a(%x);\nadd(%0, %0)\n"),
            " %0 = a(%x);\n-%1 = a(%x);\n-add(%0, %1)\n+add(%0, %0)\n");
  EXPECT_EQ(diff("%0 = a(%x);\n%1 = b(%x);\nc(%0)\n",
                 "%0 = a(%x);\n%1 = b(%x);\nc(%1)\n"),
            " %0 = a(%x);\n %1 = b(%x);\n-c(%0)\n+c(%1)\n");
}

/// A line without a definition does not map numbers.
TEST(IRDiffTest, ResultIsNoDefinition) {
  EXPECT_EQ(
      diff("%0 = a(%x);\n%1 = a(%0);\n%1\n", "%0 = a(%x);\n%1 = a(%0);\n%0\n"),
      " %0 = a(%x);\n %1 = a(%0);\n-%1\n+%0\n");
}

TEST(IRDiffTest, IndicesOfConstants) {
  StringRef Before = "a(meta[C][0]);\nb(meta[C][1]);\nc(meta[C][2])\n";
  EXPECT_EQ(diff(Before, "b(meta[C][0]);\nc(meta[C][1])\n"),
            "-a(meta[C][0]);\n b(meta[C][0]);\n c(meta[C][1])\n");
  // Two constants were merged.
  EXPECT_EQ(diff(Before, "a(meta[C][0]);\nb(meta[C][1]);\nc(meta[C][1])\n"),
            " a(meta[C][0]);\n b(meta[C][1]);\n-c(meta[C][2])\n+c(meta[C][1])"
            "\n");
}

TEST(IRDiffTest, NamesAndStringsCount) {
  EXPECT_EQ(diff("a(%x1)\n", "a(%x2)\n"), "-a(%x1)\n+a(%x2)\n");
  EXPECT_EQ(diff("a(s=\"%1\\\"%2\")\n", "a(s=\"%1\\\"%3\")\n"),
            "-a(s=\"%1\\\"%2\")\n+a(s=\"%1\\\"%3\")\n");
  EXPECT_EQ(diff("a(\"%\n", "b(meta[\n"), "-a(\"%\n+b(meta[\n");
}

/// Names that differ only in numbers, such as parameters of closures.
TEST(IRDiffTest, ShiftedNamesAreTheSame) {
  EXPECT_EQ(diff("%0 = fn (%p0: T, %p1: T) {\n  a(%p0, %p1)\n};\n"
                 "%1 = fn (%p01: T) {\n  b(%p01)\n};\n",
                 "%1 = fn (%p0: T) {\n  b(%p0)\n};\n"),
            "-%0 = fn (%p0: T, %p1: T) {\n-  a(%p0, %p1)\n-};\n"
            " %1 = fn (%p0: T) {\n   b(%p0)\n };\n");
  EXPECT_EQ(
      diff("let %x1 = a(%y);\nlet %x2 = b(%x1);\n%x2\n",
           "let %x1 = b(%y);\nlet %x2 = a(%y);\nlet %x3 = b(%x2);\n%x3\n"),
      "+let %x1 = b(%y);\n let %x2 = a(%y);\n let %x3 = b(%x2);\n %x3\n");
  EXPECT_EQ(diff("Cons(%h, %t) => {\n  a(%h)\n},\n",
                 "Cons(%h1, %t) => {\n  a(%t)\n},\n"),
            " Cons(%h1, %t) => {\n-  a(%h)\n+  a(%t)\n },\n");
}

/// The lines are equal although the number refers to another node.
TEST(IRDiffTest, TheSameTextIsTheSame) {
  EXPECT_EQ(diff("%0 = a(%x);\nc(%0)\n", "%0 = b(%x);\nc(%0)\n"),
            "-%0 = a(%x);\n+%0 = b(%x);\n c(%0)\n");
}

TEST(IRDiffTest, MovedLines) {
  EXPECT_EQ(diff("%0 = a(%x);\n%1 = b(%x);\n%2 = c(%x);\nd(%0)\n",
                 "%1 = b(%x);\n%2 = c(%x);\n%0 = a(%x);\nd(%0)\n"),
            "<%0 = a(%x);\n %1 = b(%x);\n %2 = c(%x);\n>%0 = a(%x);\n"
            " d(%0)\n");
  EXPECT_EQ(print("%0 = a();\n%1 = b();\n", "%1 = b();\n%0 = a();\n"),
            "@@ -1,2 +1,2 @@\n<%0 = a();\n %1 = b();\n>%0 = a();\n");
  // Lines without definitions may occur several times.
  EXPECT_EQ(diff("}\nx\n", "x\n}\n"), "-}\n x\n+}\n");
}

TEST(IRDiffTest, LongLinesThatDoNotDiffer) {
  std::string Long = "def " + std::string(3000, 'x') + " {";
  EXPECT_EQ(print(Long + "\na\n", Long + "\nb\n"),
            "@@ -1,2 +1,2 @@\n def " + std::string(136, 'x') +
                " ... 2836 characters ... " + std::string(28, 'x') +
                " {\n-a\n+b\n");
  EXPECT_EQ(print("a\n", Long + "\n"), "@@ -1,1 +1,1 @@\n-a\n+" + Long + "\n");
}

/// Numbers in strings are not numbers of values: they do not shift. An escaped
/// quote does not end the string.
TEST(IRDiffTest, NumbersInStringsDoNotShift) {
  StringRef Before = "%0 = a(%x);\n%1 = b(%0, s=\"\\\"%0 meta[C][0]\");\n%1\n";
  EXPECT_EQ(diff(Before, "%0 = z(%x);\n%1 = a(%x);\n%2 = b(%1, s=\"\\\"%0 "
                         "meta[C][0]\");\n%2\n"),
            "+%0 = z(%x);\n %1 = a(%x);\n %2 = b(%1, s=\"\\\"%0 "
            "meta[C][0]\");\n %2\n");
  EXPECT_EQ(diff(Before, "%0 = z(%x);\n%1 = a(%x);\n%2 = b(%1, s=\"\\\"%1 "
                         "meta[C][0]\");\n%2\n"),
            "+%0 = z(%x);\n %1 = a(%x);\n-%1 = b(%0, s=\"\\\"%0 "
            "meta[C][0]\");\n-%1\n+%2 = b(%1, s=\"\\\"%1 meta[C][0]\");\n"
            "+%2\n");
  // After the end of a string, numbers count again.
  EXPECT_EQ(diff("%0 = a(s=\"\\\\\", %x);\nb(s=\"\\\\\", %0)\n",
                 "%0 = z();\n%1 = a(s=\"\\\\\", %x);\nb(s=\"\\\\\", %1)\n"),
            "+%0 = z();\n %1 = a(s=\"\\\\\", %x);\n b(s=\"\\\\\", %1)\n");
}

/// The line of a wide tuple. Searching the text before each name would take
/// hours.
TEST(IRDiffTest, LongLinesAreLinear) {
  std::string Tuple = "(";
  for (unsigned I = 0; I != 1000000; ++I)
    Tuple += "%0, ";
  Tuple += "%0)\n";
  EXPECT_TRUE(diff("%0 = a(%x);\n" + Tuple, "%0 = b(%x);\n" + Tuple) ==
              "-%0 = a(%x);\n+%0 = b(%x);\n " + Tuple);
}

/// Parameters of a closure after the part that was already searched.
TEST(IRDiffTest, ClosuresInLongLinesDefine) {
  EXPECT_EQ(diff("%0 = f(%x, fn (%p1: A) { %p1 });\n",
                 "%0 = f(%x, fn (%p2: A) { %p2 });\n"),
            " %0 = f(%x, fn (%p2: A) { %p2 });\n");
  EXPECT_EQ(diff("%0 = f(%x, fn [T](%p1: T) { %p1 });\n",
                 "%0 = f(%x, fn [T](%p2: T) { %p2 });\n"),
            " %0 = f(%x, fn [T](%p2: T) { %p2 });\n");
  EXPECT_EQ(diff("%0 = f(%x, %p1);\n", "%0 = f(%x, %p2);\n"),
            "-%0 = f(%x, %p1);\n+%0 = f(%x, %p2);\n");
}

TEST(IRDiffTest, Unified) {
  EXPECT_EQ(print("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(print("", "a\n"), "@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(print("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n");
  // Changes with up to six lines between them form one hunk.
  EXPECT_EQ(print("1\n2\n3\n4\n5\nx\n6\n7\n8\n9\n10\n11\ny\n",
                  "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\nz\n"),
            "@@ -3,11 +3,10 @@\n 3\n 4\n 5\n-x\n 6\n 7\n 8\n 9\n 10\n 11\n-y\n"
            "+z\n");
  EXPECT_EQ(
      print("x\n1\n2\n3\n4\n5\n6\n7\ny\n", "1\n2\n3\n4\n5\n6\n7\n"),
      "@@ -1,4 +1,3 @@\n-x\n 1\n 2\n 3\n@@ -6,4 +5,3 @@\n 5\n 6\n 7\n-y\n");
}

TEST(IRDiffTest, Color) {
  EXPECT_EQ(print("a\nb\n", "a\nc\n", /*Color=*/true),
            "@@ -1,2 +1,2 @@\n a\n\033[31m-b\033[0m\n\033[32m+c\033[0m\n");
}

} // namespace
