//===- EliminateCommonSubexpr.cpp - Merge equal operations ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges equal calls of operators, and equal projections. One walk in canonical
// order assigns each operation a leader, the first operation equal to it;
// operations with another leader are then replaced. A merged value bound by a
// `let` becomes a node with the variable as an alias:
//
//   let %a = nn.relu(%x);         %0 = nn.relu(%x);
//   let %b = nn.relu(%x);  =>     let %a = %0;
//                                 let %b = %0;
//
// As in TVM, a variable is distinct from its value (`%a` and `%0` above differ
// as operands), tensor constants are equal only if they are the same constant,
// scalars if their values are equal, and a tuple operand is compared by its
// fields. Unlike in TVM, operations of different types are not merged: a merged
// operation would have the more dynamic type, and so might the function.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"

using namespace relay;

namespace {

/// Groups equal operations of one function.
class EqualityClasses {
public:
  explicit EqualityClasses(Function &F);

  /// Pairs (operation, leader) of operations that are not their own leader.
  ArrayRef<std::pair<Operation *, Operation *>> getMerges() const {
    return Merges;
  }

private:
  /// The key of an operation: op, attributes, codes of operands.
  using Key = SmallVector<uintptr_t, 8>;
  /// This many leaders with the same first operand are compared directly;
  /// further ones are hashed.
  static constexpr unsigned MaxNear = 8;

  void visit(Operation *Op);
  Operation *findLeader(Operation *Op);
  Operation *findHashedLeader(Operation *Op);
  bool isEqual(Operation *Op, Operation *Leader);
  uint32_t getLastOperand(Operation *Op) const;
  uint32_t getNumber(Value *V) const;
  uintptr_t getCode(Value *V) const;
  void addOperand(Value *V, Key &K) const;
  void getKey(Operation *Op, Key &K) const;

  Key KeyOfOp, KeyOfLeader;
  /// Lists of leaders by the last of their operands, so that what lies together
  /// is looked at together: the first by that operand's Value::getIndex(), the
  /// others by the index of the one before.
  SmallVector<Operation *, 0> FirstOf, NextOf;
  /// Further leaders, by a hash of their keys or the next free number.
  llvm::DenseMap<uint64_t, Operation *> Hashed;
  /// The leaders of merged nodes, by Value::getIndex().
  SmallVector<Operation *, 0> LeaderOf;
  SmallVector<std::pair<Operation *, Operation *>> Merges;
};

} // namespace

static bool isMergeable(const Operation *Op) {
  if (Op->is(OpCode::TupleGetItem))
    return true;
  return Op->is(OpCode::Operator) && Op->getNumOperands() &&
         Op->getInfo().isRegistered() && !Op->hasTrait(OpTrait::Stateful);
}

EqualityClasses::EqualityClasses(Function &F)
    : FirstOf(F.getNumValues(), nullptr), NextOf(F.getNumValues(), nullptr),
      LeaderOf(F.getNumValues(), nullptr) {
  walk(F, [&](Operation *Op) {
    if (isMergeable(Op))
      visit(Op);
  });
}

/// A word that equal operands share: of a variable itself, of a node its
/// leader, of a scalar constant its value. Pointers are even, so that tags tell
/// which.
uintptr_t EqualityClasses::getCode(Value *V) const {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op || Op->isBound())
    return reinterpret_cast<uintptr_t>(V);
  if (auto Constant = dyn_cast<ConstantOp>(Op)) {
    Attr Data = Constant.attrs().value();
    if (Data.getConstant()->isScalar() && !Data.getConstant()->isAnonymous())
      return Data.getOpaque() | 2;
  }
  Operation *Leader = LeaderOf[Op->getIndex()];
  return reinterpret_cast<uintptr_t>(Leader ? Leader : Op) | 1;
}

void EqualityClasses::addOperand(Value *V, Key &K) const {
  auto *Tuple = dyn_cast<Operation>(V);
  if (!Tuple || Tuple->isBound() || !Tuple->is(OpCode::Tuple)) {
    K.push_back(getCode(V));
    return;
  }
  K.push_back(3 + (uintptr_t(Tuple->getNumOperands()) << 2));
  for (Value *Field : Tuple->operands())
    K.push_back(getCode(Field));
}

