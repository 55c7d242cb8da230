//===- ParseRegion.cpp - Scopes of graph values ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph number names a node regardless of where the node was written: `if
// (%c) { %0 = …; %0 } else { %0 }`. Such a use is valid where the variables
// that the node needs are in scope. Regions are numbered in the order in which
// they are opened, so that an inner region has a larger number than an outer
// one, and the scope that a node needs is a number, too.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "relay/IR/Walk.h"

using namespace relay;

Parser::RegionScope::RegionScope(Parser &P, Block &Where)
    : P(P), OldBlock(P.B), OldRegion(P.Region), NameMark(P.Names.mark()),
      TypeVarMark(P.TypeVars.mark()) {
  P.B = &Where;
  P.Region = P.RegionIsOpen.size();
  P.RegionIsOpen.push_back(true);
  P.RegionOf[&Where] = P.Region;
}

Parser::RegionScope::~RegionScope() {
  P.RegionIsOpen[P.Region] = false;
  P.B = OldBlock;
  P.Region = OldRegion;
  P.Names.leave(NameMark);
  P.TypeVars.leave(TypeVarMark);
}

/// Collects the outer values that \p Op and the operations in its regions use.
void Parser::collectNeeds(Operation *Op, SmallVectorImpl<Value *> &Needs) {
  for (Value *V : Op->operands())
    Needs.push_back(V);
  if (!Op->getNumRegions())
    return;
  uint32_t First = RegionOf.lookup(&Op->getRegion(0));
  auto Add = [&](Value *V) {
    if (V && RegionOf.lookup(V->getParentBlock()) < First)
      Needs.push_back(V);
  };
  for (Block &Where : Op->getRegions())
    walkBlocks(Where, [&](Block &Inner) {
      for (Operation &O : Inner)
        for (Value *V : O.operands())
          Add(V);
      Add(Inner.getResult());
    });
}

uint32_t Parser::getRegionNeeded(Value *Root) {
  // A variable needs its own region, a node those of its operands.
  auto GetKnown = [&](Value *V) -> std::optional<uint32_t> {
    auto *Op = dyn_cast<Operation>(V);
    if (!Op || Op->isBound())
      return RegionOf.lookup(V->getParentBlock());
    auto It = RegionsNeeded.find(Op);
    if (It == RegionsNeeded.end())
      return std::nullopt;
    return It->second;
  };
  SmallVector<std::pair<Value *, bool>, 16> Stack = {{Root, false}};
  SmallVector<Value *, 8> Needs;
  while (!Stack.empty()) {
    auto [V, Expanded] = Stack.back();
    if (GetKnown(V)) {
      Stack.pop_back();
      continue;
    }
    auto *Op = cast<Operation>(V);
    Needs.clear();
    collectNeeds(Op, Needs);
    if (!Expanded) {
      Stack.back().second = true;
      for (Value *Need : Needs)
        Stack.push_back({Need, false});
      continue;
    }
    Stack.pop_back();
    uint32_t Needed = 0;
    for (Value *Need : Needs)
      Needed = std::max(Needed, GetKnown(Need).value_or(0));
    RegionsNeeded[Op] = Needed;
  }
  return *GetKnown(Root);
}
