//===- LookupTables.cpp - Quantized functions by tables -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Legalizes unary operators on 8 bits: a table contains the result for each of
// the 256 bit patterns of an element.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/QNN.h"
#include <cmath>

using namespace relay;

/// data * clip(data + 3, 0, 6) / 6, in float as in TVM.
static float computeHardSwish(float X) {
  return X * std::min(std::max(X + 3.f, 0.f), 6.f) / 6.f;
}

/// The result of the unary operator \p Op for \p X; functions of the C library
/// are computed in double and rounded once.
static float computeUnary(Operation *Op, float X) {
  if (isa<QnnAbsOp>(Op))
    return std::fabs(X);
  if (isa<QnnErfOp>(Op))
    return float(std::erf(double(X)));
  if (isa<QnnExpOp>(Op))
    return float(std::exp(double(X)));
  if (isa<QnnHardSwishOp>(Op))
    return computeHardSwish(X);
  if (isa<QnnLogOp>(Op))
    return float(std::log(double(X)));
  if (isa<QnnRsqrtOp>(Op))
    return 1.f / std::sqrt(X);
  if (isa<QnnSigmoidOp>(Op))
    return 1.f / (1.f + float(std::exp(-double(X))));
  if (isa<QnnSqrtOp>(Op))
    return std::sqrt(X);
  return float(std::tanh(double(X)));
}

namespace {
/// Scale and zero point of the data and of the result of a unary operator.
struct UnaryParameters {
  float Scale, OutScale;
  int32_t ZeroPoint, OutZeroPoint;
};
} // namespace

/// The zero point that operand \p I is; an error if it is not constant.
static FailureOr<int32_t> readZeroPoint(const QnnLowering &Op, unsigned I) {
  if (std::optional<int32_t> Number = getZeroPoint(Op.getOp()->getOperand(I)))
    return *Number;
  return Op.emitError("'" + Op.getOp()->getInfo().OperandNames[I] +
                      "' is not a constant number");
}

static FailureOr<UnaryParameters> readParameters(const QnnLowering &Op) {
  Operation *Unary = Op.getOp();
  auto Scale = readScales(Op, Unary->getOperand(1), "scale");
  if (failed(Scale))
    return failure();
  auto ZeroPoint = readZeroPoint(Op, 2);
  if (failed(ZeroPoint))
    return failure();
  auto OutScale = readResultScale(Op, Unary->getOperand(3), "output_scale");
  if (failed(OutScale))
    return failure();
  auto OutZeroPoint = readZeroPoint(Op, 4);
  if (failed(OutZeroPoint))
    return failure();
  return UnaryParameters{Scale->Numbers[0], OutScale->Numbers[0], *ZeroPoint,
                         *OutZeroPoint};
}

/// The bits of \p Value as qnn.quantize rounds and clamps it: NaN is clamped to
/// the largest number.
static uint8_t quantizeByte(float Value, const UnaryParameters &P,
                            bool IsSigned) {
  float Min = IsSigned ? -128 : 0, Max = IsSigned ? 127 : 255;
  float Number = std::round(Value / P.OutScale) + float(P.OutZeroPoint);
  Number = Number < Max ? Number : Max;
  Number = Number > Min ? Number : Min;
  return uint8_t(int(Number));
}

/// The results of \p Op for each bit pattern.
static SmallVector<uint8_t, 0>
makeTable(Operation *Op, const UnaryParameters &P, bool IsSigned) {
  SmallVector<uint8_t, 0> Table;
  for (int I = 0; I != 256; ++I) {
    uint32_t Number = IsSigned ? uint32_t(int8_t(I)) : uint32_t(I);
    auto Shifted = int32_t(Number - uint32_t(P.ZeroPoint));
    float Result = computeUnary(Op, float(Shifted) * P.Scale);
    Table.push_back(quantizeByte(Result, P, IsSigned));
  }
  return Table;
}

FailureOr<Value *> relay::legalizeByTable(Rewriter &R, QnnLowering &Op) {
  const TensorType *T = Op.getTensor(0);
  if (!T)
    return nullptr;
  FailureOr<UnaryParameters> P = readParameters(Op);
  if (failed(P))
    return failure();
  if (!Op.start(R))
    return nullptr;
  DType Element = T->getDType();
  SmallVector<uint8_t, 0> Bytes = makeTable(Op.getOp(), *P, Element.isInt());
  TensorType *TableType =
      R.getContext().getTensorType({Dim::get(256)}, Element);
  Value *Table = R.constant(
      TableType, TensorBuffer::copy(ArrayRef(
                     reinterpret_cast<const char *>(Bytes.data()), 256)));
  Value *Index =
      R.create<ReinterpretOp>(Op.getOp()->getOperand(0), DType::getUInt(8));
  auto Take = TakeAttrs::Builder(R.getContext());
  Value *V = R.create<TakeOp>(Table, Index, Take.axis(0).mode("fast").get());
  return V;
}
