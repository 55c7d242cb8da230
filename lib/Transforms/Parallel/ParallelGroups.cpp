//===- ParallelGroups.cpp - Calls of an operator on the same data ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk collects calls with equal keys into groups. Each group is then
// extended level by level, as long as each branch continues with a single
// operation and the operations of all branches are alike.
//
// Branches of several groups may continue with the same operations, as the two
// convolutions of add(conv2d(x, v), conv2d(y, w)) do. As in TVM, only one group
// gets these operations. In TVM, addresses decide which group that is; usually
// it is the group whose data comes last, which is the rule here.
//
//===----------------------------------------------------------------------===//

#include "ParallelGroups.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace relay;

ParallelRules::~ParallelRules() = default;

namespace {

class GroupFinder {
public:
  GroupFinder(Function &F, const ParallelRules &Rules)
      : Rules(Rules),
        Purity(F, /*IsCallPure=*/[](StringRef) { return false; }) {}

  SmallVector<ParallelGroup, 0> find(Function &F, unsigned MinBranches);

private:
  bool isArgument(const Use &U) const;
  Operation *getOnlyCall(const Operation *Op) const;
  Operation *getNext(const Operation *Op) const;
  bool isAlike(const ParallelGroup &G, const ParallelGroup::Level &Next,
               unsigned Branch) const;
  bool findNextLevel(const ParallelGroup &G, ParallelGroup::Level &Next) const;
  bool extend(ParallelGroup &G);

  const ParallelRules &Rules;
  ValuePurity Purity;
  /// The operations of the levels from 1 on of extended groups.
  llvm::DenseSet<const Operation *> Taken;
};

} // namespace

/// Returns true if \p U is an argument of a call that may continue the branch.
/// As in TVM, the weight of a call that may be combined does not count.
bool GroupFinder::isArgument(const Use &U) const {
  const Operation *User = U.getUserOp();
  if (!User)
    return false;
  switch (User->getCode()) {
  case OpCode::Operator:
    return !User->is(Rules.getOp()) || !Rules.isCandidate(User) ||
           U.getOperandNo() == 0;
  case OpCode::CallGlobal:
  case OpCode::CallConstructor:
    return true;
  case OpCode::CallValue:
    return U.getOperandNo() != 0;
  default:
    return false;
  }
}

/// Returns the only call that takes the value of \p Op as an argument; null if
/// there are none or several.
Operation *GroupFinder::getOnlyCall(const Operation *Op) const {
  Operation *Only = nullptr;
  for (Use &U : Op->uses()) {
    if (!isArgument(U))
      continue;
    if (Only)
      return nullptr;
    Only = U.getUserOp();
  }
  return Only;
}

/// Returns the operation with which a branch continues after \p Op; null at its
/// end. A variable ends the branch.
Operation *GroupFinder::getNext(const Operation *Op) const {
  if (Op->isBound())
    return nullptr;
  Operation *Next = getOnlyCall(Op);
  if (!Next || !Next->is(OpCode::Operator) || !Next->getInfo().isRegistered() ||
      Next->getInfo().Fusion > FusionKind::Broadcast ||
      Next->getBlock() != Op->getBlock() || !Purity.isEvalPure(Next) ||
      !llvm::isa_and_present<TensorType>(Next->getType()))
    return nullptr;
  return Next;
}

/// Returns true if \p Next may contain the operation of branch \p Branch.
bool GroupFinder::isAlike(const ParallelGroup &G,
                          const ParallelGroup::Level &Next,
                          unsigned Branch) const {
  const Operation *First = Next.Ops.front(), *Op = Next.Ops[Branch];
  if (&Op->getInfo() != &First->getInfo() ||
      Op->getAttrs() != First->getAttrs() ||
      Op->getNumOperands() != First->getNumOperands() ||
      Op->getOperand(Next.Parent) != G.Levels.back().Ops[Branch])
    return false;
  for (unsigned I = 0; I != Op->getNumOperands(); ++I)
    if (I != Next.Parent &&
        (!llvm::isa_and_present<TensorType>(Op->getOperand(I)->getType()) ||
         !Rules.areCompatible(G, First, Op, I, Next.Parent)))
      return false;
  return true;
}

bool GroupFinder::findNextLevel(const ParallelGroup &G,
                                ParallelGroup::Level &Next) const {
  for (Operation *Op : G.getLastOps()) {
    Operation *Following = getNext(Op);
    if (!Following)
      return false;
    Next.Ops.push_back(Following);
  }
  Next.Parent = llvm::find(Next.Ops[0]->operands(), G.getLastOps()[0]) -
                Next.Ops[0]->operands().begin();
  for (unsigned I = 0; I != G.getNumBranches(); ++I)
    if (!isAlike(G, Next, I))
      return false;
  return true;
}

/// Adds all further levels to \p G. Returns false if another group has taken
/// the next operations of all branches: \p G is then not combined.
bool GroupFinder::extend(ParallelGroup &G) {
  while (true) {
    ParallelGroup::Level Next;
    if (!findNextLevel(G, Next))
      return true;
    auto IsTaken = [this](const Operation *Op) { return Taken.contains(Op); };
    if (llvm::all_of(Next.Ops, IsTaken))
      return false;
    if (llvm::any_of(Next.Ops, IsTaken))
      return true;
    Taken.insert(Next.Ops.begin(), Next.Ops.end());
    G.Levels.push_back(std::move(Next));
  }
}

SmallVector<ParallelGroup, 0> GroupFinder::find(Function &F,
                                                unsigned MinBranches) {
  using DataKey = std::pair<std::pair<Value *, Block *>, ParallelRules::Key>;
  using GroupsOfData = SmallVector<ParallelGroup, 1>;
  llvm::DenseMap<DataKey, unsigned> Numbers;
  llvm::MapVector<Value *, GroupsOfData> Groups;
  walk(F, [&](Operation *Op) {
    if (!Op->is(Rules.getOp()) || !Rules.isCandidate(Op) ||
        !Purity.isEvalPure(Op))
      return;
    ParallelRules::Key Key = Rules.getKey(Op);
    if (!Key.first)
      return;
    Value *Data = Op->getOperand(0);
    GroupsOfData &OfData = Groups[Data];
    auto [It, IsNew] =
        Numbers.try_emplace({{Data, Op->getBlock()}, Key}, OfData.size());
    if (IsNew)
      OfData.emplace_back().Levels.emplace_back();
    OfData[It->second].Levels.front().Ops.push_back(Op);
  });
  SmallVector<ParallelGroup, 0> Found;
  for (auto &[Data, OfData] : llvm::reverse(Groups))
    for (ParallelGroup &G : OfData)
      if (G.getNumBranches() >= MinBranches && extend(G))
        Found.push_back(std::move(G));
  llvm::sort(Found, [](const ParallelGroup &A, const ParallelGroup &B) {
    return A.getCalls()[0]->getIndex() < B.getCalls()[0]->getIndex();
  });
  return Found;
}

SmallVector<ParallelGroup, 0>
relay::findParallelGroups(Function &F, const ParallelRules &Rules,
                          unsigned MinBranches) {
  bool HasCall = walk(F, [&](Operation *Op) {
                   return Op->is(Rules.getOp()) ? WalkResult::interrupt()
                                                : WalkResult::advance();
                 }).wasInterrupted();
  if (!HasCall)
    return {};
  return GroupFinder(F, Rules).find(F, MinBranches);
}
