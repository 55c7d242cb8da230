//===- AlgebraKernels.td - Kernels of Ops/Algebra.td -------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/AlgebraKernels.cpp and FourierKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_ALGEBRAKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_ALGEBRAKERNELS_TD

include "relay/Ops/Algebra.td"

def : Kernel<DFTOp, "evalDFT">;
def : ValueKernel<EinsumOp, "evalEinsum">;
def : Kernel<StftOp, "evalStft">;

#endif // RELAY_INTERPRETER_KERNELS_ALGEBRAKERNELS_TD
