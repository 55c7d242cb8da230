//===- PoolKernels.td - Kernels of Ops/Pool.td -------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/PoolKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_POOLKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_POOLKERNELS_TD

include "relay/Ops/Pool.td"

def : Kernel<MaxPool1DOp, "evalMaxPool1D">;
def : Kernel<AvgPool1DOp, "evalAvgPool1D">;
def : Kernel<MaxPool2DOp, "evalMaxPool2D">;
def : Kernel<AvgPool2DOp, "evalAvgPool2D">;
def : Kernel<MaxPool3DOp, "evalMaxPool3D">;
def : Kernel<AvgPool3DOp, "evalAvgPool3D">;
def : Kernel<MaxPool2DGradOp, "evalMaxPool2DGrad">;
def : Kernel<AvgPool2DGradOp, "evalAvgPool2DGrad">;
def : Kernel<GlobalAvgPool2DOp, "evalGlobalAvgPool2D">;
def : Kernel<GlobalMaxPool2DOp, "evalGlobalMaxPool2D">;
def : Kernel<AdaptiveAvgPool1DOp, "evalAdaptiveAvgPool1D">;
def : Kernel<AdaptiveMaxPool1DOp, "evalAdaptiveMaxPool1D">;
def : Kernel<AdaptiveAvgPool2DOp, "evalAdaptiveAvgPool2D">;
def : Kernel<AdaptiveMaxPool2DOp, "evalAdaptiveMaxPool2D">;
def : Kernel<AdaptiveAvgPool3DOp, "evalAdaptiveAvgPool3D">;
def : Kernel<AdaptiveMaxPool3DOp, "evalAdaptiveMaxPool3D">;

#endif // RELAY_INTERPRETER_KERNELS_POOLKERNELS_TD
