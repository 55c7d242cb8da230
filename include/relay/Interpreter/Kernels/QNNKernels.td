//===- QNNKernels.td - Kernels of Ops/QNN.td ---------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// QNNKernels.cpp, QNNUnaryKernels.cpp (unary operators) and
// QNNProductKernels.cpp (products) in lib/Interpreter/Kernels.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_QNNKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_QNNKERNELS_TD

include "relay/Ops/QNN.td"

// From numbers to quantized numbers and back.
def : Kernel<QnnQuantizeOp, "evalQnnQuantize">;
def : Kernel<QnnDequantizeOp, "evalQnnDequantize">;
def : Kernel<QnnRequantizeOp, "evalQnnRequantize">;
def : Kernel<QnnSimulatedQuantizeOp, "evalQnnSimulatedQuantize">;
def : Kernel<QnnSimulatedDequantizeOp, "evalQnnSimulatedDequantize">;

// Two or more operands.
def : Kernel<QnnAddOp, "evalQnnAdd">;
def : Kernel<QnnMulOp, "evalQnnMul">;
def : Kernel<QnnSubtractOp, "evalQnnSubtract">;
def : ValueKernel<QnnConcatenateOp, "evalQnnConcatenate">;

// One operand.
def : Kernel<QnnAbsOp, "evalQnnAbs">;
def : Kernel<QnnErfOp, "evalQnnErf">;
def : Kernel<QnnExpOp, "evalQnnExp">;
def : Kernel<QnnHardSwishOp, "evalQnnHardSwish">;
def : Kernel<QnnLogOp, "evalQnnLog">;
def : Kernel<QnnRsqrtOp, "evalQnnRsqrt">;
def : Kernel<QnnSigmoidOp, "evalQnnSigmoid">;
def : Kernel<QnnSqrtOp, "evalQnnSqrt">;
def : Kernel<QnnTanhOp, "evalQnnTanh">;
def : Kernel<QnnSoftmaxOp, "evalQnnSoftmax">;
def : Kernel<QnnLeakyReluOp, "evalQnnLeakyRelu">;
def : Kernel<QnnAvgPool2DOp, "evalQnnAvgPool2D">;

// Products and convolutions.
def : Kernel<QnnConv2DOp, "evalQnnConv2D">;
def : Kernel<QnnConv2DTransposeOp, "evalQnnConv2DTranspose">;
def : Kernel<QnnDenseOp, "evalQnnDense">;
def : Kernel<QnnDensePackOp, "evalQnnDensePack">;
def : Kernel<QnnBatchMatmulOp, "evalQnnBatchMatmul">;

#endif // RELAY_INTERPRETER_KERNELS_QNNKERNELS_TD
