//===- ChangeScale.cpp - Tensors of integers in another scale -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering of qnn.requantize, which other lowerings share:
//
//   (data - zero point) * scale / result's scale + result's zero point
//
// computed in integers, by fixed-point numbers, or in floats. The operations
// and their order are TVM's.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// The constant vector \p Numbers of the integer type of T.
template <typename T>
static Operation *makeVector(Builder &B, ArrayRef<T> Numbers) {
  Dim Length = Dim::get(int64_t(Numbers.size()));
  Context &Ctx = B.getContext();
  DType ElementType = DType::getInt(8 * sizeof(T));
  return B.constant(Ctx.getTensorType({Length}, ElementType), Numbers);
}

FixedPoint relay::getUpwardFactor(double Value) {
  FixedPoint F = FixedPoint::get(Value);
  return F.Shift < -32 || F.Shift > 63 ? FixedPoint() : F;
}

/// \p Value as the factor of multiplyToNearest(); 0 if the products of all
/// int32 are 0.
static FixedPoint getNearestFactor(double Value) {
  FixedPoint F = FixedPoint::get(Value);
  return F.Shift < -31 ? FixedPoint() : F;
}

/// The factors of a change of scale, one for each number of `From`.
static SmallVector<FixedPoint, 4> getFactors(const ScaleChange &C) {
  bool IsUpward = C.Mode.Rounding == HalfRounding::Upward;
  SmallVector<FixedPoint, 4> Factors;
  for (float From : C.From.Numbers) {
    double Ratio = double(From) / double(C.To.Numbers[0]);
    Factors.push_back(IsUpward ? getUpwardFactor(Ratio)
                               : getNearestFactor(Ratio));
  }
  return Factors;
}

/// Zeros of int64 of the shape of \p T, or a scalar if that is dynamic.
static Value *createZeros(Builder &B, const TensorType *T) {
  DType Int64 = DType::getInt(64);
  if (T->isStatic())
    return B.create<ZerosOp>(T->getShape(), Int64);
  return B.constant(Int64, 0);
}

/// Shifts \p V right by \p Bits after it adds \p Positive to elements of at
/// least \p Zero and \p Negative to the others. All are int32.
static Value *shiftToNearest(Builder &B, Value *V, Value *Zero, Value *Positive,
                             Value *Negative, Value *Bits) {
  Value *IsPositive = B.create<GreaterEqualOp>(V, Zero);
  V = B.create<AddOp>(V, B.create<WhereOp>(IsPositive, Positive, Negative));
  return B.create<CastOp>(B.create<RightShiftOp>(V, Bits), DType::getInt(32));
}

/// \p Data times \p F, halves rounded away from zero, in int64.
static Value *multiplyToNearest(Builder &B, Value *Data, FixedPoint F,
                                const TensorType *Shape) {
  DType Int64 = DType::getInt(64);
  Value *V = B.create<CastOp>(Data, Int64);
  if (F.Shift > 0)
    V = B.create<LeftShiftOp>(V, B.constant(Int64, F.Shift));
  V = B.create<MultiplyOp>(V, B.constant(Int64, F.Significand));
  int64_t RightShift = 31 - std::min(F.Shift, 0);
  int64_t Half = int64_t(1) << (RightShift - 1);
  Value *Positive = B.constant(Int64, Half);
  Value *Negative = B.constant(Int64, Half - 1);
  Value *Zero = createZeros(B, Shape);
  if (Shape->isStatic()) {
    Positive = B.create<FullOp>(Positive, Shape->getShape(), Int64);
    Negative = B.create<FullOp>(Negative, Shape->getShape(), Int64);
  }
  return shiftToNearest(B, V, Zero, Positive, Negative,
                        B.constant(Int64, RightShift));
}

namespace {
/// The numbers of fixed-point factors, as int64.
struct FactorNumbers {
  explicit FactorNumbers(ArrayRef<FixedPoint> Factors) {
    for (FixedPoint F : Factors) {
      int64_t Right = 31 - std::min(F.Shift, 0);
      Significands.push_back(F.Significand);
      LeftShifts.push_back(std::max(F.Shift, 0));
      RightShifts.push_back(Right);
      Halves.push_back(int64_t(1) << (Right - 1));
      LowerHalves.push_back(Halves.back() - 1);
    }
  }
  bool hasLeftShift() const {
    return llvm::any_of(LeftShifts, [](int64_t Shift) { return Shift != 0; });
  }

