//===- PurityTest.cpp - Values without effects ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions, and values of a function.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/Purity.h"
#include "AnalysisTest.h"

using namespace relay;
using namespace relay::test;

namespace {

class PurityTest : public AnalysisTest {};

TEST_F(PurityTest, Functions) {
  read(R"(
def @pure(%x: float32) -> float32 { @circle(negative(%x)) }
def @circle(%x: float32) -> float32 { @circle(%x) }
def @write(%x: float32) { let %r = ref(%x); let %w = ref_write(%r, %x); %x }
def @caller(%x: float32) -> float32 { @write(%x) }
def @extern(%x: float32, Extern=1) -> float32 { %x }
)");
  Purity P(*M);
  EXPECT_TRUE(P.isCallPure("pure"));
  EXPECT_TRUE(P.isCallPure("circle"));
  EXPECT_FALSE(P.isCallPure("write"));
  EXPECT_FALSE(P.isCallPure("caller"));
  EXPECT_FALSE(P.isCallPure("extern"));
  EXPECT_FALSE(P.isCallPure("absent"));
}

TEST_F(PurityTest, Values) {
  read(R"(
def @main(%x: float32, %c: bool, %g: fn (float32) -> float32) {
  let %a = negative(%x);
  let %r = ref(%a);
  let %read = ref_read(%r);
  let %f = fn (%y: float32) { let %w = ref_write(%r, %y); %y };
  let %called = %f(%x);
  let %given = %g(%x);
  let %both = if (%c) { exp(%x) } else { ref_read(%r) };
  let %known = @f(%x);
  %both
}
def @f(%x: float32) { %x }
)");
  ValuePurity Pure(function(), [](StringRef) { return true; });
  for (StringRef Name : {"a", "r", "f", "known"})
    EXPECT_TRUE(Pure.isEvalPure(op(Name))) << Name.str();
  for (StringRef Name : {"read", "called", "given", "both"})
    EXPECT_FALSE(Pure.isEvalPure(op(Name))) << Name.str();
  EXPECT_FALSE(Pure.isBodyPure());

  ValuePurity Impure(function(), [](StringRef) { return false; });
  EXPECT_FALSE(Impure.isEvalPure(op("known")));
  EXPECT_TRUE(Impure.isEvalPure(op("a")));
}

/// A call of an external function does not execute the body.
TEST_F(PurityTest, ExternalFunctionsMayHaveEffects) {
  read("def @f(%x: float32) -> float32 { negative(%x) }");
  EXPECT_FALSE(hasEffects(*M));
  read("def @f(%x: float32, Extern=0) -> float32 { negative(%x) }");
  EXPECT_FALSE(hasEffects(*M));
  read("def @f(%x: float32, Extern=1) -> float32 { negative(%x) }");
  EXPECT_FALSE(hasEffects(*M)); // as in TVM
  read(R"(
def @main(%x: float32) {
  let %f = fn (%y: float32, Extern=1) -> float32 { negative(%y) };
  let %called = %f(%x);
  let %pure = negative(%x);
  add(%called, %pure)
}
)");
  EXPECT_TRUE(hasEffects(*M));
  std::optional<ValuePurity> Purity = findEffects(function());
  EXPECT_FALSE(Purity->isEvalPure(op("called")));
  EXPECT_TRUE(Purity->isEvalPure(op("f")));
  EXPECT_TRUE(Purity->isEvalPure(op("pure")));
}

/// Functions remember whether an operation that may have an effect was created,
/// so that most are not searched.
TEST_F(PurityTest, FunctionsRememberEffects) {
  read("def @main(%x: float32) { negative(if (True) { %x } else { 1f }) }");
  EXPECT_FALSE(function().mayHaveEffects());
  EXPECT_FALSE(findEffects(function()));
  for (StringRef Body :
       {"let %a = ref(%x); %x", "let %a = @main(%x); %x",
        "let %a = fn (%y: float32) { %y }; %a(%x)", "nn.dropout(%x).0"}) {
    read("def @main(%x: float32) -> float32 { " + Body.str() + " }");
    EXPECT_TRUE(function().mayHaveEffects()) << Body.str();
    EXPECT_TRUE(M->clone()->lookupFunction("main")->mayHaveEffects());
  }
}

/// Other threads may change the bodies of callees concurrently.
TEST_F(PurityTest, CalleesAreJudgedByTheirFrozenTypes) {
  read(R"(
def @main(%x: float32) { let %known = @f(%x); %x }
def @f(%x: float32) { let %r = ref(%x); %x }
)");
  auto IsKnownPure = [&] {
    Function &Main = *M->lookupFunction("main");
    return findEffects(Main)->isEvalPure(op("known"));
  };
  Function &F = *M->lookupFunction("f");
  F.freezeType();
  F.getBody().setResultRaw(op("r", "f"));
  EXPECT_TRUE(IsKnownPure());
  F.thawType();
  EXPECT_FALSE(IsKnownPure());
}

} // namespace
