//===- KernelUtils.h - What kernels have in common --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dispatch over data types, maps over elements, axes. Arithmetic of elements is
// Elements.h, walks through tensors are Strides.h.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_KERNELUTILS_H
#define RELAY_INTERPRETER_KERNELS_KERNELUTILS_H

#include "relay/Interpreter/Kernels/Kernel.h"
#include "relay/Interpreter/Values/Elements.h"
#include "relay/Interpreter/Values/Strides.h"

namespace relay {

//===----------------------------------------------------------------------===//
// Dispatch over data types
//===----------------------------------------------------------------------===//

/// Calls \p F with a zero element of the C++ type for \p T: `auto Zero`, of
/// which `using E = decltype(Zero)` is the type. F returns a LogicalResult.
template <typename Fn>
LogicalResult dispatchElements(const KernelCall &Call, DType T, Fn &&F) {
  LogicalResult Result = failure();
  if (!dispatchDType(T, [&](auto Zero) { Result = F(Zero); }))
    return Call.emitUnsupported(T);
  return Result;
}
/// The same for floats only; others are reported.
template <typename Fn>
LogicalResult dispatchFloats(const KernelCall &Call, DType T, Fn &&F) {
  return dispatchElements(Call, T, [&](auto Zero) -> LogicalResult {
    if constexpr (IsFloat<decltype(Zero)>)
      return F(Zero);
    else
      return Call.emitUnsupported(T);
  });
}
/// The same for integers only, bool excluded.
template <typename Fn>
LogicalResult dispatchIntegers(const KernelCall &Call, DType T, Fn &&F) {
  return dispatchElements(Call, T, [&](auto Zero) -> LogicalResult {
    using E = decltype(Zero);
    if constexpr (std::is_integral_v<E> && !std::is_same_v<E, bool>)
      return F(Zero);
    else
      return Call.emitUnsupported(T);
  });
}

/// Calls \p F with a zero of the unsigned integer that is as large as an
/// element of \p T, for elements that are moved and not computed with.
template <typename Fn> void dispatchSize(DType T, Fn &&F) {
  switch (T.getByteSize()) {
  case 1:
    return F(uint8_t());
  case 2:
    return F(uint16_t());
  case 4:
    return F(uint32_t());
  default:
    return F(uint64_t());
  }
}
/// The elements of \p Data as numbers of their size, E.
template <typename E> const E *getRawElements(const Tensor &Data) {
  return reinterpret_cast<const E *>(Data.getBytes().data());
}
template <typename E> E *getMutableRawElements(Tensor &Data) {
  return reinterpret_cast<E *>(Data.getMutableBytes().data());
}

//===----------------------------------------------------------------------===//
// Maps over elements
//===----------------------------------------------------------------------===//

/// Fills output 0, of R, from operand 0, of A, which has as many elements:
/// \p F takes an A and returns an R.
template <typename R, typename A, typename Fn>
LogicalResult mapElements(KernelCall &Call, Fn &&F) {
  const A *Data = Call.getInput<A>(0).data();
  R *Out = Call.getOutput<R>().data();
  // Copies, since elements of one byte may be any object's bytes.
  Call.parallelFor(Call.getInput(0).getNumElements(), 8,
                   [=](int64_t Begin, int64_t End) {
                     for (int64_t I = Begin; I != End; ++I)
                       Out[I] = F(Data[I]);
                   });
  return success();
}

/// Fills output 0, of R, from operands 0, of A, and 1, of B, both broadcast to
/// its shape: \p F takes an A and a B and returns an R.
template <typename R, typename A, typename B, typename Fn>
LogicalResult mapBroadcast(KernelCall &Call, Fn &&F) {
  const A *Left = Call.getInput<A>(0).data();
  const B *Right = Call.getInput<B>(1).data();
  R *Out = Call.getOutput<R>().data();
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  if (Call.getInput(0).getShape() == Shape &&
      Call.getInput(1).getShape() == Shape) {
    Call.parallelFor(Call.getOutputTensor().getNumElements(), 8,
                     [=](int64_t Begin, int64_t End) {
                       for (int64_t I = Begin; I != End; ++I)
                         Out[I] = F(Left[I], Right[I]);
                     });
    return success();
  }
  StridedWalk Walk(Shape,
                   {getBroadcastStrides(Call.getInput(0).getShape(), Shape),
                    getBroadcastStrides(Call.getInput(1).getShape(), Shape)});
  int64_t Length = Walk.getRowLength();
  int64_t LStep = Walk.getRowStride(0), RStep = Walk.getRowStride(1);
  auto VisitRow = [=](int64_t First, ArrayRef<int64_t> Offsets) {
    const A *L = Left + Offsets[0];
    const B *Rest = Right + Offsets[1];
    R *Row = Out + First;
    if (LStep == 1 && RStep == 1)
      for (int64_t I = 0; I != Length; ++I)
        Row[I] = F(L[I], Rest[I]);
    else if (B Same = *Rest; LStep == 1 && RStep == 0)
      for (int64_t I = 0; I != Length; ++I)
        Row[I] = F(L[I], Same);
    else
      for (int64_t I = 0; I != Length; ++I)
        Row[I] = F(L[I * LStep], Rest[I * RStep]);
  };
  Call.parallelFor(Walk.getNumRows(), 8 * Length,
                   [&](int64_t Begin, int64_t End) {
                     Walk.forEachRow(Begin, End, VisitRow);
                   });
  return success();
}

/// Fills output 0 with operand 0 read by \p Steps, beginning at \p Offset, at
/// the places of the output's shape: what transposes, slices, broadcasts and
/// reverses do. Any data type.
void copyStrided(KernelCall &Call, const Tensor &Data, const Strides &Steps,
                 int64_t Offset = 0);
/// The same for \p Out, where \p Steps are those on the axes of \p Shape: the
/// shape of Out, or one of as many places that splits its axes.
void copyStrided(const KernelCall &Call, const Tensor &Data, int64_t Offset,
                 Tensor &Out, ArrayRef<int64_t> Shape, const Strides &Steps);

/// The elements of \p Data, indices or lengths, as int64; floats are truncated.
/// None, with an error reported, if there is no memory for them.
std::optional<Tensor> convertToInt64(KernelCall &Call, const Tensor &Data);

/// \p Data as elements of \p T, each as TVM's cast makes it; Data itself where
/// it is of T.
FailureOr<Tensor> castTensor(KernelCall &Call, const Tensor &Data, DType T);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The values of a list attribute, all constants; reports what is none.
FailureOr<SmallVector<int64_t, 6>>
getInts(const KernelCall &Call, ArrayRef<Dim> Values, StringRef Name);
/// The values of a list attribute of floats (FloatArray).
SmallVector<double, 6> getDoubles(ArrayRef<Attr> Values);
/// \p Axis in [-Rank, Rank), counted from the front; reports others.
FailureOr<unsigned> getAxis(const KernelCall &Call, int64_t Axis,
                            unsigned Rank);

} // namespace relay

#endif // RELAY_INTERPRETER_KERNELS_KERNELUTILS_H
