//===- MergeComposite.cpp - Make composites of a pattern table ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table comes from a file and from targets, or from C++. Composites.h
// implements the pass.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/Fusion/MergeComposite.h"
#include "relay/Pattern/Composite/CompositePass.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

using Patterns = std::vector<CompositePattern>;

/// The patterns of a file, and then those of targets. Rules in the file are not
/// in the table.
class PatternSource {
public:
  explicit PatternSource(const MergeCompositeOptions &Options)
      : Targets(Options.Targets), HasFile(!Options.Patterns.empty()),
        File(Options.Patterns, "merge-composite", "patterns") {}

  FailureOr<Patterns> operator()(Context &Ctx, const PassRegistry &Registry);

private:
  LogicalResult addFile(Context &Ctx, const PassRegistry &Registry,
                        Patterns &Table);
  LogicalResult addTarget(StringRef Target, Context &Ctx,
                          const PassRegistry &Registry, Patterns &Table);

  std::vector<std::string> Targets;
  bool HasFile;
  PassFile File;
};

class MergeComposite
    : public CompositePass<MergeCompositeBase<MergeComposite>> {
public:
  using CompositePass::CompositePass;
  explicit MergeComposite(MergeCompositeOptions Options)
      : CompositePass(Options, PatternSource(Options)) {}
};

} // namespace

LogicalResult PatternSource::addFile(Context &Ctx, const PassRegistry &Registry,
                                     Patterns &Table) {
  auto Text = File.read(Ctx);
  if (failed(Text))
    return failure();
  std::string Name = (*Text)->getBufferIdentifier().str();
  FailureOr<std::vector<NamedPattern>> Read =
      parsePatternFile(std::move(*Text), Ctx, Registry);
  if (failed(Read))
    return failure();
  llvm::erase_if(*Read, [](const NamedPattern &P) { return P.IsOfRule; });
  if (Read->empty())
    return Ctx.emitError(Location(), "'" + Name + "' has no patterns");
  Table.insert(Table.end(), Read->begin(), Read->end());
  return success();
}

LogicalResult PatternSource::addTarget(StringRef Target, Context &Ctx,
                                       const PassRegistry &Registry,
                                       Patterns &Table) {
  const PatternTableInfo *Info = Registry.lookupPatternTable(Target);
  if (!Info)
    return Ctx.emitError(Location(), "option 'targets' of 'merge-composite': "
                                     "target '" +
                                         Target + "' has no pattern table")
           << getSuggestion(Target, Registry.getPatternTableNames());
  FailureOr<std::vector<NamedPattern>> Read = parsePatternFile(
      llvm::MemoryBuffer::getMemBuffer(Info->Text, Info->File), Ctx, Registry);
  if (failed(Read))
    return failure();
  Table.insert(Table.end(), Read->begin(), Read->end());
  return success();
}

FailureOr<Patterns> PatternSource::operator()(Context &Ctx,
                                              const PassRegistry &Registry) {
  if (!HasFile && Targets.empty())
    return Ctx.emitError(Location(), "'merge-composite' needs patterns: "
                                     "'merge-composite<patterns=FILE>' or "
                                     "'merge-composite<targets=NAME>'");
  Patterns Table;
  if (HasFile && failed(addFile(Ctx, Registry, Table)))
    return failure();
  for (StringRef Target : Targets)
    if (failed(addTarget(Target, Ctx, Registry, Table)))
      return failure();
  return Table;
}

std::unique_ptr<Pass>
relay::createMergeCompositePass(MergeCompositeOptions Options) {
  return std::make_unique<MergeComposite>(std::move(Options));
}

std::unique_ptr<Pass>
relay::createMergeCompositePass(std::vector<CompositePattern> Table) {
  return std::make_unique<MergeComposite>(std::move(Table));
}
