//===- PatternCover.cpp - Patterns that shadow others ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PatternCover.h.
//
//===----------------------------------------------------------------------===//

#include "PatternCover.h"

using namespace relay;

/// Counts one step. Returns false if the budget is spent.
bool PatternCover::spend() {
  if (Budget == 0)
    return false;
  --Budget;
  return true;
}

/// Returns true if \p Specific requires all attributes that \p General
/// requires.
bool PatternCover::asksFor(const PatternNode &Specific,
                           const PatternNode &General) {
  return llvm::all_of(General.getAttributes(), [&](const WantedAttr &Wanted) {
    return llvm::any_of(Specific.getAttributes(), [&](const WantedAttr &Other) {
      return spend() && Other == Wanted;
    });
  });
}

/// Returns true if \p Specific, or a node below its demands, has the demand \p
/// General.
bool PatternCover::demands(const PatternNode &Specific,
                           const PatternNode &General) {
  const PatternNode *S = &Specific;
  for (; isDemand(S->getKind()) && spend(); S = &S->getChild(0)) {
    if (S->getKind() != General.getKind())
      continue;
    if (S->is(PatternKind::Attributes) ? asksFor(*S, General)
        : S->is(PatternKind::Type)     ? S->getType() == General.getType()
        : S->is(PatternKind::DType)    ? S->getDType() == General.getDType()
                                       : S->getShape() == General.getShape())
      return true;
  }
  return General.is(PatternKind::Attributes) && General.getAttributes().empty();
}

bool PatternCover::covers(const PatternNode &General,
                          const PatternNode &Specific) {
  auto [It, IsNew] = Compared.try_emplace(&General, &Specific);
  if (!IsNew)
    return It->second == &Specific;
  if (Depth == MaxDepth || !spend())
    return false;
  ++Depth;
  bool Covers = coversNew(General, Specific);
  --Depth;
  return Covers;
}

/// Returns \p Node without its demands; null if the budget is exhausted.
const PatternNode *PatternCover::skipDemands(const PatternNode &Node) {
  const PatternNode *Inner = &Node;
  while (isDemand(Inner->getKind()) && spend())
    Inner = &Inner->getChild(0);
  return isDemand(Inner->getKind()) ? nullptr : Inner;
}

bool PatternCover::coversNew(const PatternNode &General,
                             const PatternNode &Whole) {
  if (General.is(PatternKind::Wildcard))
    return General.getChildren().empty();
  if (isDemand(General.getKind()))
    return demands(Whole, General) && covers(General.getChild(0), Whole);
  const PatternNode *Inner = skipDemands(Whole);
  if (!Inner || General.getKind() != Inner->getKind())
    return false;
  const PatternNode &Specific = *Inner;
  switch (General.getKind()) {
  case PatternKind::Operator:
    return General.getName() == Specific.getName();
  case PatternKind::Variable:
    return General.getName().empty() || General.getName() == Specific.getName();
  case PatternKind::Constant:
    return true;
  case PatternKind::TupleGetItem:
    return (!General.getIndex() || General.getIndex() == Specific.getIndex()) &&
           coversChildren(General, Specific);
  case PatternKind::Call:
  case PatternKind::Tuple:
  case PatternKind::If:
    return coversChildren(General, Specific);
  default:
    return false;
  }
}

bool PatternCover::coversChildren(const PatternNode &General,
                                  const PatternNode &Specific) {
  ArrayRef<const PatternNode *> OfGeneral = General.getChildren();
  ArrayRef<const PatternNode *> OfSpecific = Specific.getChildren();
  if (General.hasAnyNumber())
    OfSpecific = OfSpecific.take_front(OfGeneral.size());
  else if (Specific.hasAnyNumber())
    return false;
  return OfGeneral.size() == OfSpecific.size() &&
         llvm::all_of(llvm::zip(OfGeneral, OfSpecific), [&](const auto &Pair) {
           return covers(*std::get<0>(Pair), *std::get<1>(Pair));
         });
}
