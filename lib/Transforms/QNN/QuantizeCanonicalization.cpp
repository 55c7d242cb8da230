//===- QuantizeCanonicalization.cpp - Quantized operators in floats -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers qnn.quantize, qnn.dequantize, and the unary operators that are
// computed in floats between them.
//
//===----------------------------------------------------------------------===//

#include "QnnUtils.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

FailureOr<Value *> relay::canonicalizeQuantize(Rewriter &R, QnnLowering &Op) {
  QnnQuantizeOp Quantize(Op.getOp());
  if (!Op.getTensor(0) || !Op.start(R))
    return nullptr;
  const QuantizeAttrs &A = Quantize.attrs();
  return quantize(R, Quantize.data(), Quantize.outputScale(),
                  Quantize.outputZeroPoint(), A.axis(), A.outDtype());
}

FailureOr<Value *> relay::canonicalizeDequantize(Rewriter &R, QnnLowering &Op) {
  QnnDequantizeOp Dequantize(Op.getOp());
  if (!Op.getTensor(0) || !Op.start(R))
    return nullptr;
  const DequantizeAttrs &A = Dequantize.attrs();
  Value *V = dequantize(R, Dequantize.data(), Dequantize.inputScale(),
                        Dequantize.inputZeroPoint(), A.axis());
  if (!A.outDtype().isFloat(16))
    return V;
  constexpr double Largest = 65504; // of float16
  V = R.create<ClipOp>(V, -Largest, Largest);
  V = R.create<CastOp>(V, A.outDtype());
  return V;
}

/// data * clip(data + 3, 0, 6) / 6.
static Value *createHardSwish(Builder &B, Value *Data) {
  DType T = getDType(Data);
  Value *Gate = B.create<ClipOp>(B.create<AddOp>(Data, B.constant(T, 3)), 0, 6);
  return B.create<DivideOp>(B.create<MultiplyOp>(Data, Gate), B.constant(T, 6));
}

/// The operation on the floats \p Data that the unary operator \p Op stands
/// for.
static Value *createFloatUnary(Builder &B, Operation *Op, Value *Data) {
  if (isa<QnnHardSwishOp>(Op))
    return createHardSwish(B, Data);
  const OpInfo &Info = isa<QnnAbsOp>(Op)       ? AbsOp::getInfo()
                       : isa<QnnErfOp>(Op)     ? ErfOp::getInfo()
                       : isa<QnnExpOp>(Op)     ? ExpOp::getInfo()
                       : isa<QnnLogOp>(Op)     ? LogOp::getInfo()
                       : isa<QnnRsqrtOp>(Op)   ? RsqrtOp::getInfo()
                       : isa<QnnSigmoidOp>(Op) ? SigmoidOp::getInfo()
                       : isa<QnnSqrtOp>(Op)    ? SqrtOp::getInfo()
                                               : TanhOp::getInfo();
  return B.createOperation(Info, {Data});
}

/// The operands are those of any unary operator: data, its scale and zero
/// point, scale and zero point of the result.
FailureOr<Value *> relay::canonicalizeQnnUnary(Rewriter &R, QnnLowering &Op) {
  Operation *Unary = Op.getOp();
  const TensorType *T = Op.getTensor(0);
  if (!T || !Op.start(R))
    return nullptr;
  auto GetOperand = [&](unsigned I) { return Unary->getOperand(I); };
  Value *V = dequantize(R, GetOperand(0), GetOperand(1), GetOperand(2), -1);
  V = createFloatUnary(R, Unary, V);
  return quantize(R, V, GetOperand(3), GetOperand(4), -1, T->getDType());
}