void EqualityClasses::getKey(Operation *Op, Key &K) const {
  K.assign({reinterpret_cast<uintptr_t>(&Op->getInfo()),
            reinterpret_cast<uintptr_t>(Op->getAttrs())});
  // The fields of a tuple that is projected do not make it the same tuple.
  if (Op->is(OpCode::TupleGetItem))
    K.push_back(getCode(Op->getOperand(0)));
  else
    for (Value *V : Op->operands())
      addOperand(V, K);
}

/// The index of the value that represents \p V.
uint32_t EqualityClasses::getNumber(Value *V) const {
  Operation *Leader = LeaderOf[V->getIndex()];
  auto *Op = dyn_cast<Operation>(V);
  return Leader && Op && !Op->isBound() ? Leader->getIndex() : V->getIndex();
}

/// The largest number of the operands of \p Op, except for constants.
uint32_t EqualityClasses::getLastOperand(Operation *Op) const {
  if (Op->is(OpCode::TupleGetItem))
    return getNumber(Op->getOperand(0));
  uint32_t Last = 0;
  for (Value *V : Op->operands()) {
    auto *Operand = dyn_cast<Operation>(V);
    if (Operand && Operand->is(OpCode::Constant))
      continue;
    if (!Operand || Operand->isBound() || !Operand->is(OpCode::Tuple))
      Last = std::max(Last, getNumber(V));
    else
      for (Value *Field : Operand->operands())
        Last = std::max(Last, getNumber(Field));
  }
  return Last;
}

/// Returns true if \p L and \p R have the same type, or one of them none. An
/// annotation or a branch may have made one of two equal operations dynamic.
static bool haveSameType(const Operation *L, const Operation *R) {
  Type *OfL = L->getType(), *OfR = R->getType();
  return OfL == OfR || !OfL || !OfR || isSameType(OfL, OfR);
}

bool EqualityClasses::isEqual(Operation *Op, Operation *Leader) {
  if (&Op->getInfo() != &Leader->getInfo() ||
      Op->getAttrs() != Leader->getAttrs() || !haveSameType(Op, Leader))
    return false;
  getKey(Op, KeyOfOp);
  getKey(Leader, KeyOfLeader);
  return KeyOfOp == KeyOfLeader;
}

Operation *EqualityClasses::findHashedLeader(Operation *Op) {
  getKey(Op, KeyOfOp);
  uint64_t Hash = llvm::hash_combine_range(KeyOfOp.begin(), KeyOfOp.end());
  for (Hash >>= 1;; ++Hash) { // clear of the numbers that DenseMap reserves
    Operation *Leader = Hashed.try_emplace(Hash, Op).first->second;
    if (Leader == Op || isEqual(Op, Leader))
      return Leader;
  }
}

/// \p Op itself if it is the first of its kind.
Operation *EqualityClasses::findLeader(Operation *Op) {
  Operation **Link = &FirstOf[getLastOperand(Op)];
  for (unsigned I = 0; I != MaxNear; ++I) {
    if (!*Link)
      return *Link = Op;
    if (isEqual(Op, *Link))
      return *Link;
    Link = &NextOf[(*Link)->getIndex()];
  }
  return findHashedLeader(Op);
}

void EqualityClasses::visit(Operation *Op) {
  Operation *Leader = findLeader(Op);
  if (Leader == Op)
    return;
  LeaderOf[Op->getIndex()] = Leader;
  Merges.push_back({Op, Leader});
}

/// Makes the bound \p Op a node that its variable is a name of.
static void makeNode(Rewriter &R, Operation *Op) {
  R.setInsertionPointAfter(Op);
  R.setLoc(Op->getLoc());
  Operation *Name = R.create<AliasOp>(Op);
  R.bindLike(Name, Op);
  R.replaceUsesIf(Op, Name, [&](Use &U) { return U.getUserOp() != Name; });
  R.unbind(Op);
}

namespace {
class EliminateCommonSubexpr
    : public EliminateCommonSubexprBase<EliminateCommonSubexpr> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    EqualityClasses Classes(F);
    Rewriter R(F);
    for (auto [Op, Leader] : Classes.getMerges()) {
      if (!R.startRewrite("merge", Op))
        continue;
      RELAY_DEBUG(R.getContext(), 2) << "equal to " << Leader->getDescription();
      if (Leader->isBound())
        makeNode(R, Leader);
      Location Merged =
          R.getContext().getLocations().fuse({Leader->getLoc(), Op->getLoc()});
      R.replaceOp(Op, Leader);
      R.setLocation(Leader, Merged);
      ++NumMerged;
    }
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createEliminateCommonSubexprPass() {
  return std::make_unique<EliminateCommonSubexpr>();
}
