//===- ConvLegalizations.cpp - Convolutions that targets have no code for -===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposed convolutions with the channels last become ones with the channels
// first, and gradients for weights become convolutions.
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "TensorUtils.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include "relay/Pass/Target.h"
#include "relay/Transforms/Legalize/Legalization.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Transposed convolutions
//===----------------------------------------------------------------------===//

/// The axes that transpose From to To; none if the letters differ.
static std::optional<SmallVector<int64_t, 5>> getOrder(StringRef From,
                                                       StringRef To) {
  SmallVector<int64_t, 5> Axes;
  for (char Letter : To) {
    size_t Axis = From.find(Letter);
    if (Axis == StringRef::npos || From.size() != To.size())
      return std::nullopt;
    Axes.push_back(int64_t(Axis));
  }
  return Axes;
}

/// \p V transposed from the layout \p From to \p To, which has its letters.
static Value *reorder(Builder &B, Value *V, StringRef From, StringRef To) {
  if (From == To)
    return V;
  SmallVector<int64_t, 5> Axes = *getOrder(From, To);
  return B.create<TransposeOp>(V, ArrayRef<int64_t>(Axes));
}

/// The transposed convolution \p Conv with data of the layout \p First and a
/// weight of the layout \p Kernel, by transpositions.
template <typename OpT>
static FailureOr<Value *> legalizeLayout(Rewriter &R, Lowering &Op, OpT Conv,
                                         StringRef First, StringRef Kernel) {
  const auto &A = Conv.attrs();
  StringRef Layout = A.dataLayout(), OutLayout = A.outLayout();
  bool IsReordered = Layout != First;
  if (!getOrder(A.kernelLayout(), Kernel) ||
      (IsReordered && !OutLayout.empty() && OutLayout != Layout))
    return nullptr;
  auto Padding = getSidePadding(A.padding(), First.size() - 2);
  if (!Padding)
    return nullptr;
  auto Attributes = A.toBuilder(R.getContext());
  Attributes.dataLayout(First).kernelLayout(Kernel);
  Attributes.padding(ArrayRef<Dim>(*Padding));
  if (IsReordered)
    Attributes.outLayout("");
  if (Attributes.get() == &A)
    return Op.getOp();
  if (!Op.start(R))
    return nullptr;
  Value *Data = reorder(R, Conv.data(), Layout, First);
  Value *Weight = reorder(R, Conv.weight(), A.kernelLayout(), Kernel);
  Value *V = R.create<OpT>(Data, Weight, Attributes.get());
  return reorder(R, V, First, Layout);
}

/// cuDNN has code for channels last.
static bool usesCuDNN(const Target *T) {
  return T && llvm::is_contained(T->getOption<std::vector<std::string>>("libs"),
                                 "cudnn");
}

FailureOr<Value *> relay::legalizeConv2DTransposeLayout(Rewriter &R,
                                                        Lowering &Op) {
  Conv2DTransposeOp Conv(Op.getOp());
  StringRef Layout = Conv.attrs().dataLayout();
  if ((Layout != "NHWC" && Layout != "NCHW") || usesCuDNN(Op.getTarget()))
    return nullptr;
  return legalizeLayout(R, Op, Conv, "NCHW", "IOHW");
}

FailureOr<Value *> relay::legalizeConv3DTransposeLayout(Rewriter &R,
                                                        Lowering &Op) {
  Conv3DTransposeOp Conv(Op.getOp());
  StringRef Kernel = Conv.attrs().kernelLayout();
  if (Conv.attrs().dataLayout() != "NDHWC" ||
      !llvm::is_contained({"DHWIO", "DHWOI", "OIDHW", "IODHW"}, Kernel))
    return nullptr;
  return legalizeLayout(R, Op, Conv, "NCDHW", "IODHW");
}

//===----------------------------------------------------------------------===//
// Gradients for weights
//===----------------------------------------------------------------------===//

namespace {
/// The shapes of a gradient for a weight, in NCHW and OIHW.
struct WeightGradient {
  ArrayRef<Dim> Grad, Data, Weight;
  /// The height and width of the gradient that the convolution computes. They
  /// exceed those of the weight if strides skip the last rows of the data.
  int64_t Height = 0, Width = 0;
};
} // namespace

