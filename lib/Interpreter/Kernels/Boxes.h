//===- Boxes.h - Rectangles in images ---------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Utilities of the kernels of Ops/Vision.td. Boxes are float32, and each
// operation on them is rounded, as in TVM.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_BOXES_H
#define RELAY_LIB_INTERPRETER_KERNELS_BOXES_H

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include <cmath>
#include <numeric>

namespace relay {

/// Return the maximum and the minimum; the second argument if neither is
/// larger.
inline float maxOf(float L, float R) { return L > R ? L : R; }
inline float minOf(float L, float R) { return L < R ? L : R; }

/// Reports an error unless operands \p Operands are tensors of float32.
inline LogicalResult checkFloat32(const KernelCall &Call,
                                  ArrayRef<unsigned> Operands) {
  for (unsigned I : Operands)
    if (Call.getInput(I).getDType() != DType::getFloat(32))
      return Call.emitUnsupported(Call.getInput(I).getDType());
  return success();
}

/// Returns operand \p I as a number; reports an error unless it has one
/// element.
inline FailureOr<double> getNumber(const KernelCall &Call, unsigned I) {
  if (Call.getInput(I).getNumElements() != 1)
    return Call.emitError("'" + Call.getInfo().OperandNames[I] +
                          "' is not one number");
  return Call.getInput(I).getDouble();
}

/// Reserves memory for \p Count objects of \p Size bytes in a kernel's own
/// lists, during the lifetime of the result; none, with an error reported, if
/// it exceeds the limit.
inline std::optional<Tensor> reserve(KernelCall &Call, int64_t Count,
                                     size_t Size) {
  return Call.allocate(DType::getUInt(8), {Count, int64_t(Size)});
}

/// Returns true if score \p L comes before score \p R: the larger one first,
/// NaN after all numbers.
inline bool isBetterScore(float L, float R) {
  return L > R || (!std::isnan(L) && std::isnan(R));
}

/// Returns the positions of \p Scores in order of descending scores; equal
/// scores keep their order.
inline SmallVector<int32_t, 0> sortByScore(ArrayRef<float> Scores) {
  SmallVector<int32_t, 0> Order(Scores.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::stable_sort(Order, [&](int32_t L, int32_t R) {
    return isBetterScore(Scores[L], Scores[R]);
  });
  return Order;
}

/// Returns the intersection over union of two boxes, each given by (x, y) of
/// two opposite corners.
inline float getOverlap(const float *A, const float *B) {
  float ALeft = minOf(A[0], A[2]), ATop = minOf(A[1], A[3]);
  float ARight = maxOf(A[0], A[2]), ABottom = maxOf(A[1], A[3]);
  float BLeft = minOf(B[0], B[2]), BTop = minOf(B[1], B[3]);
  float BRight = maxOf(B[0], B[2]), BBottom = maxOf(B[1], B[3]);
  float Width = maxOf(0, minOf(ARight, BRight) - maxOf(ALeft, BLeft));
  float Height = maxOf(0, minOf(ABottom, BBottom) - maxOf(ATop, BTop));
  float Area = Height * Width;
  float Union = (ARight - ALeft) * (ABottom - ATop) +
                (BRight - BLeft) * (BBottom - BTop) - Area;
  return Union <= 0 ? 0 : Area / Union;
}

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_BOXES_H
