//===- FakeQuantizationProducts.cpp - Rules of products -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of convolutions, products of matrices and their bias. The scale
// of the result is the product of the scales of both operands.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/QNN/FakeQuantization.h"

using namespace relay;

static constexpr DType Accumulator = DType::getInt(32);

/// Returns the affine type of the product of \p X and \p W along \p Axis.
static AffineType getProductType(AffineBuilder &B, const AffineType &X,
                                 const AffineType &W, int64_t Axis) {
  AffineType T;
  T.Scale = B.createFolded<MultiplyOp>(B.fold(X.Scale), B.fold(W.Scale));
  T.ZeroPoint =
      B.createFolded<CastOp>(B.createFolded<ZerosLikeOp>(T.Scale), Accumulator);
  T.ElementType = Accumulator;
  T.Axis = Axis;
  return T;
}

/// Checks that both operands are quantized, and that scales of the weight vary
/// along its axis \p Channels only.
static LogicalResult checkOperands(FakeQuantizedOp &Q, int64_t Channels) {
  const AffineType *W = Q.getType(1);
  if (!Q.getType(0) || !W)
    return Q.refuse("an operand is not quantized"), failure();
  auto *T = dyn_cast_or_null<TensorType>(Q.getOperand(1)->getType());
  if (!W->isPerAxis() || !T)
    return success();
  int64_t Axis = getPosition(W->Axis, T->getRank());
  if (Axis != Channels)
    return Q.refuse("the scales of its weight vary along axis " + Twine(Axis) +
                    "; expected axis " + Twine(Channels)),
           failure();
  return success();
}

