//===- MissedComposites.cpp - Why operations make no composite ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refused matches are noted while patterns are tried. Mismatches are explained
// on the final function, where only the explanation that is emitted is written
// as text: the cost is that of matching each pattern once more.
//
//===----------------------------------------------------------------------===//

#include "MissedComposites.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassInstrumentation.h"
#include "relay/Pattern/Composite/PatternGroups.h"
#include "relay/Pattern/Match/MatchExplanation.h"

using namespace relay;

MissedComposites::MissedComposites(Function &F, Rewriter &R,
                                   const CompositeTable &Table)
    : F(F), R(R), Table(Table) {
  R.addListener(this);
}

MissedComposites::~MissedComposites() { R.removeListener(this); }

void MissedComposites::emit(Operation *Op, unsigned Entry, StringRef Why) {
  emitMissedRemark(Op, "no-composite",
                   "'" + Table.getEntries()[Entry].Name + "': " + Why);
}

/// Returns true if \p A got farther than \p B.
static bool gotFarther(const MatchFailure &A, const MatchFailure &B) {
  return std::tie(A.Depth, A.NumMatched, A.Closeness) >
         std::tie(B.Depth, B.NumMatched, B.Closeness);
}

/// Explains the mismatch of the pattern that got farthest at \p Op, if any may
/// match there.
void MissedComposites::explainMismatch(Operation *Op) {
  std::optional<unsigned> Best;
  MatchFailure BestFailure;
  for (uint32_t I : Table.getProgram().getCandidates(*Op)) {
    if (!mayMatchAt(Table.getProgram(), I, Op))
      continue;
    MatchFailure Failure;
    if (Match->match(I, ExprRef::getDefinition(Op), Failure))
      return emit(Op, I, "it only matches composites of later patterns");
    if (!Best || gotFarther(Failure, BestFailure)) {
      Best = I;
      BestFailure = Failure;
    }
  }
  if (!Best)
    return;
  std::string Why = explainMatch(*Match, *Best, Op);
  emit(Op, *Best,
       Match->isExhausted()
           ? "it does not match; finding the reason takes too many steps"
           : Why);
}

void MissedComposites::emitRemark(Operation *Op) {
  auto It = Refused.find(Op);
  if (It != Refused.end())
    return emit(Op, It->second.Entry, It->second.Why);
  explainMismatch(Op);
}

/// Returns true if \p Op is a composite or calls one.
static bool makesComposite(const Operation *Op) {
  const Operation *Callee =
      Op->is(OpCode::CallValue) ? Op->getOperand(0)->getDefiningOp() : Op;
  return Callee && (isPartition(Callee) || isComposite(*Callee));
}

void MissedComposites::emitRemarks() {
  if (F.getAttr(FunctionAttrs::PartitionedFromPattern))
    return;
  Match.emplace(Table.getProgram(), F);
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (makesComposite(Op))
      return WalkResult::skip();
    emitRemark(Op);
    return WalkResult::advance();
  });
}
