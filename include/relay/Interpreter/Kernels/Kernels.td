//===- Kernels.td - Kernels of operators -------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kind of hook by which the interpreter computes operators. Each family of
// operators, Ops/<Family>.td, has its records in <Family>Kernels.td and its
// functions in lib/Interpreter/Kernels/<Family>Kernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_KERNELS_TD
#define RELAY_INTERPRETER_KERNELS_KERNELS_TD

include "relay/IR/OpBase.td"

// Computes the outputs of `Call` from its inputs; reports the reason of a
// failure.
class Kernel<OpDef op, string function> : OpHook<"Kernel", op, function> {
  let Arguments = (ins "KernelCall &":$Call);
  let Result = SucceedsOrFails;
}

// A Kernel of an operator with operands other than tensors, such as tuples.
// Some type relations accept such values for other operators; calls of their
// kernels are then refused. A ValueKernel checks its operands, or relies on its
// type relation.
class ValueKernel<OpDef op, string function> : Kernel<op, function> {
  let Number = 1;
}

include "relay/Interpreter/Kernels/AlgebraKernels.td"
include "relay/Interpreter/Kernels/AnnotationKernels.td"
include "relay/Interpreter/Kernels/ConvKernels.td"
include "relay/Interpreter/Kernels/DynKernels.td"
include "relay/Interpreter/Kernels/ElementwiseKernels.td"
include "relay/Interpreter/Kernels/ImageKernels.td"
include "relay/Interpreter/Kernels/IndexKernels.td"
include "relay/Interpreter/Kernels/MemoryKernels.td"
include "relay/Interpreter/Kernels/NNKernels.td"
include "relay/Interpreter/Kernels/PoolKernels.td"
include "relay/Interpreter/Kernels/QNNKernels.td"
include "relay/Interpreter/Kernels/RandomKernels.td"
include "relay/Interpreter/Kernels/RearrangeKernels.td"
include "relay/Interpreter/Kernels/ReduceKernels.td"
include "relay/Interpreter/Kernels/SortKernels.td"
include "relay/Interpreter/Kernels/SparseKernels.td"
include "relay/Interpreter/Kernels/TensorKernels.td"
include "relay/Interpreter/Kernels/VisionKernels.td"

#endif // RELAY_INTERPRETER_KERNELS_KERNELS_TD
