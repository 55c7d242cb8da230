//===- FakeQuantizationShapes.cpp - Rules that keep affine types ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of operators that select or move elements, and of activations.
// The result has the affine type of the operand.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/QNN/FakeQuantization.h"

using namespace relay;

static constexpr StringLiteral NotQuantized = "its operand is not quantized",
                               MovesAxis = "it changes the axis of the scales";

/// Returns the types of \p Op, a tensor or a tuple of tensors; empty if none of
/// them is known.
static SmallVector<const Type *, 4> getFieldTypes(const Operation *Op) {
  if (auto *Tuple = dyn_cast_or_null<TupleType>(Op->getType()))
    return SmallVector<const Type *, 4>(Tuple->getFields());
  return {Op->getType()};
}

AffineValue relay::quantizeIdentity(AffineBuilder &B, FakeQuantizedOp &Q) {
  const AffineType *Data = Q.getType(0);
  if (!Data)
    return Q.refuse(NotQuantized);
  Operation *Op = Q.getOp();
  SmallVector<AffineType, 1> Types;
  for (const Type *Field : getFieldTypes(Op)) {
    std::optional<AffineType> T = followAxis(Op, Field, *Data);
    if (!T)
      return Q.refuse(MovesAxis);
    Types.push_back(*T);
  }
  return {B.createOperation(Op->getInfo(), Q.getOperands(), Op->getAttrs()),
          Types};
}

AffineValue relay::quantizeTopk(AffineBuilder &B, FakeQuantizedOp &Q) {
  if (TopkOp(Q.getOp()).attrs().retType() != "values")
    return Q.refuse("it yields indices");
  return quantizeIdentity(B, Q);
}

/// Linear interpolation and selection stay in the range of the data.
AffineValue relay::quantizeResize2D(AffineBuilder &B, FakeQuantizedOp &Q) {
  const Resize2DAttrs &A = Resize2DOp(Q.getOp()).attrs();
  if (A.method() == "cubic")
    return Q.refuse("cubic interpolation exceeds the range of its operand");
  if (A.coordinateTransformationMode() == "tf_crop_and_resize")
    return Q.refuse("its extrapolation value is a real number");
  return quantizeIdentity(B, Q);
}

