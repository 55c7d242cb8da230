//===- Parameters.cpp - Functions with other parameters -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"
#include "Forms/DepthFirstWalk.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace relay;

/// Returns the names of the functions of \p M that something calls or refers
/// to.
static llvm::StringSet<> getUsedFunctions(Module &M) {
  llvm::StringSet<> Used;
  walk(M, [&](Operation *Op) {
    if (StringRef Name = getNamedGlobal(*Op); !Name.empty())
      Used.insert(Name);
  });
  return Used;
}

SmallVector<Function *> relay::getFunctionsWithoutUsers(Module &M) {
  llvm::StringSet<> Used = getUsedFunctions(M);
  SmallVector<Function *> Functions;
  for (Function &F : M.functions())
    if (!Used.contains(F.getName()) && !F.isSkippedByOptimization())
      Functions.push_back(&F);
  return Functions;
}

namespace {

/// The parameters of a function in the order of their first uses, in a
/// depth-first walk.
class ParameterOrder final : private DepthFirstWalk {
public:
  explicit ParameterOrder(Function &F) : F(F) { walk(F.getBody()); }
  ArrayRef<BlockArgument *> get() const { return Order.getArrayRef(); }

private:
  Operation *enterBinding(Operation *Op) override { return Op; }
  bool enterUse(Value *V, Operation *, Block *) override;
  void leave(Operation *) override {}

  Function &F;
  /// Floating operations. Not by Value::getIndex(): the pass has created some.
  llvm::DenseSet<Operation *> Walked;
  llvm::SetVector<BlockArgument *> Order;
};

} // namespace

bool ParameterOrder::enterUse(Value *V, Operation *, Block *) {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op) {
    if (V->getParentBlock() == &F.getBody())
      Order.insert(cast<BlockArgument>(V));
    return false;
  }
  return !Op->isBound() && Walked.insert(Op).second;
}

/// Replaces the uses of \p Other by uses of \p Param. \p Param has no uses
/// before, and gets the name, the type and the other properties of \p Other.
static void takePlaceOf(Rewriter &R, BlockArgument *Param,
                        BlockArgument *Other) {
  R.renameArgument(Param, Other->getName());
  R.setType(Param, Other->getType());
  R.setAnnotation(Param, Other->getAnnotation());
  R.setVirtualDevice(Param, Other->getVirtualDevice());
  R.setLocation(Param, Other->getLoc());
  R.replaceAllUses(Other, Param);
}

/// Makes \p Order, a subset, the parameters of \p F. They are first appended,
/// so that only trailing parameters are erased, which is fast.
static void setParameters(Rewriter &R, Function &F,
                          ArrayRef<BlockArgument *> Order) {
  if (Order == F.getParams())
    return;
  SmallVector<BlockArgument *, 8> Copies;
  for (BlockArgument *Param : Order) {
    Copies.push_back(R.addArgumentLike(F.getBody(), *Param));
    R.replaceAllUses(Param, Copies.back());
  }
  for (auto [I, Copy] : llvm::enumerate(Copies)) {
    assert(F.getParams()[I]->use_empty() &&
           "a parameter in use is not ordered");
    takePlaceOf(R, F.getParams()[I], Copy);
  }
  while (F.getParams().size() != Order.size()) {
    assert(F.getParams().back()->use_empty() && "a parameter in use is erased");
    R.eraseArgument(F.getBody(), F.getParams().size() - 1);
  }
}

void relay::orderParameters(Rewriter &R, Function &F, unsigned NumOld) {
  R.noteRewrite("order-parameters");
  SmallVector<BlockArgument *, 8> Order(ParameterOrder(F).get());
  llvm::stable_sort(Order, [&](auto *A, auto *B) {
    return A->getArgNo() < NumOld && B->getArgNo() >= NumOld;
  });
  setParameters(R, F, Order);
}
