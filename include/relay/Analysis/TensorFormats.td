//===- TensorFormats.td - Layouts of results ---------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about operators for TensorFormats: conversions of tensors to another
// layout or data type, and operators whose result has the layout of an operand.
// Operators that specify layouts by attributes need no facts: TensorFormats
// reads the attributes whose names end in `layout`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_TENSORFORMATS_TD
#define RELAY_ANALYSIS_TENSORFORMATS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Annotation.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/Index.td"
include "relay/Ops/NN.td"
include "relay/Ops/QNN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Tensor.td"

// The operator converts its first operand and computes nothing else:
//
//   layout      from the layout in its first attribute that names one to the
//               layout in the second;
//   transpose   to the order of axes in the attribute `axes`, reverse if there
//               is none;
//   dtype       from the data type of the operand to that of the result.
class Conversion<OpDef op, string value> : OpFact<"Conversion", op, value> {
  let Type = EnumFact<["layout", "transpose", "dtype"]>;
}

foreach op = [LayoutTransformOp, AutoSchedulerLayoutTransformOp] in
  def : Conversion<op, "layout">;
def : Conversion<TransposeOp, "transpose">;
foreach op = [CastOp, CastLikeOp] in
  def : Conversion<op, "dtype">;

// The axes of the results are those of the first operand, in the same order, if
// they are as many. Operators of the fusion kinds ElemWise and Broadcast need
// no record.
class KeepsLayout<OpDef op, string value> : OpFact<"KeepsLayout", op, value> {
  let Type = BoolFact;
}

foreach op = [
  BatchNormOp, ConcatenateOp, DropoutOp, GroupNormOp, InstanceNormOp,
  L2NormalizeOp, LayerNormOp, LRNOp, LogSoftmaxOp, MaxOp, MeanOp, MinOp,
  MirrorPadOp, PadOp, PReluOp, ProdOp, SoftmaxOp, SplitOp, StridedSliceOp,
  SumOp, QnnAddOp, QnnConcatenateOp, QnnDequantizeOp, QnnMulOp, QnnQuantizeOp,
  QnnRequantizeOp, QnnSubtractOp, SimulatedQuantizeOp
] in
  def : KeepsLayout<op, "true">;

#endif // RELAY_ANALYSIS_TENSORFORMATS_TD
