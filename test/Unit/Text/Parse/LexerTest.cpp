//===- LexerTest.cpp - Tokens of Relay text -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Parse/Lexer.h"
#include "gtest/gtest.h"
#include <string>

using namespace relay;

/// Returns the tokens of \p Text as their slices, separated by blanks; marks
/// texts that are not tokens.
static std::string lexAll(StringRef Text) {
  Lexer Lex(Text);
  std::string Result;
  for (Token T = Lex.lex(); !T.is(Tok::EndOfFile); T = Lex.lex()) {
    Result += Result.empty() ? "" : " ";
    Result += T.is(Tok::Error) ? "!" + T.text().str() : T.text().str();
  }
  return Result;
}

static Tok kindOf(StringRef Text) { return Lexer(Text).lex().K; }

TEST(Lexer, Kinds) {
  EXPECT_EQ(kindOf(""), Tok::EndOfFile);
  EXPECT_EQ(kindOf("%x"), Tok::Local);
  EXPECT_EQ(kindOf("%12"), Tok::Graph);
  EXPECT_EQ(kindOf("@f.g"), Tok::Global);
  EXPECT_EQ(kindOf("nn.conv2d"), Tok::Identifier);
  EXPECT_EQ(kindOf("_"), Tok::Identifier);
  EXPECT_EQ(kindOf("1e-05f"), Tok::Number);
  EXPECT_EQ(kindOf("\"a\""), Tok::String);
  EXPECT_EQ(kindOf("#[version"), Tok::Version);
  EXPECT_EQ(kindOf("#[metadata]"), Tok::Metadata);
  for (StringRef Bad : {"%", "@", "#", "!", "\"open", "/* open", "`", "\x80"})
    EXPECT_EQ(kindOf(Bad), Tok::Error) << Bad.str();
}

TEST(Lexer, Sequences) {
  EXPECT_EQ(lexAll("%0 = add(%x, -2f)"), "%0 = add ( %x , - 2f )");
  EXPECT_EQ(lexAll("(a->b=>c==d!=e<=f>=g<h>i=j)"),
            "( a -> b => c == d != e <= f >= g < h > i = j )");
  // A field is not part of a number's token, a fraction is.
  EXPECT_EQ(lexAll("%0.1 1.5f 1.f 1..2"), "%0 . 1 1.5f 1 . f 1 . . 2");
  EXPECT_EQ(lexAll("1e5f 1e+05f 1e-f 0x10 3i64"),
            "1e5f 1e+05f 1e - f 0x10 3i64");
  EXPECT_EQ(lexAll("\"a\\\"b\" \"\\\\\" x"), "\"a\\\"b\" \"\\\\\" x");
  // A string ends with its line.
  EXPECT_EQ(lexAll("\"a\nb"), "!\"a b");
  EXPECT_EQ(lexAll(StringRef("a\0b", 3)), std::string("a !\0 b", 6));
}

TEST(Lexer, Comments) {
  EXPECT_EQ(lexAll("a // b\nc"), "a c");
  EXPECT_EQ(lexAll("a // b"), "a");
  EXPECT_EQ(lexAll("a/**/b/* * / */c"), "a b c");
  EXPECT_EQ(lexAll("/* a /* b */ c */ d"), "d");
  EXPECT_EQ(lexAll("/*/ a */ b"), "b");
  EXPECT_EQ(lexAll("/*/* a */*/ b"), "b");
  EXPECT_EQ(lexAll("/***/ b /** c **/ d"), "b d");
  EXPECT_EQ(lexAll("a /* /* */ b"), "a !/* /* */ b");
}

TEST(Lexer, Spans) {
  Lexer Lex(
      "a /* ty=float32 */ b /* ty=A span=file.py:12:3 */ c /*span=x:1:2*/ d "
      "/* span=x */ e /* ty=A span=a b:0:0 span=c:0:0 */ f");
  auto Next = [&] {
    Lex.lex();
    return Lex.takeSpan();
  };
  EXPECT_EQ(Next(), "");                   // a
  EXPECT_EQ(Next(), "");                   // b
  EXPECT_EQ(Next(), "file.py:12:3");       // c
  EXPECT_EQ(Next(), "x:1:2");              // d
  EXPECT_EQ(Next(), "");                   // e
  EXPECT_EQ(Next(), "a b:0:0 span=c:0:0"); // f
}

TEST(Lexer, DeclaredNames) {
  auto End = [](StringRef Text) {
    return Lexer(Text).findNameEnd(Text.begin()) - Text.begin();
  };
  EXPECT_EQ(End("x: int32"), 1);
  EXPECT_EQ(End("x:int32"), 1);
  EXPECT_EQ(End("a.b'/c-d:0: int32"), 10);
  EXPECT_EQ(End("onnx::Conv_1 ="), 12);
  EXPECT_EQ(End("x/* comment */"), 1);
  EXPECT_EQ(End("x//"), 1);
  EXPECT_EQ(End("x->y"), 1);
  EXPECT_EQ(End("x)"), 1);
  EXPECT_EQ(End("caf\xc3\xa9,"), 5);
}

TEST(Lexer, PlainNames) {
  EXPECT_TRUE(Lexer::isPlainName("_a1"));
  EXPECT_TRUE(Lexer::isPlainName("B"));
  for (StringRef Text : {"", "1a", "a.b", "a-b", "caf\xc3\xa9"})
    EXPECT_FALSE(Lexer::isPlainName(Text)) << Text.str();
  EXPECT_FALSE(Lexer::isPlainName(StringRef("B").take_front(0)));
}
