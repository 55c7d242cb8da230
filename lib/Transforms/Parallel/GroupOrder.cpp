//===- GroupOrder.cpp - Whether groups can be combined --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A topological order of operations and groups, by Kahn's algorithm: a node
// that waits for nothing is processed, and decrements the counts of the nodes
// that wait for it. An operation waits for its operands, for the operations in
// its regions, and, if it is bound, for the previous binding in its block. A
// group waits for all operands except those that lead through its branches. The
// last operations of the branches, which the group's result replaces, wait for
// the group alone. If no node is ready while groups are left, the first one is
// dropped.
//
//===----------------------------------------------------------------------===//

#include "GroupOrder.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

using namespace relay;

namespace {

class GroupOrder {
public:
  GroupOrder(Function &F, ArrayRef<ParallelGroup> Groups);
  /// Returns the set of dropped groups.
  llvm::BitVector run();

private:
  /// The position of an operation in a group.
  struct Place {
    unsigned Group;
    bool IsLast;
    /// The operand that leads through the branch; none at level 0.
    std::optional<unsigned> Parent;
  };

  void countGroups();
  void countOperations(Function &F);
  const Place *getPlace(const Operation *Op) const;
  bool isReplaced(const Operation *Op) const;
  bool isOperandOfGroup(const Use &U) const;
  static bool isDependence(const Use &U);
  void release(Operation *Op) {
    if (--Waits[Op->getIndex()] == 0)
      Ready.push_back(Op);
  }
  void releaseGroup(unsigned G);
  void finish(Operation *Op);
  void finishReady();
  void drop(unsigned G);

  ArrayRef<ParallelGroup> Groups;
  llvm::DenseMap<const Operation *, Place> Places;
  /// The number of nodes that each operation (by its index) and each group
  /// wait for.
  SmallVector<uint32_t, 0> Waits, GroupWaits;
  /// The next binding in the block of a bound operation, by its index.
  SmallVector<Operation *, 0> NextBound;
  SmallVector<Operation *, 0> Ready;
  llvm::BitVector Done, GroupDone, Dropped;
};

} // namespace

/// Returns true if the user of \p U must come after its value. The only
/// exception is the use of a closure in its own body.
bool GroupOrder::isDependence(const Use &U) {
  auto *Def = dyn_cast<Operation>(U.get());
  Operation *User = U.getUserOp();
  if (!Def || !User)
    return false;
  if (!Def->is(OpCode::Fn) || !Def->isBound())
    return true;
  while (User && User->getBlock() != Def->getBlock())
    User = User->getParentOp();
  return User != Def;
}

const GroupOrder::Place *GroupOrder::getPlace(const Operation *Op) const {
  auto It = Places.find(Op);
  return It == Places.end() || Dropped[It->second.Group] ? nullptr
                                                         : &It->second;
}

/// Returns true if the result of a group replaces \p Op.
bool GroupOrder::isReplaced(const Operation *Op) const {
  const Place *P = getPlace(Op);
  return P && P->IsLast;
}

/// Returns true if the user of \p U is in a group that waits for the value.
bool GroupOrder::isOperandOfGroup(const Use &U) const {
  const Place *P = getPlace(U.getUserOp());
  return P && P->Parent != U.getOperandNo();
}

void GroupOrder::countGroups() {
  for (auto [I, G] : llvm::enumerate(Groups))
    for (auto [L, Level] : llvm::enumerate(G.Levels))
      for (Operation *Op : Level.Ops) {
        std::optional<unsigned> Parent;
        if (L)
          Parent = Level.Parent;
        Places[Op] = {unsigned(I), L + 1 == G.Levels.size(), Parent};
        for (Use &U : Op->getUses())
          GroupWaits[I] += isDependence(U) && isOperandOfGroup(U);
      }
}

void GroupOrder::countOperations(Function &F) {
  walkBlocks(F.getBody(), [&](Block &B) {
    Operation *LastBound = nullptr;
    for (Operation &Op : B.getOperations()) {
      uint32_t &Count = Waits[Op.getIndex()];
      Count += isReplaced(&Op) ? 1 : llvm::count_if(Op.getUses(), isDependence);
      for (Block &Region : Op.getRegions())
        Count += llvm::range_size(Region.getOperations());
      if (!Op.isBound())
        continue;
      if (LastBound) {
        ++Count;
        NextBound[LastBound->getIndex()] = &Op;
      }
      LastBound = &Op;
    }
  });
  walk(F, [&](Operation *Op) {
    if (!Waits[Op->getIndex()])
      Ready.push_back(Op);
  });
}

GroupOrder::GroupOrder(Function &F, ArrayRef<ParallelGroup> Groups)
    : Groups(Groups), Waits(F.getNumValues(), 0), GroupWaits(Groups.size(), 0),
      NextBound(F.getNumValues(), nullptr), Done(F.getNumValues()),
      GroupDone(Groups.size()), Dropped(Groups.size()) {
  countGroups();
  countOperations(F);
}

/// Called when group \p G no longer waits for anything.
void GroupOrder::releaseGroup(unsigned G) {
  GroupDone.set(G);
  for (Operation *Op : Groups[G].getLastOps())
    release(Op);
}

void GroupOrder::finish(Operation *Op) {
  Done.set(Op->getIndex());
  for (Use &U : Op->uses()) {
    if (!isDependence(U))
      continue;
    Operation *User = U.getUserOp();
    if (isOperandOfGroup(U) && --GroupWaits[getPlace(User)->Group] == 0)
      releaseGroup(getPlace(User)->Group);
    if (!isReplaced(User))
      release(User);
  }
  if (Operation *Parent = Op->getParentOp())
    release(Parent);
  if (Operation *Next = NextBound[Op->getIndex()])
    release(Next);
}

void GroupOrder::finishReady() {
  while (!Ready.empty())
    finish(Ready.pop_back_val());
}

/// Drops the group \p G: its last operations wait for their operands instead of
/// the group.
void GroupOrder::drop(unsigned G) {
  Dropped.set(G);
  for (Operation *Op : Groups[G].getLastOps()) {
    for (Use &U : Op->getUses())
      if (isDependence(U) && !Done[U->getIndex()])
        ++Waits[Op->getIndex()];
    release(Op);
  }
}

llvm::BitVector GroupOrder::run() {
  for (unsigned G = 0; G != Groups.size(); ++G)
    if (!GroupWaits[G])
      releaseGroup(G);
  finishReady();
  for (int G = GroupDone.find_first_unset(); G != -1;
       G = GroupDone.find_next_unset(G)) {
    GroupDone.set(G);
    drop(G);
    finishReady();
  }
  return Dropped;
}

void relay::dropCyclicGroups(Function &F,
                             SmallVectorImpl<ParallelGroup> &Groups) {
  llvm::BitVector Dropped = GroupOrder(F, Groups).run();
  unsigned Number = 0;
  llvm::erase_if(Groups,
                 [&](const ParallelGroup &) { return Dropped[Number++]; });
}
