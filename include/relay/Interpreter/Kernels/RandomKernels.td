//===- RandomKernels.td - Kernels of Ops/Random.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/RandomKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_RANDOMKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_RANDOMKERNELS_TD

include "relay/Ops/Random.td"

def : Kernel<MultinomialOp, "evalMultinomial">;
def : Kernel<NormalOp, "evalNormal">;
def : Kernel<ThreefryGenerateOp, "evalThreefryGenerate">;
def : Kernel<ThreefrySplitOp, "evalThreefrySplit">;
def : Kernel<UniformOp, "evalUniform">;

#endif // RELAY_INTERPRETER_KERNELS_RANDOMKERNELS_TD
