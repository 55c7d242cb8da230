//===- Legalizations.cpp - Quantized products for targets -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adapts qnn.conv2d, qnn.dense and qnn.conv2d_transpose to the data types that
// targets multiply fast: other types of 8 bits, or int16 without zero points.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"
#include "relay/Pass/Target.h"
#include "llvm/TargetParser/Triple.h"

using namespace relay;

static bool isByte(DType T) {
  return T == DType::getInt(8) || T == DType::getUInt(8);
}

//===----------------------------------------------------------------------===//
// int16
//===----------------------------------------------------------------------===//

/// Returns true if \p ZeroPoint is a vector that may have one number for all
/// positions of \p Axis of \p V.
static bool isBroadcast(const Value *ZeroPoint, const Value *V, int64_t Axis) {
  auto *T = cast<TensorType>(ZeroPoint->getType());
  auto *Shifted = cast<TensorType>(V->getType());
  if (T->getRank() != 1 || Axis >= Shifted->getRank())
    return false;
  Dim Length = T->getDim(0);
  return !Length.isConst() ||
         (Length.isConst(1) && !Shifted->getDim(Axis).isConst(1));
}

/// Returns true if all numbers of the type of \p V, minus \p ZeroPoint, fit
/// int16. An unknown zero point may be any number of the type.
static bool fitsInt16(const Value *V, const Value *ZeroPoint) {
  DType T = getDType(V);
  const ConstantData *Data = getKnownData(ZeroPoint);
  if (!Data || T.getBits() > 16)
    return isByte(T);
  int64_t Range = int64_t(1) << T.getBits();
  int64_t Min = T.isInt() ? -Range / 2 : 0, Max = Min + Range - 1;
  for (size_t I = 0, E = Data->getNumElements(); I != E; ++I)
    if (!llvm::isInt<16>(Min - Data->getInt(I)) ||
        !llvm::isInt<16>(Max - Data->getInt(I)))
      return false;
  return true;
}

/// \p V in \p T minus \p ZeroPoint, a scalar, or a vector along \p Axis.
static Value *shiftTo(Builder &B, DType T, Value *V, Value *ZeroPoint,
                      int64_t Axis) {
  V = B.create<CastOp>(V, T);
  Value *Offset = B.create<CastOp>(ZeroPoint, T);
  if (getRank(Offset) == 0 || isBroadcast(Offset, V, Axis))
    return B.create<SubtractOp>(V,
                                expandAlongAxis(B, Offset, Axis, getRank(V)));
  return B.create<BiasAddOp>(V, B.create<NegativeOp>(Offset), Axis);
}

/// Returns true if \p ZeroPoint is not a vector with a number for each position
/// of \p Axis of \p Weight, such as one for each channel of a depthwise
/// convolution with several channels for each group.
static bool isAlongOtherAxis(const TensorType *ZeroPoint,
                             const TensorType *Weight, int64_t Axis) {
  if (ZeroPoint->getRank() != 1 || Axis >= Weight->getRank())
    return false;
  Dim Length = ZeroPoint->getDim(0), Extent = Weight->getDim(Axis);
  return Length.isConst() && Extent.isConst() && !Length.isConst(1) &&
         Length != Extent;
}

/// The nn.conv2d or nn.dense of the data and the weight of \p Product, shifted
/// to int16, or to int32 if differences do not fit int16. \p Axis is that of
/// the weight's zero points.
template <typename NewOp, typename OpT>
static FailureOr<Value *> legalizeToInt16(Rewriter &R, QnnLowering &Op,
                                          OpT Product, int64_t Axis) {
  for (unsigned I = 0; I != 4; ++I)
    if (!Op.getTensor(I))
      return nullptr;
  if (Op.getTensor(3)->getRank() > 1)
    return Op.emitError("'weight_zero_point' is of type " +
                        toString(Op.getTensor(3)) +
                        ", expected a number or a vector");
  if (isAlongOtherAxis(Op.getTensor(3), Op.getTensor(1), Axis))
    return Op.getOp();
  if (!Op.start(R))
    return nullptr;
  bool Fits = fitsInt16(Product.data(), Product.inputZeroPoint()) &&
              fitsInt16(Product.weight(), Product.weightZeroPoint());
  DType T = DType::getInt(Fits ? 16 : 32);
  // The zero point of the data is one number.
  Value *Data =
      shiftTo(R, T, Product.data(), Product.inputZeroPoint(), /*Axis=*/1);
  Value *Weight =
      shiftTo(R, T, Product.weight(), Product.weightZeroPoint(), Axis);
  Value *V = R.create<NewOp>(Data, Weight, &Product.attrs());
  return V;
}

static FailureOr<Value *> legalizeConv2DToInt16(Rewriter &R, QnnLowering &Op) {
  QnnConv2DOp Conv(Op.getOp());
  size_t Axis = Conv.attrs().kernelLayout().find('O');
  if (Axis == StringRef::npos)
    return nullptr;
  return legalizeToInt16<Conv2DOp>(R, Op, Conv, int64_t(Axis));
}

static FailureOr<Value *> legalizeDenseToInt16(Rewriter &R, QnnLowering &Op) {
  return legalizeToInt16<DenseOp>(R, Op, QnnDenseOp(Op.getOp()), /*Axis=*/0);
}

