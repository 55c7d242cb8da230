//===- ApplyRules.cpp - Apply the rules of a file -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is read once; its text is parsed for each Context that the pass runs
// in, since types and constants of rules belong to one.
//
//===----------------------------------------------------------------------===//

#include "Fold/ConstantCalls.h"
#include "relay/Pattern/Rewrite/RulePass.h"
#include "relay/Pattern/Text/RuleText.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class ApplyRules : public RulePass<ApplyRulesBase<ApplyRules>> {
public:
  explicit ApplyRules(ApplyRulesOptions Options)
      : RulePass(Options, RuleFile{{Options.Rules, "rewrite", "rules"}}) {
    if (Options.FoldConstants)
      Work.setFold([](Function &F) { return CallFolder(F); });
  }

private:
  struct RuleFile {
    PassFile File;

    FailureOr<std::vector<RewriteRule>> operator()(Context &Ctx) {
      auto Text = File.read(Ctx);
      if (failed(Text))
        return failure();
      return parseRuleFile(std::move(*Text), Ctx);
    }
  };
};
} // namespace

std::unique_ptr<Pass> relay::createApplyRulesPass(ApplyRulesOptions Options) {
  return std::make_unique<ApplyRules>(std::move(Options));
}
