//===- EliminateCommonSubexpr.cpp - Merge equal operations ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of operators, and projections, that are equal become one node. First
// each operation is given a leader, the first one equal to it, in one walk in
// canonical order; then those with another leader are replaced. A merged value
// that a `let` bound becomes a node that the variable is a name of:
//
//   let %a = nn.relu(%x);         %0 = nn.relu(%x);
//   let %b = nn.relu(%x);  =>     let %a = %0;
//                                 let %b = %0;
//
// As in TVM, a variable is not what it is bound to (`%a` and `%0` above stay
// apart as operands), tensor constants are equal only if they are one, scalars
// if their values are, and a tuple that is an operand counts by its fields.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

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
  void visit(Operation *Op);
  uintptr_t getCode(Value *V) const;
  void addOperand(Value *V);

  /// What identifies an operation: op, attributes, codes of operands.
  SmallVector<uintptr_t, 8> Key;
  llvm::DenseMap<ArrayRef<uintptr_t>, Operation *> Leaders;
  llvm::BumpPtrAllocator Keys;
  /// Of merged nodes; by Value::getIndex().
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
    : LeaderOf(F.getNumValues(), nullptr) {
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
  if (Op->is(OpCode::Constant)) {
    Attr Data = Op->getAttr("value");
    if (Data.getConstant()->Ty->isScalar())
      return Data.getOpaque() | 2;
  }
  Operation *Leader = LeaderOf[Op->getIndex()];
  return reinterpret_cast<uintptr_t>(Leader ? Leader : Op) | 1;
}

void EqualityClasses::addOperand(Value *V) {
  auto *Tuple = dyn_cast<Operation>(V);
  if (!Tuple || Tuple->isBound() || !Tuple->is(OpCode::Tuple)) {
    Key.push_back(getCode(V));
    return;
  }
  Key.push_back(3 + (uintptr_t(Tuple->getNumOperands()) << 2));
  for (Value *Field : Tuple->operands())
    Key.push_back(getCode(Field));
}

void EqualityClasses::visit(Operation *Op) {
  Key.clear();
  Key.push_back(reinterpret_cast<uintptr_t>(&Op->getInfo()));
  Key.push_back(reinterpret_cast<uintptr_t>(Op->getAttrs()));
  // The fields of a tuple that is projected do not make it the same tuple.
  if (Op->is(OpCode::TupleGetItem))
    Key.push_back(getCode(Op->getOperand(0)));
  else
    for (Value *V : Op->operands())
      addOperand(V);
  auto Found = Leaders.find(Key);
  if (Found != Leaders.end()) {
    LeaderOf[Op->getIndex()] = Found->second;
    Merges.push_back({Op, Found->second});
    return;
  }
  Leaders.try_emplace(ArrayRef<uintptr_t>(Key).copy(Keys), Op);
}

/// Makes the bound \p Op a node that its variable is a name of.
static void makeNode(Rewriter &R, Operation *Op) {
  const OpInfo *Alias = R.getContext().lookupOp("relay.alias");
  R.setInsertionPointAfter(Op);
  Operation *Name = R.createOperation(*Alias, Op);
  Name->setLoc(Op->getLoc());
  R.bindLike(Name, Op);
  R.replaceUsesIf(Op, Name, [&](Use &U) { return U.getUserOp() != Name; });
  R.unbind(Op);
}

namespace {
class EliminateCommonSubexpr : public EliminateCommonSubexprBase {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    EqualityClasses Classes(F);
    Rewriter R(F);
    for (auto [Op, Leader] : Classes.getMerges()) {
      if (!R.startRewrite("merge", Op))
        continue;
      if (Leader->isBound())
        makeNode(R, Leader);
      R.replaceOp(Op, Leader);
      ++NumMerged;
    }
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createEliminateCommonSubexprPass() {
  return std::make_unique<EliminateCommonSubexpr>();
}
