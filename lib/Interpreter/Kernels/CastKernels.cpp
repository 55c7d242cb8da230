//===- CastKernels.cpp - Conversions and choice ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cast, cast_like, reinterpret and where, of Ops/Elementwise.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Elementwise.h"

using namespace relay;

FailureOr<Tensor> relay::castTensor(KernelCall &Call, const Tensor &Data,
                                    DType T) {
  if (Data.getDType() == T)
    return Data;
  for (DType Side : {Data.getDType(), T})
    if (!hasElementType(Side))
      return Call.emitUnsupported(Side);
  std::optional<Tensor> Result = Call.allocate(T, Data.getShape());
  if (!Result)
    return failure();
  Call.parallelFor(Data.getNumElements(), 8, [&](int64_t Begin, int64_t End) {
    castElements(Data, *Result, Begin, End);
  });
  return std::move(*Result);
}

LogicalResult relay::evalCast(KernelCall &Call) {
  FailureOr<Tensor> Result =
      castTensor(Call, Call.getInput(0), Call.getOutputDType());
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

LogicalResult relay::evalReinterpret(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  DType T = Call.getOutputDType();
  if (Data.getDType().getByteSize() != T.getByteSize())
    return Call.emitError(Data.getDType().str() + " and " + T.str() +
                          " are not of the same size");
  // Only 0 and 1 are valid bits of a bool.
  if (T.isBool() && !Data.getDType().isBool())
    return mapElements<bool, uint8_t>(Call, [](uint8_t X) { return X != 0; });
  Call.setOutput(0, Data.reinterpret(T));
  return success();
}

/// Elements are moved as integers E of their size; conditions are bool.
template <typename E>
static void chooseElements(KernelCall &Call, const Tensor &Condition,
                           const StridedWalk &Walk) {
  const bool *Conditions = Condition.getElements<bool>().data();
  const E *X = getRawElements<E>(Call.getInput(1));
  const E *Y = getRawElements<E>(Call.getInput(2));
  E *Out = getMutableRawElements<E>(Call.getOutputTensor());
  int64_t Length = Walk.getRowLength();
  auto ChooseRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Length; ++I) {
      E OfX = X[Offsets[1] + I * Walk.getRowStride(1)];
      E OfY = Y[Offsets[2] + I * Walk.getRowStride(2)];
      bool IsX = Conditions[Offsets[0] + I * Walk.getRowStride(0)];
      Out[First + I] = IsX ? OfX : OfY;
    }
  };
  Call.parallelFor(Walk.getNumRows(), 8 * Length,
                   [&](int64_t Begin, int64_t End) {
                     Walk.forEachRow(Begin, End, ChooseRow);
                   });
}

/// Returns a tensor of bool that is true for elements of \p Data other than 0,
/// including NaN.
static std::optional<Tensor> getConditions(KernelCall &Call,
                                           const Tensor &Data) {
  if (Data.getDType().isBool())
    return Data;
  auto Result = Call.allocate(DType::getBool(), Data.getShape());
  if (!Result)
    return std::nullopt;
  bool *Out = Result->getMutableElements<bool>().data();
  dispatchNumberType(Data.getDType(), [&](auto Zero) {
    ElementReader<decltype(Zero)> Numbers(Data);
    Call.parallelFor(Data.getNumElements(), 8, [&](int64_t Begin, int64_t End) {
      for (int64_t I = Begin; I != End; ++I)
        Out[I] = Numbers[I] != Zero;
    });
  });
  return Result;
}

/// condition, x, y: [..], broadcast to each other.
LogicalResult relay::evalWhere(KernelCall &Call) {
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  SmallVector<Strides, 3> Steps;
  for (unsigned I = 0; I != 3; ++I)
    Steps.push_back(getBroadcastStrides(Call.getInput(I).getShape(), Shape));
  StridedWalk Walk(Shape, Steps);
  auto Condition = getConditions(Call, Call.getInput(0));
  if (!Condition)
    return failure(); // reported
  dispatchSize(Call.getOutputDType(), [&](auto Zero) {
    chooseElements<decltype(Zero)>(Call, *Condition, Walk);
  });
  return success();
}
