//===- ReduceKernels.td - Kernels of Ops/Reduce.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/ReduceKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_REDUCEKERNELS_TD
#define RELAY_INTERPRETER_REDUCEKERNELS_TD

include "relay/Ops/Reduce.td"

#endif // RELAY_INTERPRETER_REDUCEKERNELS_TD
