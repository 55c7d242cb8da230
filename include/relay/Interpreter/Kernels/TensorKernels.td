//===- TensorKernels.td - Kernels of Ops/Tensor.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/TensorKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_TENSORKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_TENSORKERNELS_TD

include "relay/Ops/Tensor.td"

// Creating tensors.
def : Kernel<ArangeOp, "evalArange">;
foreach op = [FullOp, FullLikeOp] in
  def : Kernel<op, "evalFull">;
def : ValueKernel<MeshgridOp, "evalMeshgrid">;
def : Kernel<NdarraySizeOp, "evalNdarraySize">;
def : Kernel<OneHotOp, "evalOneHot">;
def : Kernel<OnesOp, "evalOnes">;
def : Kernel<ShapeOfOp, "evalShapeOf">;
def : Kernel<ZerosOp, "evalZeros">;

// Changing the shape.
foreach op = [ContribReverseReshapeOp, ExpandDimsOp, ReshapeOp, ReshapeLikeOp,
              SqueezeOp] in
  def : Kernel<op, "evalReshape">;

// Concatenating and splitting.
def : ValueKernel<ConcatenateOp, "evalConcatenate">;
def : Kernel<SplitOp, "evalSplit">;
def : ValueKernel<StackOp, "evalStack">;

#endif // RELAY_INTERPRETER_KERNELS_TENSORKERNELS_TD
