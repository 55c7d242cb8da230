//===- RearrangeKernels.td - Kernels of Ops/Rearrange.td ---*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// lib/Interpreter/Kernels/RearrangeKernels.cpp and LayoutKernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_REARRANGEKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_REARRANGEKERNELS_TD

include "relay/Ops/Rearrange.td"

// Changing the order of elements.
def : Kernel<AutoSchedulerLayoutTransformOp, "evalAutoSchedulerLayoutTransform">;
def : Kernel<LayoutTransformOp, "evalLayoutTransform">;
def : Kernel<ReverseOp, "evalReverse">;
def : Kernel<ReverseSequenceOp, "evalReverseSequence">;
def : Kernel<TransposeOp, "evalTranspose">;

// Repeating elements.
foreach op = [BroadcastToOp, BroadcastToLikeOp] in
  def : Kernel<op, "evalBroadcastTo">;
def : Kernel<RepeatOp, "evalRepeat">;
def : Kernel<SlidingWindowOp, "evalSlidingWindow">;
def : Kernel<TileOp, "evalTile">;

#endif // RELAY_INTERPRETER_KERNELS_REARRANGEKERNELS_TD
