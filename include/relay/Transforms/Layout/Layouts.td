//===- Layouts.td - Layouts of operators -------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hooks that define how operators follow changed layouts of their operands, and
// which operators can be converted to requested layouts. The rules are those of
// TVM 0.18; docs/Differences.md lists the exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_LAYOUT_LAYOUTS_TD
#define RELAY_TRANSFORMS_LAYOUT_LAYOUTS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Annotation.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Dyn.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/Image.td"
include "relay/Ops/Index.td"
include "relay/Ops/Memory.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"
include "relay/Ops/QNN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Sort.td"
include "relay/Ops/Tensor.td"
include "relay/Ops/Vision.td"

// Returns the layouts of the operands and results of an operation; see
// LayoutHooks.h.
class LayoutInference<OpDef op, string function>
    : OpHook<"LayoutInference", op, function> {
  let Arguments = (ins "const LayoutQuery &":$Q);
  let Result = HookResult<"LayoutAnswer", "!$_self.isKnown()">;
}

// Returns the layouts and attributes with which the operation computes the same
// after its operands have moved to other layouts. An operator without this hook
// keeps the layouts that LayoutInference returns.
class LayoutPropagation<OpDef op, string function>
    : OpHook<"LayoutPropagation", op, function> {
  let Arguments = (ins "const LayoutChange &":$Q);
  let Result = HookResult<"LayoutAnswer", "!$_self.isKnown()">;
}

// An operator that follows its operands, with the functions infer<rule>Layout
// and propagate<rule>Layout.
multiclass Following<OpDef op, string rule> {
  def : LayoutInference<op, "infer" # rule # "Layout">;
  def : LayoutPropagation<op, "propagate" # rule # "Layout">;
}

// Returns the operator, the attributes and, if they change, the operands of
// `Op` in the layouts `Desired`; reports an error and fails if the operator
// does not support these layouts. An entry without an opinion returns
// ConvertedOp(); if no other entry has one, the operation is not converted. `R`
// inserts before Op. A hook that creates operations announces them with
// R.startRewrite("convert", &Op) before. `T` is null without a target.
class LayoutConversion<OpDef op, string function>
    : OpHook<"LayoutConversion", op, function> {
  let CommonArguments = [RewriterArgument, TargetArgument];
  let Arguments = (ins "Operation &":$Op, "ArrayRef<std::string>":$Desired);
  let Result = MayFailNullIsNoOpinion<"ConvertedOp">;
}

// Returns the operator, the attributes and, if they change, the operands with
// which a target computes `Op`; see LayoutConversion.
class LayoutAlteration<OpDef op, string function>
    : OpHook<"LayoutAlteration", op, function> {
  let CommonArguments = [RewriterArgument, TargetArgument];
  let Arguments = (ins "Operation &":$Op);
  let Result = MayFailNullIsNoOpinion<"ConvertedOp">;
}

//===----------------------------------------------------------------------===//
// Elementwise operators
//===----------------------------------------------------------------------===//

foreach op = [
  AbsOp, AcosOp, AcoshOp, AsinOp, AsinhOp, AtanOp, AtanhOp, BitwiseNotOp, CastOp,
  CastLikeOp, CeilOp, ClipOp, CopyOp, CosOp, CoshOp, ErfOp, ExpOp, FastErfOp,
  FastExpOp, FastTanhOp, FixedPointMultiplyOp, FloorOp, IsFiniteOp, IsInfOp,
  IsNanOp, LogOp, Log10Op, Log2Op, LogicalNotOp, NegativeOp, OnesLikeOp,
  ReinterpretOp, RoundOp, RsqrtOp, SigmoidOp, SignOp, SinOp, SinhOp, SqrtOp,
  TanOp, TanhOp, TruncOp, ZerosLikeOp, DropoutOp, LeakyReluOp, ReluOp,
  BitpackEndOp, BitpackStartOp, CastHintOp, CheckpointOp, CompilerBeginOp,
  CompilerEndOp, StopFusionOp, DeviceCopyOp, OnDeviceOp
] in
  defm : Following<op, "Elementwise">;

foreach op = [
  AddOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp, DivideOp, EqualOp,
  FloorDivideOp, FloorModOp, GreaterOp, GreaterEqualOp, LeftShiftOp, LessOp,
  LessEqualOp, LogicalAndOp, LogicalOrOp, LogicalXorOp, MaximumOp, MinimumOp,
  ModOp, MultiplyOp, NotEqualOp, PowerOp, RightShiftOp, SubtractOp,
  TruncDivideOp, TruncModOp, QnnAddOp, QnnMulOp, QnnSubtractOp
] in
  defm : Following<op, "Broadcast">;

def : LayoutInference<PReluOp, "inferPReluLayout">;
defm : Following<SimulatedQuantizeOp, "SimulatedQuantize">;
defm : Following<FixedPointMultiplyPerAxisOp, "MultiplyPerAxis">;
defm : Following<QnnRequantizeOp, "Requantize">;

//===----------------------------------------------------------------------===//
// Operators along axes
//===----------------------------------------------------------------------===//

