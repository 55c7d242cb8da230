//===- FoldDoubleRelu.cpp - A pass of a program's own ---------------------===//
//
// A pass without TableGen: its PassInfo is written by hand.
//
//===----------------------------------------------------------------------===//

#include "embedding.h"
#include "relay/Ops/NN.h"
#include "relay/Pattern/Rewrite/PatternRewrite.h"

using namespace relay;

const PassInfo FoldDoubleReluInfo = {"FoldDoubleRelu", "fold-double-relu",
                                     PassUnit::Function};

namespace {
class FoldDoubleRelu final : public FunctionPass {
public:
  FoldDoubleRelu() : FunctionPass(FoldDoubleReluInfo) {}
  void printPipeline(raw_ostream &OS) const override {
    OS << getInfo().Argument;
  }
  std::unique_ptr<Pass> clone() const override {
    return std::make_unique<FoldDoubleRelu>();
  }

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Pattern X = wildcard();
    auto Fold = [=](const PatternMatch &M, Rewriter &R) -> Value * {
      return R.create<ReluOp>(M.lookup(X));
    };
    auto Rewrites = PatternRewrites::get(
        F.getContext(), {{"fold", isOp<ReluOp>()(isOp<ReluOp>()(X)), Fold}});
    if (failed(Rewrites))
      return failure();
    FailureOr<unsigned> Count = Rewrites->run(F);
    if (failed(Count))
      return failure();
    return *Count ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};
} // namespace

std::unique_ptr<FunctionPass> createFoldDoubleReluPass() {
  return std::make_unique<FoldDoubleRelu>();
}
