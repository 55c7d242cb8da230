//===- VisionKernels.td - Kernels of Ops/Vision.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/VisionKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VISIONKERNELS_TD
#define RELAY_INTERPRETER_VISIONKERNELS_TD

include "relay/Ops/Vision.td"

#endif // RELAY_INTERPRETER_VISIONKERNELS_TD
