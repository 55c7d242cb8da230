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

/// Elements are moved as numbers of their size.
template <typename E>
static void copyStridedElements(KernelCall &Call, const Tensor &Data,
                                const StridedWalk &Walk, int64_t Offset) {
  const E *From = reinterpret_cast<const E *>(Data.getBytes().data()) + Offset;
  E *To =
      reinterpret_cast<E *>(Call.getOutputTensor().getMutableBytes().data());
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

void relay::copyStrided(KernelCall &Call, const Tensor &Data,
                        const Strides &Steps, int64_t Offset) {
  StridedWalk Walk(Call.getOutputTensor().getShape(), Steps);
  switch (Data.getDType().getByteSize()) {
  case 1:
    return copyStridedElements<uint8_t>(Call, Data, Walk, Offset);
  case 2:
    return copyStridedElements<uint16_t>(Call, Data, Walk, Offset);
  case 4:
    return copyStridedElements<uint32_t>(Call, Data, Walk, Offset);
  default:
    return copyStridedElements<uint64_t>(Call, Data, Walk, Offset);
  }
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
