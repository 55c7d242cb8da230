//===- Composites.cpp - Composite functions of a pattern table ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk tells which patterns of the table match anywhere. Only for those the
// function is partitioned, so that a large table costs little where few of its
// patterns match.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Composites.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassRun.h"
#include "llvm/ADT/BitVector.h"

using namespace relay;

FailureOr<CompositeTable>
CompositeTable::compile(Context &Ctx, std::vector<CompositePattern> Entries) {
  std::vector<Pattern> Patterns;
  for (const CompositePattern &Entry : Entries)
    Patterns.push_back(Entry.P);
  FailureOr<PatternProgram> Program = PatternProgram::compile(Ctx, Patterns);
  if (failed(Program))
    return failure();
  return CompositeTable(Ctx, std::move(Entries), std::move(*Program));
}

namespace {

class CompositeMerger {
public:
  CompositeMerger(Function &F, Rewriter &R, const CompositeTable &Table);
  LogicalResult run(function_ref<void(unsigned, unsigned)> OnMerged);

private:
  LogicalResult findMatching(unsigned Begin);
  FailureOr<unsigned> merge(unsigned I);

  Function &F;
  Context &Ctx;
  Rewriter &R;
  const CompositeTable &Table;
  Matcher Match;
  /// The patterns that match somewhere.
  llvm::BitVector Matching;
  /// The pass whose log asks for reasons; empty if it does not.
  StringRef LoggedPass;
};

} // namespace

CompositeMerger::CompositeMerger(Function &F, Rewriter &R,
                                 const CompositeTable &Table)
    : F(F), Ctx(F.getContext()), R(R), Table(Table),
      Match(Table.getProgram(), F), Matching(Table.getEntries().size()) {
  const DebugLog &Log = Ctx.getDebugLog();
  if (const PassRun *Run = Log.isOn() ? PassRun::getCurrent() : nullptr;
      Run && Log.getLevel(Run->getName()) >= 2)
    LoggedPass = Run->getName();
}

/// Finds which of the patterns from \p Begin on match anywhere. What is in a
/// closure that a partition has made counts as well: it may go into another.
LogicalResult CompositeMerger::findMatching(unsigned Begin) {
  Matching.reset();
  walk(F, [&](Operation *Op) {
    for (uint32_t I : Table.getProgram().getCandidates(*Op))
      if (I >= Begin && !Matching[I] &&
          Match.match(I, ExprRef::getDefinition(Op)))
        Matching.set(I);
  });
  if (!Match.isExhausted())
    return success();
  return Ctx.emitError(F.getLoc(), "matching the patterns takes too many "
                                   "steps in @" +
                                       F.getName());
}

/// Partitions the function by the pattern \p I. Returns the number of closures.
FailureOr<unsigned> CompositeMerger::merge(unsigned I) {
  const CompositePattern &Entry = Table.getEntries()[I];
  PartitionOptions Options;
  Options.Rule = Entry.Name;
  Options.Attributes = {
      {Ctx.getString(FunctionAttrs::Composite), Ctx.getString(Entry.Name)}};
  Options.Check = Entry.Check;
  if (!LoggedPass.empty())
    Options.OnRefused = [&](Operation *Root, StringRef Why) {
      Ctx.getDebugLog().print(LoggedPass, (Entry.Name + " does not apply to " +
                                           Root->getDescription() + ": " + Why)
                                              .str());
    };
  FailureOr<unsigned> Number = partitionPattern(R, Match, I, Options);
  if (succeeded(Number) && *Number != 0) {
    F.normalize();
    Match.reset();
  }
  return Number;
}

/// Whether a closure that a partition has made takes a value of a dynamic type.
static bool takesDynamicTypes(Function &F) {
  bool Found = false;
  walk(F, [&](Operation *Op) {
    Found |=
        isPartition(Op) &&
        llvm::any_of(Op->getRegion().getArguments(), [](BlockArgument *Param) {
          return Param->getType() && isDynamic(Param->getType());
        });
  });
  return Found;
}

LogicalResult
CompositeMerger::run(function_ref<void(unsigned, unsigned)> OnMerged) {
  if (failed(findMatching(0)))
    return failure();
  bool Changed = false;
  for (unsigned I = 0, E = Table.getEntries().size(); I != E; ++I) {
    if (!Matching[I] && LoggedPass.empty())
      continue;
    FailureOr<unsigned> Number = merge(I);
    if (failed(Number))
      return failure();
    if (*Number == 0)
      continue;
    OnMerged(I, *Number);
    Changed = true;
    if (failed(findMatching(I + 1)))
      return failure();
  }
  // What a type had from behind the place where a closure has cut, it has not
  // any more.
  if (Changed && takesDynamicTypes(F))
    return retype(F);
  return success();
}

LogicalResult
relay::mergeComposites(Function &F, Rewriter &R, const CompositeTable &Table,
                       function_ref<void(unsigned, unsigned)> OnMerged) {
  return CompositeMerger(F, R, Table).run(OnMerged);
}
