//===- Liveness.cpp - Last uses of values in a body -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One backward walk through the blocks, on an explicit stack: the first use in
// the walk is the last one. Regions of an operation are alternatives, so that
// values used by one of them are not live in the others.
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"

using namespace relay;

/// Returns true if the regions of \p Op are evaluated at its position.
static bool hasInlineRegions(const Operation &Op) {
  return Op.getNumRegions() != 0 && !Op.is(OpCode::Fn);
}

Liveness::Liveness(Block &Body, CapturesFn GetCaptures)
    : GetCaptures(GetCaptures) {
  enter(Body);
  while (!Levels.empty()) {
    Level &L = Levels.back();
    if (L.It == L.B->getOperations().rend()) {
      leave();
      continue;
    }
    Operation &Op = *L.It;
    if (L.NextRegion == 0 && !Live.erase(&Op))
      AfterOperation[&Op].push_back(&Op);
    if (hasInlineRegions(Op) && L.NextRegion != Op.getNumRegions()) {
      enter(Op.getRegion(L.NextRegion++));
      continue;
    }
    if (hasInlineRegions(Op))
      finishRegions(Op);
    visitOperands(Op);
    L.NextRegion = 0;
    ++L.It;
  }
}

bool Liveness::use(Value *V) {
  if (!Live.insert(V).second)
    return false;
  Trail.push_back(V);
  return true;
}

void Liveness::enter(Block &B) {
  Levels.push_back({&B, B.getOperations().rbegin(), Trail.size()});
  if (use(B.getResult()))
    LastResults.insert(&B);
}

/// Leaves the block: adds its uses of outer values to the uses of the enclosing
/// operation.
void Liveness::leave() {
  Level L = std::move(Levels.back());
  Levels.pop_back();
  for (BlockArgument *Arg : L.B->getArguments())
    if (!Live.erase(Arg))
      AtEntry[L.B].push_back(Arg);
  if (Levels.empty())
    return;
  ValueList Used;
  for (Value *V : ArrayRef(Trail).drop_front(L.NumBefore))
    if (Live.erase(V))
      Used.push_back(V);
  Trail.resize(L.NumBefore);
  Levels.back().Used.push_back(std::move(Used));
}

/// Values used by only one region are dead when another one is entered.
void Liveness::finishRegions(Operation &Op) {
  std::vector<ValueList> Used = std::move(Levels.back().Used);
  Levels.back().Used.clear();
  size_t NumBefore = Trail.size();
  for (const ValueList &List : Used)
    llvm::for_each(List, [this](Value *V) { use(V); });
  ArrayRef<Value *> All = ArrayRef(Trail).drop_front(NumBefore);
  for (auto [Region, List] : llvm::zip(Op.getRegions(), Used)) {
    if (List.size() == All.size())
      continue;
    llvm::SmallDenseSet<Value *> Here(List.begin(), List.end());
    for (Value *V : All)
      if (!Here.contains(V))
        AtEntry[&Region].push_back(V);
  }
}

void Liveness::visitOperands(Operation &Op) {
  auto Visit = [&](Value *V) {
    if (use(V))
      AfterOperation[&Op].push_back(V);
  };
  llvm::for_each(Op.operands(), Visit);
  if (Op.is(OpCode::Fn))
    llvm::for_each(GetCaptures(Op), Visit);
}
