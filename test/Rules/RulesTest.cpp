//===- RulesTest.cpp - Every rule of every pass ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One test per rule of the build (RuleSets.def): the rule applies to 1,000
// random instances, and preserves their results within the tolerance that the
// pass of the same name declares.
//
// RELAY_RULE_INSTANCES=N tests N, RELAY_RULE_FIRST=N begins with instance N.
//
//===----------------------------------------------------------------------===//

#include "RuleTrial.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <iostream>

namespace relay {
#define RELAY_RULE_SET(ROOM, NAME) std::vector<RewriteRule> get##NAME##Rules();
#include "relay/Pattern/RuleSets.def"
} // namespace relay

using namespace relay;
using namespace relay::test;

namespace {

struct NamedRule {
  std::string Set;
  RewriteRule Rule;
};

std::vector<NamedRule> getAllRules() {
  std::vector<NamedRule> All;
#define RELAY_RULE_SET(ROOM, NAME)                                             \
  for (RewriteRule & Rule : get##NAME##Rules())                                \
    All.push_back({#NAME, std::move(Rule)});
#include "relay/Pattern/RuleSets.def"
  return All;
}

/// Returns the number in the environment variable \p Name.
unsigned getNumber(const char *Name, unsigned Default) {
  unsigned Number = Default;
  const char *Text = std::getenv(Name);
  return Text && !StringRef(Text).getAsInteger(10, Number) ? Number : Default;
}

/// A build without optimization tests fewer instances.
RuleTrialOptions getOptions() {
#ifdef NDEBUG
  constexpr unsigned NumInstances = 1000;
#else
  constexpr unsigned NumInstances = 50;
#endif
  RuleTrialOptions Options;
  Options.NumInstances = getNumber("RELAY_RULE_INSTANCES", NumInstances);
  Options.First = getNumber("RELAY_RULE_FIRST", 0);
  return Options;
}

class RuleTest : public testing::TestWithParam<NamedRule> {};

TEST_P(RuleTest, KeepsWhatIsComputed) {
  PassRegistry Registry;
  registerAllPasses(Registry);
  const PassInfo *Pass = Registry.lookupName(GetParam().Set);
  ASSERT_TRUE(Pass) << "no pass declares a tolerance for the rules of "
                    << GetParam().Set << ".td";
  RuleTrialOptions Options = getOptions();
  RuleOutcome Outcome = tryRule(GetParam().Rule, Pass->Tolerance, Options);
  if (!Outcome.Failure.empty())
    FAIL() << Outcome.Failure;
  EXPECT_EQ(Outcome.NumAgreed, Options.NumInstances) << Outcome.describe();
  std::cout << Outcome.describe() << '\n';
}

std::string getTestName(const testing::TestParamInfo<NamedRule> &Info) {
  return Info.param.Set + "_" + Info.param.Rule.Name;
}

void PrintTo(const NamedRule &Named, std::ostream *OS) {
  *OS << Named.Rule.Name;
}

INSTANTIATE_TEST_SUITE_P(All, RuleTest, testing::ValuesIn(getAllRules()),
                         getTestName);

} // namespace
