//===- SparseKernels.td - Kernels of Ops/Sparse.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/SparseKernels.cpp and SparseListKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_SPARSEKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_SPARSEKERNELS_TD

include "relay/Ops/Sparse.td"

// Compressed rows. Padding for GPUs consists of zeros.
foreach op = [SparseDenseOp, SparseDensePaddedOp] in
  def : Kernel<op, "evalSparseDense">;
def : Kernel<SparseConv2DOp, "evalSparseConv2D">;
def : Kernel<SparseTransposeOp, "evalSparseTranspose">;
def : Kernel<SparseAddOp, "evalSparseAdd">;

// Lists of positions.
def : Kernel<SparseToDenseOp, "evalSparseToDense">;
def : Kernel<SparseFillEmptyRowsOp, "evalSparseFillEmptyRows">;
def : Kernel<SparseReshapeOp, "evalSparseReshape">;

#endif // RELAY_INTERPRETER_KERNELS_SPARSEKERNELS_TD
