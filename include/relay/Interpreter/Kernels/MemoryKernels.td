//===- MemoryKernels.td - Kernels of Ops/Memory.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/AnnotationKernels.cpp. Operators that allocate
// memory have no kernel.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_MEMORYKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_MEMORYKERNELS_TD

include "relay/Ops/Memory.td"

// Marks, whose result is their operand.
foreach op = [DeviceCopyOp, OnDeviceOp] in
  def : ValueKernel<op, "evalIdentity">;

// Values are freed after their last uses anyway.
def : ValueKernel<KillOp, "evalNothing">;

def : Kernel<VMReshapeTensorOp, "evalVMReshapeTensor">;
def : Kernel<VMShapeOfOp, "evalShapeOf">;

#endif // RELAY_INTERPRETER_KERNELS_MEMORYKERNELS_TD