foreach op = [BatchNormOp, LayerNormOp] in
  defm : Following<op, "Norm">;
def : LayoutInference<InstanceNormOp, "inferNormLayout">;
def : LayoutPropagation<InstanceNormOp, "propagateInstanceNormLayout">;
defm : Following<L2NormalizeOp, "L2Normalize">;
foreach op = [AllOp, ArgmaxOp, ArgminOp, MaxOp, MeanOp, MinOp, ProdOp, SumOp,
              VarianceOp] in
  defm : Following<op, "Reduce">;
defm : Following<TopkOp, "Topk">;

foreach op = [ConcatenateOp, QnnConcatenateOp] in
  defm : Following<op, "Concatenate">;
defm : Following<SplitOp, "Split">;
defm : Following<SqueezeOp, "Squeeze">;
defm : Following<TransposeOp, "Transpose">;
defm : Following<PadOp, "Pad">;
defm : Following<StridedSliceOp, "StridedSlice">;
defm : Following<SliceLikeOp, "SliceLike">;

//===----------------------------------------------------------------------===//
// Layouts in attributes
//===----------------------------------------------------------------------===//

foreach op = [
  BitserialConv2DOp, ContribConv2DGemmWithoutWeightTransformOp,
  ContribConv2DNCHWcOp, ContribConv2DWinogradWithoutWeightTransformOp,
  ContribConv3DWinogradWithoutWeightTransformOp, ContribDepthwiseConv2DNCHWcOp,
  Conv1DOp, Conv2DOp, Conv2DTransposeOp, Conv3DOp, Conv3DTransposeOp,
  Dilation2DOp, QnnConv2DOp, QnnConv2DTransposeOp
] in
  def : LayoutInference<op, "inferConvLayout">;
def : LayoutInference<DeformableConv2DOp, "inferDeformableConvLayout">;
def : LayoutInference<Conv2DBackwardWeightOp, "inferConvBackwardWeightLayout">;
def : LayoutInference<CorrelationOp, "inferCorrelationLayout">;

foreach op = [DenseOp, MatmulOp, QnnDenseOp] in
  def : LayoutInference<op, "inferDenseLayout">;
foreach op = [ContribDensePackOp, QnnDensePackOp] in
  def : LayoutInference<op, "inferDensePackLayout">;

foreach op = [
  AdaptiveAvgPool1DOp, AdaptiveAvgPool2DOp, AdaptiveAvgPool3DOp,
  AdaptiveMaxPool1DOp, AdaptiveMaxPool2DOp, AdaptiveMaxPool3DOp, AvgPool1DOp,
  AvgPool2DOp, AvgPool3DOp, GlobalAvgPool2DOp, GlobalMaxPool2DOp, MaxPool1DOp,
  MaxPool2DOp, MaxPool3DOp, QnnAvgPool2DOp
] in
  defm : Following<op, "Pool">;
foreach op = [Resize1DOp, Resize2DOp] in
  defm : Following<op, "Resize">;
foreach op = [UpSamplingOp, UpSampling3DOp, DynUpSamplingOp, DynUpSampling3DOp] in
  defm : Following<op, "UpSampling">;
foreach op = [ROIAlignOp, ROIPoolOp] in
  def : LayoutInference<op, "inferRegionsLayout">;

//===----------------------------------------------------------------------===//
// Requested layouts
//===----------------------------------------------------------------------===//

def : LayoutConversion<Conv2DOp, "convertConv2D">;
def : LayoutConversion<Conv3DOp, "convertConv3D">;
def : LayoutConversion<Conv2DTransposeOp, "convertConv2DTranspose">;
def : LayoutConversion<Conv3DTransposeOp, "convertConv3DTranspose">;
def : LayoutConversion<DeformableConv2DOp, "convertDeformableConv2D">;
def : LayoutConversion<Conv2DBackwardWeightOp, "convertConv2DBackwardWeight">;
def : LayoutConversion<QnnConv2DOp, "convertQnnConv2D">;
def : LayoutConversion<QnnConv2DTransposeOp, "convertConv2DTranspose">;
foreach op = [AvgPool2DOp, MaxPool2DOp] in
  def : LayoutConversion<op, "convertPool2D">;
foreach op = [GlobalAvgPool2DOp, GlobalMaxPool2DOp, QnnAvgPool2DOp] in
  def : LayoutConversion<op, "convertPool">;
foreach op = [Resize1DOp, Resize2DOp] in
  def : LayoutConversion<op, "convertResize">;
foreach op = [ROIAlignOp, ROIPoolOp] in
  def : LayoutConversion<op, "convertRegions">;

//===----------------------------------------------------------------------===//
// Layouts of targets
//===----------------------------------------------------------------------===//

// TVM has other kernels for hexagon.
foreach key = ["llvm", "c"] in
  let Key = key in {
    def : LayoutAlteration<Conv2DOp, "alterConv2D">;
    def : LayoutAlteration<DenseOp, "alterDense">;
  }

#endif // RELAY_TRANSFORMS_LAYOUT_LAYOUTS_TD
