//===- StableNumbers.cpp - Numbers that stay from print to print ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StableNumbers.h. Operations of the last print are compared by address
// only: they may be gone.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/StableNumbers.h"
#include "relay/IR/Function.h"
#include "relay/IR/Walk.h"

using namespace relay;

void StableNumbers::update(Function &F) {
  auto Old = std::move(Nodes);
  Nodes.clear();
  walk(F, [&](Operation *Op) {
    auto Found = Old.find(Op);
    if (Found == Old.end() || !Found->second.describes(*Op))
      return;
    Nodes.insert(*Found);
    Old.erase(Found);
  });
  Gone.clear();
  for (const auto &[Op, N] : Old)
    if (N.Loc.isKnown())
      Gone[{N.Info, N.Loc.getRaw()}].push_back(N.Number);
  for (auto &Entry : Gone)
    llvm::sort(Entry.second, std::greater<>());
}

uint32_t StableNumbers::getNumber(const Operation &Op) {
  uint32_t &Next = Op.is(OpCode::Constant) ? NextConstant : NextNode;
  auto [Found, IsNew] =
      Nodes.try_emplace(&Op, Node{&Op.getInfo(), Op.getLoc(), Next});
  uint32_t &Number = Found->second.Number;
  if (!IsNew)
    return Number;
  auto Same = Gone.find({&Op.getInfo(), Op.getLoc().getRaw()});
  if (Same == Gone.end() || Same->second.empty())
    ++Next;
  else
    Number = Same->second.pop_back_val();
  return Number;
}