/// cast(mean(cast(data, int32)), T).
AffineValue relay::quantizeMean(AffineBuilder &B, FakeQuantizedOp &Q) {
  const AffineType *Data = Q.getType(0);
  if (!Data)
    return Q.refuse(NotQuantized);
  std::optional<AffineType> T =
      followAxis(Q.getOp(), Q.getOp()->getType(), *Data);
  if (!T)
    return Q.refuse(MovesAxis);
  Value *Wide = B.create<CastOp>(Q.getOperand(0), DType::getInt(32));
  Value *Mean = B.create<MeanOp>(Wide, &MeanOp(Q.getOp()).attrs());
  return {B.create<CastOp>(Mean, Data->ElementType), *T};
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

static bool isFloatConstant(const Value *V) {
  const ConstantData *Data = getKnownData(V);
  return Data && Data->getDType().isAnyFloat();
}

AffineValue relay::quantizePad(AffineBuilder &B, FakeQuantizedOp &Q) {
  const AffineType *Data = Q.getType(0), *Pad = Q.getType(1);
  if (!Data)
    return Q.refuse(NotQuantized);
  Value *PadValue = Q.getOperand(1);
  if (!Pad) {
    if (!isFloatConstant(PadValue))
      return Q.refuse("its pad_value is not a constant of floats");
    PadValue = B.quantize(PadValue, *Data);
    Q.noteConstant(1, PadValue, *Data);
  } else if (!isSameAffineType(*Data, *Pad)) {
    PadValue = B.requantize(PadValue, *Pad, *Data);
  }
  return {B.create<PadOp>(Q.getOperand(0), PadValue, &PadOp(Q.getOp()).attrs()),
          *Data};
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Returns \p V, one number for each element of \p T's scale, as a tensor that
/// varies along T's axis of \p Data. Returns \p V itself if the scale is a
/// single number. Null if Data has no such axis.
static Value *spreadAlongAxis(AffineBuilder &B, Value *V, const AffineType &T,
                              const Value *Data) {
  auto *Scale = dyn_cast_or_null<TensorType>(T.Scale->getType());
  auto *Tensor = dyn_cast_or_null<TensorType>(Data->getType());
  if (!Scale || !Tensor || Scale->getRank() > 1)
    return nullptr;
  if (Scale->isScalar() || Scale->getDim(0).isConst(1))
    return V;
  int64_t Rank = Tensor->getRank(), Axis = T.Axis < 0 ? T.Axis + Rank : T.Axis;
  if (Axis < 0 || Axis >= Rank)
    return nullptr;
  SmallVector<Dim> Shape(Rank, Dim::get(1));
  Shape[Axis] = Dim::get(-1);
  Value *Vector = B.createFolded<BroadcastToOp>(V, Scale->getShape());
  return B.createFolded<ReshapeOp>(Vector, Shape);
}

/// maximum(data, zero point).
AffineValue relay::quantizeRelu(AffineBuilder &B, FakeQuantizedOp &Q) {
  const AffineType *Data = Q.getType(0);
  if (!Data)
    return Q.refuse(NotQuantized);
  Value *Zero =
      spreadAlongAxis(B, B.fold(Data->ZeroPoint), *Data, Q.getOperand(0));
  if (!Zero)
    return Q.refuse("its scale has more than one axis");
  Zero = B.createFolded<CastOp>(Zero, Data->ElementType);
  return {B.create<MaximumOp>(Q.getOperand(0), Zero), *Data};
}

/// Returns \p Limit, a number that \p Scale and \p ZeroPoint quantize, as an
/// integer. None if it is too large.
static std::optional<double> quantizeLimit(double Limit, double Scale,
                                           double ZeroPoint) {
  double Quantized = std::trunc(Limit / Scale + ZeroPoint);
  if (Scale == 0 || !std::isfinite(Quantized))
    return std::nullopt;
  return Quantized + 0.0; // -0 is 0
}

/// clip(data, a_min / scale + zero point, a_max / scale + zero point).
static AffineValue quantizeScalarClip(AffineBuilder &B, FakeQuantizedOp &Q,
                                      double Scale, double ZeroPoint) {
  const ClipAttrs &A = ClipOp(Q.getOp()).attrs();
  auto Min = quantizeLimit(A.aMin(), Scale, ZeroPoint);
  auto Max = quantizeLimit(A.aMax(), Scale, ZeroPoint);
  if (!Min || !Max)
    return Q.refuse("its limits are not finite in the scale of its operand");
  return {B.create<ClipOp>(Q.getOperand(0), *Min, *Max), *Q.getType(0)};
}

static const ConstantData *getSingleNumber(const Value *V) {
  const ConstantData *Data = getKnownData(V);
  return Data && Data->getNumElements() == 1 ? Data : nullptr;
}

/// minimum(maximum(data, quantize(a_min)), quantize(a_max)), or a clip if the
/// scale is a constant number.
AffineValue relay::quantizeClip(AffineBuilder &B, FakeQuantizedOp &Q) {
  const AffineType *Data = Q.getType(0);
  if (!Data)
    return Q.refuse(NotQuantized);
  AffineType T = *Data;
  T.Scale = B.fold(T.Scale);
  T.ZeroPoint = B.fold(T.ZeroPoint);
  const ConstantData *Scale = getSingleNumber(T.Scale);
  const ConstantData *ZeroPoint = getSingleNumber(T.ZeroPoint);
  if (Scale && ZeroPoint)
    return quantizeScalarClip(B, Q, Scale->getDouble(), ZeroPoint->getDouble());
  const ClipAttrs &A = ClipOp(Q.getOp()).attrs();
  Value *V = Q.getOperand(0);
  auto Spread = [&](double Limit) {
    return spreadAlongAxis(B, B.constant(DType::getFloat(32), Limit), T, V);
  };
  Value *Min = Spread(A.aMin()), *Max = Spread(A.aMax());
  if (!Min || !Max)
    return Q.refuse("its scale has more than one axis");
  Value *Raised = B.create<MaximumOp>(V, B.quantize(Min, T, T.Axis));
  return {B.create<MinimumOp>(Raised, B.quantize(Max, T, T.Axis)), *Data};
}
