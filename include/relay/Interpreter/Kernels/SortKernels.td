//===- SortKernels.td - Kernels of Ops/Sort.td -------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/SortKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_SORTKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_SORTKERNELS_TD

include "relay/Ops/Sort.td"

def : Kernel<ArgsortOp, "evalArgsort">;
def : Kernel<InvertPermutationOp, "evalInvertPermutation">;
def : Kernel<SearchSortedOp, "evalSearchSorted">;
def : Kernel<SortOp, "evalSort">;
def : Kernel<TopkOp, "evalTopk">;
def : Kernel<UniqueOp, "evalUnique">;

#endif // RELAY_INTERPRETER_KERNELS_SORTKERNELS_TD
