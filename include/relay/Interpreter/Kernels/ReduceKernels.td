//===- ReduceKernels.td - Kernels of Ops/Reduce.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/ReduceKernels.cpp and ScanKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_REDUCEKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_REDUCEKERNELS_TD

include "relay/Ops/Reduce.td"

// Reductions.
def : Kernel<AllOp, "evalAll">;
def : Kernel<AnyOp, "evalAny">;
def : Kernel<ArgmaxOp, "evalArgmax">;
def : Kernel<ArgminOp, "evalArgmin">;
def : Kernel<MaxOp, "evalMax">;
def : Kernel<MeanOp, "evalMean">;
def : Kernel<MinOp, "evalMin">;
def : Kernel<ProdOp, "evalProd">;
def : Kernel<SumOp, "evalSum">;
def : Kernel<VarianceOp, "evalVariance">;

// Undoing a broadcast.
foreach op = [CollapseSumLikeOp, CollapseSumToOp] in
  def : Kernel<op, "evalCollapseSum">;

// Scans.
def : Kernel<CumprodOp, "evalCumprod">;
def : Kernel<CumsumOp, "evalCumsum">;

#endif // RELAY_INTERPRETER_KERNELS_REDUCEKERNELS_TD
