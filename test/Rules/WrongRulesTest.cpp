//===- WrongRulesTest.cpp - Reports on wrong rules ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test of rules finds the errors in WrongRules.td.
//
//===----------------------------------------------------------------------===//

#include "RuleTrial.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include "gtest/gtest.h"

#define RELAY_DEFINE_RULES
#include "WrongRules.h.inc"

using namespace relay;
using namespace relay::test;

bool relay::haveAxesInReverse(TransposeOp Outer, TransposeOp Inner) {
  return Outer.attrs().hasAxes() && Inner.attrs().hasAxes();
}

Value *relay::composeInReverse(Rewriter &R, TransposeOp Outer,
                               TransposeOp Inner) {
  int64_t Rank = Outer.attrs().axes().size();
  SmallVector<int64_t> Axes;
  for (Dim Axis : Inner.attrs().axes())
    Axes.push_back(
        Outer.attrs().axes()[(Axis.getInt() + Rank) % Rank].getInt());
  return R.create<TransposeOp>(Inner.data(), Axes);
}

bool relay::haveSameRank(Value *A, Value *B) {
  return cast<TensorType>(A->getType())->getRank() ==
         cast<TensorType>(B->getType())->getRank();
}

bool relay::isNever(Value *) { return false; }

namespace {

class WrongRulesTest : public testing::Test {
protected:
  RuleOutcome tryNamed(StringRef Name, PassTolerance Tolerance = {0, 0}) {
    RuleTrialOptions Options;
    Options.NumInstances = 100;
    Options.TriesPerInstance = 40;
    for (const RewriteRule &Rule : getWrongRulesRules())
      if (Rule.Name == Name)
        return tryRule(Rule, Tolerance, Options);
    ADD_FAILURE() << "no rule '" << Name.str() << "'";
    return {};
  }
  /// Expects that the report on a rule begins with \p Text.
  void expectFailure(StringRef Name, StringRef Text,
                     PassTolerance Tolerance = {0, 0}) {
    RuleOutcome Outcome = tryNamed(Name, Tolerance);
    std::string Expected = ("rule '" + Name + "' is wrong: " + Text).str();
    EXPECT_EQ(Outcome.Failure.substr(0, Expected.size()), Expected);
  }
};

TEST_F(WrongRulesTest, ReportsTheInstance) {
  EXPECT_EQ(tryNamed("WrongForNaN").Failure,
            R"(rule 'WrongForNaN' is wrong: its result at [0] was nan and is 0
instance 27:
def @main(%x0: Tensor[(1), float32] /* ty=Tensor[(1), float32] */) {
  %0 = negative(%x0) /* ty=Tensor[(1), float32] */;
  subtract(%0, %0) /* ty=Tensor[(1), float32] */
}
becomes
def @main(%x0: Tensor[(1), float32] /* ty=Tensor[(1), float32] */) {
  %0 = negative(%x0) /* ty=Tensor[(1), float32] */;
  zeros_like(%0) /* ty=Tensor[(1), float32] */
}
on numbers at edges of seed 110
%x0 = Tensor[(1), float32]
[nan]
computes before: Tensor[(1), float32]
[nan]
computes after: Tensor[(1), float32]
[0]
)");
}

TEST_F(WrongRulesTest, FindsWhatFewNumbersShow) {
  expectFailure("WrongOrderOfAxes", "");
  expectFailure("WrongForExtentOf1", "its result ");
  expectFailure("WrongForLeastInteger", "its result ");
}

TEST_F(WrongRulesTest, HoldsToTheTolerance) {
  expectFailure("OnlyRoughly", "its result ");
  expectFailure("NotEvenRoughly", "its result ", {1e-3, 1e-3});
  EXPECT_EQ(tryNamed("OnlyRoughly", {1e-3, 1e-3}).NumAgreed, 100u);
}

TEST_F(WrongRulesTest, ReportsWhatIsNotEvaluated) {
  expectFailure("NeverEnds", "rules keep applying to @main: 'NeverEnds' ");
  expectFailure("OtherType", "rule 'OtherType' replaces a value of type ");
}

TEST_F(WrongRulesTest, SaysWhyThereAreNoInstances) {
  RuleOutcome Outcome = tryNamed("NeverApplies");
  EXPECT_EQ(Outcome.Failure, "");
  EXPECT_EQ(Outcome.describe(),
            "0 instances agree, of 4000 tries; 0 were not well typed, to 4000 "
            "the rule did not apply, 0 were not evaluated");
}

TEST_F(WrongRulesTest, AcceptsWhatIsRight) {
  EXPECT_EQ(tryNamed("Right").NumAgreed, 100u);
  EXPECT_EQ(tryNamed("ExceptsNaN").NumAgreed, 100u);
  EXPECT_EQ(tryNamed("Cancels", {1e-5, 1e-6}).NumAgreed, 100u);
}

} // namespace
