//===- QnnUtils.cpp - Parts of lowered quantized operators ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constant scales and zero points, vectors along an axis, saturation.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace relay;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The data of the scalar constant \p V, which no `let` binds; null if it is
/// none.
static const ConstantData *getConstantScalar(const Value *V) {
  const ConstantData *Data = getKnownData(V);
  bool IsScalar = Data && Data->isScalar() && !V->getDefiningOp()->isBound();
  return IsScalar ? Data : nullptr;
}

std::optional<int32_t> relay::getZeroPoint(const Value *V) {
  const ConstantData *Data = getConstantScalar(V);
  return Data ? Data->getScalar<int32_t>() : std::nullopt;
}

bool relay::areSameScalars(const Value *L, const Value *R) {
  // Constants are uniqued by type and bits.
  const ConstantData *Data = getConstantScalar(L);
  return Data && Data == getConstantScalar(R);
}

bool Scales::isSameScalar(const Scales &Other) const {
  return !IsVector && !Other.IsVector && Numbers[0] == Other.Numbers[0];
}

std::string relay::formatNumber(double Number) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%g", Number);
  return Text;
}

FailureOr<Scales> relay::readScales(const QnnLowering &Op, const Value *V,
                                    const Twine &Name) {
  const ConstantData *Data = getKnownData(V);
  if (!Data)
    return Op.emitError("'" + Name + "' is not a constant");
  if (Data->getNumElements() == 0)
    return Op.emitError("'" + Name + "' has no elements");
  Scales Result;
  Result.IsVector = !Data->isScalar();
  for (size_t I = 0, E = Data->getNumElements(); I != E; ++I) {
    auto Number = float(Data->getDouble(I));
    if (!std::isfinite(Number) || Number < 0)
      return Op.emitError("'" + Name + "' is " + formatNumber(Number) +
                          ", expected a finite number that is not negative");
    Result.Numbers.push_back(Number);
  }
  return Result;
}

FailureOr<Scales> relay::readResultScale(const QnnLowering &Op, const Value *V,
                                         const Twine &Name) {
  FailureOr<Scales> Result = readScales(Op, V, Name);
  if (succeeded(Result) && Result->Numbers[0] == 0)
    return Op.emitError("'" + Name + "' is 0");
  return Result;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value *relay::reshapeAlongAxis(Builder &B, Value *V, int64_t Axis,
                               int64_t Rank) {
  if (Rank == 0)
    return V;
  return expandAlongAxis(B, B.create<ReshapeOp>(V, {-1}), Axis, Rank);
}

Value *relay::saturate(Builder &B, Value *V, DType T) {
  double Bits = T.getBits();
  double Min = T.isInt() ? -std::exp2(Bits - 1) : 0;
  double Max = std::exp2(T.isInt() ? Bits - 1 : Bits) - 1;
  return B.create<CastOp>(B.create<ClipOp>(V, Min, Max), T);
}

Value *relay::dequantize(Builder &B, Value *Data, Value *Scale,
                         Value *ZeroPoint, int64_t Axis) {
  int64_t Rank = getRank(Data);
  Value *Shifted =
      B.create<SubtractOp>(B.create<CastOp>(Data, DType::getInt(32)),
                           expandAlongAxis(B, ZeroPoint, Axis, Rank));
  return B.create<MultiplyOp>(B.create<CastOp>(Shifted, DType::getFloat(32)),
                              expandAlongAxis(B, Scale, Axis, Rank));
}

Value *relay::quantize(Builder &B, Value *Data, Value *Scale, Value *ZeroPoint,
                       int64_t Axis, DType T) {
  int64_t Rank = getRank(Data);
  Value *Scaled =
      B.create<DivideOp>(Data, expandAlongAxis(B, Scale, Axis, Rank));
  Value *Offset = B.create<CastOp>(expandAlongAxis(B, ZeroPoint, Axis, Rank),
                                   DType::getFloat(32));
  return saturate(B, B.create<AddOp>(B.create<RoundOp>(Scaled), Offset), T);
}
