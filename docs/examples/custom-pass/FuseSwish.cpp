// multiply(x, sigmoid(x)), operands in either order, becomes custom.swish(x).

#include "Custom.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"

using namespace relay;

/// The sigmoid among the operands of \p Product that is of the other operand.
static SigmoidOp getOwnSigmoid(MultiplyOp Product) {
  auto Lhs = dyn_cast<SigmoidOp>(Product.lhs());
  if (Lhs && Lhs.data() == Product.rhs())
    return Lhs;
  auto Rhs = dyn_cast<SigmoidOp>(Product.rhs());
  return Rhs && Rhs.data() == Product.lhs() ? Rhs : SigmoidOp();
}

namespace {
class FuseSwish : public custom::FuseSwishBase<FuseSwish> {
public:
  using FuseSwishBase::FuseSwishBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    walk(F, [&](Operation *Op) {
      auto Product = dyn_cast<MultiplyOp>(Op);
      SigmoidOp Sigmoid = Product ? getOwnSigmoid(Product) : SigmoidOp();
      if (!Sigmoid || (Options.KeepShared && !Sigmoid->hasOneUse()))
        return;
      if (!R.startRewrite("fuse-swish", Op))
        return;
      R.replaceOpWithNew<SwishOp>(Op, Sigmoid.data());
      ++NumFused;
    });
    return preserved(R.getNumRewrites() != 0);
  }
};
} // namespace

std::unique_ptr<Pass> custom::createFuseSwishPass(FuseSwishOptions Options) {
  return std::make_unique<FuseSwish>(Options);
}
