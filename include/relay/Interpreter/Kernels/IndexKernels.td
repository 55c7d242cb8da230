//===- IndexKernels.td - Kernels of Ops/Index.td -----------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/IndexKernels.cpp, ScatterKernels.cpp and SliceKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_INDEXKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_INDEXKERNELS_TD

include "relay/Ops/Index.td"

// Reading elements at indices.
def : ValueKernel<AdvIndexOp, "evalAdvIndex">;
def : Kernel<ArgwhereOp, "evalArgwhere">;
def : Kernel<GatherOp, "evalGather">;
def : Kernel<GatherNDOp, "evalGatherND">;
def : Kernel<TakeOp, "evalTake">;
def : Kernel<UnravelIndexOp, "evalUnravelIndex">;

// Replacing elements at indices.
def : Kernel<ScatterElementsOp, "evalScatterElements">;
def : Kernel<ScatterNDOp, "evalScatterND">;

// Slices.
def : Kernel<SliceLikeOp, "evalSliceLike">;
def : Kernel<StridedSetOp, "evalStridedSet">;
def : Kernel<StridedSliceOp, "evalStridedSlice">;

// Masks and diagonals.
def : Kernel<MatrixSetDiagOp, "evalMatrixSetDiag">;
def : Kernel<SequenceMaskOp, "evalSequenceMask">;
def : Kernel<TriluOp, "evalTrilu">;

#endif // RELAY_INTERPRETER_KERNELS_INDEXKERNELS_TD
