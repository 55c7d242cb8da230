//===- ForwardFoldScaleAxis.cpp - Scales into weights of users ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds multiplications all of whose users absorb the scale in a weight, or
// pass it on to users that do, and folds the scale into these weights. The
// hooks of ScaleAxis.td tell which operators do.
//
//===----------------------------------------------------------------------===//

#include "ScaleUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Folds the scales of one function.
class ForwardFolder {
public:
  ForwardFolder(Function &F, PassContext &PC)
      : F(F), Requests(F.getContext(), PC.getTargetKeys()),
        Rules(F.getContext(), PC.getTargetKeys()), R(F), Fixed(F) {
    R.keepResultAnnotations();
  }

  /// Returns the number of folded multiplications.
  unsigned run();

private:
  void findRequests(ArrayRef<Operation *> Operations);
  void request(const Value *V, const ScaleRequest &Request);
  bool startScale(Operation *Product);
  void scale(Operation *Op, unsigned Index);

  Function &F;
  OpHooks<ForwardScaleRequest> Requests;
  OpHooks<ForwardScaleRule> Rules;
  Rewriter R;
  FixedScales Fixed;
  /// The scale that all visited users of a value accept.
  llvm::DenseMap<const Value *, ScaleRequest> Requested;
  /// The values that are computed without their scale.
  llvm::DenseMap<const Value *, ScaledValue> Scaled;
};

} // namespace

/// Notes that a user of \p V accepts scales by \p Request, possibly none.
void ForwardFolder::request(const Value *V, const ScaleRequest &Request) {
  auto [Known, IsFirst] = Requested.try_emplace(V, Request);
  if (IsFirst)
    return;
  ScaleRequest &All = Known->second;
  if (All.Axes != Request.Axes)
    All.Axes.clear();
  All.MustBePositive |= Request.MustBePositive;
  All.IsDivisor |= Request.IsDivisor;
}

/// Asks users before operands. Results of regions and bound operations keep
/// their scale.
void ForwardFolder::findRequests(ArrayRef<Operation *> Operations) {
  request(F.getBody().getResult(), {});
  for (Operation *Op : llvm::reverse(Operations)) {
    for (Block &Inner : Op->getRegions())
      request(Inner.getResult(), {});
    OperandRequest Request;
    if (auto Hook = Requests.lookup(*Op); Hook && Rules.lookup(*Op))
      Request =
          Hook(*Op, Op->isBound() ? ScaleRequest() : Requested.lookup(Op));
    for (auto [I, Operand] : llvm::enumerate(Op->operands()))
      request(Operand, I == Request.Index ? Request.Request : ScaleRequest());
  }
}

/// Makes the scale of \p Product, a multiplication, one that its users fold.
bool ForwardFolder::startScale(Operation *Product) {
  const ScaleRequest Request = Requested.lookup(Product);
  if (!Request || Product->isBound())
    return false;
  for (unsigned Data : {0, 1}) {
    if (!isScaled(*Product, Data, Request) ||
        Fixed.contains(*Product, 1 - Data))
      continue;
    if (!R.startRewrite("fold-scale", Product))
      return false;
    R.setInsertionPoint(Product);
    Scaled[Product] = {Product->getOperand(Data),
                       createScale(R, *Product, Data, Request)};
    return true;
  }
  return false;
}

/// Creates \p Op without the scale of operand \p Index.
void ForwardFolder::scale(Operation *Op, unsigned Index) {
  R.noteRewrite("fold-scale");
  R.setInsertionPoint(Op);
  ForwardScale S = {*Op, Index, Scaled.lookup(Op->getOperand(Index))};
  R.setLoc(
      R.getContext().getLocations().fuse({Op->getLoc(), S.Operand.Scale.Loc}));
  ScaledValue New = Rules.lookup(*Op)(R, S);
  if (!New.V)
    return; // Op keeps the multiplication
  if (New.Scale.Factor)
    Scaled[Op] = std::move(New);
  else
    R.replaceOp(Op, New.V);
}

unsigned ForwardFolder::run() {
  SmallVector<Operation *, 0> Operations;
  bool HasProducts = false;
  walk(F, [&](Operation *Op) {
    Operations.push_back(Op);
    HasProducts |= isa<MultiplyOp>(Op);
  });
  if (!HasProducts)
    return 0;
  findRequests(Operations);
  unsigned NumFolded = 0;
  for (Operation *Op : Operations) {
    if (isa<MultiplyOp>(Op)) {
      NumFolded += startScale(Op);
      continue;
    }
    for (auto [I, Operand] : llvm::enumerate(Op->operands()))
      if (Scaled.contains(Operand)) {
        scale(Op, I);
        break;
      }
  }
  return NumFolded;
}

namespace {
class ForwardFoldScaleAxis
    : public ForwardFoldScaleAxisBase<ForwardFoldScaleAxis> {
public:
  using ForwardFoldScaleAxisBase::ForwardFoldScaleAxisBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    unsigned NumFolded = ForwardFolder(F, PC).run();
    NumScales += NumFolded;
    return preserved(NumFolded != 0);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createForwardFoldScaleAxisPass() {
  return std::make_unique<ForwardFoldScaleAxis>();
}
