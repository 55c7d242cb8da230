//===- ImageKernels.td - Kernels of Ops/Image.td -----------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/ImageKernels.cpp and ResizeKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_IMAGEKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_IMAGEKERNELS_TD

include "relay/Ops/Image.td"

def : Kernel<Resize1DOp, "evalResize1D">;
def : Kernel<Resize2DOp, "evalResize2D">;
def : Kernel<Resize3DOp, "evalResize3D">;
def : Kernel<CropAndResizeOp, "evalCropAndResize">;
def : Kernel<GridSampleOp, "evalGridSample">;
def : Kernel<AffineGridOp, "evalAffineGrid">;
def : Kernel<Dilation2DOp, "evalDilation2D">;

#endif // RELAY_INTERPRETER_KERNELS_IMAGEKERNELS_TD
