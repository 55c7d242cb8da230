//===- Composites.cpp - Composite functions of a pattern table ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk determines which patterns of the table match anywhere. The function
// is partitioned only by these, and by patterns that may match after composites
// were created, so that a large table costs little if few of its patterns
// match.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Composite/Composites.h"
#include "MissedComposites.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Context.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassInstrumentation.h"
#include "relay/Pattern/Composite/PatternGroups.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <functional>

using namespace relay;

FailureOr<CompositeTable>
CompositeTable::compile(Context &Ctx, std::vector<CompositePattern> Entries) {
  FailureOr<PatternProgram> Program = PatternProgram::compile(
      Ctx, llvm::map_to_vector(Entries, std::mem_fn(&CompositePattern::P)));
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
  bool isToBeTried(unsigned I) const;
  FailureOr<unsigned> merge(unsigned I);
  void log(unsigned I, const Operation *Root, StringRef Why) const;
  void noteRefusal(unsigned I, Operation *Root, StringRef Why);

  Function &F;
  Context &Ctx;
  Rewriter &R;
  const CompositeTable &Table;
  Matcher Match;
  /// The patterns that match in the original function.
  llvm::BitVector Matching;
  bool HasChanged = false;
  /// The pass whose log requests reasons; empty if it does not.
  StringRef LoggedPass;
  /// None unless remarks are requested.
  std::optional<MissedComposites> Missed;
};

} // namespace

CompositeMerger::CompositeMerger(Function &F, Rewriter &R,
                                 const CompositeTable &Table)
    : F(F), Ctx(F.getContext()), R(R), Table(Table),
      Match(Table.getProgram(), F) {
  const DebugLog &Log = Ctx.getDebugLog();
  if (const PassRun *Run = Log.isOn() ? PassRun::getCurrent() : nullptr;
      Run && Log.getLevel(Run->getName()) >= 2)
    LoggedPass = Run->getName();
  if (takesMissedRemarks())
    Missed.emplace(F, R, Table);
}

/// Returns true if \p Inst, alone, may match the call of a composite although
/// it did not match the root that the call replaced.
static bool mayMatchComposite(const PatternProgram &Program,
                              const PatternInst &Inst) {
  switch (Inst.Kind) {
  case PatternKind::Operator:
  case PatternKind::Constant:
  case PatternKind::Variable:
  case PatternKind::Tuple:
  case PatternKind::TupleGetItem:
  case PatternKind::Alternative:
  case PatternKind::Type:
  case PatternKind::DType:
  case PatternKind::Shape:
    return false;
  case PatternKind::Wildcard:
    return Inst.NumChildren != 0;
  case PatternKind::Call:
    return !Inst.Op;
  case PatternKind::Attributes:
    return !Program.getOperators(Program.getInst(Program.getChild(Inst, 0)));
  default:
    return true;
  }
}

/// Returns true if the pattern \p I may match after composites were created
/// although it did not before. A tree of operator calls, with or without
/// alternatives, cannot. A node that occurs twice may: a composite may hide the
/// match of the first occurrence, so that the node is bound to another
/// alternative.
static bool mayMatchLater(const PatternProgram &Program, unsigned I) {
  llvm::SmallDenseSet<uint32_t, 16> Children;
  for (uint32_t N = Program.getBegin(I); N != Program.getBegin(I + 1); ++N) {
    const PatternInst &Inst = Program.getInst(N);
    if (mayMatchComposite(Program, Inst))
      return true;
    for (uint32_t Child : Program.getChildren(Inst))
      if (!Children.insert(Child).second)
        return true;
  }
  return false;
}

bool CompositeMerger::isToBeTried(unsigned I) const {
  return Matching[I] || (HasChanged && mayMatchLater(Table.getProgram(), I));
}

void CompositeMerger::log(unsigned I, const Operation *Root,
                          StringRef Why) const {
  Ctx.getDebugLog().print(LoggedPass,
                          (Table.getEntries()[I].Name + " does not apply to " +
                           Root->getDescription() + ": " + Why)
                              .str());
}

/// Notes why the match of the pattern \p I at \p Root becomes no composite.
void CompositeMerger::noteRefusal(unsigned I, Operation *Root, StringRef Why) {
  if (Missed)
    Missed->noteRefusal(I, Root, Why);
  if (!LoggedPass.empty())
    log(I, Root, Why);
}

/// Partitions the function by the pattern \p I, if it may match. Returns the
/// number of closures.
FailureOr<unsigned> CompositeMerger::merge(unsigned I) {
  const CompositePattern &Entry = Table.getEntries()[I];
  if (!LoggedPass.empty())
    explainMismatches(
        Match, I, [&](Operation *Root, StringRef Why) { log(I, Root, Why); });
  if (!isToBeTried(I))
    return 0;
  PartitionOptions Options;
  Options.Rule = Entry.Name;
  Options.Attributes = {
      {Ctx.getString(FunctionAttrs::Composite), Ctx.getString(Entry.Name)}};
  Options.Check = Entry.Check;
  if (Missed || !LoggedPass.empty())
    Options.OnRefused = [&](Operation *Root, StringRef Why) {
      noteRefusal(I, Root, Why);
    };
  FailureOr<unsigned> Number = partitionPattern(R, Match, I, Options);
  if (succeeded(Number) && *Number != 0) {
    F.normalize();
    Match.reset();
  }
  return Number;
}

/// Returns true if a closure created by a partition has a parameter of a
/// dynamic type.
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
  unsigned NumEntries = Table.getEntries().size();
  FailureOr<llvm::BitVector> Found =
      findMatchingPatterns(Match, llvm::BitVector(NumEntries, true));
  if (failed(Found))
    return failure();
  Matching = std::move(*Found);
  for (unsigned I = 0; I != NumEntries; ++I) {
    FailureOr<unsigned> Number = merge(I);
    if (failed(Number))
      return failure();
    if (*Number == 0)
      continue;
    OnMerged(I, *Number);
    HasChanged = true;
  }
  if (Missed)
    Missed->emitRemarks();
  // Types that came from operations before the outlined closure are no longer
  // visible through it.
  if (HasChanged && takesDynamicTypes(F))
    return retype(F);
  return success();
}

LogicalResult
relay::mergeComposites(Function &F, Rewriter &R, const CompositeTable &Table,
                       function_ref<void(unsigned, unsigned)> OnMerged) {
  return CompositeMerger(F, R, Table).run(OnMerged);
}
