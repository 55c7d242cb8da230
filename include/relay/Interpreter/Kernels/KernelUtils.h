//===- KernelUtils.h - Shared helpers of kernels ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dispatch over data types, maps over elements, axes. Elements.h has the
// arithmetic of elements, Numbers.h the numbers in which they are computed,
// Strides.h walks through tensors.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_KERNELUTILS_H
#define RELAY_INTERPRETER_KERNELS_KERNELUTILS_H

#include "relay/Interpreter/Kernels/Kernel.h"
#include "relay/Interpreter/Values/Elements.h"
#include "relay/Interpreter/Values/Numbers.h"
#include "relay/Interpreter/Values/Strides.h"

namespace relay {

//===----------------------------------------------------------------------===//
// Dispatch over data types
//===----------------------------------------------------------------------===//

/// Calls \p F with a zero element of the C++ type for \p T: `auto Zero`, whose
/// type is `using E = decltype(Zero)`. F returns a LogicalResult.
template <typename Fn>
LogicalResult dispatchElements(const KernelCall &Call, DType T, Fn &&F) {
  LogicalResult Result = failure();
  if (!dispatchDType(T, [&](auto Zero) { Result = F(Zero); }))
    return Call.emitUnsupported(T);
  return Result;
}
/// As dispatchElements(), for floats only; reports other types.
template <typename Fn>
LogicalResult dispatchFloats(const KernelCall &Call, DType T, Fn &&F) {
  return dispatchElements(Call, T, [&](auto Zero) -> LogicalResult {
    if constexpr (IsFloat<decltype(Zero)>)
      return F(Zero);
    else
      return Call.emitUnsupported(T);
  });
}
/// As dispatchElements(), for integers without bool only; reports other types.
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

/// Calls \p F with a zero of the number type of \p T: see Numbers.h. F returns
/// a LogicalResult.
template <typename Fn>
LogicalResult dispatchNumbers(const KernelCall &Call, DType T, Fn &&F) {
  LogicalResult Result = failure();
  if (!dispatchNumberType(T, [&](auto Zero) { Result = F(Zero); }))
    return Call.emitUnsupported(T);
  return Result;
}
/// As dispatchNumbers(), for floats only; reports other types.
template <typename Fn>
LogicalResult dispatchFloatNumbers(const KernelCall &Call, DType T, Fn &&F) {
  DType Number = getNumberType(T);
  if (!Number.isFloat())
    return Call.emitUnsupported(T);
  return Number.isFloat(64) ? F(double()) : F(float());
}

/// Calls \p F with a zero of the unsigned integer that has the size of an
/// element of \p T, for elements that are moved but not computed with.
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
/// Returns the elements of \p Data as numbers E of the same size.
template <typename E> const E *getRawElements(const Tensor &Data) {
  return reinterpret_cast<const E *>(Data.getBytes().data());
}
template <typename E> E *getMutableRawElements(Tensor &Data) {
  return reinterpret_cast<E *>(Data.getMutableBytes().data());
}

//===----------------------------------------------------------------------===//
// Maps over elements
//===----------------------------------------------------------------------===//

/// Fills output 0, of elements R, from operand 0, of elements A, which has as
/// many elements: \p F takes an A and returns an R.
template <typename R, typename A, typename Fn>
LogicalResult mapElements(KernelCall &Call, Fn &&F) {
  const A *Data = Call.getInput<A>(0).data();
  R *Out = Call.getOutput<R>().data();
  // Captures copies, since elements of one byte may alias any object.
  Call.parallelFor(Call.getInput(0).getNumElements(), 8,
                   [=](int64_t Begin, int64_t End) {
                     for (int64_t I = Begin; I != End; ++I)
                       Out[I] = F(Data[I]);
                   });
  return success();
}

/// Fills output 0, of elements that are computed as R or of R = bool, from
/// operand 0, which has as many elements: \p F computes \p Count results from
/// as many numbers.
template <typename R, typename N>
void mapBlocks(KernelCall &Call,
               function_ref<void(const N *X, R *Out, int64_t Count)> F);

/// A tensor that is read with strides \c Steps at the positions of another
/// shape.
struct StridedOperand {
  const Tensor &Data;
  Strides Steps;

