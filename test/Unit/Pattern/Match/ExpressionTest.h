//===- ExpressionTest.h - Expressions to match patterns with ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixture that reads expressions, whose free variables need no declaration,
// and abbreviations of frequent patterns.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_UNIT_PATTERN_EXPRESSIONTEST_H
#define RELAY_TEST_UNIT_PATTERN_EXPRESSIONTEST_H

#include "relay/IR/Context.h"
#include "relay/Pattern/Match/Matcher.h"
#include "gtest/gtest.h"

namespace relay::test {

class ExpressionTest : public testing::Test {
protected:
  ExpressionTest();

  /// Reads an expression; infers types if \p Typed. In \p Text, `K;`
  /// abbreviates `%0 = nn.conv2d(%x, %w);`, and `PFP=` abbreviates
  /// `PartitionedFromPattern=`. Also declares the variables of \p Other.
  std::shared_ptr<Module> read(StringRef Text, bool Typed = false,
                               StringRef Other = "");
  /// Returns success if \p M equals the expression \p Text, which was read with
  /// the variables of M. Prints both otherwise.
  testing::AssertionResult isEqual(Module &M, StringRef Text, StringRef Other);
  /// Returns the expression itself.
  static ExprRef getRoot(Module &M);
  /// Returns true if \p P matches \p Text.
  bool matches(const Pattern &P, StringRef Text);
  bool matchesTyped(const Pattern &P, StringRef Text);
  /// Returns a pattern for expressions equal to \p Text.
  Pattern is(StringRef Text);

  static Pattern op(StringRef Name, ArrayRef<Pattern> Arguments) {
    return isOp(Name).call(Arguments);
  }
  static Pattern conv() { return op("nn.conv2d", {wildcard(), wildcard()}); }
  static Pattern relu(const Pattern &P) { return op("nn.relu", P); }
  static Pattern tanh(const Pattern &P) { return op("tanh", P); }
  /// Returns a call of an elementwise operator of one argument.
  static Pattern elementwise() {
    return wildcard().hasAttr("TOpPattern", 0)(wildcard());
  }

  Context Ctx;
  /// The diagnostics, one per line.
  std::string Errors;

private:
  bool matchesRoot(const Pattern &P, Module &M);
};

} // namespace relay::test

#endif // RELAY_TEST_UNIT_PATTERN_EXPRESSIONTEST_H
