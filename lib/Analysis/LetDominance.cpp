//===- LetDominance.cpp - Dominance among let bindings --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scopes are numbered depth first, so the numbers of nested scopes directly
// follow that of the outer one, and one comparison determines whether a scope
// encloses another.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/LetDominance.h"
#include "relay/IR/Walk.h"

using namespace relay;

AnalysisKey LetDominanceAnalysis::Key;

LetDominance::LetDominance(Function &F) {
  findScopes(F);
  nest();
}

void LetDominance::findScopes(Function &F) {
  walkBlocks(F.getBody(), [&](Block &B) {
    uint32_t N = Scopes.size();
    Numbers[&B] = N;
    Block *Parent = B.getParentBlock();
    Scopes.push_back({&B, Parent ? Numbers.lookup(Parent) : N});
    if (Parent)
      Scopes[N].Depth = get(*Parent).Depth + 1;
  });
}

/// Numbers scopes from the sizes of their subtrees.
void LetDominance::nest() {
  SmallVector<uint32_t, 0> Sizes(Scopes.size(), 1);
  for (uint32_t N = Scopes.size(); N-- > 1;)
    Sizes[Scopes[N].Parent] += Sizes[N];
  SmallVector<uint32_t, 0> Next(Scopes.size(), 1);
  Scopes[0].End = Sizes[0];
  for (uint32_t N = 1; N != Scopes.size(); ++N) {
    uint32_t Parent = Scopes[N].Parent;
    Scopes[N].Begin = Next[Parent];
    Next[Parent] += Sizes[N];
    Scopes[N].End = Next[Parent];
    Next[N] = Scopes[N].Begin + 1;
  }
}

bool LetDominance::encloses(const Block &Outer, const Block &Inner) const {
  const Scope &O = get(Outer), &I = get(Inner);
  return O.Begin <= I.Begin && I.Begin < O.End;
}

const Block &LetDominance::getCommonScope(const Block &A,
                                          const Block &B) const {
  const Scope *S = &get(A);
  while (!encloses(*S->B, B))
    S = &Scopes[S->Parent];
  return *S->B;
}

bool LetDominance::dominates(const Value &V, const Operation &Op) const {
  if (!encloses(*V.getParentBlock(), *Op.getBlock()))
    return false;
  auto *Def = dyn_cast<Operation>(&V);
  if (!Def || Def->getIndex() < Op.getIndex())
    return true;
  return Def->is(OpCode::Fn) && Def->isBound() &&
         encloses(Def->getRegion(), *Op.getBlock());
}

static void printHeading(raw_ostream &OS, Block &B) {
  Operation *Parent = B.getParentOp();
  if (!Parent) {
    OS << "body:";
    return;
  }
  OS << '#' << Parent->getIndex() << ' ' << Parent->getName() << ", region "
     << B.getRegionNumber() << ':';
}

void LetDominance::print(raw_ostream &OS) const {
  SmallVector<const Scope *, 0> InOrder(Scopes.size());
  for (const Scope &S : Scopes)
    InOrder[S.Begin] = &S;
  for (const Scope *S : InOrder) {
    OS.indent(2 * S->Depth);
    printHeading(OS, *S->B);
    StringRef Separator = " ";
    auto PrintName = [&](const Value &V, StringRef Name) {
      OS << Separator << '#' << V.getIndex() << " %" << Name;
      Separator = ", ";
    };
    for (BlockArgument *Arg : S->B->getArguments())
      PrintName(*Arg, Arg->getName());
    for (Operation &Op : S->B->bindings())
      PrintName(Op, Op.getVarName());
    OS << '\n';
  }
}
