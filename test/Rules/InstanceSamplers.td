//===- InstanceSamplers.td - Operators in instances --------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators with samplers, which know more than the kinds of their
// attributes. Other operators get operands that broadcast to one shape
// (sampleAnyCall()).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_RULES_INSTANCESAMPLERS_TD
#define RELAY_TEST_RULES_INSTANCESAMPLERS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"
include "relay/Ops/QNN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Sort.td"
include "relay/Ops/Tensor.td"

// Requests operands and sets attributes of a call that are likely to be well
// typed. Returns false if there is no such call for the operands. The remaining
// ones are created as for any operator.
class InstanceSampler<OpDef op, string function>
    : OpHook<"InstanceSampler", op, function> {
  let Arguments = (ins "test::CallMaker &":$C);
  let Result = HookResult<"bool">;
}

foreach op = [ZerosOp, OnesOp, FullOp] in
  def : InstanceSampler<op, "sampleInit">;
foreach op = [ZerosLikeOp, OnesLikeOp, FullLikeOp] in
  def : InstanceSampler<op, "sampleInitLike">;
def : InstanceSampler<ReshapeLikeOp, "sampleReshapeLike">;
def : InstanceSampler<CollapseSumLikeOp, "sampleCollapseSumLike">;
def : InstanceSampler<BroadcastToLikeOp, "sampleBroadcastToLike">;
def : InstanceSampler<CastLikeOp, "sampleCastLike">;
def : InstanceSampler<CastOp, "sampleCast">;
def : InstanceSampler<ClipOp, "sampleClip">;

foreach op = [ReshapeOp, ContribReverseReshapeOp] in
  def : InstanceSampler<op, "sampleReshape">;
def : InstanceSampler<TransposeOp, "sampleTranspose">;
def : InstanceSampler<LayoutTransformOp, "sampleLayoutTransform">;
foreach op = [SoftmaxOp, LogSoftmaxOp, SortOp, ArgsortOp] in
  def : InstanceSampler<op, "sampleAlongAxis">;
foreach op = [ArgmaxOp, ArgminOp, MaxOp, MeanOp, MinOp, ProdOp, SumOp] in
  def : InstanceSampler<op, "sampleReduction">;
def : InstanceSampler<QnnDequantizeOp, "sampleDequantize">;
def : InstanceSampler<QnnQuantizeOp, "sampleQuantize">;
def : InstanceSampler<QnnRequantizeOp, "sampleRequantize">;

def : InstanceSampler<PadOp, "samplePad">;
foreach op = [Conv1DOp, Conv2DOp, Conv3DOp] in
  def : InstanceSampler<op, "sampleConv">;
def : InstanceSampler<QnnConv2DOp, "sampleQnnConv2D">;
foreach op = [MaxPool1DOp, MaxPool2DOp, MaxPool3DOp, AvgPool1DOp, AvgPool2DOp,
              AvgPool3DOp] in
  def : InstanceSampler<op, "samplePool">;
def : InstanceSampler<SpaceToBatchNDOp, "sampleSpaceToBatch">;
def : InstanceSampler<BatchToSpaceNDOp, "sampleBatchToSpace">;

#endif // RELAY_TEST_RULES_INSTANCESAMPLERS_TD
