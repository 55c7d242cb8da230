//===- ElementwiseCanonicalization.cpp - Quantized arithmetic -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers sums, differences and products of quantized tensors, and leaky_relu,
// avg_pool2d and concatenate: operands change to the scale of the result, and
// int32 is computed with.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Tensor.h"
#include <cmath>

using namespace relay;

static DType getInt32() { return DType::getInt(32); }

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {
/// An operand of qnn.add, qnn.subtract or qnn.mul.
struct QuantizedOperand {
  /// The axis of scale and zero point if they are vectors; a vector has one.
  int64_t getAxis() const { return getRank(Data) == 1 ? 0 : Axis; }
  /// The number of dimensions after the axis.
  int64_t getNumAfter() const {
    int64_t Rank = getRank(Data);
    return Rank - 1 - getPosition(getAxis(), Rank);
  }

  Value *Data, *Scale, *ZeroPoint;
  int64_t Axis;
};

/// The operands of qnn.add, qnn.subtract or qnn.mul.
struct BinaryOperands {
  template <typename OpT>
  explicit BinaryOperands(OpT Op)
      : Lhs{Op.lhs(), Op.lhsScale(), Op.lhsZeroPoint(), Op.attrs().lhsAxis()},
        Rhs{Op.rhs(), Op.rhsScale(), Op.rhsZeroPoint(), Op.attrs().rhsAxis()},
        Scale(Op.outputScale()), ZeroPoint(Op.outputZeroPoint()) {}

  const TensorType *getLhsType() const {
    return cast<TensorType>(Lhs.Data->getType());
  }

  QuantizedOperand Lhs, Rhs;
  Value *Scale, *ZeroPoint; ///< of the result
};
} // namespace

/// Reports data that is not of integers.
static LogicalResult checkIntegers(const QnnLowering &Op) {
  DType T = Op.getTensor(0)->getDType();
  if (!T.isBool() && (T.isInt() || T.isUInt()) && T.getBits() <= 32)
    return success();
  return Op.emitError("the data is of " + T.str() +
                      ", expected integers of up to 32 bits");
}

/// The change of the scale of \p From, \p Name of \p Op, to that of the
/// result.
static FailureOr<ScaleChange> readOperandChange(const QnnLowering &Op,
                                                const BinaryOperands &Operands,
                                                const QuantizedOperand &From,
                                                const Twine &Name) {
  FailureOr<ScaleChange> C =
      readChangeOrIdentity(Op, From.Scale, From.ZeroPoint, Operands.Scale,
                           Operands.ZeroPoint, Name + "_scale");
  if (succeeded(C)) {
    C->Axis = From.getAxis();
    C->RoundingShape = Operands.getLhsType();
  }
  return C;
}

/// The lowering of OpT to CombineOp of both operands in the scale of the
/// result. That counts the zero point of the result once too often (qnn.add) or
/// not at all (qnn.subtract): CorrectOp corrects it.
template <typename OpT, typename CombineOp, typename CorrectOp>
static FailureOr<Value *> canonicalizeSum(Rewriter &R, QnnLowering &Op) {
  if (!Op.getTensor(0) || !Op.getTensor(1))
    return nullptr;
  if (failed(checkIntegers(Op)))
    return failure();
  BinaryOperands Operands{OpT(Op.getOp())};
  auto Lhs = readOperandChange(Op, Operands, Operands.Lhs, "lhs");
  if (failed(Lhs))
    return failure();
  auto Rhs = readOperandChange(Op, Operands, Operands.Rhs, "rhs");
  if (failed(Rhs))
    return failure();
  if (!Op.start(R))
    return nullptr;
  Value *Left = changeScaleOrCast(R, Op, Operands.Lhs.Data, *Lhs);
  Value *Right = changeScaleOrCast(R, Op, Operands.Rhs.Data, *Rhs);
  Value *V = R.create<CombineOp>(Left, Right);
  if (!isZeroPointOf(Operands.ZeroPoint, 0))
    V = R.create<CorrectOp>(V, Operands.ZeroPoint);
  return saturate(R, V, Operands.getLhsType()->getDType());
}

