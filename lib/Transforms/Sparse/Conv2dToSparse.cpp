//===- Conv2dToSparse.cpp - Convolutions with sparse weights --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLayers.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Sparse.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {
class Conv2dToSparse : public Conv2dToSparseBase<Conv2dToSparse> {
public:
  using Conv2dToSparseBase::Conv2dToSparseBase;

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    StringRef Layout =
        Options.Layout == Conv2dToSparseOptions::LayoutValue::NHWC ? "NHWC"
                                                                   : "NCHW";
    FailureOr<SparseWeights> Weights =
        SparseWeights::parse(M.getContext(), "conv2d-to-sparse",
                             Options.WeightName, Options.WeightShape);
    if (failed(Weights))
      return failure();
    auto FindObstacle = [&](Operation &Op) {
      return findConv2DObstacle(Conv2DOp(&Op), Layout, Options.KernelSize);
    };
    auto Create = [&](Rewriter &R, Operation &Op,
                      ArrayRef<Value *> Parts) -> Value * {
      return R.create<SparseConv2DOp>(
          Op.getOperand(0), Parts[0], Parts[1], Parts[2], Layout,
          DimListArg({Options.KernelSize, Options.KernelSize}));
    };
    SparseLayerKind Kind{
        "conv2d-to-sparse", [](Operation &Op) { return isa<Conv2DOp>(&Op); },
        FindObstacle,
        [](Operation &Op) {
          return getExtent(Op.getOperand(1),
                           Op.getAttrsAs<Conv2DAttrs>().kernelLayout(), 'O');
        },
        Create};
    FailureOr<unsigned> Number = replaceLayers(M, *Weights, Kind);
    if (failed(Number))
      return failure();
    NumLayers += *Number;
    return preserved(*Number != 0);
  }
};
} // namespace

std::unique_ptr<Pass>
relay::createConv2dToSparsePass(Conv2dToSparseOptions Options) {
  return std::make_unique<Conv2dToSparse>(std::move(Options));
}
