//===- Layouts.td - Layouts of operators -------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How operators follow a change of their operands' layouts, and which can be
// brought into layouts that a user wishes for. The rules are those of TVM 0.18;
// docs/Differences.md has where they are not.
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

// Tells the layouts of operands and results; see LayoutInference.h.
class LayoutInference<OpDef op, string function>
    : OpHook<"LayoutInference", "LayoutAnswer(const LayoutQuery &Q)", op,
             function>;

// Gives what `Op` is in the layouts `Desired`, or reports that these are not
// those of the operator and fails.
class LayoutConversion<OpDef op, string function>
    : OpHook<"LayoutConversion",
             "FailureOr<ConvertedOp>(Context &Ctx, const Operation &Op, "
             "ArrayRef<std::string> Desired)",
             op, function>;

//===----------------------------------------------------------------------===//
// Element by element
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
  def : LayoutInference<op, "inferElementwiseLayout">;

foreach op = [
  AddOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp, DivideOp, EqualOp,
  FloorDivideOp, FloorModOp, GreaterOp, GreaterEqualOp, LeftShiftOp, LessOp,
  LessEqualOp, LogicalAndOp, LogicalOrOp, LogicalXorOp, MaximumOp, MinimumOp,
  ModOp, MultiplyOp, NotEqualOp, PowerOp, RightShiftOp, SubtractOp,
  TruncDivideOp, TruncModOp, QnnAddOp, QnnMulOp, QnnSubtractOp
] in
  def : LayoutInference<op, "inferBroadcastLayout">;

def : LayoutInference<PReluOp, "inferPReluLayout">;
def : LayoutInference<SimulatedQuantizeOp, "inferSimulatedQuantizeLayout">;
def : LayoutInference<FixedPointMultiplyPerAxisOp, "inferMultiplyPerAxisLayout">;
def : LayoutInference<QnnRequantizeOp, "inferRequantizeLayout">;

//===----------------------------------------------------------------------===//
// Along axes
//===----------------------------------------------------------------------===//

foreach op = [BatchNormOp, LayerNormOp] in
  def : LayoutInference<op, "inferNormLayout">;
def : LayoutInference<InstanceNormOp, "inferInstanceNormLayout">;
def : LayoutInference<L2NormalizeOp, "inferL2NormalizeLayout">;
foreach op = [AllOp, ArgmaxOp, ArgminOp, MaxOp, MeanOp, MinOp, ProdOp, SumOp,
              VarianceOp] in
  def : LayoutInference<op, "inferReduceLayout">;
def : LayoutInference<TopkOp, "inferTopkLayout">;

foreach op = [ConcatenateOp, QnnConcatenateOp] in
  def : LayoutInference<op, "inferConcatenateLayout">;
def : LayoutInference<SplitOp, "inferSplitLayout">;
def : LayoutInference<SqueezeOp, "inferSqueezeLayout">;
def : LayoutInference<TransposeOp, "inferTransposeLayout">;
def : LayoutInference<PadOp, "inferPadLayout">;
def : LayoutInference<StridedSliceOp, "inferStridedSliceLayout">;
def : LayoutInference<SliceLikeOp, "inferSliceLikeLayout">;

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
  def : LayoutInference<op, "inferPoolLayout">;
foreach op = [Resize1DOp, Resize2DOp] in
  def : LayoutInference<op, "inferResizeLayout">;
foreach op = [UpSamplingOp, UpSampling3DOp, DynUpSamplingOp, DynUpSampling3DOp] in
  def : LayoutInference<op, "inferUpSamplingLayout">;
foreach op = [ROIAlignOp, ROIPoolOp] in
  def : LayoutInference<op, "inferRegionsLayout">;

//===----------------------------------------------------------------------===//
// Layouts that are wished for
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

#endif // RELAY_TRANSFORMS_LAYOUT_LAYOUTS_TD
