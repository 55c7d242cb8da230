//===- MixedPrecision.td - Operators and data types --------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts that to-mixed-precision reads: which operators compute in a type of
// lower precision, and how a call states the type of its result. Categories are
// the same as in TVM 0.18.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_PRECISION_MIXEDPRECISION_TD
#define RELAY_TRANSFORMS_PRECISION_MIXEDPRECISION_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Dyn.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/Image.td"
include "relay/Ops/Index.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Tensor.td"

// When calls of an operator compute in the lower precision:
//
//   always   their floats are cast to it;
//   follow   if the floats of all operands have it, apart from variables and
//            constants, which are cast; in float32 otherwise;
//   never    they compute in float32.
//
// An operator without a category follows its operands.
class MixedPrecision<OpDef op, string value>
    : OpFact<"MixedPrecision", op, value> {
  let Type = EnumFact<["always", "follow", "never"]>;
}

// Returns true if the attributes of `Op` are in the range of the lower
// precision `Low`. If they are not, the call stays in float32.
class PrecisionCheck<OpDef op, string function>
    : OpHook<"PrecisionCheck", op, function> {
  let Arguments = (ins "const Operation &":$Op, "DType":$Low);
  let Result = HookResult<"bool">;
}

// The attribute of an operator that states the data type of its result. An
// empty type is that of the operands.
class ResultTypeAttribute<OpDef op, string value>
    : OpFact<"ResultTypeAttribute", op, value> {
  let Type = StringFact;
}

def : PrecisionCheck<ClipOp, "isClipInRange">;

foreach op = [BatchMatmulOp, Conv1DOp, Conv1DTransposeOp, Conv2DOp,
              Conv2DTransposeOp, Conv3DOp, Conv3DTransposeOp,
              DenseOp] in def : MixedPrecision<op, "always">;

foreach op = [AdaptiveMaxPool1DOp, AdaptiveMaxPool2DOp, AdaptiveMaxPool3DOp,
              AddOp, ArgmaxOp, ArgminOp, ArgwhereOp, AvgPool1DOp, AvgPool2DOp,
              AvgPool3DOp, BatchFlattenOp, BatchNormOp, BiasAddOp,
              BroadcastToLikeOp, CastLikeOp, CastOp, ClipOp, ConcatenateOp,
              CopyOp, DepthToSpaceOp, DivideOp, DropoutOp, DynBroadcastToOp,
              DynFullOp, DynReshapeOp, DynStridedSliceOp, DynTileOp,
              ExpandDimsOp, FastErfOp, FastExpOp, FastTanhOp, FullOp,
              GlobalMaxPool2DOp, GreaterEqualOp, GreaterOp, LeakyReluOp,
              LessEqualOp, LessOp, MaxOp, MaxPool1DOp, MaxPool2DOp, MaxPool3DOp,
              MaximumOp, MinOp, MinimumOp, MultiplyOp, PReluOp, PadOp, ReluOp,
              ReshapeOp, Resize2DOp, ScatterElementsOp, ScatterNDOp, ShapeOfOp,
              SigmoidOp, SplitOp, SqrtOp, SqueezeOp, StridedSliceOp, SubtractOp,
              TakeOp, TanhOp, TileOp, TransposeOp, WhereOp,
              ZerosOp] in def : MixedPrecision<op, "follow">;

foreach op = [AdaptiveAvgPool1DOp, AdaptiveAvgPool2DOp, AdaptiveAvgPool3DOp,
              ArangeOp, CrossEntropyOp, CrossEntropyWithLogitsOp, ErfOp, ExpOp,
              GlobalAvgPool2DOp, L2NormalizeOp, LayerNormOp, MeanOp, PowerOp,
              SoftmaxOp, SumOp,
              VarianceOp] in def : MixedPrecision<op, "never">;

foreach op = [BatchMatmulOp, ContribConv2DGemmWithoutWeightTransformOp,
              ContribConv2DNCHWcOp,
              ContribConv2DWinogradWithoutWeightTransformOp,
              ContribConv3DWinogradWithoutWeightTransformOp,
              ContribDepthwiseConv2DNCHWcOp, Conv1DOp, Conv1DTransposeOp,
              Conv2DBackwardWeightOp, Conv2DOp, Conv2DTransposeOp, Conv3DOp,
              Conv3DTransposeOp, DeformableConv2DOp,
              DenseOp] in def : ResultTypeAttribute<op, "out_dtype">;
foreach op = [BroadcastToOp, CollapseSumToOp, DynBroadcastToOp, DynFullOp,
              DynOnesOp, DynZerosOp, FullOp, OnesOp,
              ZerosOp] in def : ResultTypeAttribute<op, "dtype">;

#endif // RELAY_TRANSFORMS_PRECISION_MIXEDPRECISION_TD