FailureOr<Value *> relay::canonicalizeQnnAdd(Rewriter &R, QnnLowering &Op) {
  return canonicalizeSum<QnnAddOp, AddOp, SubtractOp>(R, Op);
}
FailureOr<Value *> relay::canonicalizeQnnSubtract(Rewriter &R,
                                                  QnnLowering &Op) {
  return canonicalizeSum<QnnSubtractOp, SubtractOp, AddOp>(R, Op);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The scales of the products of operands with scales \p L and \p S.
static Scales multiplyScales(const Scales &L, const Scales &S) {
  Scales Product;
  Product.IsVector = L.IsVector || S.IsVector;
  size_t Count = std::max(L.Numbers.size(), S.Numbers.size());
  auto Get = [](const Scales &From, size_t I) {
    return From.Numbers[From.Numbers.size() == 1 ? 0 : I];
  };
  for (size_t I = 0; I != Count; ++I)
    Product.Numbers.push_back(Get(L, I) * Get(S, I));
  return Product;
}

/// The data of \p From in int32, without the zero point.
static Value *shiftOperand(Builder &B, const QuantizedOperand &From,
                           bool HasVectorScale) {
  Value *V = B.create<CastOp>(From.Data, getInt32());
  if (isZeroPointOf(From.ZeroPoint, 0))
    return V;
  int64_t Axis = From.getAxis(), Rank = getRank(V);
  if (!HasVectorScale)
    return B.create<SubtractOp>(V,
                                expandAlongAxis(B, From.ZeroPoint, Axis, Rank));
  Value *ZeroPoint = reshapeAlongAxis(B, From.ZeroPoint, Axis, Rank);
  return B.create<SubtractOp>(V, B.create<CastOp>(ZeroPoint, getInt32()));
}

/// The axis of \p Product that the axis of its operand \p From becomes.
/// Negative numbers count from the end of either.
static int64_t getProductAxis(const QuantizedOperand &From,
                              const Value *Product) {
  if (From.Axis < 0)
    return getRank(From.Data) == 1 ? -1 : From.Axis;
  return int64_t(getRank(Product)) - 1 - From.getNumAfter();
}

/// The operand of a product whose scales are a vector, a longer one than those
/// of the other; the right one if both are scalars.
static const QuantizedOperand &getScaledOperand(const BinaryOperands &Operands,
                                                const Scales &Lhs,
                                                const Scales &Rhs) {
  bool IsLeft = Lhs.IsVector &&
                !(Rhs.IsVector && Rhs.Numbers.size() > Lhs.Numbers.size());
  return IsLeft ? Operands.Lhs : Operands.Rhs;
}

/// The change of the scale of products to that of the result. The axis is that
/// of the operand in \p Scaled.
static FailureOr<ScaleChange>
readProductChange(const QnnLowering &Op, const BinaryOperands &Operands,
                  const QuantizedOperand *&Scaled) {
  auto Lhs = readScaleChange(Op, Operands.Lhs.Scale, /*FromZeroPoint=*/nullptr,
                             Operands.Scale, Operands.ZeroPoint, "lhs_scale");
  if (failed(Lhs))
    return failure();
  auto RhsScales = readScales(Op, Operands.Rhs.Scale, "rhs_scale");
  if (failed(RhsScales))
    return failure();
  if (Lhs->From.Numbers.size() > 1 && RhsScales->Numbers.size() > 1 &&
      Operands.Lhs.getNumAfter() != Operands.Rhs.getNumAfter())
    return Op.emitError("'lhs_scale' and 'rhs_scale' lie along different axes");
  Scaled = &getScaledOperand(Operands, Lhs->From, *RhsScales);
  Lhs->From = multiplyScales(Lhs->From, *RhsScales);
  Lhs->RoundingShape = Operands.getLhsType();
  Lhs->Result = Operands.getLhsType()->getDType();
  return Lhs;
}

/// The product is exact in int32, with the product of the scales as its scale.
FailureOr<Value *> relay::canonicalizeQnnMul(Rewriter &R, QnnLowering &Op) {
  if (!Op.getTensor(0) || !Op.getTensor(1))
    return nullptr;
  if (failed(checkIntegers(Op)))
    return failure();
  BinaryOperands Operands{QnnMulOp(Op.getOp())};
  const QuantizedOperand *Scaled = nullptr;
  FailureOr<ScaleChange> C = readProductChange(Op, Operands, Scaled);
  if (failed(C))
    return failure();
  if (!Op.start(R))
    return nullptr;
  bool IsVector = C->From.IsVector;
  Value *Product =
      R.create<MultiplyOp>(shiftOperand(R, Operands.Lhs, IsVector),
                           shiftOperand(R, Operands.Rhs, IsVector));
  C->Axis = getProductAxis(*Scaled, Product);
  return changeScale(R, Op, Product, *C);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// alpha * data + (1 - alpha) * zero point where data is negative, in the scale
/// of the result.
FailureOr<Value *> relay::canonicalizeQnnLeakyRelu(Rewriter &R,
                                                   QnnLowering &Op) {
  QnnLeakyReluOp Relu(Op.getOp());
  if (!Op.getTensor(0))
    return nullptr;
  double Alpha = Relu.attrs().alpha();
  if (!std::isfinite(Alpha))
    return Op.emitError("'alpha' is not finite");
  FailureOr<ScaleChange> C = readScaleChange(
      Op, Relu.inputScale(), Relu.inputZeroPoint(), Relu.outputScale(),
      Relu.outputZeroPoint(), "input_scale");
  if (failed(C))
    return failure();
  if (!Op.start(R))
    return nullptr;
  Value *Data = R.create<CastOp>(Relu.data(), getInt32());
  C->FromZeroPoint = R.create<CastOp>(Relu.inputZeroPoint(), getInt32());
  C->ToZeroPoint = R.create<CastOp>(Relu.outputZeroPoint(), getInt32());
  Value *Scaled = changeScale(R, Op, Data, *C);
  FixedPoint Slope = getUpwardFactor(Alpha), Rest = getUpwardFactor(1 - Alpha);
  Value *Sloped =
      R.create<FixedPointMultiplyOp>(Scaled, Slope.Significand, Slope.Shift);
  Value *Offset = R.create<FixedPointMultiplyOp>(C->ToZeroPoint,
                                                 Rest.Significand, Rest.Shift);
  Value *Negative = R.create<AddOp>(Sloped, Offset);
  Value *IsNegative = R.create<LessOp>(Data, C->FromZeroPoint);
  return saturate(R, R.create<WhereOp>(IsNegative, Negative, Scaled),
                  Op.getTensor(0)->getDType());
}

FailureOr<Value *> relay::canonicalizeQnnAvgPool2D(Rewriter &R,
                                                   QnnLowering &Op) {
  QnnAvgPool2DOp Pool(Op.getOp());
  if (!Op.getTensor(0))
    return nullptr;
  FailureOr<ScaleChange> C = readChangeOrIdentity(
      Op, Pool.inputScale(), Pool.inputZeroPoint(), Pool.outputScale(),
      Pool.outputZeroPoint(), "input_scale");
  if (failed(C))
    return failure();
  if (!Op.start(R))
    return nullptr;
  Value *V = changeScaleOrCast(R, Op, Pool.data(), *C);
  return saturate(R, R.create<AvgPool2DOp>(V, &Pool.attrs()),
                  Op.getTensor(0)->getDType());
}

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// The fields of \p Tuple, which has the type \p T; projections of a tuple that
/// another operation yields.
static SmallVector<Value *> getTupleFields(Builder &B, Value *Tuple,
                                           const TupleType *T) {
  SmallVector<Value *> Fields;
  if (auto Op = dyn_cast<TupleOp>(Tuple))
    return SmallVector<Value *>(Op.fields());
  for (unsigned I = 0, E = T->getFields().size(); I != E; ++I)
    Fields.push_back(B.create<TupleGetItemOp>(Tuple, I));
  return Fields;
}

/// The changes of scale of the fields of \p Concat.
static FailureOr<SmallVector<ScaleChange>>
readFieldChanges(const QnnLowering &Op, QnnConcatenateOp Concat,
                 const TupleType *Types) {
  auto FromScales = dyn_cast<TupleOp>(Concat.inputScales());
  auto ZeroPoints = dyn_cast<TupleOp>(Concat.inputZeroPoints());
  if (!FromScales || !ZeroPoints)
    return Op.emitError("the scales and zero points are not tuples of values");
  SmallVector<ScaleChange> Changes;
  size_t Count = Types->getFields().size();
  if (FromScales->getNumOperands() != Count ||
      ZeroPoints->getNumOperands() != Count)
    return Op.emitError("expected a scale and a zero point for each of " +
                        Twine(Count) + " tensors");
  for (unsigned I = 0; I != Count; ++I) {
    FailureOr<ScaleChange> C = readChangeOrIdentity(
        Op, FromScales->getOperand(I), ZeroPoints->getOperand(I),
        Concat.outputScale(), Concat.outputZeroPoint(),
        "input_scales." + Twine(I));
    if (failed(C))
      return failure();
    C->Result = cast<TensorType>(Types->getFields()[I])->getDType();
    Changes.push_back(std::move(*C));
  }
  return Changes;
}

FailureOr<Value *> relay::canonicalizeQnnConcatenate(Rewriter &R,
                                                     QnnLowering &Op) {
  QnnConcatenateOp Concat(Op.getOp());
  auto *Types = dyn_cast_or_null<TupleType>(Concat.data()->getType());
  if (!Types)
    return nullptr;
  FailureOr<SmallVector<ScaleChange>> Changes =
      readFieldChanges(Op, Concat, Types);
  if (failed(Changes))
    return failure();
  if (!Op.start(R))
    return nullptr;
  SmallVector<Value *> Fields = getTupleFields(R, Concat.data(), Types);
  for (auto [Field, C] : llvm::zip_equal(Fields, *Changes))
    if (!C.IsIdentity)
      Field = changeScale(R, Op, Field, C);
  Value *Tuple = R.create<TupleOp>(Fields);
  Value *V = R.create<ConcatenateOp>(Tuple, &Concat.attrs());
  return V;
}
