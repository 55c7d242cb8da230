//===- DynKernels.td - Kernels of Ops/Dyn.td ---------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/DynKernels.cpp and in the files of the operators
// without `dyn.`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_DYNKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_DYNKERNELS_TD

include "relay/Ops/Dyn.td"

// Creating tensors.
def : Kernel<DynFullOp, "evalDynFull">;
def : Kernel<DynOneHotOp, "evalDynOneHot">;
def : Kernel<DynOnesOp, "evalDynOnes">;
def : Kernel<DynZerosOp, "evalDynZeros">;

// Changing the shape.
def : Kernel<DynBroadcastToOp, "evalDynBroadcastTo">;
def : Kernel<DynExpandDimsOp, "evalDynExpandDims">;
def : Kernel<DynReshapeOp, "evalDynReshape">;
def : Kernel<DynSqueezeOp, "evalDynSqueeze">;
def : Kernel<DynTileOp, "evalDynTile">;

// Parts.
def : Kernel<DynSparseToDenseOp, "evalDynSparseToDense">;
def : Kernel<DynStridedSliceOp, "evalDynStridedSlice">;
def : Kernel<DynTopkOp, "evalDynTopk">;

// Padding and resizing.
def : Kernel<DynPadOp, "evalDynPad">;
def : Kernel<DynUpSamplingOp, "evalDynUpSampling">;
def : Kernel<DynUpSampling3DOp, "evalDynUpSampling3D">;
def : Kernel<DynResize2DOp, "evalDynResize2D">;

#endif // RELAY_INTERPRETER_KERNELS_DYNKERNELS_TD
