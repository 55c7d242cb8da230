//===- MatrixKernels.h - What products of matrices share --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of matrices that are the output of a call.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_MATRIXKERNELS_H
#define RELAY_LIB_INTERPRETER_KERNELS_MATRIXKERNELS_H

#include "relay/Interpreter/Contraction/Contraction.h"

namespace relay {

/// Matrices of a tensor [batch, rows, columns], as they are multiplied.
struct MatrixView {
  Tensor Elements; ///< that are contracted
  int64_t Batch, Rows, Columns;
  int64_t RowStep, ColumnStep;

  /// Of \p T as \p Batch matrices of its last two axes, which change places
  /// where \p IsTransposed.
  MatrixView(Tensor T, int64_t Batch, int64_t NumRows, int64_t NumColumns,
             bool IsTransposed)
      : Elements(std::move(T)), Batch(Batch), Rows(NumRows),
        Columns(NumColumns), RowStep(NumColumns), ColumnStep(1) {
    if (!IsTransposed)
      return;
    std::swap(Rows, Columns);
    std::swap(RowStep, ColumnStep);
  }

  /// Of \p T, [batch, rows, columns].
  static MatrixView getBatch(const Tensor &T, bool IsTransposed) {
    return MatrixView(T, T.getDim(0), T.getDim(1), T.getDim(2), IsTransposed);
  }

  /// Where matrix \p I begins; a batch of 1 is repeated.
  int64_t getOffset(int64_t I) const {
    return Batch == 1 ? 0 : I * Rows * Columns;
  }
};

/// Makes the product of \p L and \p R, of elements that the output is
/// contracted in, the output. Reports matrices and batches that do not fit.
LogicalResult multiplyMatrices(KernelCall &Call, const MatrixView &L,
                               const MatrixView &R);

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_MATRIXKERNELS_H
