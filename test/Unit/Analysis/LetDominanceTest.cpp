//===- LetDominanceTest.cpp - Order of evaluation -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nested scopes, and dominance between their operations.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/LetDominance.h"
#include "AnalysisTest.h"

using namespace relay;
using namespace relay::test;

namespace {

class LetDominanceTest : public AnalysisTest {
protected:
  LetDominanceTest() {
    read(R"(
def @main(%x: float32, %c: bool) {
  let %a = negative(%x);
  let %f = fn (%y: float32) -> float32 {
    let %b = exp(%y);
    %f(%b)
  };
  let %d = if (%c) { let %e = abs(%a); sqrt(%e) } else { let %g = tanh(%a); %g };
  sigmoid(%d)
}
)");
  }
  Block &region(StringRef Name, unsigned I = 0) {
    return op(Name)->getRegion(I);
  }
};

TEST_F(LetDominanceTest, Enclosing) {
  LetDominance D(function());
  Block &Body = function().getBody();
  EXPECT_TRUE(D.encloses(Body, Body));
  EXPECT_TRUE(D.encloses(Body, region("f")));
  EXPECT_FALSE(D.encloses(region("f"), Body));
  EXPECT_FALSE(D.encloses(region("d", 0), region("d", 1)));
  EXPECT_FALSE(D.encloses(region("f"), region("d")));
}

TEST_F(LetDominanceTest, CommonScope) {
  LetDominance D(function());
  Block &Body = function().getBody();
  EXPECT_EQ(&D.getCommonScope(region("d", 0), region("d", 1)), &Body);
  EXPECT_EQ(&D.getCommonScope(region("f"), region("f")), &region("f"));
  EXPECT_EQ(&D.getCommonScope(Body, region("d", 1)), &Body);
}

TEST_F(LetDominanceTest, WhatComesBeforeDominates) {
  LetDominance D(function());
  EXPECT_TRUE(D.dominates(*op("a"), *op("d")));
  EXPECT_TRUE(D.dominates(*op("a"), *op("e")));
  EXPECT_FALSE(D.dominates(*op("d"), *op("a")));
  EXPECT_FALSE(D.dominates(*op("a"), *op("a")));
  // An `if` is complete after its branches.
  EXPECT_FALSE(D.dominates(*op("d"), *op("e")));
  EXPECT_FALSE(D.dominates(*op("e"), *op("d")));
  EXPECT_FALSE(D.dominates(*op("e"), *op("g")));
}

TEST_F(LetDominanceTest, ArgumentsDominateTheirScope) {
  LetDominance D(function());
  const Value &X = *function().getParams()[0], &Y = *region("f").getArgument(0);
  EXPECT_TRUE(D.dominates(X, *op("b")));
  EXPECT_TRUE(D.dominates(Y, *op("b")));
  EXPECT_FALSE(D.dominates(Y, *op("f")));
}

TEST_F(LetDominanceTest, AClosureDominatesItsBody) {
  LetDominance D(function());
  EXPECT_TRUE(D.dominates(*op("f"), *op("b")));
  EXPECT_TRUE(D.dominates(*op("f"), *op("relay.call")));
  EXPECT_FALSE(D.dominates(*op("f"), *op("a")));
}

} // namespace