/// Returns true if \p A has the layouts for which the lowering is defined, and
/// if groups is 1 or the number of data channels.
static bool hasPlainLayouts(const Conv2DAttrs &A, int64_t InChannels) {
  bool IsGrouped = A.groups() != 1 && A.groups() != InChannels;
  return A.dataLayout() == "NCHW" && A.kernelLayout() == "NCHW" &&
         A.outLayout() == "OIHW" && !IsGrouped;
}

/// The number of positions of a filter of \p Grad elements, \p Stride apart, in
/// \p Data elements with \p Padding, where it moves by \p Dilation.
static int64_t countSteps(Dim Data, Dim Grad, int64_t Padding, Dim Stride,
                          Dim Dilation) {
  int64_t Reach = (Grad.getInt() - 1) * Stride.getInt() + 1;
  return (Data.getInt() - Reach + Padding) / Dilation.getInt() + 1;
}

static std::optional<WeightGradient> readWeightGradient(const Lowering &Op,
                                                        const Conv2DAttrs &A) {
  const TensorType *Grad = Op.getTensor(0), *Data = Op.getTensor(1);
  const TensorType *Weight = getTensor(Op.getOp());
  auto Sides = getSidePadding(A.padding());
  auto IsKnown = [](const TensorType *T) { // with a single shape for -1
    return T && T->isStatic() && T->getNumElements() != 0;
  };
  auto IsConst = [](Dim D) { return D.isConst(); };
  if (!IsKnown(Grad) || !IsKnown(Data) || !IsKnown(Weight) || !Sides ||
      !llvm::all_of(*Sides, IsConst) || !llvm::all_of(A.strides(), IsConst) ||
      !llvm::all_of(A.dilation(), IsConst))
    return std::nullopt;
  WeightGradient W;
  W.Grad = Grad->getShape();
  W.Data = Data->getShape();
  W.Weight = Weight->getShape();
  ArrayRef<Dim> P = *Sides;
  W.Height = countSteps(W.Data[2], W.Grad[2], P[0].getInt() + P[2].getInt(),
                        A.strides()[0], A.dilation()[0]);
  W.Width = countSteps(W.Data[3], W.Grad[3], P[1].getInt() + P[3].getInt(),
                       A.strides()[1], A.dilation()[1]);
  if (W.Height < W.Weight[2].getInt() || W.Width < W.Weight[3].getInt())
    return std::nullopt;
  return W;
}

/// Each channel of each sample of the data is a group, whose filters are the
/// channels of the gradient of that sample.
FailureOr<Value *> relay::legalizeConv2DBackwardWeight(Rewriter &R,
                                                       Lowering &Op) {
  Conv2DBackwardWeightOp Backward(Op.getOp());
  const Conv2DAttrs &A = Backward.attrs();
  std::optional<WeightGradient> W = readWeightGradient(Op, A);
  if (!W || !hasPlainLayouts(A, W->Data[1].getInt()) || !Op.start(R))
    return nullptr;
  int64_t Batch = W->Data[0].getInt(), In = W->Data[1].getInt();
  int64_t Out = W->Grad[1].getInt(), Repeats = In / A.groups();
  Value *Grad = R.create<TileOp>(Backward.grad(), {1, Repeats, 1, 1});
  Grad = R.create<ReshapeOp>(Grad, {-1, 1, 0, 0});
  Value *Data = R.create<ReshapeOp>(Backward.data(), {1, -1, 0, 0});
  auto Attributes = Conv2DAttrs::Builder(R.getContext());
  Attributes.strides(A.dilation()).dilation(A.strides());
  Attributes.padding(ArrayRef<Dim>(*getSidePadding(A.padding())));
  Attributes.groups(In * Batch).outDtype(A.outDtype());
  Value *V = R.create<Conv2DOp>(Data, Grad, Attributes.get());
  V = R.create<ReshapeOp>(V, {Batch, Repeats, Out, W->Height, W->Width});
  V = R.create<TransposeOp>(R.create<SumOp>(V, {0}), {1, 0, 2, 3});
  if (W->Height > W->Weight[2].getInt() || W->Width > W->Weight[3].getInt())
    V = sliceTo(R, V, cast<TensorType>(Backward->getType()));
  return V;
}
