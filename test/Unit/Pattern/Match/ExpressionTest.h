//===- ExpressionTest.h - Expressions to match patterns with ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixture that reads expressions, whose free variables need no declaration,
// and short names for patterns that many tests have.
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

  /// Reads an expression; types it when \p Typed. In \p Text, `K;` stands for
  /// `%0 = nn.conv2d(%x, %w);`, and `PFP=` for `PartitionedFromPattern=`. The
  /// variables of \p Other are declared as well.
  std::shared_ptr<Module> read(StringRef Text, bool Typed = false,
                               StringRef Other = "");
  /// Whether \p M equals the expression \p Text, which has been read with its
  /// variables. Prints both if not.
  testing::AssertionResult isEqual(Module &M, StringRef Text, StringRef Other);
  /// The expression itself.
  static ExprRef getRoot(Module &M);
  /// Whether \p P matches \p Text.
  bool matches(const Pattern &P, StringRef Text);
  bool matchesTyped(const Pattern &P, StringRef Text);
  /// A pattern for what equals the expression \p Text.
  Pattern is(StringRef Text);

  static Pattern op(StringRef Name, ArrayRef<Pattern> Arguments) {
    return isOp(Name).call(Arguments);
  }
  static Pattern conv() { return op("nn.conv2d", {wildcard(), wildcard()}); }
  static Pattern relu(const Pattern &P) { return op("nn.relu", P); }
  static Pattern tanh(const Pattern &P) { return op("tanh", P); }
  /// A call of an elementwise operator of one argument.
  static Pattern elementwise() {
    return wildcard().hasAttr("TOpPattern", 0)(wildcard());
  }

  Context Ctx;
  /// What was reported, a line each.
  std::string Errors;

private:
  bool matchesRoot(const Pattern &P, Module &M);
};

} // namespace relay::test

#endif // RELAY_TEST_UNIT_PATTERN_EXPRESSIONTEST_H
