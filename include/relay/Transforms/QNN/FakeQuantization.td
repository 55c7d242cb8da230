//===- FakeQuantization.td - Integer forms of operators ----*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators that fake-quantization-to-integer converts to integers, and the
// functions that convert them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_QNN_FAKEQUANTIZATION_TD
#define RELAY_TRANSFORMS_QNN_FAKEQUANTIZATION_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/Image.td"
include "relay/Ops/Index.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Sort.td"
include "relay/Ops/Tensor.td"

// Computes the result of the operation of `Q`, of floats, from quantized
// operands. Creates operations with `B` and returns the integers and their
// affine types. An entry that does not apply returns Q.refuse("reason"); what
// it has created is discarded if no other entry applies. See
// FakeQuantization.h.
class FakeQuantization<OpDef op, string function>
    : OpHook<"FakeQuantization", op, function> {
  // Converts only if the option optional-qnn-ops names the operator.
  bit IsOptional = 0;
  // With use-qat, converts also outside of regions that end in qnn.quantize.
  bit IsForTraining = 0;

  let Arguments = (ins "AffineBuilder &":$B, "FakeQuantizedOp &":$Q);
  let Result = HookResult<"AffineValue", "!$_self">;
  // FakeQuantizationFlags.
  let Number = !add(!cast<int>(IsOptional), !mul(!cast<int>(IsForTraining), 2));
}

//===----------------------------------------------------------------------===//
// Operators that keep the affine type
//===----------------------------------------------------------------------===//

let IsForTraining = 1 in
foreach op = [
  BatchFlattenOp, BroadcastToOp, DepthToSpaceOp, ExpandDimsOp, MaxOp,
  MaxPool2DOp, MinOp, ReshapeOp, SplitOp, SqueezeOp, StridedSliceOp, TransposeOp
] in
  def : FakeQuantization<op, "quantizeIdentity">;
def : FakeQuantization<Resize2DOp, "quantizeResize2D">;
def : FakeQuantization<TakeOp, "quantizeIdentity">;
def : FakeQuantization<TopkOp, "quantizeTopk">;
def : FakeQuantization<MeanOp, "quantizeMean">;

let IsForTraining = 1 in {
  def : FakeQuantization<ClipOp, "quantizeClip">;
  def : FakeQuantization<PadOp, "quantizePad">;
  def : FakeQuantization<ReluOp, "quantizeRelu">;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

let IsForTraining = 1 in {
  def : FakeQuantization<BatchMatmulOp, "quantizeBatchMatmul">;
  def : FakeQuantization<BiasAddOp, "quantizeBiasAdd">;
  def : FakeQuantization<Conv2DOp, "quantizeConv2D">;
  def : FakeQuantization<Conv2DTransposeOp, "quantizeConv2DTranspose">;
  def : FakeQuantization<DenseOp, "quantizeDense">;
}

//===----------------------------------------------------------------------===//
// Operators with the affine type of the result of the region
//===----------------------------------------------------------------------===//

foreach op = [AbsOp, ErfOp, ExpOp, LogOp, RsqrtOp, SigmoidOp, SqrtOp, TanhOp] in
  def : FakeQuantization<op, "quantizeUnary">;
def : FakeQuantization<LeakyReluOp, "quantizeLeakyRelu">;
let IsOptional = 1 in
def : FakeQuantization<SoftmaxOp, "quantizeSoftmax">;

foreach op = [AddOp, MultiplyOp, SubtractOp] in
  def : FakeQuantization<op, "quantizeArithmetic">;
foreach op = [MaximumOp, MinimumOp] in
  def : FakeQuantization<op, "quantizeExtremum">;
def : FakeQuantization<ConcatenateOp, "quantizeConcatenate">;

def : FakeQuantization<AvgPool2DOp, "quantizeAvgPool2D">;
foreach op = [AdaptiveAvgPool1DOp, GlobalAvgPool2DOp] in
  def : FakeQuantization<op, "quantizeWideAvgPool">;

#endif // RELAY_TRANSFORMS_QNN_FAKEQUANTIZATION_TD
