//===- Contraction.h - Products of matrices ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of dense layers, matrix products and convolutions: a product
// of two matrices whose right operand is computed panel by panel. Each element
// is the sum of its products in order, from zero, each product and each sum
// rounded separately, in the type given by ContractType. Results are therefore
// the same on every machine, for any vector size and number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_CONTRACTION_CONTRACTION_H
#define RELAY_INTERPRETER_CONTRACTION_CONTRACTION_H

#include "relay/Interpreter/Kernels/KernelUtils.h"

namespace relay {

//===----------------------------------------------------------------------===//
// Types that are contracted in
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
  if (T.isFloat() || T.isBFloat())
    return F(float());
  return T.getByteSize() == 8 ? F(uint64_t()) : F(uint32_t());
}
/// The data type of the elements that \p T is contracted in.
DType getContractDType(DType T);

/// \p Data, cast to \p T, as elements that T is contracted in.
FailureOr<Tensor> loadContracted(KernelCall &Call, const Tensor &Data, DType T);
/// \p Sums, of elements that \p T is contracted in, as elements of T.
FailureOr<Tensor> storeContracted(KernelCall &Call, const Tensor &Sums,
                                  DType T);

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// Columns of a panel of the right matrix.
template <typename T> constexpr unsigned PanelWidth = 64 / sizeof(T);

/// Writes the rows [Row, Row + NumRows) of the columns [Column, Column +
/// NumColumns), at most PanelWidth, of the right matrix of product Product:
/// element (I, J) to Panel[I * PanelWidth + J]. Called on several threads.
template <typename T>
using PackPanelFn =
    function_ref<void(int64_t Product, int64_t Row, int64_t NumRows,
                      int64_t Column, unsigned NumColumns, T *Panel)>;

/// The left matrices of products, read where they stand: element (I, K) of
/// matrix M is Data[M * MatrixStep + I * RowStep + K * DepthStep].
template <typename T> struct LeftMatrices {
  const T *Data;
  int64_t NumMatrices; ///< product P takes matrix P % NumMatrices
  int64_t MatrixStep, RowStep, DepthStep;
};

/// The instructions that products are computed with; the results are the same.
enum class VectorSet { Portable, AVX2, AVX512 };
/// The vector sets of this machine, the fastest one last.
ArrayRef<VectorSet> getVectorSets();

/// Products of matrices [NumRows, Depth] and [Depth, NumColumns], which are
/// written to Out one after the other.
template <typename T> struct MatrixProducts {
  int64_t NumProducts, NumRows, Depth, NumColumns;
  LeftMatrices<T> Left;
  PackPanelFn<T> PackRight;
  T *Out;

  /// Part of product \c Product.
  struct Block {
    int64_t Product, Row, NumRows, Column, NumColumns;
  };
  void computeBlock(const Block &B,
                    VectorSet Set = getVectorSets().back()) const;
  /// All of them, on the call's threads; reports more work than is allowed.
  LogicalResult compute(const KernelCall &Call) const;
};

} // namespace relay

#endif // RELAY_INTERPRETER_CONTRACTION_CONTRACTION_H
