//===- Kernels.td - What computes operators' results -------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kind of hook by which the interpreter computes operators. Each family of
// operators, Ops/<Family>.td, has its records in <Family>Kernels.td and its
// functions in lib/Interpreter/<Family>Kernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_TD
#define RELAY_INTERPRETER_KERNELS_TD

include "relay/IR/OpBase.td"

// Computes the outputs of `Call` of its inputs; fails after it has reported why.
class Kernel<OpDef op, string function>
    : OpHook<"Kernel", "LogicalResult(KernelCall &Call)", op, function>;

// The same of operators that take other values than tensors, as tuples. Calls of
// a Kernel with such values are refused, since type relations are known to let
// them pass; a ValueKernel looks at its operands itself, or trusts its relation.
class ValueKernel<OpDef op, string function>
    : OpHook<"ValueKernel", "LogicalResult(KernelCall &Call)", op, function>;

include "relay/Interpreter/AlgebraKernels.td"
include "relay/Interpreter/AnnotationKernels.td"
include "relay/Interpreter/ConvKernels.td"
include "relay/Interpreter/DynKernels.td"
include "relay/Interpreter/ElementwiseKernels.td"
include "relay/Interpreter/ImageKernels.td"
include "relay/Interpreter/IndexKernels.td"
include "relay/Interpreter/MemoryKernels.td"
include "relay/Interpreter/NNKernels.td"
include "relay/Interpreter/PoolKernels.td"
include "relay/Interpreter/QNNKernels.td"
include "relay/Interpreter/RandomKernels.td"
include "relay/Interpreter/RearrangeKernels.td"
include "relay/Interpreter/ReduceKernels.td"
include "relay/Interpreter/SortKernels.td"
include "relay/Interpreter/SparseKernels.td"
include "relay/Interpreter/TensorKernels.td"
include "relay/Interpreter/VisionKernels.td"

#endif // RELAY_INTERPRETER_KERNELS_TD
