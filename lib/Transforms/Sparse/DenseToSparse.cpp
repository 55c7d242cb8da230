//===- DenseToSparse.cpp - Dense layers with sparse weights ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLayers.h"
#include "TensorUtils.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Sparse.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

static std::string findDenseObstacle(Operation &Op) {
  DenseOp Dense(&Op);
  if (getRank(Dense.data()) != 2)
    return "the rank of the data is not 2";
  if (getDType(&Op) != getDType(Dense.data()) ||
      getDType(&Op) != getDType(Dense.weight()))
    return "the types of data, weight and result differ";
  return "";
}

namespace {
class DenseToSparse : public DenseToSparseBase<DenseToSparse> {
public:
  using DenseToSparseBase::DenseToSparseBase;

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    SparseLayerKind Kind{
        "dense-to-sparse", [](Operation &Op) { return isa<DenseOp>(&Op); },
        findDenseObstacle,
        [](Operation &Op) {
          const TensorType *T = getTensor(Op.getOperand(1));
          return T && T->getRank() == 2
                     ? MatrixExtents{T->getDim(0), T->getDim(1)}
                     : MatrixExtents();
        },
        [](Rewriter &R, Operation &Op, ArrayRef<Value *> Parts) -> Value * {
          return R.create<SparseDenseOp>(Op.getOperand(0), Parts[0], Parts[1],
                                         Parts[2]);
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
relay::createDenseToSparsePass(DenseToSparseOptions Options) {
  return std::make_unique<DenseToSparse>(std::move(Options));
}
