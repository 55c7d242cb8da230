//===- SoftmaxCanonicalization.cpp - softmax in integers ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers qnn.softmax to shifts, as TVM does: e to the power of x is a power of
// two, x * log2(e), whose fraction is approximated linearly.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include <cmath>

using namespace relay;

namespace {
/// Creates the operations; numbers are int32.
class SoftmaxBuilder {
public:
  SoftmaxBuilder(Builder &B, int64_t Axis) : B(B), Axis(Axis) {}

  /// e^(\p X - max) / sum, in units of 1 / 128, where \p X is of scale
  /// \p Scale.
  Value *build(Value *X, double Scale) {
    Value *One = makeUnit(Scale);
    Value *Exponents = buildPowers(B.create<SubtractOp>(X, max(X)), One);
    Value *Sums = B.create<SumOp>(Exponents, getAxes(), /*Keepdims=*/true);
    Value *Inverse = B.create<DivideOp>(number(1 << 30), Sums);
    return shiftRight(B.create<MultiplyOp>(Inverse, Exponents), 30 - 7);
  }

private:
  ArrayRef<int64_t> getAxes() const { return Axis; }
  Value *number(int64_t N) { return B.constant(DType::getInt(32), N); }
  Value *max(Value *V) {
    return B.create<MaxOp>(V, getAxes(), /*Keepdims=*/true);
  }
  Value *shiftRight(Value *V, int64_t Bits) {
    return B.create<RightShiftOp>(V, number(Bits));
  }

  /// 1 / \p Scale, which represents 1.
  Value *makeUnit(double Scale) {
    auto Unit = float(std::round(1.f / float(Scale)));
    return saturate(B, B.constant(DType::getFloat(32), Unit),
                    DType::getInt(32));
  }

  /// Powers of e, relative to the smallest, of \p X, which is not positive.
  Value *buildPowers(Value *X, Value *One) {
    // X * log2(e), which is about 1 + 1/2 - 1/16.
    Value *Log = B.create<SubtractOp>(B.create<AddOp>(X, shiftRight(X, 1)),
                                      shiftRight(X, 4));
    Value *Quotient = B.create<DivideOp>(Log, B.create<NegativeOp>(One));
    Value *Whole = B.create<ClipOp>(Quotient, 0, 20);
    Value *Rest = B.create<SubtractOp>(
        Log, B.create<MultiplyOp>(Whole, B.create<NegativeOp>(One)));
    Value *Fraction = B.create<AddOp>(shiftRight(Rest, 1), One);
    return B.create<LeftShiftOp>(Fraction,
                                 B.create<SubtractOp>(max(Whole), Whole));
  }

  Builder &B;
  int64_t Axis;
};
} // namespace

FailureOr<Value *> relay::canonicalizeQnnSoftmax(Rewriter &R, QnnLowering &Op) {
  QnnSoftmaxOp Softmax(Op.getOp());
  if (!Op.getTensor(0))
    return nullptr;
  FailureOr<ScaleChange> C = readScaleChange(
      Op, Softmax.scale(), /*FromZeroPoint=*/nullptr, Softmax.outputScale(),
      Softmax.outputZeroPoint(), "scale");
  if (failed(C))
    return failure();
  double Scale = C->From.Numbers[0];
  if (Scale > 1 || Scale <= 0x1p-31)
    return Op.emitError("'scale' is " + formatNumber(Scale) +
                        ", expected a number in (2^-31, 1]");
  if (!Op.start(R))
    return nullptr;
  Value *Data = R.create<SubtractOp>(
      R.create<CastOp>(Softmax.data(), DType::getInt(32)), Softmax.zeroPoint());
  Value *V = SoftmaxBuilder(R, Softmax.attrs().axis()).build(Data, Scale);
  C->From.Numbers[0] = 1.f / 128;
  C->Result = DType::getInt(8);
  return changeScale(R, Op, V, *C);
}
