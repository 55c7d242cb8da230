//===- ProductCanonicalization.cpp - Products of quantized matrices -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers qnn.dense and qnn.batch_matmul. The product of (x - a) and (w - b),
// summed over k, is four terms. Terms with a zero point of 0 are left out:
//
//   sum(x * w) - b * sum(x) - a * sum(w) + k * a * b
//
//===----------------------------------------------------------------------===//

#include "QnnTerms.h"
#include "QnnUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

bool ProductZeroPoints::areKnown() const {
  return getZeroPoint(Data) && getZeroPoint(Weight);
}

bool ProductZeroPoints::needDataTerm() const {
  return !areKnown() || !isZeroPointOf(Weight, 0);
}

bool ProductZeroPoints::needWeightTerm() const {
  return !areKnown() || !isZeroPointOf(Data, 0);
}

Value *ProductZeroPoints::createKnownTerm(Builder &B, int64_t Count) const {
  auto Product = uint32_t(*getZeroPoint(Data)) *
                 uint32_t(*getZeroPoint(Weight)) * uint32_t(Count);
  return B.constant(DType::getInt(32), int64_t(int32_t(Product)));
}

Value *relay::combineTerms(Builder &B, const ProductTerms &Terms) {
  Value *V = Terms.Product;
  if (Terms.DataTerm)
    V = B.create<SubtractOp>(V, Terms.DataTerm);
  if (!Terms.ConstantTerm)
    return Terms.WeightTerm ? B.create<SubtractOp>(V, Terms.WeightTerm) : V;
  return B.create<AddOp>(
      V, B.create<SubtractOp>(Terms.ConstantTerm, Terms.WeightTerm));
}

FailureOr<int64_t> relay::getExtent(const QnnLowering &Op, unsigned I,
                                    unsigned Axis) {
  Dim Extent = Op.getTensor(I)->getDim(Axis);
  if (Extent.isConst())
    return Extent.getInt();
  return Op.emitError("dimension " + Twine(Axis) + " of '" +
                      Op.getOp()->getInfo().OperandNames[I] +
                      "' is not known, in " + toString(Op.getTensor(I)));
}

LogicalResult relay::checkResultOfTerms(const QnnLowering &Op,
                                        const ProductZeroPoints &Zero) {
  DType T = getDType(Op.getOp());
  if (T == DType::getInt(32) || !(Zero.needDataTerm() || Zero.needWeightTerm()))
    return success();
  return Op.emitError("the result is of " + T.str() +
                      ", expected int32 unless both zero points are 0");
}

LogicalResult relay::checkWeightZeroPoint(const QnnLowering &Op,
                                          int64_t Channels) {
  const TensorType *T = Op.getTensor(3);
  if (T && T->getDType() != DType::getInt(32))
    return Op.emitError("'weight_zero_point' is of " + T->getDType().str() +
                        ", expected int32");
  if (T && (T->isScalar() ||
            (T->getRank() == 1 && (!T->isStatic() || T->getDim(0).isConst(1) ||
                                   T->getDim(0).isConst(Channels)))))
    return success();
  return Op.emitError("'weight_zero_point' is of type " +
                      toString(Op.getOp()->getOperand(3)->getType()) +
                      ", expected a number or a vector of " + Twine(Channels));
}

/// The sums of \p V in int32 along \p Axis.
static Value *sumAlong(Builder &B, Value *V, int64_t Axis, bool Keepdims) {
  V = B.create<CastOp>(V, DType::getInt(32));
  if (Keepdims)
    return B.create<SumOp>(V, ArrayRef<int64_t>(Axis), /*Keepdims=*/true);
  return B.create<SumOp>(V, ArrayRef<int64_t>(Axis));
}

namespace {
/// Creates the terms of qnn.dense and qnn.batch_matmul.
class MatrixTerms {
public:
  MatrixTerms(Builder &B, Operation *Op, int64_t Extent)
      : B(B), Data(Op->getOperand(0)), Weight(Op->getOperand(1)),
        Zero(Op->getOperand(2), Op->getOperand(3)), Extent(Extent) {}

  const ProductZeroPoints &getZeroPoints() const { return Zero; }

