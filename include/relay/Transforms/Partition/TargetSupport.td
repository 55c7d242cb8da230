//===- TargetSupport.td - Operators that a target supports -*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables that annotate-target reads: which operators a target supports, and
// which of their calls. The key of an entry is the name of the target.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_PARTITION_TARGETSUPPORT_TD
#define RELAY_TRANSFORMS_PARTITION_TARGETSUPPORT_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"

// Whether the target of the key supports calls of the operator. Without an
// entry it does not.
class TargetSupport<OpDef op, string value = "true">
    : OpFact<"TargetSupport", op, value> {
  let Type = BoolFact;
}

// Returns true if the target of the key supports the call `Op`, whose operator
// it supports (TargetSupport). Without an entry it supports all calls.
class SupportCheck<OpDef op, string function>
    : OpHook<"SupportCheck", op, function> {
  let Arguments = (ins "const Operation &":$Op);
  let Result = HookResult<"bool">;
}

//===----------------------------------------------------------------------===//
// oneDNN
//===----------------------------------------------------------------------===//

let Key = "dnnl" in {
foreach op = [AbsOp, AddOp, AvgPool2DOp, AvgPool3DOp, BatchMatmulOp,
              BatchNormOp, ClipOp, Conv1DOp, Conv2DOp, Conv2DTransposeOp,
              Conv3DOp, Conv3DTransposeOp, DenseOp, ExpOp, GlobalAvgPool2DOp,
              LayerNormOp, LeakyReluOp, LogOp, MaxPool2DOp, MaxPool3DOp,
              MultiplyOp, ReluOp, RoundOp, SigmoidOp, SoftmaxOp, SqrtOp,
              TanhOp] in {
  def : TargetSupport<op>;
  def : SupportCheck<op, "isSupportedByDNNL">;
}
}

#endif // RELAY_TRANSFORMS_PARTITION_TARGETSUPPORT_TD
