//===- StableNumbers.cpp - Numbers that are stable between prints ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StableNumbers.h. Operations of the previous print are compared by address
// only, since they may have been erased.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Print/StableNumbers.h"
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
  updateNames(F);
}

void StableNumbers::updateNames(Function &F) {
  auto Old = std::move(Variables);
  Variables.clear();
  auto Keep = [&](const Value *V, StringRef Base, Location Loc) {
    auto Found = Old.find(V);
    if (Found == Old.end() || Found->second.Base != Base ||
        Found->second.Loc != Loc)
      return;
    Variables.insert(*Found);
    Old.erase(Found);
  };
  auto KeepArguments = [&](Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      Keep(Arg, Arg->getName(), Arg->getLoc());
  };
  KeepArguments(F.getBody());
  walk(F, [&](Operation *Op) {
    if (Op->isBound())
      Keep(Op, Op->getVarName(), Op->getLoc());
    for (Block &B : Op->getRegions())
      KeepArguments(B);
  });
  GoneNames.clear();
  for (const auto &[V, Gone] : Old)
    if (Gone.Loc.isKnown())
      GoneNames[{Gone.Base, Gone.Loc.getRaw()}].push_back(Gone.Name);
  for (auto &Entry : GoneNames)
    llvm::sort(Entry.second, [](StringRef A, StringRef B) {
      return std::pair(A.size(), A) > std::pair(B.size(), B);
    });
}

StringRef StableNumbers::getName(const Value &V, StringRef Base,
                                 StringRef Readable) {
  const auto *Arg = dyn_cast<BlockArgument>(&V);
  Location Loc = Arg ? Arg->getLoc() : V.getDefiningOp()->getLoc();
  auto [Found, IsNew] = Variables.try_emplace(&V, Variable{Base, "", Loc});
  StringRef &Name = Found->second.Name;
  if (!IsNew)
    return Name;
  auto Same = GoneNames.find({Base, Loc.getRaw()});
  if (Same != GoneNames.end() && !Same->second.empty())
    return Name = Same->second.pop_back_val();
  auto [Entry, IsFree] = Taken.insert(Readable);
  while (!IsFree)
    std::tie(Entry, IsFree) =
        Taken.insert((Readable + Twine(++NumNamed[Readable])).str());
  return Name = Entry->getKey();
}

uint32_t StableNumbers::getNumber(const Operation &Op) {
  uint32_t &Next = Op.is(OpCode::Constant) ? NextConstant : NextNode;
  if (Op.is(OpCode::Constant))
    while (ReservedConstants.count(NextConstant))
      ++NextConstant;
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
