//===- MatrixKernels.h - Utilities of matrix products -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of matrices as the output of a call.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_MATRIXKERNELS_H
#define RELAY_LIB_INTERPRETER_KERNELS_MATRIXKERNELS_H

#include "relay/Interpreter/Contraction/Contraction.h"

namespace relay {

/// The matrices of a tensor [batch, rows, columns].
struct MatrixView {
  Tensor Elements; ///< elements in the type of contractions
  int64_t Batch, Rows, Columns;
  int64_t RowStep, ColumnStep;

  /// A view of \p T as \p Batch matrices of its last two axes, swapped if \p
  /// IsTransposed.
  MatrixView(Tensor T, int64_t Batch, int64_t NumRows, int64_t NumColumns,
             bool IsTransposed)
      : Elements(std::move(T)), Batch(Batch), Rows(NumRows),
        Columns(NumColumns), RowStep(NumColumns), ColumnStep(1) {
    if (!IsTransposed)
      return;
    std::swap(Rows, Columns);
    std::swap(RowStep, ColumnStep);
  }

  /// Returns the view of \p T, [batch, rows, columns].
  static MatrixView getBatch(const Tensor &T, bool IsTransposed) {
    return MatrixView(T, T.getDim(0), T.getDim(1), T.getDim(2), IsTransposed);
  }

  /// Returns the offset of matrix \p I; a batch of 1 is repeated.
  int64_t getOffset(int64_t I) const {
    return Batch == 1 ? 0 : I * Rows * Columns;
  }
};

/// Sets the output to the product of \p L and \p R, whose elements have the
/// output's type of contractions. Reports incompatible matrices and batches.
LogicalResult multiplyMatrices(KernelCall &Call, const MatrixView &L,
                               const MatrixView &R);

/// Returns the packed weight of a dense layer, [n / a, k, a] or
/// [n / a, k / b, a, b], as [n, k]. Reports an error and returns none if the
/// call's `weight_layout` is another one, or if memory is short.
std::optional<Tensor> unpackWeight(KernelCall &Call, const Tensor &Weight);

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_MATRIXKERNELS_H
