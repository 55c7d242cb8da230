//===- NNGradients.cpp - Gradients of layers ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for convolutions, pooling, matrix products, softmax and losses. `g` is
// the gradient of the result.
//
//===----------------------------------------------------------------------===//

#include "GradientUtils.h"
#include "Padding.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// The gradients of A B^T: g B and g^T A, as nn.dense.
static FailureOr<GradientList> differentiateByDense(Rewriter &R,
                                                    const GradientRequest &G) {
  const TensorType *A = G.getOperandType(0), *B = G.getOperandType(1);
  if (!A || !B || A->getRank() != 2 || B->getRank() != 2)
    return G.emitError() << "expects factors of rank 2, got "
                         << (A ? toString(A) : "an unknown type");
  Value *BT = R.create<TransposeOp>(G.Operands[1], std::nullopt);
  Value *AT = R.create<TransposeOp>(G.Operands[0], std::nullopt);
  Value *GT = R.create<TransposeOp>(G.Gradient, std::nullopt);
  return collapseBoth(R, G, R.create<DenseOp>(G.Gradient, BT, B->getDim(1)),
                      R.create<DenseOp>(GT, AT, A->getDim(1)));
}

FailureOr<GradientList> relay::differentiateDense(Rewriter &R,
                                                  const GradientRequest &G) {
  return differentiateByDense(R, G);
}

/// The product of \p A and \p B, transposed as stated. As in TVM, A B^T is an
/// nn.dense.
static Value *createMatmul(Rewriter &R, Value *A, Value *B, bool TransposeA,
                           bool TransposeB) {
  if (!TransposeA && TransposeB)
    return R.create<DenseOp>(A, B, std::nullopt);
  MatmulAttrs::Builder Attributes(R.getContext());
  Attributes.units(std::nullopt).transposeA(TransposeA).transposeB(TransposeB);
  return R.create<MatmulOp>(A, B, Attributes.get());
}

static Value *createBatchMatmul(Rewriter &R, Value *A, Value *B,
                                bool TransposeA, bool TransposeB) {
  BatchMatmulAttrs::Builder Attributes(R.getContext());
  Attributes.transposeA(TransposeA).transposeB(TransposeB);
  return R.create<BatchMatmulOp>(A, B, Attributes.get());
}

/// The gradients of a product of factors that are transposed as \p A says. \p
/// Create creates products of g and the factors.
template <typename AttrsT, typename CreateFn>
static GradientList differentiateProduct(Rewriter &R, const GradientRequest &G,
                                         const AttrsT &A, CreateFn Create) {
  bool TA = A.transposeA(), TB = A.transposeB();
  Value *Left = G.Operands[0], *Right = G.Operands[1];
  Value *First = TA ? Create(R, Right, G.Gradient, TB, true)
                    : Create(R, G.Gradient, Right, false, !TB);
  Value *Second = TB ? Create(R, G.Gradient, Left, true, TA)
                     : Create(R, Left, G.Gradient, !TA, false);
  return collapseBoth(R, G, First, Second);
}

FailureOr<GradientList> relay::differentiateMatmul(Rewriter &R,
                                                   const GradientRequest &G) {
  const MatmulAttrs &A = G.Op.getAttrsAs<MatmulAttrs>();
  if (!A.transposeA() && A.transposeB())
    return differentiateByDense(R, G);
  return differentiateProduct(R, G, A, createMatmul);
}

FailureOr<GradientList>
relay::differentiateBatchMatmul(Rewriter &R, const GradientRequest &G) {
  const BatchMatmulAttrs &A = G.Op.getAttrsAs<BatchMatmulAttrs>();
  if (A.transposeA() || !A.transposeB())
    return differentiateProduct(R, G, A, createBatchMatmul);
  auto Transpose = [&](Value *V) -> Value * {
    return R.create<TransposeOp>(V, {0, 2, 1});
  };
  Value *OfLeft =
      createBatchMatmul(R, G.Gradient, Transpose(G.Operands[1]), false, true);
  Value *OfRight = createBatchMatmul(R, Transpose(G.Gradient),
                                     Transpose(G.Operands[0]), false, true);
  return collapseBoth(R, G, OfLeft, OfRight);
}

