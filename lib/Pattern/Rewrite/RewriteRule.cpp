//===- RewriteRule.cpp - Rules --------------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RewriteRule.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Rewrite/RewriteRule.h"
#include "relay/IR/Core.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace relay;

/// Returns the reason why \p I cannot be in the pattern of a rule; empty if it
/// can. Since the function changes during matching, instructions that inspect
/// all of it, or a `let` and its body, are excluded.
static StringRef getObstacle(const PatternInst &I) {
  if (I.Kind == PatternKind::Dominator)
    return "a rule cannot match dominators";
  if (I.Kind == PatternKind::Let)
    return "a rule cannot match a 'let' as a whole";
  if (I.Kind == PatternKind::Wildcard && I.NumChildren)
    return "the pattern of a rule cannot lead back to itself";
  return "";
}

/// Returns true if instruction \p N matches only operations, not variables.
static bool matchesOperations(const PatternProgram &Program, uint32_t N) {
  SmallVector<uint32_t, 4> Work = {N};
  while (!Work.empty()) {
    const PatternInst &I = Program.getInst(Work.pop_back_val());
    switch (I.Kind) {
    case PatternKind::Call:
    case PatternKind::Tuple:
    case PatternKind::TupleGetItem:
      break;
    default:
      if (!matchesAsChild(I.Kind))
        return false;
      llvm::append_range(Work, Program.getChildren(I));
    }
  }
  return true;
}

/// Returns the number of levels of operations that pattern \p P matches.
static unsigned getDepthOf(const PatternProgram &Program, unsigned P) {
  uint32_t Begin = Program.getBegin(P), End = Program.getBegin(P + 1);
  SmallVector<unsigned, 16> Depths(End - Begin, 0);
  unsigned Deepest = 1;
  // Children come before their parents, except for hidden ones.
  for (uint32_t N = Begin; N != End; ++N) {
    const PatternInst &I = Program.getInst(N);
    unsigned &Depth = Depths[N - Begin];
    for (uint32_t Child : Program.getChildren(I))
      Depth = std::max(Depth, Depths[Child - Begin]);
    Depth += I.Kind == PatternKind::Call || I.Kind == PatternKind::Tuple ||
             I.Kind == PatternKind::TupleGetItem || I.Kind == PatternKind::If;
    Deepest = std::max(Deepest, Depth);
  }
  return Deepest;
}

//===----------------------------------------------------------------------===//
// RuleSet
//===----------------------------------------------------------------------===//

void relay::sortByBenefit(std::vector<RewriteRule> &Rules) {
  llvm::stable_sort(Rules, [](const RewriteRule &A, const RewriteRule &B) {
    return A.Benefit > B.Benefit;
  });
}

/// Reports why \p Rule, number \p I, cannot have its pattern. Returns true if
/// it can.
bool RuleSet::checkPattern(const RewriteRule &Rule, unsigned I) const {
  auto Report = [&](const PatternNode &At, StringRef Message) {
    Ctx.emitError(At.getLoc(), "rule '" + Rule.Name + "': " + Message);
    return false;
  };
  for (const PatternInst &Inst : Program.getInsts().slice(
           Program.getBegin(I), Program.getBegin(I + 1) - Program.getBegin(I)))
    if (StringRef Obstacle = getObstacle(Inst); !Obstacle.empty())
      return Report(*Inst.Source, Obstacle);
  if (matchesOperations(Program, Program.getRoot(I)))
    return true;
  return Report(Rule.Source.getNode(),
                "the root of a rule must be a call or a tuple");
}

/// Looks up the instructions of the captures of \p Rule, number \p I.
void RuleSet::addCaptured(const RewriteRule &Rule, unsigned I) {
  llvm::DenseMap<const PatternNode *, uint32_t> Insts;
  for (uint32_t N = Program.getBegin(I); N != Program.getBegin(I + 1); ++N)
    if (const PatternInst &Inst = Program.getInst(N); !Inst.IsHidden)
      Insts.try_emplace(Inst.Source, N);
  auto &OfRule = Captured.emplace_back();
  for (const RuleCapture &C : Rule.Captures)
    OfRule.push_back(Insts.find(&C.Part.getNode())->second);
}

FailureOr<RuleSet> RuleSet::compile(Context &Ctx,
                                    std::vector<RewriteRule> Rules) {
  sortByBenefit(Rules);
  ConstantEquality Constants =
      Rules.empty() ? ConstantEquality::ByIdentity : Rules.front().Constants;
  FailureOr<PatternProgram> Program = PatternProgram::compile(
      Ctx,
      llvm::map_to_vector(Rules,
                          [](const RewriteRule &Rule) { return Rule.Source; }),
      Constants);
  if (failed(Program))
    return failure();
  RuleSet Set(Ctx, std::move(*Program));
  bool Failed = false;
  for (auto [I, Rule] : llvm::enumerate(Rules))
    Failed |= !Set.checkPattern(Rule, I);
  if (Failed)
    return failure();
  for (auto [I, Rule] : llvm::enumerate(Rules)) {
    Set.Depth = std::max(Set.Depth, getDepthOf(Set.Program, I));
    Set.addCaptured(Rule, I);
  }
  Set.Rules = std::move(Rules);
  return Set;
}

SmallVector<uint32_t, 8> RuleSet::getCandidates(const Operation &Op) const {
  SmallVector<uint32_t, 8> Found;
  ArrayRef<uint32_t> All = Program.getCandidates(Op);
  for (unsigned I = 0, E = Index.getNumWords(Op); I != E; ++I)
    for (uint64_t Rest = Index.getWord(Op, I); Rest; Rest &= Rest - 1)
      Found.push_back(All[64 * I + llvm::countr_zero(Rest)]);
  return Found;
}
