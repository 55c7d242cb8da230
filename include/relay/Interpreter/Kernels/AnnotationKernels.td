//===- AnnotationKernels.td - Kernels of Ops/Annotation.td -*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/AnnotationKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_ANNOTATIONKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_ANNOTATIONKERNELS_TD

include "relay/Ops/Annotation.td"

// Marks, whose result is their operand.
foreach op = [BitpackEndOp, BitpackStartOp, CastHintOp, CheckpointOp,
              CompilerBeginOp, CompilerEndOp, DebugOp, StopFusionOp,
              WithFuncIdOp] in
  def : ValueKernel<op, "evalIdentity">;

def : Kernel<SimulatedQuantizeOp, "evalSimulatedQuantize">;

#endif // RELAY_INTERPRETER_KERNELS_ANNOTATIONKERNELS_TD
