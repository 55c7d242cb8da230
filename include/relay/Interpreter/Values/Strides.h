//===- Strides.h - Walking through tensors ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of a kernel that are read in another order than row by row, or of
// another shape than the result: broadcast, transposed, sliced.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_STRIDES_H
#define RELAY_INTERPRETER_VALUES_STRIDES_H

#include "relay/Interpreter/Values/Tensor.h"

namespace relay {

/// How many elements further the next place on each axis is; may be negative,
/// or 0 where an operand is broadcast.
using Strides = SmallVector<int64_t, 4>;

/// The strides of a row-major tensor.
Strides getStrides(ArrayRef<int64_t> Shape);
/// Those by which a row-major tensor of the shape \p From, which broadcasts to
/// \p To, is read at the places of \p To.
Strides getBroadcastStrides(ArrayRef<int64_t> From, ArrayRef<int64_t> To);

/// A walk through all places of a shape, row-major, that tells where several
/// operands are read. Axes that lie together in all of them are one.
///
///   StridedWalk Walk(Out.Shape, {getBroadcastStrides(A.Shape, Out.Shape), …});
///   Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> Offsets) {
///     for (int64_t I = 0; I != Walk.getRowLength(); ++I)
///       Out[First + I] = A[Offsets[0] + I * Walk.getRowStride(0)] + …;
///   });
class StridedWalk {
public:
  StridedWalk(ArrayRef<int64_t> Shape, ArrayRef<Strides> Operands);

  /// Places in a row, which differ on the last axis only.
  int64_t getRowLength() const { return Extents.back(); }
  int64_t getNumRows() const { return NumRows; }
  /// How many elements further operand \p I is from place to place of a row.
  int64_t getRowStride(unsigned I) const { return Steps[I].back(); }

  using RowFn = function_ref<void(int64_t First, ArrayRef<int64_t> Offsets)>;
  /// Calls \p Visit for each row with the number of its first place, and the
  /// offsets of the operands there.
  void forEachRow(RowFn Visit) const { forEachRow(0, NumRows, Visit); }
  /// The same for the rows [\p Begin, \p End): see KernelCall::parallelFor.
  void forEachRow(int64_t Begin, int64_t End, RowFn Visit) const;

private:
  void mergeAxes();

  SmallVector<int64_t, 4> Extents; ///< at least one
  SmallVector<Strides, 3> Steps;   ///< by operand
  int64_t NumRows = 0;
};

/// Returns a row-major tensor of shape \p Shape with the elements of \p Data at
/// strides \p Steps. For use outside of kernels, which have copyStrided().
Tensor readStrided(const Tensor &Data, const TensorShape &Shape,
                   const Strides &Steps);

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_STRIDES_H
