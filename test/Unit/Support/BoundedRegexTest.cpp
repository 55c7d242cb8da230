//===- BoundedRegexTest.cpp - User-supplied regular expressions -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Support/BoundedRegex.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

/// Returns why \p Text is refused; empty if it is accepted.
std::string check(StringRef Text) {
  std::string Problem;
  bool IsValid = BoundedRegex(Text).isValid(Problem);
  EXPECT_EQ(IsValid, Problem.empty()) << Text.str();
  return Problem;
}

const std::string TooLarge = "its repetitions expand to more than 65536 states";

TEST(BoundedRegexTest, Matches) {
  EXPECT_TRUE(BoundedRegex("^lay(er)?[0-9]{1,2}$").match("layer12"));
  EXPECT_TRUE(BoundedRegex("b+").match("abbc"));
  EXPECT_FALSE(BoundedRegex("^b").match("ab"));
  EXPECT_TRUE(BoundedRegex("[]{(]{2}").match("](")); // elements of a set
  EXPECT_TRUE(BoundedRegex("[^][:alpha:]]").match("1"));
  EXPECT_TRUE(BoundedRegex("a\\{255}").match("a{255}"));
  EXPECT_TRUE(BoundedRegex("a{,5}").match("a{,5}")); // not a repetition
}

TEST(BoundedRegexTest, SyntaxErrorsAreThoseOfLLVM) {
  EXPECT_EQ(check("(a"), "parentheses not balanced");
  EXPECT_EQ(check("a{3,1}"), "invalid repetition count(s)");
  EXPECT_EQ(check(""), "empty (sub)expression");
  EXPECT_FALSE(BoundedRegex("(a").match("(a"));
}

TEST(BoundedRegexTest, SizeIsBounded) {
  EXPECT_EQ(check("a{1,255}"), "");
  EXPECT_EQ(check("(a{1,50}){1,100}"), "");
  EXPECT_EQ(check("(((a{1,255}){1,255}){1,255})"), TooLarge);
  EXPECT_EQ(check("((((((a{255}){255}){255}){255}){255}){255}){255}"),
            TooLarge);
  EXPECT_EQ(check("((a|b){0,255}){255,}"), TooLarge);
  EXPECT_EQ(check("(a(b{255}c){255})"), TooLarge);
  EXPECT_EQ(check(std::string(65536, 'a')), "");
  EXPECT_EQ(check(std::string(65537, 'a')), TooLarge);
  EXPECT_FALSE(
      BoundedRegex(std::string(65537, 'a')).match(std::string(65537, 'a')));
}

/// Four states in addition to the states of their parts.
TEST(BoundedRegexTest, GroupsAlternativesAndRepetitionsHaveStates) {
  auto Repeat = [](StringRef Part, size_t Times) {
    std::string Text;
    for (size_t I = 0; I != Times; ++I)
      Text += Part;
    return Text;
  };
  for (StringRef Part : {"a*", "a+", "a?", "a{1}", "(a)"}) {
    EXPECT_EQ(check(Repeat(Part, 13107)), "") << Part.str();
    EXPECT_EQ(check(Repeat(Part, 13108)), TooLarge) << Part.str();
  }
  EXPECT_EQ(check(Repeat("a|", 13107) + "a"), "");
  EXPECT_EQ(check(Repeat("a|", 13107) + "aa"), TooLarge);
}

TEST(BoundedRegexTest, DepthIsBounded) {
  auto Nest = [](size_t Depth) {
    return std::string(Depth, '(') + "a" + std::string(Depth, ')');
  };
  EXPECT_EQ(check(Nest(199)), "");
  EXPECT_EQ(check(Nest(200)), "groups are nested more than 200 levels deep");
  EXPECT_EQ(check(std::string(1000000, '(')),
            "groups are nested more than 200 levels deep");
}

/// Back references make matching exponential.
TEST(BoundedRegexTest, BackReferencesAreRefused) {
  EXPECT_EQ(check("(a*)*\\1"), "back references are not supported");
  EXPECT_EQ(check("a\\.9"), "");
  EXPECT_EQ(check("[\\1]"), "");
}

} // namespace
