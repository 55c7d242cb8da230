//===- Strides.h - Walking through tensors ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of a kernel that are not read in row-major order, or whose shape
// differs from the result's: broadcast, transposed, sliced.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_STRIDES_H
#define RELAY_INTERPRETER_VALUES_STRIDES_H

#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// The distance of adjacent positions on each axis, in elements; may be
/// negative, or 0 on an axis of broadcasting.
using Strides = SmallVector<int64_t, 4>;

/// Returns the strides of a row-major tensor.
Strides getStrides(ArrayRef<int64_t> Shape);
/// Returns the strides by which a row-major tensor of the shape \p From, which
/// broadcasts to \p To, is read at the positions of \p To.
Strides getBroadcastStrides(ArrayRef<int64_t> From, ArrayRef<int64_t> To);

/// A walk through all positions of a shape, row-major, with the offsets of
/// several operands. Axes that are contiguous in all operands are merged.
///
///   StridedWalk Walk(Out.Shape, {getBroadcastStrides(A.Shape, Out.Shape), …});
///   Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
///     for (int64_t I = 0; I != Walk.getRowLength(); ++I)
///       Out[First + I] = A[Offsets[0] + I * Walk.getRowStride(0)] + …;
///   });
class StridedWalk {
public:
  StridedWalk(ArrayRef<int64_t> Shape, ArrayRef<Strides> Operands);

  /// The number of positions in a row, which differ on the last axis only.
  int64_t getRowLength() const { return Extents.back(); }
  int64_t getNumRows() const { return NumRows; }
  /// Returns the distance, in elements, of adjacent positions of a row in
  /// operand \p I.
  int64_t getRowStride(unsigned I) const { return Steps[I].back(); }

  using RowFn = function_ref<void(int64_t First, ArrayRef<int64_t> Offsets)>;
  /// Calls \p Visit for each row with the number of its first position and the
  /// offsets of the operands at that position.
  void forEachRow(RowFn Visit) const { forEachRow(0, NumRows, Visit); }
  /// As above, for the rows [\p Begin, \p End): see KernelCall::parallelFor.
  void forEachRow(int64_t Begin, int64_t End, RowFn Visit) const;

private:
  void mergeAxes();

  SmallVector<int64_t, 4> Extents; ///< at least one
  SmallVector<Strides, 3> Steps;   ///< by operand
  int64_t NumRows = 0;
};

/// Returns a row-major tensor of shape \p Shape with the elements of \p Data at
/// strides \p Steps. Kernels use copyStrided() instead.
Tensor readStrided(const Tensor &Data, const TensorShape &Shape,
                   const Strides &Steps);

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_STRIDES_H
