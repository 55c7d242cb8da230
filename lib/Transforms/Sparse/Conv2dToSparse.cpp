//===- Conv2dToSparse.cpp - Convolutions with sparse weights --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLayers.h"
#include "relay/Ops/Conv.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

static MatrixExtents getMatrixExtents(Operation &Conv) {
  Value *Weight = Conv.getOperand(1);
  StringRef Layout = Conv.getAttrsAs<Conv2DAttrs>().kernelLayout();
  int64_t NumColumns = 1;
  for (char Axis : {'H', 'W', 'I'}) {
    Dim Extent = getExtent(Weight, Layout, Axis);
    if (!Extent.isConst())
      return {getExtent(Weight, Layout, 'O'), Dim()};
    NumColumns *= Extent.getInt();
  }
  return {getExtent(Weight, Layout, 'O'), Dim::get(NumColumns)};
}

namespace {
class Conv2dToSparse : public Conv2dToSparseBase<Conv2dToSparse> {
public:
  using Conv2dToSparseBase::Conv2dToSparseBase;

  LogicalResult initialize(Context &Ctx, const PassRegistry &) override {
    return checkForm(Ctx, "conv2d-to-sparse", getSparseConv2DForm(Options));
  }

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    SparseConv2DForm Form = getSparseConv2DForm(Options);
    SparseLayerKind Kind{
        "conv2d-to-sparse", [](Operation &Op) { return isa<Conv2DOp>(&Op); },
        [&](Operation &Op) { return findObstacle(Conv2DOp(&Op), Form); },
        getMatrixExtents,
        [&](Rewriter &R, Operation &Op, ArrayRef<Value *> Parts) {
          return createSparseConv2D(R, Form, Op.getOperand(0), Parts);
        }};
    FailureOr<unsigned> Number =
        replaceLayers(M, Kind, Options.WeightName, Options.WeightShape);
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
