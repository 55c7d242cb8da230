//===- BackwardFoldScaleAxis.cpp - Scales into weights of operands --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds multiplications of values that absorb the scale in a weight, or pass it
// on to operands that do, and folds the scale into these weights. Only the
// multiplication may use such a value. The hooks of ScaleAxis.td tell which
// operators do.
//
//===----------------------------------------------------------------------===//

#include "ScaleUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace relay;

namespace {

/// Folds the scales of one function.
class BackwardFolder {
public:
  BackwardFolder(Function &F, PassContext &PC)
      : Requests(F.getContext(), PC.getTargetKeys()),
        Rules(F.getContext(), PC.getTargetKeys()), R(F), Fixed(F) {
    R.keepResultAnnotations();
  }

  /// Visits an operation after its operands.
  void visit(Operation *Op);

  unsigned NumFolded = 0;

private:
  SmallVector<ScaleRequest, 2> getRequests(const Operation &Op) const;
  void fold(Operation *Product);
  Value *scale(Operation *Root, const AxisScale &Scale);

  OpHooks<BackwardScaleRequest> Requests;
  OpHooks<BackwardScaleRule> Rules;
  Rewriter R;
  FixedScales Fixed;
  /// The requests for values with one user.
  llvm::DenseMap<const Value *, ScaleRequest> Requested;
};

} // namespace

/// Returns the requests of the operands of \p Op.
SmallVector<ScaleRequest, 2>
BackwardFolder::getRequests(const Operation &Op) const {
  return llvm::map_to_vector<2>(
      Op.operands(), [&](const Value *V) { return Requested.lookup(V); });
}

void BackwardFolder::visit(Operation *Op) {
  if (isa<MultiplyOp>(Op))
    return fold(Op);
  if (Op->isBound() || !Op->hasOneUse())
    return;
  auto Hook = Requests.lookup(*Op);
  if (!Hook || !Rules.lookup(*Op))
    return;
  if (ScaleRequest Request = Hook(*Op, getRequests(*Op)))
    Requested[Op] = std::move(Request);
}

/// Returns \p Root with its result multiplied by \p Scale: copies of the
/// operations that pass the scale on and absorb it.
Value *BackwardFolder::scale(Operation *Root, const AxisScale &Scale) {
  auto SetLoc = [&](const Operation &Op) {
    R.setLoc(R.getContext().getLocations().fuse({Op.getLoc(), Scale.Loc}));
  };
  std::vector<BackwardScale> Scaled;
  SmallVector<Operation *, 8> Operations = {Root};
  for (size_t N = 0; N != Operations.size(); ++N) {
    Operation *Op = Operations[N];
    SetLoc(*Op);
    BackwardScale S(*Op, Scale, getRequests(*Op));
    Rules.lookup (*Op)(R, S);
    for (unsigned I : S.getPassedOn())
      Operations.push_back(cast<Operation>(Op->getOperand(I)));
    Scaled.push_back(std::move(S));
  }
  llvm::DenseMap<const Value *, Value *> New;
  for (BackwardScale &S : llvm::reverse(Scaled)) {
    for (unsigned I : S.getPassedOn())
      S.setOperand(I, New.lookup(S.getOperand(I)));
    const Operation &Op = S.getOp();
    SetLoc(Op);
    New[&Op] = recreate(R, Op, S.getOperands());
  }
  return New.lookup(Root);
}

void BackwardFolder::fold(Operation *Product) {
  for (unsigned Data : {0, 1}) {
    const ScaleRequest Request = Requested.lookup(Product->getOperand(Data));
    if (!Request || !isScaled(*Product, Data, Request) ||
        Fixed.contains(*Product, 1 - Data))
      continue;
    if (!R.startRewrite("fold-scale", Product))
      return;
    R.setInsertionPoint(Product);
    AxisScale Scale = createScale(R, *Product, Data, Request);
    R.replaceOp(Product,
                scale(cast<Operation>(Product->getOperand(Data)), Scale));
    ++NumFolded;
    return;
  }
}

namespace {
class BackwardFoldScaleAxis
    : public BackwardFoldScaleAxisBase<BackwardFoldScaleAxis> {
public:
  using BackwardFoldScaleAxisBase::BackwardFoldScaleAxisBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    BackwardFolder Folder(F, PC);
    walk(F, [&](Operation *Op) { Folder.visit(Op); });
    NumScales += Folder.NumFolded;
    return preserved(Folder.NumFolded != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createBackwardFoldScaleAxisPass() {
  return std::make_unique<BackwardFoldScaleAxis>();
}
