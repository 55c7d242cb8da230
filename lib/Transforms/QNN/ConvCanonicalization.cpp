//===- ConvCanonicalization.cpp - Quantized convolutions ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers qnn.conv2d to a convolution of the integers and terms for the zero
// points (see ProductCanonicalization.cpp). Sums of the data in a window are an
// avg_pool2d of the data times the size of the window. Where that does not
// apply (groups, dilation), the zero points are subtracted before.
//
//===----------------------------------------------------------------------===//

#include "QnnTerms.h"
#include "QnnUtils.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"

using namespace relay;

namespace {
/// The extents of a convolution.
struct ConvWindow {
  int64_t InChannels = 0, OutChannels = 0, Height = 0, Width = 0;
  /// The channels of the weight for each channel of the result, if there are as
  /// many groups as channels of the result; 0 otherwise.
  int64_t Multiplier = 0;

  bool isDepthwise() const { return Multiplier != 0; }
  int64_t getArea() const { return Height * Width; }
};

/// Creates the operations for one convolution.
class ConvLowering {
public:
  ConvLowering(Builder &B, QnnConv2DOp Conv, const ConvWindow &Window)
      : B(B), Conv(Conv), A(Conv.attrs()), Window(Window),
        Zero(Conv.inputZeroPoint(), Conv.weightZeroPoint()) {}

  Value *build() { return hasTerms() ? buildByTerms() : buildByShifting(); }
  LogicalResult check(const QnnLowering &Op) const {
    return hasTerms() ? checkResultOfTerms(Op, Zero) : success();
  }

private:
  /// Returns false if windows of the data cannot be summed by a pool.
  bool hasTerms() const;
  bool isNCHW() const { return A.dataLayout() == "NCHW"; }
  int64_t getChannelAxis() const { return isNCHW() ? 1 : 3; }

  Value *toInt32(Value *V) { return B.create<CastOp>(V, DType::getInt(32)); }
  Value *number(int64_t N) { return B.constant(DType::getInt(32), N); }

  Value *buildByShifting();
  Value *buildByTerms();
  Value *padData();
  /// The sums of the windows of \p Data, before zero points.
  Value *sumWindows(Value *Data);
  Value *makeDataTerm(Value *Data);
  Value *makeWeightTerm();
  Value *makeConstantTerm();

  Builder &B;
  QnnConv2DOp Conv;
  const Conv2DAttrs &A;
  const ConvWindow &Window;
  /// The weight's zero point gets trailing dimensions of length 1, so that it
  /// follows the channels of the result, if not all zero points are known.
  ProductZeroPoints Zero;
};
} // namespace

static bool areOnes(ArrayRef<Dim> Dims) {
  return llvm::all_of(Dims, [](Dim D) { return D.isConst(1); });
}

bool ConvLowering::hasTerms() const {
  if (A.groups() != 1 && !Window.isDepthwise())
    return false;
  // Channels that are summed in groups; TVM creates terms of another shape.
  bool HasZeroPoints =
      !isZeroPointOf(Zero.Data, 0) || !isZeroPointOf(Zero.Weight, 0);
  if (HasZeroPoints && Window.isDepthwise() && Window.Multiplier != 1)
    return false;
  return areOnes(A.dilation()) || !Zero.needDataTerm();
}

//===----------------------------------------------------------------------===//
// Zero points before the convolution
//===----------------------------------------------------------------------===//

