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

#include "relay/Pattern/RewriteRule.h"

using namespace relay;

/// What keeps the pattern with the instructions from \p Begin to \p End from
/// being that of a rule; null if nothing does. Matches are looked for while the
/// function changes, so that what looks at all of it, or at a `let` with what
/// follows, is out.
static const char *findObstacle(const PatternProgram &Program, uint32_t Begin,
                                uint32_t End) {
  for (const PatternInst &I : Program.getInsts().slice(Begin, End - Begin)) {
    if (I.Kind == PatternKind::Dominator)
      return "a rule cannot ask for dominators";
    if (I.Kind == PatternKind::Let)
      return "a rule cannot match a 'let' as a whole";
    if (I.Kind == PatternKind::Wildcard && I.NumChildren)
      return "the pattern of a rule cannot lead back to itself";
  }
  return nullptr;
}

/// Whether instruction \p N matches operations only, and not variables.
static bool matchesOperations(const PatternProgram &Program, uint32_t N) {
  SmallVector<uint32_t, 4> Work = {N};
  while (!Work.empty()) {
    const PatternInst &I = Program.getInst(Work.pop_back_val());
    switch (I.Kind) {
    case PatternKind::Call:
    case PatternKind::Tuple:
    case PatternKind::TupleGetItem:
      break;
    case PatternKind::Alternative:
    case PatternKind::Attributes:
    case PatternKind::Type:
    case PatternKind::DType:
    case PatternKind::Shape:
      llvm::append_range(Work, Program.getChildren(I));
      break;
    default:
      return false;
    }
  }
  return true;
}

/// How many operations are one above the other in what pattern \p P matches.
static unsigned getDepthOf(const PatternProgram &Program, unsigned P) {
  uint32_t Begin = Program.getBegin(P), End = Program.getBegin(P + 1);
  SmallVector<unsigned, 16> Depths(End - Begin, 0);
  unsigned Deepest = 1;
  // Children come before what they are part of, but for hidden ones.
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

FailureOr<RuleSet> RuleSet::compile(Context &Ctx,
                                    std::vector<RewriteRule> Rules) {
  llvm::stable_sort(Rules, [](const RewriteRule &A, const RewriteRule &B) {
    return A.Benefit > B.Benefit;
  });
  FailureOr<PatternProgram> Program = PatternProgram::compile(
      Ctx, llvm::map_to_vector(
               Rules, [](const RewriteRule &Rule) { return Rule.Source; }));
  if (failed(Program))
    return failure();
  RuleSet Set(std::move(*Program));
  for (auto [I, Rule] : llvm::enumerate(Rules)) {
    const PatternProgram &P = Set.Program;
    const char *Obstacle = findObstacle(P, P.getBegin(I), P.getBegin(I + 1));
    if (!Obstacle && !matchesOperations(P, P.getRoot(I)))
      Obstacle = "the root of a rule has to be a call or a tuple";
    if (Obstacle)
      return Ctx.emitError(Rule.Source->getLoc(),
                           "rule '" + Rule.Name + "': " + Obstacle);
    Set.Depth = std::max(Set.Depth, getDepthOf(P, I));
    auto &Captured = Set.Captured.emplace_back();
    for (const RuleCapture &C : Rule.Captures)
      Captured.push_back(*P.lookup(I, C.Part.getNode()));
  }
  Set.Rules = std::move(Rules);
  return Set;
}
