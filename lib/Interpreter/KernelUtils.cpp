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

namespace {
/// A copy whose neighbours on the axis \c Last, the result's innermost, are
/// apart in the data, where those on the axis \c Near are side by side.
struct TransposedCopy {
  unsigned Near, Last;
  ArrayRef<int64_t> Shape;
  const Strides &Steps;
  Strides OutSteps;

  /// Null where a copy by rows does as well.
  static std::optional<TransposedCopy> get(ArrayRef<int64_t> Shape,
                                           const Strides &Steps);
  template <typename E>
  void run(const KernelCall &Call, const E *From, E *To) const;

private:
  /// Columns that are read side by side: each cache line is read once.
  static constexpr int64_t Side = 16;
  template <typename E> void copyPlane(const E *From, E *To) const;
};
} // namespace

std::optional<TransposedCopy> TransposedCopy::get(ArrayRef<int64_t> Shape,
                                                  const Strides &Steps) {
  unsigned Last = Shape.size(), Near = Shape.size();
  for (unsigned I = 0; I != Shape.size(); ++I) {
    if (Shape[I] == 1)
      continue;
    Last = I;
    if (Steps[I] == 1)
      Near = I;
  }
  if (Near == Shape.size() || Near == Last || Shape[Near] < Side)
    return std::nullopt;
  return TransposedCopy{Near, Last, Shape, Steps, getStrides(Shape)};
}

template <typename E>
void TransposedCopy::copyPlane(const E *From, E *To) const {
  int64_t Step = Steps[Last], OutStep = OutSteps[Near];
  for (int64_t First = 0; First < Shape[Last]; First += Side) {
    int64_t End = std::min(First + Side, Shape[Last]);
    for (int64_t I = 0; I != Shape[Near]; ++I)
      for (int64_t J = First; J != End; ++J)
        To[I * OutStep + J] = From[I + J * Step];
  }
}

template <typename E>
void TransposedCopy::run(const KernelCall &Call, const E *From, E *To) const {
  TensorShape Outer;
  Strides OuterSteps, OuterOutSteps;
  for (unsigned I = 0; I != Shape.size(); ++I) {
    if (I == Near || I == Last)
      continue;
    Outer.push_back(Shape[I]);
    OuterSteps.push_back(Steps[I]);
    OuterOutSteps.push_back(OutSteps[I]);
  }
  StridedWalk Walk(Outer, {OuterSteps, OuterOutSteps});
  auto CopyPlanes = [&](int64_t, ArrayRef<int64_t> Offsets) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I)
      copyPlane(From + Offsets[0] + I * Walk.getRowStride(0),
                To + Offsets[1] + I * Walk.getRowStride(1));
  };
  Call.parallelFor(Walk.getNumRows(),
                   Walk.getRowLength() * Shape[Near] * Shape[Last],
                   [&](int64_t Begin, int64_t End) {
                     Walk.forEachRow(Begin, End, CopyPlanes);
                   });
}

void relay::copyStrided(const KernelCall &Call, const Tensor &Data,
                        int64_t Offset, Tensor &Out, ArrayRef<int64_t> Shape,
                        const Strides &Steps) {
  assert(getNumElements(Shape) == Out.getNumElements());
  auto Transposed = TransposedCopy::get(Shape, Steps);
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data) + Offset;
    E *To = getMutableRawElements<E>(Out);
    if (Transposed)
      Transposed->run(Call, From, To);
    else
      copyStridedElements(Call, From, To, StridedWalk(Shape, Steps));
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