  SmallVector<int64_t, 4> Significands, LeftShifts, RightShifts, Halves,
      LowerHalves;
};
} // namespace

/// multiplyToNearest() by a factor for each position of \p Axis.
static Value *multiplyChannelsToNearest(Builder &B, Value *Data,
                                        ArrayRef<FixedPoint> Factors,
                                        int64_t Axis) {
  auto *T = cast<TensorType>(Data->getType());
  DType Int64 = DType::getInt(64);
  FactorNumbers N(Factors);
  auto MakeConstant = [&](ArrayRef<int64_t> Numbers) {
    return expandAlongAxis(B, makeVector(B, Numbers), Axis, T->getRank());
  };
  Value *V = B.create<CastOp>(Data, Int64);
  if (N.hasLeftShift())
    V = B.create<LeftShiftOp>(V, MakeConstant(N.LeftShifts));
  V = B.create<MultiplyOp>(V, MakeConstant(N.Significands));
  Value *Positive = MakeConstant(N.Halves);
  Value *Negative = MakeConstant(N.LowerHalves);
  Value *Zero = createZeros(B, T);
  if (T->isStatic()) {
    Positive = B.create<BroadcastToOp>(Positive, T->getShape());
    Negative = B.create<BroadcastToOp>(Negative, T->getShape());
  }
  return shiftToNearest(B, V, Zero, Positive, Negative,
                        MakeConstant(N.RightShifts));
}

/// \p Data times a factor for each position of \p Axis, halves rounded up.
static Value *multiplyChannelsUpward(Builder &B, Value *Data,
                                     ArrayRef<FixedPoint> Factors,
                                     int64_t Axis) {
  SmallVector<int32_t, 4> Significands, LeftShifts, RightShifts;
  for (FixedPoint F : Factors) {
    Significands.push_back(F.Significand);
    LeftShifts.push_back(std::max(F.Shift, 0));
    RightShifts.push_back(std::max(-F.Shift, 0));
  }
  auto IsSet = [](int32_t Shift) { return Shift != 0; };
  if (Axis == -1)
    Axis = int64_t(getRank(Data)) - 1;
  return B.create<FixedPointMultiplyPerAxisOp>(
      Data, makeVector<int32_t>(B, Significands),
      makeVector<int32_t>(B, LeftShifts), makeVector<int32_t>(B, RightShifts),
      llvm::any_of(LeftShifts, IsSet), llvm::any_of(RightShifts, IsSet),
      ArrayRef<int64_t>(Axis));
}

/// Returns true if \p C has a factor for each position of its axis of \p Data,
/// and not one for all, which fixed_point_multiply_per_axis does not broadcast.
static bool hasFactorPerPosition(const Value *Data, const ScaleChange &C) {
  if (!C.From.IsVector || C.From.Numbers.size() != 1)
    return C.From.IsVector;
  auto *T = cast<TensorType>(Data->getType());
  int64_t Axis = getPosition(C.Axis, T->getRank());
  return Axis >= 0 && Axis < T->getRank() && T->getDim(Axis).isConst(1);
}