FailureOr<Value *> relay::legalizeConv2DTranspose(Rewriter &R,
                                                  QnnLowering &Op) {
  QnnConv2DTransposeOp Conv(Op.getOp());
  size_t Axis = Conv.attrs().kernelLayout().find('O');
  if (Axis == StringRef::npos)
    return nullptr;
  return legalizeToInt16<Conv2DTransposeOp>(R, Op, Conv, int64_t(Axis));
}

//===----------------------------------------------------------------------===//
// Other types of 8 bits
//===----------------------------------------------------------------------===//

/// Moves \p Data, int8 or uint8, and its zero point to the other type.
static void moveBytes(Builder &B, Value *&Data, Value *&ZeroPoint, DType To) {
  DType Int32 = DType::getInt(32);
  int64_t Offset = To.isInt() ? -128 : 128;
  Data =
      B.create<AddOp>(B.create<CastOp>(Data, Int32), B.constant(Int32, Offset));
  Data = B.create<CastOp>(Data, To);
  if (std::optional<int32_t> Number = getZeroPoint(ZeroPoint))
    ZeroPoint = B.constant(Int32, *Number + Offset);
  else
    ZeroPoint = B.create<AddOp>(ZeroPoint, B.constant(Int32, Offset));
}

/// The same product of data of type \p DataType and a weight of \p WeightType.
/// Operands that are not of 8 bits stay.
static FailureOr<Value *> changeBytes(Rewriter &R, QnnLowering &Op,
                                      DType DataType, DType WeightType) {
  const TensorType *Data = Op.getTensor(0), *Weight = Op.getTensor(1);
  if (!Data || !Weight)
    return nullptr;
  bool MovesData = isByte(Data->getDType()) && Data->getDType() != DataType;
  bool MovesWeight =
      isByte(Weight->getDType()) && Weight->getDType() != WeightType;
  if (!MovesData && !MovesWeight)
    return Op.getOp();
  if (!Op.start(R))
    return nullptr;
  SmallVector<Value *, 6> Operands(Op.getOp()->operands());
  if (MovesData)
    moveBytes(R, Operands[0], Operands[2], DataType);
  if (MovesWeight)
    moveBytes(R, Operands[1], Operands[3], WeightType);
  return R.createOperation(Op.getOp()->getInfo(), Operands,
                           Op.getOp()->getAttrs());
}

FailureOr<Value *> relay::legalizeToInt8(Rewriter &R, QnnLowering &Op) {
  return changeBytes(R, Op, DType::getInt(8), DType::getInt(8));
}

/// The data follows the type of the weight.
FailureOr<Value *> relay::legalizeToSameType(Rewriter &R, QnnLowering &Op) {
  const TensorType *Weight = Op.getTensor(1);
  if (!Weight)
    return nullptr;
  if (!isByte(Weight->getDType()))
    return Op.getOp();
  return changeBytes(R, Op, Weight->getDType(), Weight->getDType());
}

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

/// Processors with SSE4.2 multiply uint8 by int8; others are faster in int16.
template <typename ToInt16Fn>
static FailureOr<Value *> legalizeForX86(Rewriter &R, QnnLowering &Op,
                                         ToInt16Fn ToInt16) {
  if (hasX86Feature(Op.getTarget(), "sse4.2"))
    return changeBytes(R, Op, DType::getUInt(8), DType::getInt(8));
  return ToInt16(R, Op);
}

FailureOr<Value *> relay::legalizeConv2DForCPU(Rewriter &R, QnnLowering &Op) {
  return legalizeForX86(R, Op, legalizeConv2DToInt16);
}
FailureOr<Value *> relay::legalizeDenseForCPU(Rewriter &R, QnnLowering &Op) {
  return legalizeForX86(R, Op, legalizeDenseToInt16);
}

/// Returns true if \p T has vectors (ASIMD), but no products of vectors of
/// bytes.
static bool lacksByteProducts(const Target *T) {
  if (!T || hasListedFeature(T, "dotprod"))
    return false;
  auto Text = T->getOption<std::optional<std::string>>("mtriple");
  return hasListedFeature(T, "neon") ||
         llvm::Triple(Text.value_or("")).isAArch64();
}

/// Returns true if the axis \p Name of operand \p I has the length \p N.
static bool hasExtent(const QnnLowering &Op, unsigned I, StringRef Layout,
                      char Name, int64_t N) {
  const TensorType *T = Op.getTensor(I);
  size_t Axis = Layout.find(Name);
  return T && Axis < T->getRank() && T->getDim(Axis).isConst(N);
}

/// Returns true if each channel is convolved to one channel of the result. As
/// in TVM, that includes a single channel.
static bool isDepthwise(const QnnLowering &Op, const Conv2DAttrs &A) {
  return hasExtent(Op, 0, A.dataLayout(), 'C', A.groups()) &&
         hasExtent(Op, 1, A.kernelLayout(), 'O', A.groups());
}

FailureOr<Value *> relay::legalizeConv2DForArm(Rewriter &R, QnnLowering &Op) {
  const Conv2DAttrs &A = QnnConv2DOp(Op.getOp()).attrs();
  bool HasByteKernel = !isDepthwise(Op, A) && A.dataLayout() == "NHWC";
  if (!HasByteKernel && lacksByteProducts(Op.getTarget()))
    return legalizeConv2DToInt16(R, Op);
  return legalizeToSameType(R, Op);
}

FailureOr<Value *> relay::legalizeDenseForArm(Rewriter &R, QnnLowering &Op) {
  if (lacksByteProducts(Op.getTarget()))
    return legalizeDenseToInt16(R, Op);
  return legalizeToSameType(R, Op);
}
