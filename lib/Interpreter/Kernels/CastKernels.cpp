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
  std::optional<Tensor> Result = Call.allocate(T, Data.getShape());
  if (!Result)
    return failure();
  LogicalResult Done = dispatchElements(Call, Data.getDType(), [&](auto From) {
    return dispatchElements(Call, T, [&](auto To) {
      using R = decltype(To);
      auto In = Data.getElements<decltype(From)>();
      auto Out = Result->getMutableElements<R>();
      Call.parallelFor(In.size(), 8, [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin; I != End; ++I)
          Out[I] = store<R>(load(In[I]));
      });
      return success();
    });
  });
  if (failed(Done))
    return failure();
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
  // Only 0 and 1 are bits of a bool.
  if (T.isBool() && !Data.getDType().isBool())
    return mapElements<bool, uint8_t>(Call, [](uint8_t X) { return X != 0; });
  Call.setOutput(0, Data.reinterpret(T));
  return success();
}

/// Elements are moved as numbers of their size.
template <typename C, typename E>
static void chooseElements(KernelCall &Call, const StridedWalk &Walk) {
  const C *Condition = Call.getInput<C>(0).data();
  auto GetData = [&](unsigned I) {
    return reinterpret_cast<const E *>(Call.getInput(I).getBytes().data());
  };
  const E *X = GetData(1), *Y = GetData(2);
  E *Out =
      reinterpret_cast<E *>(Call.getOutputTensor().getMutableBytes().data());
  int64_t Length = Walk.getRowLength();
  auto ChooseRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Length; ++I) {
      auto C0 = load(Condition[Offsets[0] + I * Walk.getRowStride(0)]);
      E OfX = X[Offsets[1] + I * Walk.getRowStride(1)];
      E OfY = Y[Offsets[2] + I * Walk.getRowStride(2)];
      Out[First + I] = C0 != decltype(C0)(0) ? OfX : OfY;
    }
  };
  Call.parallelFor(Walk.getNumRows(), 8 * Length,
                   [&](int64_t Begin, int64_t End) {
                     Walk.forEachRow(Begin, End, ChooseRow);
                   });
}

/// condition, x, y: [..], broadcast to each other.
LogicalResult relay::evalWhere(KernelCall &Call) {
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  SmallVector<Strides, 3> Steps;
  for (unsigned I = 0; I != 3; ++I)
    Steps.push_back(getBroadcastStrides(Call.getInput(I).getShape(), Shape));
  StridedWalk Walk(Shape, Steps);
  return dispatchElements(Call, Call.getInput(0).getDType(), [&](auto Zero) {
    using C = decltype(Zero);
    switch (Call.getOutputDType().getByteSize()) {
    case 1:
      chooseElements<C, uint8_t>(Call, Walk);
      break;
    case 2:
      chooseElements<C, uint16_t>(Call, Walk);
      break;
    case 4:
      chooseElements<C, uint32_t>(Call, Walk);
      break;
    default:
      chooseElements<C, uint64_t>(Call, Walk);
    }
    return success();
  });
}