/// \p Data, int32, times the quotient of the scales.
static Value *scaleIntegers(Builder &B, Value *Data, const ScaleChange &C) {
  SmallVector<FixedPoint, 4> Factors = getFactors(C);
  if (C.Mode.Rounding == HalfRounding::Upward)
    return hasFactorPerPosition(Data, C)
               ? multiplyChannelsUpward(B, Data, Factors, C.Axis)
               : B.create<FixedPointMultiplyOp>(Data, Factors[0].Significand,
                                                Factors[0].Shift);
  if (C.From.IsVector)
    return multiplyChannelsToNearest(B, Data, Factors, C.Axis);
  return multiplyToNearest(B, Data, Factors[0],
                           C.RoundingShape ? C.RoundingShape
                                           : cast<TensorType>(Data->getType()));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// floor(\p V + 0.5) without `floor`: numbers that a cast has truncated to a
/// larger one are decremented.
static Value *roundUpward(Builder &B, Value *V, DType T, DType Integer) {
  Value *Sum = B.create<AddOp>(V, B.constant(T, 0.5));
  Value *Truncated = B.create<CastOp>(B.create<CastOp>(Sum, Integer), T);
  Value *IsFloor =
      B.create<LogicalOrOp>(B.create<EqualOp>(Sum, Truncated),
                            B.create<GreaterEqualOp>(Sum, B.constant(T, 0)));
  Value *Below = B.create<SubtractOp>(Truncated, B.constant(T, 1));
  Value *Floor = B.create<WhereOp>(IsFloor, Truncated, Below);
  return B.create<WhereOp>(B.create<IsFiniteOp>(V), Floor, V);
}

/// round(\p V) without `round`: the absolute value plus 0.5, truncated.
static Value *roundAwayFromZero(Builder &B, Value *V, DType T, DType Integer) {
  Value *IsNegative = B.create<LessOp>(V, B.constant(T, 0));
  Value *Sign =
      B.create<WhereOp>(IsNegative, B.constant(T, -1), B.constant(T, 1));
  Value *Half = B.create<MultiplyOp>(B.constant(T, 0.5), Sign);
  Value *Magnitude = B.create<MultiplyOp>(B.create<AddOp>(V, Half), Sign);
  Value *Truncated = B.create<CastOp>(B.create<CastOp>(Magnitude, Integer), T);
  Value *Rounded = B.create<MultiplyOp>(Truncated, Sign);
  return B.create<WhereOp>(B.create<IsFiniteOp>(V), Rounded, V);
}

Value *relay::roundFloats(Builder &B, Value *V, HalfRounding Rounding,
                          bool HasRounding) {
  DType T = getDType(V), Integer = DType::getInt(T.getBits());
  bool IsUpward = Rounding == HalfRounding::Upward;
  if (!HasRounding)
    return IsUpward ? roundUpward(B, V, T, Integer)
                    : roundAwayFromZero(B, V, T, Integer);
  if (IsUpward)
    return B.create<FloorOp>(B.create<AddOp>(V, B.constant(T, 0.5)));
  return B.create<RoundOp>(V);
}

/// \p Data, floats, times the quotient of the scales.
static Value *scaleFloats(Builder &B, Value *Data, const ScaleChange &C) {
  DType T = getDType(Data);
  double To = C.To.Numbers[0];
  if (!C.From.IsVector)
    return B.create<MultiplyOp>(B.constant(T, double(C.From.Numbers[0]) / To),
                                Data);
  Dim Length = Dim::get(int64_t(C.From.Numbers.size()));
  TensorType *VectorType = B.getContext().getTensorType({Length}, T);
  SmallVector<double, 4> Factors;
  for (float From : C.From.Numbers)
    Factors.push_back(double(From) / To);
  SmallVector<float, 4> Narrow(Factors.begin(), Factors.end());
  Value *Vector = T.getBits() == 64
                      ? B.constant(VectorType, ArrayRef<double>(Factors))
                      : B.constant(VectorType, ArrayRef<float>(Narrow));
  return B.create<MultiplyOp>(
      Data, expandAlongAxis(B, Vector, C.Axis, getRank(Data)));
}

//===----------------------------------------------------------------------===//
// Integers or floats
//===----------------------------------------------------------------------===//

/// \p V of type \p T without the zero point of \p C.
static Value *removeZeroPoint(Builder &B, Value *V, DType T,
                              const ScaleChange &C) {
  V = B.create<CastOp>(V, T);
  if (!C.FromZeroPoint || isZeroPointOf(C.FromZeroPoint, 0))
    return V;
  Value *ZeroPoint = reshapeAlongAxis(B, C.FromZeroPoint, C.Axis, getRank(V));
  return B.create<SubtractOp>(V, B.create<CastOp>(ZeroPoint, T));
}

/// The change of scale \p C computed in int32 and int64; int32.
static Value *changeScaleOfIntegers(Builder &B, Value *Data,
                                    const ScaleChange &C) {
  DType Int32 = DType::getInt(32);
  Value *V = removeZeroPoint(B, Data, Int32, C);
  if (!C.From.isSameScalar(C.To))
    V = scaleIntegers(B, V, C);
  if (!isZeroPointOf(C.ToZeroPoint, 0))
    V = B.create<AddOp>(B.create<CastOp>(C.ToZeroPoint, Int32), V);
  return V;
}

/// The change of scale \p C computed in floats; int32.
static Value *changeScaleInFloats(Builder &B, Value *Data, bool HasRounding,
                                  const ScaleChange &C) {
  bool IsWide = C.Mode.In == RequantizeMode::Compute::Float64;
  DType T = DType::getFloat(IsWide ? 64 : 32);
  Value *V = removeZeroPoint(B, Data, T, C);
  if (!C.From.isSameScalar(C.To))
    V = scaleFloats(B, V, C);
  if (!isZeroPointOf(C.ToZeroPoint, 0))
    V = B.create<AddOp>(V, B.create<CastOp>(C.ToZeroPoint, T));
  V = roundFloats(B, V, C.Mode.Rounding, HasRounding);
  return B.create<CastOp>(V, DType::getInt(32));
}

Value *relay::changeScale(Builder &B, const QnnLowering &Op, Value *Data,
                          const ScaleChange &C) {
  Value *V = C.Mode.In == RequantizeMode::Compute::Int64
                 ? changeScaleOfIntegers(B, Data, C)
                 : changeScaleInFloats(
                       B, Data, hasX86Feature(Op.getTarget(), "sse4.1"), C);
  return C.Result == DType::getInt(32) ? V : saturate(B, V, C.Result);
}

Value *relay::changeScaleOrCast(Builder &B, const QnnLowering &Op, Value *Data,
                                const ScaleChange &C) {
  if (!C.IsIdentity)
    return changeScale(B, Op, Data, C);
  return B.create<CastOp>(Data, C.Result);
}

FailureOr<ScaleChange> relay::readScaleChange(const QnnLowering &Op,
                                              Value *From, Value *FromZeroPoint,
                                              Value *To, Value *ToZeroPoint,
                                              const Twine &FromName) {
  FailureOr<Scales> FromScales = readScales(Op, From, FromName);
  if (failed(FromScales))
    return failure();
  FailureOr<Scales> ToScales = readResultScale(Op, To, "output_scale");
  if (failed(ToScales))
    return failure();
  ScaleChange C;
  C.From = *FromScales;
  C.To = *ToScales;
  C.FromZeroPoint = FromZeroPoint;
  C.ToZeroPoint = ToZeroPoint;
  C.Mode = Op.getMode();
  return C;
}

FailureOr<ScaleChange>
relay::readChangeOrIdentity(const QnnLowering &Op, Value *From,
                            Value *FromZeroPoint, Value *To, Value *ToZeroPoint,
                            const Twine &FromName) {
  if (!areSameScalars(From, To) || !areSameScalars(FromZeroPoint, ToZeroPoint))
    return readScaleChange(Op, From, FromZeroPoint, To, ToZeroPoint, FromName);
  ScaleChange C;
  C.IsIdentity = true;
  return C;
}

//===----------------------------------------------------------------------===//
// qnn.requantize
//===----------------------------------------------------------------------===//

/// Reads the method that \p A states, with the defaults of \p Op.
static FailureOr<RequantizeMode> readMode(const QnnLowering &Op,
                                          const RequantizeAttrs &A) {
  RequantizeMode Mode = Op.getMode();
  if (A.rounding() != "None") {
    auto Rounding = RequantizeMode::parseRounding(A.rounding());
    if (!Rounding)
      return Op.emitError("unknown rounding \"" + A.rounding() +
                          "\", expected UPWARD or TONEAREST");
    Mode.Rounding = *Rounding;
  }
  if (A.computeDtype() != "None") {
    auto In = RequantizeMode::parseCompute(A.computeDtype());
    if (!In)
      return Op.emitError("unknown compute_dtype \"" + A.computeDtype() +
                          "\", expected int64, float32 or float64");
    Mode.In = *In;
  }
  return Mode;
}

FailureOr<Value *> relay::canonicalizeRequantize(Rewriter &R, QnnLowering &Op) {
  QnnRequantizeOp Requantize(Op.getOp());
  if (!Op.getTensor(0))
    return nullptr;
  const RequantizeAttrs &A = Requantize.attrs();
  FailureOr<ScaleChange> C = readScaleChange(
      Op, Requantize.inputScale(), Requantize.inputZeroPoint(),
      Requantize.outputScale(), Requantize.outputZeroPoint(), "input_scale");
  if (failed(C))
    return failure();
  FailureOr<RequantizeMode> Mode = readMode(Op, A);
  if (failed(Mode))
    return failure();
  if (!Op.start(R))
    return nullptr;
  C->Mode = *Mode;
  C->Axis = A.axis();
  C->Result = A.outDtype();
  return changeScale(R, Op, Requantize.data(), *C);
}