  /// Returns \p Data broadcast to \p Shape.
  static StridedOperand getBroadcast(const Tensor &Data,
                                     ArrayRef<int64_t> Shape) {
    return {Data, getBroadcastStrides(Data.getShape(), Shape)};
  }
};

/// Fills \p Out likewise from two operands, read at the positions of its shape.
template <typename R, typename N>
void mapBlockPairs(
    const KernelCall &Call, const StridedOperand &Left,
    const StridedOperand &Right, Tensor &Out,
    function_ref<void(const N *X, const N *Y, R *Out, int64_t Count)> F);

/// Fills output 0 from operand 0, computed as N: \p F takes and returns an N.
template <typename N, typename Fn>
LogicalResult mapNumbers(KernelCall &Call, Fn &&F) {
  mapBlocks<N, N>(Call, [=](const N *X, N *Out, int64_t Count) {
    for (int64_t I = 0; I != Count; ++I)
      Out[I] = F(X[I]);
  });
  return success();
}

/// Fills \p Out from \p Left and \p Right, computed as N: \p F takes two N and
/// returns an R.
template <typename R, typename N, typename Fn>
void mapNumberPairs(const KernelCall &Call, const StridedOperand &Left,
                    const StridedOperand &Right, Tensor &Out, Fn &&F) {
  mapBlockPairs<R, N>(Call, Left, Right, Out,
                      [=](const N *X, const N *Y, R *Out, int64_t Count) {
                        for (int64_t I = 0; I != Count; ++I)
                          Out[I] = F(X[I], Y[I]);
                      });
}
/// Fills output 0 from operands 0 and 1, which are broadcast to its shape.
template <typename R, typename N, typename Fn>
LogicalResult mapNumberPairs(KernelCall &Call, Fn &&F) {
  ArrayRef<int64_t> Shape = Call.getOutputShape();
  mapNumberPairs<R, N>(Call,
                       StridedOperand::getBroadcast(Call.getInput(0), Shape),
                       StridedOperand::getBroadcast(Call.getInput(1), Shape),
                       Call.getOutputTensor(), F);
  return success();
}

/// Fills output 0 with operand 0, read with strides \p Steps from \p Offset on
/// at the positions of the output's shape: for transposes, slices, broadcasts
/// and reverses. Any data type.
void copyStrided(KernelCall &Call, const Tensor &Data, const Strides &Steps,
                 int64_t Offset = 0);
/// As above, for \p Out; \p Steps are the strides on the axes of \p Shape: the
/// shape of Out, or a shape of the same size that splits its axes.
void copyStrided(const KernelCall &Call, const Tensor &Data, int64_t Offset,
                 Tensor &Out, ArrayRef<int64_t> Shape, const Strides &Steps);

/// Converts the elements of \p Data, indices or lengths, to int64; truncates
/// floats. Returns none, with an error reported, if there is not enough memory.
std::optional<Tensor> convertToInt64(KernelCall &Call, const Tensor &Data);

/// Returns \p Data converted to elements of \p T, as by TVM's cast; Data itself
/// if its elements are of T already.
FailureOr<Tensor> castTensor(KernelCall &Call, const Tensor &Data, DType T);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Returns the values of a list attribute; reports elements that are not
/// constants.
FailureOr<SmallVector<int64_t, 6>>
getInts(const KernelCall &Call, ArrayRef<Dim> Values, StringRef Name);
/// Returns the values of a list attribute of floats (FloatArray).
SmallVector<double, 6> getDoubles(ArrayRef<Attr> Values);
/// Converts \p Axis in [-Rank, Rank) to an index counted from the front;
/// reports others.
FailureOr<unsigned> getAxis(const KernelCall &Call, int64_t Axis,
                            unsigned Rank);

} // namespace relay

#endif // RELAY_INTERPRETER_KERNELS_KERNELUTILS_H