/// g, and its sum along all axes except that of the bias.
FailureOr<GradientList> relay::differentiateBiasAdd(Rewriter &R,
                                                    const GradientRequest &G) {
  ReduceAttrs::Builder Sum(R.getContext());
  Sum.axis({G.Op.getAttrsAs<BiasAddAttrs>().axis()}).exclude(true);
  return GradientList{R.create<CollapseSumLikeOp>(G.Gradient, G.Operands[0]),
                      R.create<SumOp>(G.Gradient, Sum.get())};
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Reports an error if the convolution has other layouts than TVM's gradient
/// supports.
static LogicalResult checkLayouts(const GradientRequest &G,
                                  const Conv2DAttrs &A) {
  if (A.dataLayout() != "NCHW")
    return G.emitError() << "expects data_layout NCHW, got " << A.dataLayout();
  if (A.kernelLayout() != "OIHW")
    return G.emitError() << "expects kernel_layout OIHW, got "
                         << A.kernelLayout();
  if (!A.outLayout().empty() && A.outLayout() != "NCHW")
    return G.emitError() << "expects out_layout NCHW, got " << A.outLayout();
  return success();
}

/// By how much the transposed convolution of g is shorter than the data,
/// because the strides skip the last elements.
static FailureOr<SmallVector<int64_t, 2>>
getOutputPadding(const GradientRequest &G, const Conv2DAttrs &A) {
  const TensorType *Data = G.getOperandType(0), *Kernel = G.getOperandType(1);
  const TensorType *Result = getTensor(&G.Op);
  SmallVector<Dim, 6> Sides = *getSidePadding(A.padding());
  SmallVector<int64_t, 2> Padding;
  for (unsigned I = 0; I != 2; ++I) {
    FailureOr<int64_t> In = getStaticExtent(G, Data, 2 + I);
    if (failed(In))
      return failure();
    FailureOr<int64_t> Window = getStaticExtent(G, Kernel, 2 + I);
    if (failed(Window))
      return failure();
    FailureOr<int64_t> Out = getStaticExtent(G, Result, 2 + I);
    if (failed(Out))
      return failure();
    int64_t Length = (*Out - 1) * A.strides()[I].getInt() +
                     (*Window - 1) * A.dilation()[I].getInt() + 1;
    int64_t Padded = Sides[I].getInt() + Sides[I + 2].getInt();
    Padding.push_back(*In - (Length - Padded));
  }
  return Padding;
}

/// The extents of the weight.
static ArrayRef<Dim> getKernelSize(const GradientRequest &G) {
  return G.getOperandType(1)->getShape().drop_front(2);
}

/// The gradient of the data: a transposed convolution of g. Without groups, it
/// has no attribute `channels`, as in TVM: the weight determines them.
static Value *createConv2DTranspose(Rewriter &R, const GradientRequest &G,
                                    const Conv2DAttrs &A,
                                    ArrayRef<int64_t> OutputPadding) {
  const TensorType *Data = G.getOperandType(0);
  Conv2DTransposeAttrs::Builder Attributes(R.getContext());
  Attributes.strides(A.strides())
      .padding(A.padding())
      .dilation(A.dilation())
      .groups(A.groups())
      .outputPadding(OutputPadding)
      .outDtype(Data->getDType());
  if (A.groups() != 1)
    Attributes.channels(Data->getDim(1)).kernelSize(getKernelSize(G));
  return R.create<Conv2DTransposeOp>(G.Gradient, G.Operands[1],
                                     Attributes.get());
}

/// The gradient of the weight: a convolution of the data by g.
static Value *createBackwardWeight(Rewriter &R, const GradientRequest &G,
                                   const Conv2DAttrs &A) {
  Conv2DAttrs::Builder Attributes = A.toBuilder(R.getContext());
  Attributes.kernelSize(getKernelSize(G))
      .kernelLayout(A.outLayout().empty() ? A.dataLayout() : A.outLayout())
      .outLayout(A.kernelLayout())
      .outDtype(G.getOperandType(1)->getDType());
  return R.create<Conv2DBackwardWeightOp>(G.Gradient, G.Operands[0],
                                          Attributes.get());
}

FailureOr<GradientList> relay::differentiateConv2D(Rewriter &R,
                                                   const GradientRequest &G) {
  const Conv2DAttrs &A = G.Op.getAttrsAs<Conv2DAttrs>();
  if (failed(checkLayouts(G, A)))
    return failure();
  FailureOr<SmallVector<int64_t, 2>> Padding = getOutputPadding(G, A);
  if (failed(Padding))
    return failure();
  return GradientList{createConv2DTranspose(R, G, A, *Padding),
                      createBackwardWeight(R, G, A)};
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// \p A with the fields that TVM's gradients leave empty: the layout of the
/// result, and a dilation of 1.
template <typename AttrsT>
static typename AttrsT::Builder getPoolGradAttrs(Context &Ctx,
                                                 const AttrsT &A) {
  typename AttrsT::Builder Attributes = A.toBuilder(Ctx);
  Attributes.outLayout("");
  if (llvm::all_of(A.dilation(), [](Dim D) { return D.isConst(1); }))
    Attributes.dilation(ArrayRef<int64_t>());
  return Attributes;
}

FailureOr<GradientList>
relay::differentiateMaxPool2D(Rewriter &R, const GradientRequest &G) {
  const MaxPool2DAttrs &A = G.Op.getAttrsAs<MaxPool2DAttrs>();
  return GradientList{R.create<MaxPool2DGradOp>(
      G.Gradient, G.Operands[0], getPoolGradAttrs(R.getContext(), A).get())};
}

FailureOr<GradientList>
relay::differentiateAvgPool2D(Rewriter &R, const GradientRequest &G) {
  const AvgPool2DAttrs &A = G.Op.getAttrsAs<AvgPool2DAttrs>();
  return GradientList{R.create<AvgPool2DGradOp>(
      G.Gradient, G.Operands[0], getPoolGradAttrs(R.getContext(), A).get())};
}

/// The gradient of a pool whose window is the plane.
FailureOr<GradientList>
relay::differentiateGlobalAvgPool2D(Rewriter &R, const GradientRequest &G) {
  StringRef Layout = G.Op.getAttrsAs<GlobalPool2DAttrs>().layout();
  if (Layout != "NCHW" && Layout != "NHWC")
    return G.emitError() << "expects layout NCHW or NHWC, got " << Layout;
  SmallVector<int64_t, 2> Window;
  for (char Axis : {'H', 'W'}) {
    FailureOr<int64_t> Extent =
        getStaticExtent(G, G.getOperandType(0), Layout.find(Axis));
    if (failed(Extent))
      return failure();
    Window.push_back(*Extent);
  }
  AvgPool2DAttrs::Builder Attributes(R.getContext());
  Attributes.poolSize(Window).layout(Layout).dilation(ArrayRef<int64_t>());
  return GradientList{
      R.create<AvgPool2DGradOp>(G.Gradient, G.Operands[0], Attributes.get())};
}

//===----------------------------------------------------------------------===//
// Softmax and losses
//===----------------------------------------------------------------------===//

/// The sum of \p V along the axis of the softmax, with length 1 there.
static Value *sumAlongSoftmax(Rewriter &R, const GradientRequest &G, Value *V) {
  return R.create<SumOp>(V, {G.Op.getAttrsAs<SoftmaxAttrs>().axis()}, true);
}

/// (g - sum(g * y)) * y of the result y.
FailureOr<GradientList> relay::differentiateSoftmax(Rewriter &R,
                                                    const GradientRequest &G) {
  Value *Product = R.create<MultiplyOp>(G.Gradient, G.Result);
  Value *Centered =
      R.create<SubtractOp>(G.Gradient, sumAlongSoftmax(R, G, Product));
  return GradientList{R.create<MultiplyOp>(Centered, G.Result)};
}

/// g - sum(g) * exp(y) of the result y.
FailureOr<GradientList>
relay::differentiateLogSoftmax(Rewriter &R, const GradientRequest &G) {
  Value *Sum = sumAlongSoftmax(R, G, G.Gradient);
  Value *Product = R.create<MultiplyOp>(Sum, R.create<ExpOp>(G.Result));
  return GradientList{R.create<SubtractOp>(G.Gradient, Product)};
}

/// g / batch: losses are means over the first axis.
static FailureOr<Value *> divideByBatch(Rewriter &R, const GradientRequest &G) {
  const TensorType *T = G.getOperandType(0);
  if (!T)
    return G.emitError() << "expects a tensor";
  Value *Batch = createLength(R, G.Operands[0]);
  return static_cast<Value *>(
      R.create<DivideOp>(G.Gradient, R.create<CastOp>(Batch, T->getDType()))
          .getOperation());
}

/// The result is the mean of -log(x) * y.
FailureOr<GradientList>
relay::differentiateCrossEntropy(Rewriter &R, const GradientRequest &G) {
  FailureOr<Value *> Share = divideByBatch(R, G);
  if (failed(Share))
    return failure();
  Value *X = G.Operands[0], *Y = G.Operands[1];
  Value *OfLog = R.create<MultiplyOp>(R.create<NegativeOp>(*Share), Y);
  Value *OfY =
      R.create<MultiplyOp>(R.create<NegativeOp>(*Share), R.create<LogOp>(X));
  return GradientList{R.create<DivideOp>(OfLog, X), OfY};
}

/// The result is the mean of -x * y.
FailureOr<GradientList>
relay::differentiateCrossEntropyWithLogits(Rewriter &R,
                                           const GradientRequest &G) {
  FailureOr<Value *> Share = divideByBatch(R, G);
  if (failed(Share))
    return failure();
  return GradientList{
      R.create<MultiplyOp>(R.create<NegativeOp>(*Share), G.Operands[1]),
      R.create<MultiplyOp>(R.create<NegativeOp>(*Share), G.Operands[0])};
}
