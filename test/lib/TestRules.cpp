//===- TestRules.cpp - Applies rules that do wrong ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass test-rules applies rules of TestRules.td, by name.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"
#include "relay/Pattern/Rewrite/RewriteDriver.h"

#define RELAY_DEFINE_RULES
#include "TestRules.h.inc"

bool relay::isAnything(Value *) { return true; }

bool relay::isScalar(Value *V) {
  auto *T = dyn_cast_or_null<TensorType>(V->getType());
  return T && T->getRank() == 0;
}

namespace relay::test {

namespace {

class TestRules final : public TestRulesBase<TestRules> {
public:
  using TestRulesBase::TestRulesBase;
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    std::vector<RewriteRule> Rules = getTestRulesRules();
    llvm::erase_if(Rules, [&](const RewriteRule &Rule) {
      return !llvm::is_contained(Options.Rules, Rule.Name);
    });
    FailureOr<RuleSet> Set = RuleSet::compile(F.getContext(), std::move(Rules));
    Rewriter R(F);
    RewriteOptions Limits;
    Limits.MinApplications = 20;
    if (failed(Set) || failed(applyRules(F, R, *Set, Limits)))
      return failure();
    return preserved(R.getNumRewrites() != 0);
  }
};

} // namespace

std::unique_ptr<Pass> createTestRulesPass(TestRulesOptions Options) {
  return std::make_unique<TestRules>(std::move(Options));
}

} // namespace relay::test