/// Creates \p OpT with the converted operands.
template <typename OpT, typename AttrsT>
static Value *createProduct(AffineBuilder &B, FakeQuantizedOp &Q,
                            const AttrsT *A) {
  const AffineType &X = *Q.getType(0), &W = *Q.getType(1);
  return B.create<OpT>(Q.getOperand(0), Q.getOperand(1), X.ZeroPoint,
                       W.ZeroPoint, X.Scale, W.Scale, A);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Returns the axis of the channels in \p LayoutText, a permutation of NCHW;
/// none for other layouts. If the scale does not vary along it, returns the
/// number that TVM's affine type has instead, which matters to comparisons
/// only: the place in NCHW of the second axis.
static std::optional<int64_t> getResultChannelAxis(StringRef LayoutText,
                                                   bool IsPerAxis) {
  static constexpr StringLiteral Canonical = "NCHW";
  auto L = Layout::parse(LayoutText);
  if (!L || L->isBlocked() || !L->hasSameAxes(*Layout::parse(Canonical)))
    return std::nullopt;
  if (IsPerAxis)
    return L->indexOf('C');
  return Canonical.find(LayoutText[1]);
}

/// Converts a convolution to \p QnnOpT; the weight's channels of the result are
/// the axis O of its layout.
template <typename QnnOpT, typename AttrsT>
static AffineValue quantizeConv(AffineBuilder &B, FakeQuantizedOp &Q,
                                const AttrsT &A) {
  auto Kernel = Layout::parse(A.kernelLayout());
  auto Padding = getSidePadding(A.padding());
  if (!Kernel || !Padding)
    return Q.refuse("its layout or its padding is not supported");
  if (failed(checkOperands(Q, Kernel->indexOf('O'))))
    return AffineValue();
  auto Axis = getResultChannelAxis(
      A.outLayout().empty() ? A.dataLayout() : A.outLayout(),
      Q.getType(0)->isPerAxis() || Q.getType(1)->isPerAxis());
  if (!Axis)
    return Q.refuse("its layout is not a permutation of NCHW");
  auto Attributes = A.toBuilder(Q.getContext());
  Attributes.padding(*Padding).outDtype(Accumulator);
  Value *V = createProduct<QnnOpT>(B, Q, Attributes.get());
  return {V, getProductType(B, *Q.getType(0), *Q.getType(1), *Axis)};
}

AffineValue relay::quantizeConv2D(AffineBuilder &B, FakeQuantizedOp &Q) {
  return quantizeConv<QnnConv2DOp>(B, Q, Conv2DOp(Q.getOp()).attrs());
}

AffineValue relay::quantizeConv2DTranspose(AffineBuilder &B,
                                           FakeQuantizedOp &Q) {
  return quantizeConv<QnnConv2DTransposeOp>(
      B, Q, Conv2DTransposeOp(Q.getOp()).attrs());
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// The result is quantized along its last axis; TVM's number is 1.
AffineValue relay::quantizeDense(AffineBuilder &B, FakeQuantizedOp &Q) {
  if (failed(checkOperands(Q, 0)))
    return AffineValue();
  auto *Data = dyn_cast_or_null<TensorType>(Q.getOperand(0)->getType());
  if (!Data)
    return Q.refuse("its operand has no type");
  int64_t Axis =
      Q.getType(1)->isPerAxis() ? int64_t(Data->getRank()) - 1 : int64_t(1);
  auto Attributes = DenseOp(Q.getOp()).attrs().toBuilder(Q.getContext());
  Value *V =
      createProduct<QnnDenseOp>(B, Q, Attributes.outDtype(Accumulator).get());
  return {V, getProductType(B, *Q.getType(0), *Q.getType(1), Axis)};
}

AffineValue relay::quantizeBatchMatmul(AffineBuilder &B, FakeQuantizedOp &Q) {
  const BatchMatmulAttrs &A = BatchMatmulOp(Q.getOp()).attrs();
  if (A.transposeA() || !A.transposeB())
    return Q.refuse("it does not transpose its second operand only");
  const AffineType *X = Q.getType(0), *Y = Q.getType(1);
  if (!X || !Y)
    return Q.refuse("an operand is not quantized");
  Value *V = createProduct<QnnBatchMatmulOp>(
      B, Q, A.toBuilder(Q.getContext()).outDtype(Accumulator).get());
  AffineType T;
  T.Scale = B.createFolded<MultiplyOp>(B.fold(X->Scale), B.fold(Y->Scale));
  T.ZeroPoint = B.constant(Accumulator, 0);
  T.ElementType = Accumulator;
  T.Axis = X->Axis;
  return {V, T};
}

//===----------------------------------------------------------------------===//
// Bias
//===----------------------------------------------------------------------===//

/// Returns the type of a bias for integers of type \p Data. It has the same
/// scale but no zero point, which the sum would count twice.
static AffineType getBiasType(AffineBuilder &B, const AffineType &Data) {
  AffineType T = Data;
  T.Axis = 0;
  if (Data.ElementType == Accumulator && B.isZero(Data.ZeroPoint))
    return T;
  T.ZeroPoint = B.constant(Accumulator, 0);
  T.ElementType = Accumulator;
  return T;
}

/// Returns operand 1 of a nn.bias_add in the type \p To; null if it cannot be
/// converted.
static Value *convertBias(AffineBuilder &B, FakeQuantizedOp &Q,
                          const AffineType &To) {
  Value *Bias = Q.getOperand(1);
  const AffineType *T = Q.getType(1);
  if (!T) {
    const ConstantData *C = getKnownData(Bias);
    if (!C || !C->getDType().isAnyFloat())
      return nullptr;
    Bias = B.quantize(Bias, To, /*Axis=*/0);
    Q.noteConstant(1, Bias, To);
    return Bias;
  }
  std::optional<bool> IsSame = B.isClose(To, *T);
  if (!IsSame)
    return nullptr;
  if (*IsSame)
    return Bias;
  AffineType From = *T;
  From.Axis = 0;
  return B.requantize(Bias, From, B.fold(To.Scale), B.fold(To.ZeroPoint),
                      To.ElementType);
}

/// The sum is int32, which does not wrap around for data of 8 or 16 bits.
AffineValue relay::quantizeBiasAdd(AffineBuilder &B, FakeQuantizedOp &Q) {
  if (!Q.getType(0))
    return Q.refuse("its operand is not quantized");
  AffineType T = *Q.getType(0);
  Value *Bias = convertBias(B, Q, getBiasType(B, T));
  if (!Bias)
    return Q.refuse("its bias is neither quantized like the data nor a "
                    "constant of floats");
  Value *Data = Q.getOperand(0);
  if (T.ElementType != Accumulator)
    Data = B.create<CastOp>(Data, Accumulator);
  T.ElementType = Accumulator;
  return {B.create<BiasAddOp>(Data, Bias, &BiasAddOp(Q.getOp()).attrs()), T};
}
