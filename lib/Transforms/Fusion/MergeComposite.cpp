//===- MergeComposite.cpp - Make composites of a pattern table ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table comes from a file, or from C++. Composites.h implements the pass.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/Fusion/MergeComposite.h"
#include "relay/Pattern/Composite/CompositePass.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// The patterns of a file. Rules in the file are not in the table.
struct PatternFile {
  PassFile File;

  FailureOr<std::vector<CompositePattern>> operator()(Context &Ctx);
};

class MergeComposite
    : public CompositePass<MergeCompositeBase<MergeComposite>> {
public:
  using CompositePass::CompositePass;
  explicit MergeComposite(MergeCompositeOptions Options)
      : CompositePass(Options, PatternFile{{Options.Patterns, "merge-composite",
                                            "patterns"}}) {}
};

} // namespace

FailureOr<std::vector<CompositePattern>> PatternFile::operator()(Context &Ctx) {
  auto Text = File.read(Ctx);
  if (failed(Text))
    return failure();
  std::string Name = (*Text)->getBufferIdentifier().str();
  FailureOr<std::vector<NamedPattern>> Read =
      parsePatternFile(std::move(*Text), Ctx);
  if (failed(Read))
    return failure();
  llvm::erase_if(*Read, [](const NamedPattern &P) { return P.IsOfRule; });
  if (Read->empty())
    return Ctx.emitError(Location(), "'" + Name + "' has no patterns");
  return std::vector<CompositePattern>(Read->begin(), Read->end());
}

std::unique_ptr<Pass>
relay::createMergeCompositePass(MergeCompositeOptions Options) {
  return std::make_unique<MergeComposite>(std::move(Options));
}

std::unique_ptr<Pass>
relay::createMergeCompositePass(std::vector<CompositePattern> Table) {
  return std::make_unique<MergeComposite>(std::move(Table));
}
