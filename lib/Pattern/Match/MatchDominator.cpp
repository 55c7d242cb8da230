//===- MatchDominator.cpp - Dominator patterns ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches the child first, then follows all paths upwards to the parent, depth
// first. Each expression is visited once, since a second visit would take the
// same paths. A path that failed before a node of the parent was bound fails
// from every child.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Match/Matcher.h"

using namespace relay;
using Reason = MatchFailure::Reason;

namespace {
/// The state of a dominator: the visited expressions.
enum DominatorPhase : uint8_t { AtChild, BeforeInput, AtParent, AtPath };
/// The children of a dominator.
enum DominatorChild : unsigned { ParentChild, PathChild, ChildChild };
} // namespace

/// Moves \p Next to an input of \p E that a path upwards visits; for calls,
/// skips variables and constants. Returns true if there is one.
static bool findInput(ExprRef E, uint32_t &Next) {
  unsigned NumInputs = E.getNumInputs();
  if (E.isCall())
    while (Next != NumInputs && E.getInput(Next).isLeaf())
      ++Next;
  return Next != NumInputs;
}

Matcher::Outcome Matcher::stepDominator(Frame &Top, const PatternInst &I,
                                        Outcome Last) {
  Way &W = Ways[Top.Aux];
  auto IsClean = [&] {
    return Top.WasInPath || !isAnyBound(Program.getReach(I));
  };
  auto AddItem = [&](ExprRef E) {
    W.Items.push_back({E, 0, false, IsClean()});
    Top.Phase = BeforeInput;
  };
  auto LeaveInput = [&] {
    // An input of the path that is not the parent is not a failure.
    if (LLVM_UNLIKELY(Failure))
      Failure->Depth = std::min<uint32_t>(Failure->Depth, Stack.size());
    W.Items.back().HasFollowed = true;
    ++W.Items.back().Next;
    Top.Phase = BeforeInput;
  };
  if (Top.Phase == AtChild && Last == Outcome::Pending)
    Last = visit(Program.getChild(I, ChildChild), Top.E);
  while (Last != Outcome::Pending) {
    switch (DominatorPhase(Top.Phase)) {
    case AtChild:
      if (Last == Outcome::No)
        return Last;
      AddItem(Top.E);
      break;
    case BeforeInput: {
      WayItem &Item = W.Items.back();
      if (findInput(Item.E, Item.Next)) {
        Top.Phase = AtParent;
        Last =
            visit(Program.getChild(I, ParentChild), Item.E.getInput(Item.Next));
        break;
      }
      if (!Item.HasFollowed)
        return endWay(Top, Item.E);
      W.Items.pop_back();
      if (W.Items.empty())
        return checkDominance(Top, I);
      break;
    }
    case AtParent: {
      ExprRef Input = W.Items.back().E.getInput(W.Items.back().Next);
      if (Last == Outcome::Yes || W.Walked.count(Input)) {
        LeaveInput();
        break;
      }
      if (IsClean() && Hopeless.count(getHopelessKey(Top.Inst, Input)))
        return endWay(Top, Input);
      Top.Phase = AtPath;
      InPath = true;
      Last = visit(Program.getChild(I, PathChild), Input);
      break;
    }
    case AtPath: {
      InPath = Top.WasInPath;
      ExprRef Input = W.Items.back().E.getInput(W.Items.back().Next);
      if (Last == Outcome::No)
        return endWay(Top, Input);
      LeaveInput();
      W.Walked.insert(Input);
      AddItem(Input);
      break;
    }
    }
  }
  return Last;
}

/// The walk has failed, and so have the walks from all expressions of the path.
Matcher::Outcome Matcher::endWay(const Frame &Top, ExprRef At) {
  for (const WayItem &Item : Ways[Top.Aux].Items)
    if (Item.IsClean)
      Hopeless.insert(getHopelessKey(Top.Inst, Item.E));
  return fail(Top.Inst, At, Reason::NoWay);
}

Matcher::Outcome Matcher::checkDominance(const Frame &Top,
                                         const PatternInst &I) {
  uint32_t Parent = Program.getChild(I, ParentChild);
  auto Bound = llvm::find_if(
      llvm::reverse(Trail), [&](const Binding &B) { return B.Inst == Parent; });
  if (getGraph().strictlyPostDominates(Top.E, Bound->Expr))
    return Outcome::Yes;
  return fail(Top.Inst, Bound->Expr, Reason::NotDominated);
}
