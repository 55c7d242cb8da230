//===- KernelUtils.cpp - What kernels have in common ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See KernelUtils.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/KernelUtils.h"
#include "relay/Ops/Relations.h"

using namespace relay;

template <typename E>
static void copyStridedElements(const KernelCall &Call, const E *From, E *To,
                                const StridedWalk &Walk) {
  int64_t Length = Walk.getRowLength(), Step = Walk.getRowStride(0);
  auto CopyRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
    const E *Row = From + Offsets[0];
    if (Step == 1)
      std::memcpy(To + First, Row, Length * sizeof(E));
    else
      for (int64_t I = 0; I != Length; ++I)
        To[First + I] = Row[I * Step];
  };
  Call.parallelFor(Walk.getNumRows(), Length, [&](int64_t Begin, int64_t End) {
    Walk.forEachRow(Begin, End, CopyRow);
  });
}

void relay::copyStrided(const KernelCall &Call, const Tensor &Data,
                        int64_t Offset, Tensor &Out, ArrayRef<int64_t> Shape,
                        const Strides &Steps) {
  assert(getNumElements(Shape) == Out.getNumElements());
  StridedWalk Walk(Shape, Steps);
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    copyStridedElements(Call, getRawElements<E>(Data) + Offset,
                        getMutableRawElements<E>(Out), Walk);
  });
}

void relay::copyStrided(KernelCall &Call, const Tensor &Data,
                        const Strides &Steps, int64_t Offset) {
  Tensor &Out = Call.getOutputTensor();
  copyStrided(Call, Data, Offset, Out, Out.getShape(), Steps);
}

std::optional<Tensor> relay::convertToInt64(KernelCall &Call,
                                            const Tensor &Data) {
  if (Data.getDType().isInt(64))
    return Data;
  std::optional<Tensor> Result =
      Call.allocate(DType::getInt(64), Data.getShape());
  if (!Result)
    return std::nullopt;
  MutableArrayRef<int64_t> Out = Result->getMutableElements<int64_t>();
  dispatchDType(Data.getDType(), [&](auto Zero) {
    llvm::transform(Data.getElements<decltype(Zero)>(), Out.begin(),
                    [](auto X) { return toInt(X); });
  });
  return Result;
}

FailureOr<SmallVector<int64_t, 6>>
relay::getInts(const KernelCall &Call, ArrayRef<Dim> Values, StringRef Name) {
  SmallVector<int64_t, 6> Result;
  for (Dim D : Values) {
    if (!D.isConst())
      return Call.emitError("attribute '" + Name + "' is not known");
    Result.push_back(D.getInt());
  }
  return Result;
}

SmallVector<double, 6> relay::getDoubles(ArrayRef<Attr> Values) {
  SmallVector<double, 6> Result;
  for (Attr Value : Values)
    Result.push_back(Value.getFloat());
  return Result;
}

FailureOr<unsigned> relay::getAxis(const KernelCall &Call, int64_t Axis,
                                   unsigned Rank) {
  if (std::optional<unsigned> Known = normalizeAxis(Axis, Rank))
    return *Known;
  return Call.emitError("axis " + Twine(Axis) + " is out of range for rank " +
                        Twine(Rank));
}
