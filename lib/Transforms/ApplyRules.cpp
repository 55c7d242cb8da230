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

#include "ConstantCalls.h"
#include "relay/Pattern/RulePass.h"
#include "relay/Pattern/RuleText.h"
#include "relay/Support/InputFile.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// The rules of a file.
class RuleFile {
public:
  explicit RuleFile(std::string Path) : Path(std::move(Path)) {}

  FailureOr<std::vector<RewriteRule>> operator()(Context &Ctx);

private:
  std::string Path;
  /// Null until the file has been read.
  std::shared_ptr<const llvm::MemoryBuffer> Text;
};

class ApplyRules : public RulePass<ApplyRulesBase<ApplyRules>> {
public:
  explicit ApplyRules(ApplyRulesOptions Options)
      : RulePass(Options, RuleFile(Options.Rules)) {
    if (Options.FoldConstants)
      Rules.setFold(foldCall);
  }
};

} // namespace

FailureOr<std::vector<RewriteRule>> RuleFile::operator()(Context &Ctx) {
  if (Path.empty())
    return Ctx.emitError(Location(), "'rewrite' needs a file of rules: "
                                     "'rewrite<rules=FILE>'");
  if (!Text) {
    auto Read = readFile(Path);
    if (!Read)
      return Ctx.emitError(Location(), "option 'rules' of 'rewrite': " +
                                           llvm::toString(Read.takeError()));
    Text = std::move(*Read);
  }
  return parseRuleFile(
      llvm::MemoryBuffer::getMemBufferCopy(Text->getBuffer(), Path), Ctx);
}

std::unique_ptr<Pass> relay::createApplyRulesPass(ApplyRulesOptions Options) {
  return std::make_unique<ApplyRules>(std::move(Options));
}
