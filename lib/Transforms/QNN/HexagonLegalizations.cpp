//===- HexagonLegalizations.cpp - Channels for vectors --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pads the channels of qnn.conv2d and the units of qnn.dense to the vectors of
// Hexagon, and slices the result. Data is padded by its zero point, so that
// the result is the same; TVM pads it by 0.
//
//===----------------------------------------------------------------------===//

#include "QnnTerms.h"
#include "QnnUtils.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/QNN.h"

using namespace relay;

static constexpr int64_t InVector = 4, OutVector = 32;

/// Appends \p Count elements \p Number to the weight's parameter \p V if it has
/// an element for each of \p Channels. A parameter of one element is kept.
static Value *padParameter(Builder &B, Value *V, int64_t Channels,
                           int64_t Count, int64_t Number) {
  auto *T = cast<TensorType>(V->getType());
  if (T->getRank() == 0 || !T->getDim(0).isConst(Channels))
    return V;
  return padAfter(B, V, 0, Count, B.constant(getDType(V), Number));
}

/// Returns true if data and weight of \p Op are of int8 or uint8, and if their
/// shapes and those of the result and of the weight's parameters are known.
static bool hasStaticBytes(const QnnLowering &Op) {
  auto *Result = dyn_cast_or_null<TensorType>(Op.getOp()->getType());
  for (unsigned I : {0, 1}) {
    const TensorType *T = Op.getTensor(I);
    if (!T || !T->isStatic() || T->getDType().getBits() != 8)
      return false;
  }
  for (unsigned I : {3, 5})
    if (const TensorType *T = Op.getTensor(I); !T || !T->isStatic())
      return false;
  return Result && Result->isStatic();
}

FailureOr<Value *> relay::padConv2DForHexagon(Rewriter &R, QnnLowering &Op) {
  QnnConv2DOp Conv(Op.getOp());
  const Conv2DAttrs &A = Conv.attrs();
  if (A.dataLayout() != "NCHW" || A.kernelLayout() != "OIHW" ||
      A.groups() != 1 || !hasStaticBytes(Op))
    return Op.getOp();
  int64_t In = Op.getTensor(0)->getDim(1).getInt();
  int64_t Out = Op.getTensor(1)->getDim(0).getInt();
  int64_t InPadding = getFill(In, InVector);
  int64_t OutPadding = getFill(Out, OutVector);
  if (InPadding == 0 && OutPadding == 0)
    return Op.getOp();
  if (!Op.start(R))
    return nullptr;
  Value *Zero = R.constant(DType::getInt(32), 0);
  Value *Data = padAfter(R, Conv.data(), 1, InPadding, Conv.inputZeroPoint());
  Value *Weight = padAfter(R, Conv.weight(), 1, InPadding, Zero);
  Weight = padAfter(R, Weight, 0, OutPadding, Zero);
  auto Attributes = A.toBuilder(R.getContext());
  if (OutPadding)
    Attributes.channels(Dim::get(Out + OutPadding));
  Value *V = R.create<QnnConv2DOp>(
      Data, Weight, Conv.inputZeroPoint(),
      padParameter(R, Conv.weightZeroPoint(), Out, OutPadding, 0),
      Conv.inputScale(),
      padParameter(R, Conv.weightScale(), Out, OutPadding, 1),
      Attributes.get());
  return OutPadding ? sliceTo(R, V, cast<TensorType>(Conv->getType())) : V;
}

FailureOr<Value *> relay::padDenseForHexagon(Rewriter &R, QnnLowering &Op) {
  QnnDenseOp Dense(Op.getOp());
  if (!hasStaticBytes(Op))
    return Op.getOp();
  int64_t Units = Op.getTensor(1)->getDim(0).getInt();
  int64_t Padding = getFill(Units, OutVector);
  if (Padding == 0)
    return Op.getOp();
  if (!Op.start(R))
    return nullptr;
  Value *Zero = R.constant(DType::getInt(32), 0);
  auto Attributes = Dense.attrs().toBuilder(R.getContext());
  if (Dense.attrs().hasUnits())
    Attributes.units(Dim::get(Units + Padding));
  Value *V = R.create<QnnDenseOp>(
      Dense.data(), padAfter(R, Dense.weight(), 0, Padding, Zero),
      Dense.inputZeroPoint(),
      padParameter(R, Dense.weightZeroPoint(), Units, Padding, 0),
      Dense.inputScale(),
      padParameter(R, Dense.weightScale(), Units, Padding, 1),
      Attributes.get());
  return sliceTo(R, V, cast<TensorType>(Dense->getType()));
}