Value *ConvLowering::buildByShifting() {
  Value *Data = toInt32(Conv.data());
  if (!isZeroPointOf(Zero.Data, 0))
    Data = B.create<SubtractOp>(Data, toInt32(Zero.Data));
  Value *Weight = toInt32(Conv.weight());
  if (Zero.needDataTerm()) {
    if (!Zero.areKnown())
      Zero.Weight = reshapeAlongAxis(B, Zero.Weight,
                                     int64_t(A.kernelLayout().find('O')), 4);
    Weight = B.create<SubtractOp>(Weight, toInt32(Zero.Weight));
  }
  return B.create<Conv2DOp>(Data, Weight, &A);
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// The data padded by its zero point; the data itself without padding.
Value *ConvLowering::padData() {
  SmallVector<Dim, 4> P = *getSidePadding(A.padding()); // of 1, 2 or 4 numbers
  if (llvm::all_of(P, [](Dim D) { return D.isConst(0); }))
    return Conv.data();
  unsigned Height = isNCHW() ? 2 : 1;
  return padAxes(B, Conv.data(), Zero.Data,
                 {{Height, P[0], P[2]}, {Height + 1, P[1], P[3]}});
}

Value *ConvLowering::sumWindows(Value *Data) {
  Value *V = toInt32(Data);
  if (!Window.isDepthwise())
    V = B.create<SumOp>(V, ArrayRef<int64_t>(getChannelAxis()),
                        /*Keepdims=*/true);
  if (Window.getArea() == 1 && areOnes(A.strides()))
    return V;
  if (Window.getArea() != 1)
    V = B.create<MultiplyOp>(V, number(Window.getArea()));
  auto Pool = AvgPool2DAttrs::Builder(B.getContext());
  Pool.poolSize(A.kernelSize()).strides(A.strides()).layout(A.dataLayout());
  return B.create<AvgPool2DOp>(V, Pool.get());
}

Value *ConvLowering::makeDataTerm(Value *Data) {
  Value *V = sumWindows(Data);
  if (Window.isDepthwise()) {
    if (!Zero.areKnown())
      return B.create<MultiplyOp>(
          B.create<RepeatOp>(Zero.Weight, /*Repeats=*/1, /*Axis=*/0), V);
    return isZeroPointOf(Zero.Weight, 1) ? V
                                         : B.create<MultiplyOp>(Zero.Weight, V);
  }
  if (!Zero.areKnown())
    V = B.create<RepeatOp>(V, Window.OutChannels, getChannelAxis());
  return isZeroPointOf(Zero.Weight, 1) ? V
                                       : B.create<MultiplyOp>(Zero.Weight, V);
}

Value *ConvLowering::makeWeightTerm() {
  // All axes but that of the channels of the result.
  SmallVector<int64_t, 3> Axes;
  for (auto [I, Axis] : llvm::enumerate(A.kernelLayout()))
    if (Axis == 'H' || Axis == 'W' || (Axis == 'I' && !Window.isDepthwise()))
      Axes.push_back(int64_t(I));
  Value *Sums =
      B.create<SumOp>(toInt32(Conv.weight()), ArrayRef<int64_t>(Axes));
  SmallVector<int64_t, 4> Shape = {1, 1, 1, 1};
  Shape[getChannelAxis()] = Window.OutChannels;
  Value *V = B.create<ReshapeOp>(Sums, ArrayRef<int64_t>(Shape));
  return isZeroPointOf(Zero.Data, 1) ? V : B.create<MultiplyOp>(Zero.Data, V);
}

Value *ConvLowering::makeConstantTerm() {
  int64_t Count = Window.getArea();
  if (!Window.isDepthwise())
    Count *= Window.InChannels;
  if (!Zero.areKnown())
    return B.create<MultiplyOp>(number(Count),
                                B.create<MultiplyOp>(Zero.Data, Zero.Weight));
  return Zero.createKnownTerm(B, Count);
}

Value *ConvLowering::buildByTerms() {
  bool NeedsData = Zero.needDataTerm(), NeedsWeight = Zero.needWeightTerm();
  Value *Data = padData();
  ProductTerms Terms;
  auto Attributes = A.toBuilder(B.getContext());
  Terms.Product = B.create<Conv2DOp>(Data, Conv.weight(),
                                     Attributes.padding({0, 0, 0, 0}).get());
  if (!Zero.areKnown()) // along the channels of the result
    Zero.Weight = reshapeAlongAxis(B, Zero.Weight, getChannelAxis(), 4);
  if (NeedsData)
    Terms.DataTerm = makeDataTerm(Data);
  if (NeedsWeight)
    Terms.WeightTerm = makeWeightTerm();
  if (NeedsData && NeedsWeight)
    Terms.ConstantTerm = makeConstantTerm();
  return combineTerms(B, Terms);
}

//===----------------------------------------------------------------------===//
// The hook
//===----------------------------------------------------------------------===//

/// Reports layouts, and a missing size of the kernel, that cannot be lowered.
static LogicalResult checkConv(const QnnLowering &Op, const Conv2DAttrs &A) {
  StringRef Data = A.dataLayout(), Kernel = A.kernelLayout();
  if (Data != "NCHW" && Data != "NHWC")
    return Op.emitError("the layout of the data is " + Data +
                        ", expected NCHW or NHWC");
  if (Kernel != "OIHW" && Kernel != "HWIO" && Kernel != "HWOI")
    return Op.emitError("the layout of the weight is " + Kernel +
                        ", expected OIHW, HWIO or HWOI");
  if (!A.hasKernelSize())
    return Op.emitError("'kernel_size' is missing");
  if (!A.outLayout().empty() && A.outLayout() != Data)
    return Op.emitError("the layout of the result is " + A.outLayout() +
                        ", expected that of the data, " + Data);
  return success();
}

/// Reads the extents of the convolution; an error if one is not known.
static FailureOr<ConvWindow> readWindow(const QnnLowering &Op,
                                        const Conv2DAttrs &A) {
  int64_t In, Out, Inner, Height, Width;
  auto Read = [&](int64_t &Extent, unsigned I, StringRef Layout, char Axis) {
    FailureOr<int64_t> Known = getExtent(Op, I, unsigned(Layout.find(Axis)));
    Extent = succeeded(Known) ? *Known : 0;
    return succeeded(Known);
  };
  if (!Read(In, 0, A.dataLayout(), 'C') ||
      !Read(Out, 1, A.kernelLayout(), 'O') ||
      !Read(Inner, 1, A.kernelLayout(), 'I') ||
      !Read(Height, 1, A.kernelLayout(), 'H') ||
      !Read(Width, 1, A.kernelLayout(), 'W'))
    return failure();
  ConvWindow Window{In, Out, Height, Width};
  // As in TVM, the number of channels has to be stated.
  bool IsDepthwise =
      A.groups() != 1 && A.hasChannels() && A.channels().isConst(A.groups());
  if (IsDepthwise)
    Window.Multiplier = Inner;
  return Window;
}

FailureOr<Value *> relay::canonicalizeQnnConv2D(Rewriter &R, QnnLowering &Op) {
  QnnConv2DOp Conv(Op.getOp());
  if (!Op.getTensor(0) || !Op.getTensor(1))
    return nullptr;
  if (failed(checkConv(Op, Conv.attrs())))
    return failure();
  FailureOr<ConvWindow> Window = readWindow(Op, Conv.attrs());
  if (failed(Window) || failed(checkWeightZeroPoint(Op, Window->OutChannels)))
    return failure();
  ConvLowering Lowering(R, Conv, *Window);
  if (failed(Lowering.check(Op)))
    return failure();
  if (!Op.start(R))
    return nullptr;
  return Lowering.build();
}
