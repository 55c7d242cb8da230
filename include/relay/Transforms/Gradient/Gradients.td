//===- Gradients.td - Gradients of operators ---------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules by which gradient and first-order-gradient differentiate operators.
// They build the expressions of TVM 0.18's rules; docs/Differences.md lists the
// exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_GRADIENT_GRADIENTS_TD
#define RELAY_TRANSFORMS_GRADIENT_GRADIENTS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Conv.td"
include "relay/Ops/Dyn.td"
include "relay/Ops/Elementwise.td"
include "relay/Ops/Index.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Tensor.td"

// Creates the gradients of the operands of a call, one for each operand, from
// the gradient of its result; see Gradient.h. Reports an error if the call has
// none.
class GradientRule<OpDef op, string function>
    : OpHook<"GradientRule", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "const GradientRequest &":$G);
  let Result = MayFail<"SmallVector<Value *, 3>">;
}

//===----------------------------------------------------------------------===//
// Functions of an element
//===----------------------------------------------------------------------===//
def : GradientRule<AbsOp, "differentiateAbs">;
def : GradientRule<AcosOp, "differentiateAcos">;
def : GradientRule<AcoshOp, "differentiateAcosh">;
def : GradientRule<AsinOp, "differentiateAsin">;
def : GradientRule<AsinhOp, "differentiateAsinh">;
def : GradientRule<AtanOp, "differentiateAtan">;
def : GradientRule<AtanhOp, "differentiateAtanh">;
def : GradientRule<ClipOp, "differentiateClip">;
def : GradientRule<CopyOp, "differentiateCopy">;
def : GradientRule<CosOp, "differentiateCos">;
def : GradientRule<CoshOp, "differentiateCosh">;
def : GradientRule<ErfOp, "differentiateErf">;
def : GradientRule<ExpOp, "differentiateExp">;
def : GradientRule<LogOp, "differentiateLog">;
def : GradientRule<Log10Op, "differentiateLog10">;
def : GradientRule<Log2Op, "differentiateLog2">;
def : GradientRule<NegativeOp, "differentiateNegative">;
def : GradientRule<ReluOp, "differentiateRelu">;
def : GradientRule<SigmoidOp, "differentiateSigmoid">;
def : GradientRule<SinOp, "differentiateSin">;
def : GradientRule<SinhOp, "differentiateSinh">;
def : GradientRule<SqrtOp, "differentiateSqrt">;
def : GradientRule<TanOp, "differentiateTan">;
def : GradientRule<TanhOp, "differentiateTanh">;
foreach op = [CastOp, CastLikeOp] in
  def : GradientRule<op, "differentiateCast">;

//===----------------------------------------------------------------------===//
// Functions of several elements
//===----------------------------------------------------------------------===//
def : GradientRule<AddOp, "differentiateAdd">;
def : GradientRule<DivideOp, "differentiateDivide">;
def : GradientRule<MultiplyOp, "differentiateMultiply">;
def : GradientRule<SubtractOp, "differentiateSubtract">;
def : GradientRule<WhereOp, "differentiateWhere">;

// Results that do not depend on the elements of operands, or only in steps.
foreach op = [DynOnesOp, DynZerosOp, LessEqualOp, NotEqualOp, OnesOp, OnesLikeOp,
              ShapeOfOp, ZerosOp] in
  def : GradientRule<op, "differentiateStep">;
def : GradientRule<ZerosLikeOp, "differentiateZerosLike">;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//
def : GradientRule<MaxOp, "differentiateMax">;
def : GradientRule<MeanOp, "differentiateMean">;
def : GradientRule<SumOp, "differentiateSum">;
def : GradientRule<VarianceOp, "differentiateVariance">;
foreach op = [CollapseSumLikeOp, CollapseSumToOp] in
  def : GradientRule<op, "differentiateCollapse">;

//===----------------------------------------------------------------------===//
// Shapes and indices
//===----------------------------------------------------------------------===//
def : GradientRule<ArangeOp, "differentiateArange">;
def : GradientRule<ConcatenateOp, "differentiateConcatenate">;
def : GradientRule<ExpandDimsOp, "differentiateExpandDims">;
def : GradientRule<GatherNDOp, "differentiateGatherND">;
def : GradientRule<OneHotOp, "differentiateOneHot">;
def : GradientRule<StackOp, "differentiateStack">;
def : GradientRule<StridedSliceOp, "differentiateStridedSlice">;
def : GradientRule<TakeOp, "differentiateTake">;
def : GradientRule<TransposeOp, "differentiateTranspose">;
foreach op = [BatchFlattenOp, ContribReverseReshapeOp, DynReshapeOp, ReshapeOp,
              ReshapeLikeOp, SqueezeOp] in
  def : GradientRule<op, "differentiateReshape">;

//===----------------------------------------------------------------------===//
// Neural networks
//===----------------------------------------------------------------------===//
def : GradientRule<AvgPool2DOp, "differentiateAvgPool2D">;
def : GradientRule<BatchMatmulOp, "differentiateBatchMatmul">;
def : GradientRule<BiasAddOp, "differentiateBiasAdd">;
def : GradientRule<Conv2DOp, "differentiateConv2D">;
def : GradientRule<CrossEntropyOp, "differentiateCrossEntropy">;
def : GradientRule<CrossEntropyWithLogitsOp,
                   "differentiateCrossEntropyWithLogits">;
def : GradientRule<DenseOp, "differentiateDense">;
def : GradientRule<GlobalAvgPool2DOp, "differentiateGlobalAvgPool2D">;
def : GradientRule<LogSoftmaxOp, "differentiateLogSoftmax">;
def : GradientRule<MatmulOp, "differentiateMatmul">;
def : GradientRule<MaxPool2DOp, "differentiateMaxPool2D">;
def : GradientRule<SoftmaxOp, "differentiateSoftmax">;

#endif // RELAY_TRANSFORMS_GRADIENT_GRADIENTS_TD
