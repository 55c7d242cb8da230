//===- ToBasicBlockNormalForm.cpp - Bind what blocks share ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds, in the order of LetBinder.h, each floating operation that is used in
// regions inside of its own block before it is used in that block itself.
// It is then evaluated at its position, and not in a branch. If one of them has
// an effect, or another name of an operation with an effect moves out of a
// region, everything that has an effect is bound, to keep the order.
//
//===----------------------------------------------------------------------===//

#include "LetBinder.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Memory.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Finds the floating operations whose first use is in an inner block. Uses
/// count when all operands of the user have been walked; the operands that
/// control its regions count before the regions are walked.
class SharedOperations final : DepthFirstWalk {
public:
  explicit SharedOperations(Function &F)
      : Seen(F.getNumValues()), Used(F.getNumValues()),
        Shared(F.getNumValues()) {
    walk(F.getBody());
  }
  const llvm::BitVector &get() const { return Shared; }

private:
  static bool isOrdered(const Operation *Op) {
    return Op->is(OpCode::If) || Op->is(OpCode::Match) ||
           Op->is(OpCode::RefWrite);
  }

  void use(Value *V, Block *Where) {
    uint32_t N = V->getIndex();
    if (Used[N])
      return;
    Used.set(N);
    Operation *Op = V->getDefiningOp();
    if (Op && Op->isFloating() && Op->getBlock() != Where)
      Shared.set(N);
  }

  Operation *enterBinding(Operation *Op) override { return Op; }
  bool enterUse(Value *V, Operation *User, Block *Where) override {
    if (!User || isOrdered(User))
      use(V, User ? User->getBlock() : Where);
    Operation *Op = V->getDefiningOp();
    if (!Op || Op->isBound() || Seen[Op->getIndex()])
      return false;
    Seen.set(Op->getIndex());
    return true;
  }
  void leave(Operation *Op) override {
    if (isOrdered(Op))
      return;
    for (Value *V : Op->operands())
      use(V, Op->getBlock());
  }

  llvm::BitVector Seen, Used, Shared;
};

/// Returns true if \p F is one block without `let` and devices, so that there
/// is nothing to bind and nothing to rename.
bool isPlainBlock(Function &F) {
  return !F.getNumRegions() && !F.getNumBindings() &&
         !F.getSignature().VirtualDevice &&
         llvm::none_of(F.getBody(),
                       [](Operation &Op) { return isa<OnDeviceOp>(&Op); });
}

/// Returns true if the bound \p Op only names its operand, which floats around
/// the region of Op: the name moves there.
bool namesOuterOperation(const Operation *Op) {
  if (!Op->is(OpCode::Alias) && !getFixedDevice(Op))
    return false;
  Operation *Named = Op->getOperand(0)->getDefiningOp();
  return Named && Named->isFloating() && Named->getBlock() != Op->getBlock();
}

/// Adds all floating operations with effects to \p Selected if it has one, or
/// if a name of one moves.
void selectEffects(Function &F, const ValuePurity &Purity,
                   llvm::BitVector &Selected) {
  llvm::BitVector Impure(Selected.size());
  bool MovesName = false;
  walk(F, [&](Operation *Op) {
    if (Purity.isEvalPure(Op))
      return;
    if (Op->isFloating())
      Impure.set(Op->getIndex());
    else
      MovesName |= namesOuterOperation(Op);
  });
  if (MovesName || Selected.anyCommon(Impure))
    Selected |= Impure;
}

class ToBasicBlockNormalForm final
    : public ToBasicBlockNormalFormBase<ToBasicBlockNormalForm> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override {
    LetBinder::Outcome Done = LetBinder::runOnFunctions(M, AM, Ctx, bindShared);
    NumBound += Done.NumBound;
    return preserved(Done.HasChanged);
  }

private:
  static LetBinder::Outcome bindShared(Function &F, const ValuePurity *Purity) {
    if (isCompiledAsOne(F.getSignature()) || isPlainBlock(F))
      return {};
    llvm::BitVector Selected = SharedOperations(F).get();
    if (Purity)
      selectEffects(F, *Purity, Selected);
    return LetBinder(F, Purity, &Selected).run();
  }
};

} // namespace

std::unique_ptr<Pass> relay::createToBasicBlockNormalFormPass() {
  return std::make_unique<ToBasicBlockNormalForm>();
}
