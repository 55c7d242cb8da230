//===- MatchPatterns.cpp - Patterns of clauses ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MatchPatterns.h.
//
//===----------------------------------------------------------------------===//

#include "MatchPatterns.h"

using namespace relay;

static MatchPattern *create(Function &F, const MatchPattern &P) {
  return new (F.getArena().allocate(sizeof(MatchPattern))) MatchPattern(P);
}

static MatchPattern *create(Function &F, MatchPattern::Kind K, StringRef Name,
                            ArrayRef<MatchPattern *> Children) {
  return create(F, {K, Name, nullptr, F.getArena().copy(Children)});
}

MatchPattern *relay::createWildcard(Function &F) {
  return create(F, MatchPattern());
}

MatchPattern *relay::createVariablePattern(BlockArgument *Variable) {
  return create(*Variable->getFunction(),
                {MatchPattern::Kind::Var, {}, Variable, {}});
}

MatchPattern *
relay::createConstructorPattern(Function &F, StringRef Name,
                                ArrayRef<MatchPattern *> Children) {
  return create(F, MatchPattern::Kind::Constructor, Name, Children);
}

MatchPattern *relay::createTuplePattern(Function &F,
                                        ArrayRef<MatchPattern *> Children) {
  return create(F, MatchPattern::Kind::Tuple, {}, Children);
}

/// The recursion is bounded: the parser limits the nesting of patterns.
MatchPattern *
relay::copyPattern(Function &F, const MatchPattern &P,
                   const llvm::DenseMap<const Value *, Value *> &Map) {
  SmallVector<MatchPattern *, 4> Children;
  for (const MatchPattern *Child : P.Children)
    Children.push_back(copyPattern(F, *Child, Map));
  MatchPattern *New = create(F, P);
  if (P.Variable)
    New->Variable = cast<BlockArgument>(Map.lookup(P.Variable));
  New->Children = F.getArena().copy(ArrayRef(Children));
  return New;
}
