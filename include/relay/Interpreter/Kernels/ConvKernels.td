//===- ConvKernels.td - Kernels of Ops/Conv.td -------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/ConvKernels.cpp and SampledConvKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_CONVKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_CONVKERNELS_TD

include "relay/Ops/Conv.td"

def : Kernel<Conv1DOp, "evalConv1D">;
foreach op = [Conv2DOp, ContribConv2DNCHWcOp, ContribDepthwiseConv2DNCHWcOp] in
  def : Kernel<op, "evalConv2D">;
def : Kernel<Conv3DOp, "evalConv3D">;
def : Kernel<Conv1DTransposeOp, "evalConv1DTranspose">;
def : Kernel<Conv2DTransposeOp, "evalConv2DTranspose">;
def : Kernel<Conv3DTransposeOp, "evalConv3DTranspose">;
def : Kernel<Conv2DBackwardWeightOp, "evalConv2DBackwardWeight">;
def : Kernel<CorrelationOp, "evalCorrelation">;
def : Kernel<DeformableConv2DOp, "evalDeformableConv2D">;

// Transformations and packing of weights. The transformation of NNPACK is
// omitted, since only NNPACK reads its result.
def : Kernel<ContribConv2DGemmWeightTransformOp, "evalConv2DGemmWeightTransform">;
def : Kernel<ContribConv2DGemmWithoutWeightTransformOp, "evalConv2DGemm">;
def : Kernel<ContribConv2DWinogradWeightTransformOp,
             "evalConv2DWinogradWeightTransform">;
def : Kernel<ContribConv3DWinogradWeightTransformOp,
             "evalConv3DWinogradWeightTransform">;
def : Kernel<ContribConv2DWinogradWithoutWeightTransformOp, "evalConv2DWinograd">;
def : Kernel<ContribConv3DWinogradWithoutWeightTransformOp, "evalConv3DWinograd">;
def : Kernel<BitserialConv2DOp, "evalBitserialConv2D">;

#endif // RELAY_INTERPRETER_KERNELS_CONVKERNELS_TD