  /// weight's zero point * sum(data), repeated \p NumRepeats times if it is
  /// not 0: for zero points that may be vectors.
  Value *createDataTerm(int64_t NumRepeats) {
    int64_t Axis = int64_t(getRank(Data)) - 1;
    Value *Sums = sumAlong(B, Data, Axis, /*Keepdims=*/true);
    if (NumRepeats)
      Sums = B.create<RepeatOp>(Sums, NumRepeats, Axis);
    return B.create<MultiplyOp>(Zero.Weight, Sums);
  }
  /// data's zero point * sum(weight).
  Value *createWeightTerm(bool Keepdims) {
    int64_t Axis = int64_t(getRank(Weight)) - 1;
    return B.create<MultiplyOp>(Zero.Data, sumAlong(B, Weight, Axis, Keepdims));
  }
  /// The product of the zero points and of the extent that is summed over.
  Value *createConstantTerm() {
    if (Zero.areKnown())
      return Zero.createKnownTerm(B, Extent);
    return B.create<MultiplyOp>(B.create<MultiplyOp>(Zero.Data, Zero.Weight),
                                B.constant(DType::getInt(32), Extent));
  }

private:
  Builder &B;
  Value *Data, *Weight;
  ProductZeroPoints Zero;
  int64_t Extent;
};
} // namespace

FailureOr<Value *> relay::canonicalizeQnnDense(Rewriter &R, QnnLowering &Op) {
  QnnDenseOp Dense(Op.getOp());
  const TensorType *Data = Op.getTensor(0);
  if (!Data || !Op.getTensor(1))
    return nullptr;
  FailureOr<int64_t> Extent = getExtent(Op, 0, Data->getRank() - 1);
  if (failed(Extent))
    return failure();
  FailureOr<int64_t> Units = getExtent(Op, 1, 0);
  if (failed(Units) || failed(checkWeightZeroPoint(Op, *Units)))
    return failure();
  MatrixTerms Create(R, Op.getOp(), *Extent);
  if (failed(checkResultOfTerms(Op, Create.getZeroPoints())))
    return failure();
  if (!Op.start(R))
    return nullptr;
  ProductTerms Terms;
  Terms.Product =
      R.create<DenseOp>(Dense.data(), Dense.weight(), &Dense.attrs());
  if (Create.getZeroPoints().needDataTerm())
    Terms.DataTerm = Create.createDataTerm(
        getZeroPoint(Dense.weightZeroPoint()) ? 0 : *Units);
  if (Create.getZeroPoints().needWeightTerm())
    Terms.WeightTerm = Create.createWeightTerm(/*Keepdims=*/false);
  if (Terms.DataTerm && Terms.WeightTerm)
    Terms.ConstantTerm = Create.createConstantTerm();
  return combineTerms(R, Terms);
}

FailureOr<Value *> relay::canonicalizeQnnBatchMatmul(Rewriter &R,
                                                     QnnLowering &Op) {
  QnnBatchMatmulOp Matmul(Op.getOp());
  if (!Op.getTensor(0) || !Op.getTensor(1))
    return nullptr;
  const BatchMatmulAttrs &A = Matmul.attrs();
  if (A.transposeA() || !A.transposeB())
    return Op.emitError("expected transpose_a=False and transpose_b=True");
  FailureOr<int64_t> Extent = getExtent(Op, 0, 2);
  if (failed(Extent))
    return failure();
  FailureOr<int64_t> Columns = getExtent(Op, 1, 1);
  if (failed(Columns))
    return failure();
  MatrixTerms Create(R, Op.getOp(), *Extent);
  if (failed(checkResultOfTerms(Op, Create.getZeroPoints())))
    return failure();
  if (!Op.start(R))
    return nullptr;
  ProductTerms Terms;
  Terms.Product = R.create<BatchMatmulOp>(Matmul.x(), Matmul.y(), &A);
  if (Create.getZeroPoints().needDataTerm())
    Terms.DataTerm = Create.createDataTerm(/*NumRepeats=*/0);
  if (Create.getZeroPoints().needWeightTerm()) // [batch, n, 1] -> [batch, 1, n]
    Terms.WeightTerm = R.create<ReshapeOp>(
        Create.createWeightTerm(/*Keepdims=*/true), {0, 1, *Columns});
  if (Terms.DataTerm && Terms.WeightTerm)
    Terms.ConstantTerm = Create.createConstantTerm();
  return combineTerms(R, Terms);
}

FailureOr<Value *> relay::refuseQnnDensePack(Rewriter &, QnnLowering &Op) {
  return Op.emitError("TVM does not define a lowering");
}
