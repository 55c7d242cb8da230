//===- ScaleAxis.td - Folding scales into weights ----------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks of forward-fold-scale-axis and backward-fold-scale-axis, which move
// multiplications through operators and into weights. The rules are TVM 0.18's;
// docs/Differences.md lists the exceptions.
//
// 1. Request: each operator states the scales that it accepts, without changes.
// 2. Pass: decides which multiplications to fold, by the requests of all users.
// 3. Rule: each operator on the way creates itself with the scale moved.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SCALE_SCALEAXIS_TD
#define RELAY_TRANSFORMS_SCALE_SCALEAXIS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/NN.td"

// Returns the operand from which `Op` can absorb a scale, or through which it
// can pass the scale on to its users, and the scales that it accepts. `Result`
// describes the scales that all users of Op accept.
class ForwardScaleRequest<OpDef op, string function>
    : OpHook<"ForwardScaleRequest", op, function> {
  let Arguments = (ins "const Operation &":$Op, "const ScaleRequest &":$Result);
  let Result = HookResult<"OperandRequest", "!$_self.Request">;
}

// Creates `Op` without the scale of one operand; see ForwardScale.
class ForwardScaleRule<OpDef op, string function>
    : OpHook<"ForwardScaleRule", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "const ForwardScale &":$S);
  let Result = HookResult<"ScaledValue", "!$_self.V">;
}

// Returns the scales that `Op`, whose only user multiplies its result, can
// absorb or pass on to its operands, whose own requests are `Operands`.
class BackwardScaleRequest<OpDef op, string function>
    : OpHook<"BackwardScaleRequest", op, function> {
  let Arguments = (ins "const Operation &":$Op,
                       "ArrayRef<ScaleRequest>":$Operands);
  let Result = HookResult<"ScaleRequest", "!$_self">;
}

// Sets the operands with which the operation computes the scaled result; see
// BackwardScale.
class BackwardScaleRule<OpDef op, string function>
    : OpHook<"BackwardScaleRule", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "BackwardScale &":$S);
  let Result = HookResult<"void">;
}

// The four functions of an operator: request<name>Forward and so on.
multiclass FoldsScale<OpDef op, string name> {
  def : ForwardScaleRequest<op, "request" # name # "Forward">;
  def : ForwardScaleRule<op, "scale" # name # "Forward">;
  def : BackwardScaleRequest<op, "request" # name # "Backward">;
  def : BackwardScaleRule<op, "scale" # name # "Backward">;
}

foreach op = [AddOp, SubtractOp] in
  defm : FoldsScale<op, "Sum">;
foreach op = [ReluOp, LeakyReluOp] in
  defm : FoldsScale<op, "Rectifier">;
foreach op = [Conv2DOp, Conv3DOp] in
  defm : FoldsScale<op, "Conv">;
defm : FoldsScale<DenseOp, "Dense">;

def : BackwardScaleRequest<BiasAddOp, "requestBiasAddBackward">;
def : BackwardScaleRule<BiasAddOp, "scaleBiasAddBackward">;

#endif // RELAY_TRANSFORMS_SCALE_SCALEAXIS_TD
