//===- CanonicalizeCast.cpp - Give each user its own cast -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies a cast to a wider type for each elementwise or broadcasting user, so
// that each can be fused with its own cast, and the narrower value is kept in
// between. The first user to be evaluated and all users of other kinds keep the
// original.
//
//===----------------------------------------------------------------------===//

#include "Forms/DepthFirstWalk.h"
#include "relay/IR/Rewriter.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/BitVector.h"

using namespace relay;

namespace {

/// Finds the operands that get a copy. They are counted in the order of a
/// depth-first walk, each when its value has been walked.
class CastUses final : private DepthFirstWalk {
public:
  explicit CastUses(Function &F)
      : Walked(F.getNumValues()), Kept(F.getNumValues()) {
    walk(F.getBody());
  }

  ArrayRef<Use *> getUsesToCopyFor() const { return ToCopyFor; }

private:
  Part getPart(Operation *Op, unsigned N) override {
    if (N && N <= Op->getNumOperands())
      countOperand(Op->getUses()[N - 1]);
    return DepthFirstWalk::getPart(Op, N);
  }
  Operation *enterBinding(Operation *Op) override { return Op; }
  bool enterUse(Value *V, Operation *, Block *) override;
  void leave(Operation *) override {}
  void countOperand(Use &U);

  /// By Value::getIndex(): walked; used already by what would get a copy.
  llvm::BitVector Walked, Kept;
  SmallVector<Use *> ToCopyFor;
};

} // namespace

bool CastUses::enterUse(Value *V, Operation *, Block *) {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op || Op->isBound() || Walked.test(Op->getIndex()))
    return false;
  Walked.set(Op->getIndex());
  return true;
}

/// Returns true if \p Cast makes elements of more bits of its operand.
static bool isWidening(CastOp Cast) {
  auto *From = dyn_cast_or_null<TensorType>(Cast.data()->getType());
  return From && From->getDType().getBits() < Cast.attrs().dtype().getBits();
}

void CastUses::countOperand(Use &U) {
  const Operation *User = U.getUserOp();
  if (!User->is(OpCode::Operator) || !User->getInfo().isRegistered() ||
      User->getInfo().Fusion > FusionKind::Broadcast)
    return;
  auto Cast = dyn_cast<CastOp>(U.get());
  if (!Cast || Cast->isBound() || !isWidening(Cast))
    return;
  if (Kept.test(Cast->getIndex()))
    ToCopyFor.push_back(&U);
  Kept.set(Cast->getIndex());
}

namespace {
class CanonicalizeCast : public CanonicalizeCastBase<CanonicalizeCast> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    CastUses Uses(F);
    Rewriter R(F);
    for (Use *U : Uses.getUsesToCopyFor()) {
      CastOp Cast = cast<CastOp>(U->get());
      if (!R.startRewrite("copy-cast", Cast))
        continue;
      Operation *User = U->getUserOp();
      R.setInsertionPoint(User);
      R.setOperand(User, U->getOperandNo(),
                   R.create<CastOp>(Cast.data(), &Cast.attrs()));
      ++NumCopied;
    }
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createCanonicalizeCastPass() {
  return std::make_unique<CanonicalizeCast>();
}
