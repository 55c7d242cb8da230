//===- Contraction.h - Products of matrices ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of dense layers, matrix products and convolutions: a product
// of two matrices whose right operand is computed panel by panel. Each element
// is the sum of its products in order, starting from zero. Each product and
// each sum is rounded separately, in the type ContractType. Results are
// therefore the same on every machine, for any vector size and number of
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_CONTRACTION_CONTRACTION_H
#define RELAY_INTERPRETER_CONTRACTION_CONTRACTION_H

#include "relay/Interpreter/Kernels/KernelUtils.h"

namespace relay {

//===----------------------------------------------------------------------===//
// Types of contractions
//===----------------------------------------------------------------------===//

/// The type in which products of E are summed: float32 for float32, as in TVM,
/// and for the narrow floats; integers wrap around in 32 or 64 bits and are
/// truncated to their low bits.
template <typename E>
using ContractType =
    std::conditional_t<IsFloat<E>, ComputeType<E>,
                       std::conditional_t<sizeof(E) == 8, uint64_t, uint32_t>>;

/// Calls \p F with a zero of the ContractType of the elements of \p T; reports
/// types that are not numbers.
template <typename Fn>
LogicalResult dispatchContraction(const KernelCall &Call, DType T, Fn &&F) {
  if (!hasElementType(T))
    return Call.emitUnsupported(T);
  if (T.isFloat(64))
    return F(double());
  if (T.isAnyFloat())
    return F(float());
  return T.getByteSize() == 8 ? F(uint64_t()) : F(uint32_t());
}
/// Returns the data type in which elements of \p T are contracted.
DType getContractDType(DType T);

/// Returns \p Data, cast to \p T, as elements of getContractDType(\p T).
FailureOr<Tensor> loadContracted(KernelCall &Call, const Tensor &Data, DType T);
/// Returns \p Sums, of elements of getContractDType(\p T), as elements of \p T.
FailureOr<Tensor> storeContracted(KernelCall &Call, const Tensor &Sums,
                                  DType T);

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// The number of columns of a panel of the right matrix.
template <typename T> constexpr unsigned PanelWidth = 64 / sizeof(T);

/// Writes the rows [Row, Row + NumRows) of the columns [Column, Column +
/// NumColumns), at most PanelWidth, of the right matrix of product Product:
/// element (I, J) to Panel[I * PanelWidth + J]. Called on several threads.
template <typename T>
using PackPanelFn =
    function_ref<void(int64_t Product, int64_t Row, int64_t NumRows,
                      int64_t Column, unsigned NumColumns, T *Panel)>;

/// The left matrices of products, read in place: element (I, K) of matrix M is
/// Data[M * MatrixStep + I * RowStep + K * DepthStep].
template <typename T> struct LeftMatrices {
  const T *Data;
  int64_t NumMatrices; ///< product P uses matrix P % NumMatrices
  int64_t MatrixStep, RowStep, DepthStep;
};

/// The instructions used for products; all give the same results.
enum class VectorSet { Portable, AVX2, AVX512 };
/// Returns the vector sets of this machine, the fastest one last.
ArrayRef<VectorSet> getVectorSets();

/// Products of matrices [NumRows, Depth] and [Depth, NumColumns], which are
/// written to Out in sequence.
template <typename T> struct MatrixProducts {
  int64_t NumProducts, NumRows, Depth, NumColumns;
  LeftMatrices<T> Left;
  PackPanelFn<T> PackRight;
  T *Out;

  /// A part of product \c Product.
  struct Block {
    int64_t Product, Row, NumRows, Column, NumColumns;
  };
  void computeBlock(const Block &B,
                    VectorSet Set = getVectorSets().back()) const;
  /// Computes all products on the call's threads; reports work beyond the
  /// limit.
  LogicalResult compute(const KernelCall &Call) const;
};

} // namespace relay

#endif // RELAY_INTERPRETER_CONTRACTION_CONTRACTION_H
