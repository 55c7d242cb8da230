//===- NNKernels.td - Kernels of Ops/NN.td -----------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel.
// lib/Interpreter/Kernels/NNKernels.cpp lists the files of the functions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_NNKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_NNKERNELS_TD

include "relay/Ops/NN.td"

def : Kernel<BatchFlattenOp, "evalBatchFlatten">;
def : Kernel<BatchMatmulOp, "evalBatchMatmul">;
def : Kernel<BatchNormOp, "evalBatchNorm">;
def : Kernel<BatchToSpaceNDOp, "evalBatchToSpaceND">;
def : Kernel<BitPackOp, "evalBitPack">;
def : Kernel<BitserialDenseOp, "evalBitserialDense">;
def : Kernel<BiasAddOp, "evalBiasAdd">;
def : Kernel<ContribDensePackOp, "evalContribDensePack">;
def : Kernel<CrossEntropyOp, "evalCrossEntropy">;
def : Kernel<CrossEntropyWithLogitsOp, "evalCrossEntropyWithLogits">;
def : Kernel<DenseOp, "evalDense">;
def : Kernel<DepthToSpaceOp, "evalDepthToSpace">;
def : Kernel<DilateOp, "evalDilate">;
def : Kernel<DropoutOp, "evalDropout">;
def : Kernel<FIFOBufferOp, "evalFIFOBuffer">;
def : Kernel<GroupNormOp, "evalGroupNorm">;
def : Kernel<InstanceNormOp, "evalInstanceNorm">;
def : Kernel<L2NormalizeOp, "evalL2Normalize">;
def : Kernel<LRNOp, "evalLRN">;
def : Kernel<LayerNormOp, "evalLayerNorm">;
def : Kernel<LeakyReluOp, "evalLeakyRelu">;
def : Kernel<LogSoftmaxOp, "evalLogSoftmax">;
def : Kernel<MatmulOp, "evalMatmul">;
def : Kernel<MirrorPadOp, "evalMirrorPad">;
def : Kernel<NLLLossOp, "evalNLLLoss">;
def : Kernel<PReluOp, "evalPRelu">;
def : Kernel<PadOp, "evalPad">;
def : Kernel<ReluOp, "evalRelu">;
def : Kernel<SpaceToBatchNDOp, "evalSpaceToBatchND">;
def : Kernel<SpaceToDepthOp, "evalSpaceToDepth">;
def : Kernel<UpSamplingOp, "evalUpSampling">;
def : Kernel<UpSampling3DOp, "evalUpSampling3D">;
foreach op = [SoftmaxOp, FastSoftmaxOp] in
  def : Kernel<op, "evalSoftmax">;

#endif // RELAY_INTERPRETER_KERNELS_NNKERNELS_TD
