//===- ConvKernels.cpp - Kernels of Ops/Conv.td ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions in any layout are computed in the plain layout, by convolve().
// SampledConvKernels.cpp contains deformable convolution and correlation.
//
//===----------------------------------------------------------------------===//

#include "ConvKernels.h"
#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Conv.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

FailureOr<Tensor> relay::loadConvOperand(KernelCall &Call, unsigned I,
                                         StringRef From, StringRef To) {
  FailureOr<Tensor> Plain = toPlainLayout(Call, Call.getInput(I), From, To);
  if (failed(Plain))
    return failure();
  return loadContracted(Call, *Plain, Call.getOutputDType());
}

LogicalResult relay::setConvOutput(KernelCall &Call, FailureOr<Tensor> Sums,
                                   StringRef From, StringRef To) {
  if (failed(Sums))
    return failure();
  FailureOr<Tensor> Stored =
      storeContracted(Call, *Sums, Call.getOutputDType());
  if (failed(Stored))
    return failure();
  FailureOr<Tensor> Result = fromPlainLayout(Call, *Stored, From, To);
  if (failed(Result))
    return failure();
  if (Result->getShape() != Call.getOutputShape())
    return Call.emitError("the result has the shape " +
                          toString(Result->getShape()) + ", but the type " +
                          toString(Call.getOutputShape()));
  Call.setOutput(0, std::move(*Result));
  return success();
}

FailureOr<TensorShape> relay::getPlainConvOutput(KernelCall &Call,
                                                 StringRef From, StringRef To) {
  std::optional<Layout> L = Layout::parse(From);
  if (!Call.hasOutputShape() || !L)
    return Call.emitError("the shape of the result is not known");
  TensorShape Shape;
  for (char Axis : To) {
    Shape.push_back(1);
    for (auto [Part, Extent] : llvm::zip(L->getAxes(), Call.getOutputShape()))
      if (Part.primal() == Axis)
        Shape.back() *= Extent;
  }
  return Shape;
}

FailureOr<PlainConv> PlainConv::getWithoutOperands(KernelCall &Call,
                                                   const ConvParams &P) {
  auto Window = WindowAttrs::get(Call, P.getNumSpatial(), P.Strides, P.Dilation,
                                 P.Padding);
  auto Out = getPlainConvOutput(Call, P.getOutLayout(), P.DataAxes);
  if (failed(Window) || failed(Out))
    return failure();
  return PlainConv{*Window, *Out, {}, {}};
}

FailureOr<PlainConv> PlainConv::getWithoutWeight(KernelCall &Call,
                                                 const ConvParams &P) {
  FailureOr<PlainConv> C = getWithoutOperands(Call, P);
  if (failed(C))
    return failure();
  auto Data = loadConvOperand(Call, 0, P.DataLayout, P.DataAxes);
  if (failed(Data))
    return failure();
  C->Data = std::move(*Data);
  return C;
}

FailureOr<PlainConv> PlainConv::get(KernelCall &Call, const ConvParams &P) {
  FailureOr<PlainConv> C = getWithoutWeight(Call, P);
  if (failed(C))
    return failure();
  auto Loaded = loadConvOperand(Call, 1, P.KernelLayout, P.KernelAxes);
  if (failed(Loaded))
    return failure();
  C->Weight = std::move(*Loaded);
  return C;
}

WindowGeometry PlainConv::getGeometry() const {
  return Window.getGeometry(Data.getShape().drop_front(2),
                            Weight.getShape().drop_front(2),
                            ArrayRef(Out).drop_front(2));
}

WindowGeometry PlainConv::getTransposedGeometry() const {
  WindowGeometry G = getGeometry();
  for (WindowGeometry::Axis &Axis : G.Axes) {
    Axis.Spread = Axis.Stride;
    Axis.Stride = 1;
    Axis.Before = (Axis.Kernel - 1) * Axis.Dilation - Axis.Before;
  }
  return G;
}

LogicalResult PlainConv::evaluate(KernelCall &Call, const ConvParams &P,
                                  const WindowGeometry &G) const {
  return setConvOutput(Call, convolve(Call, G, P.Groups, Data, Weight, Out),
                       P.DataAxes, P.getOutLayout());
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

Tensor relay::getGroupedWeight(const Tensor &Weight, const ConvParams &P,
                               int64_t Channels) {
  bool IsDepthwise =
      P.HasDepthwise && P.Groups == Channels && Weight.getDim(0) == Channels;
  if (!IsDepthwise)
    return Weight;
  TensorShape Shape(Weight.getShape());
  Shape[0] *= Shape[1];
  Shape[1] = 1;
  return Weight.reshape(Shape);
}

/// data: [N, C, ..], weight: [O, C / groups, ..] -> [N, O, ..], in the layouts
/// of \p P. Operands are first cast to the type of the result.
static LogicalResult evalConv(KernelCall &Call, const ConvParams &P) {
  FailureOr<PlainConv> C = PlainConv::get(Call, P);
  if (failed(C))
    return failure();
  WindowGeometry G = C->getGeometry();
  C->Weight = getGroupedWeight(C->Weight, P, C->Data.getDim(1));
  return C->evaluate(Call, P, G);
}

LogicalResult relay::evalConv1D(KernelCall &Call) {
  ConvParams P = ConvParams::get(Call.getAttrs<Conv1DAttrs>(), "NCW", "OIW");
  P.HasDepthwise = false;
  return evalConv(Call, P);
}
LogicalResult relay::evalConv2D(KernelCall &Call) {
  return evalConv(
      Call, ConvParams::get(Call.getAttrs<Conv2DAttrs>(), "NCHW", "OIHW"));
}
LogicalResult relay::evalConv3D(KernelCall &Call) {
  return evalConv(
      Call, ConvParams::get(Call.getAttrs<Conv3DAttrs>(), "NCDHW", "OIDHW"));
}

//===----------------------------------------------------------------------===//
// Transposed convolutions
//===----------------------------------------------------------------------===//

FailureOr<Tensor> relay::transposeWeight(KernelCall &Call, const Tensor &Weight,
                                         int64_t Groups) {
  if (Groups <= 0 || Weight.getDim(0) % Groups != 0)
    return Call.emitError(Twine(Weight.getDim(0)) +
                          " channels are not a multiple of " + Twine(Groups) +
                          " groups");
  int64_t GroupIn = Weight.getDim(0) / Groups, GroupOut = Weight.getDim(1);
  TensorShape Shape = {GroupOut * Groups, GroupIn};
  int64_t Size = 1;
  for (int64_t Extent : Weight.getShape().drop_front(2)) {
    Shape.push_back(Extent);
    Size *= Extent;
  }
  std::optional<Tensor> Result = Call.allocate(Weight.getDType(), Shape);
  if (!Result)
    return failure();
  if (Result->getNumElements() != 0)
    copyStrided(Call, Weight, Size - 1, *Result,
                {Groups, GroupOut, GroupIn, Size},
                {GroupIn * GroupOut * Size, Size, GroupOut * Size, -1});
  return std::move(*Result);
}

/// Each position of data adds a kernel to the result.
static LogicalResult evalTransposed(KernelCall &Call, const ConvParams &P) {
  FailureOr<PlainConv> C = PlainConv::get(Call, P);
  if (failed(C))
    return failure();
  WindowGeometry G = C->getTransposedGeometry();
  FailureOr<Tensor> Turned = transposeWeight(Call, C->Weight, P.Groups);
  if (failed(Turned))
    return failure();
  C->Weight = std::move(*Turned);
  return C->evaluate(Call, P, G);
}

LogicalResult relay::evalConv1DTranspose(KernelCall &Call) {
  return evalTransposed(
      Call, ConvParams::getTransposed(Call.getAttrs<Conv1DTransposeAttrs>(),
                                      "NCW", "IOW"));
}
LogicalResult relay::evalConv2DTranspose(KernelCall &Call) {
  return evalTransposed(
      Call, ConvParams::getTransposed(Call.getAttrs<Conv2DTransposeAttrs>(),
                                      "NCHW", "IOHW"));
}
LogicalResult relay::evalConv3DTranspose(KernelCall &Call) {
  return evalTransposed(
      Call, ConvParams::getTransposed(Call.getAttrs<Conv3DTransposeAttrs>(),
                                      "NCDHW", "IODHW"));
}

//===----------------------------------------------------------------------===//
// Gradient
//===----------------------------------------------------------------------===//

/// Computes the convolution whose batch is the channels of data and whose
/// kernels are those of grad: data: [C, N, ..], grad: [O, N, ..] -> [C, O,
/// kernel..].
static FailureOr<Tensor> convolveGradient(KernelCall &Call,
                                          const WindowAttrs &Attributes,
                                          const Tensor &Data,
                                          const Tensor &Grad,
                                          ArrayRef<int64_t> Kernel) {
  WindowAttrs Swapped = Attributes;
  std::swap(Swapped.Strides, Swapped.Dilation);
  WindowGeometry G = Swapped.getGeometry(Data.getShape().drop_front(2),
                                         Grad.getShape().drop_front(2), Kernel);
  return convolve(Call, G, 1, Data, Grad,
                  {Data.getDim(0), Grad.getDim(0), Kernel[0], Kernel[1]});
}

/// grad: [N, O, ..], data: [N, C, ..] -> [O, C / groups, kernel..], in their
/// layouts; the sums are over the batch and the positions of grad.
LogicalResult relay::evalConv2DBackwardWeight(KernelCall &Call) {
  const auto &A = Call.getAttrs<Conv2DAttrs>();
  auto Attributes =
      WindowAttrs::get(Call, 2, A.strides(), A.dilation(), A.padding());
  auto Out = getPlainConvOutput(Call, A.outLayout(), "OIHW");
  if (failed(Attributes) || failed(Out))
    return failure();
  auto Grad = loadConvOperand(Call, 0, A.kernelLayout(), "CNHW");
  auto Data = loadConvOperand(Call, 1, A.dataLayout(), "CNHW");
  if (failed(Grad) || failed(Data))
    return failure();
  int64_t Groups = A.groups(), Channels = (*Out)[0], GroupIn = (*Out)[1];
  if (Groups <= 0 || Channels % Groups != 0 ||
      GroupIn * Groups != Data->getDim(0))
    return Call.emitError("the channels are not a multiple of " +
                          Twine(Groups) + " groups");
  FailureOr<Tensor> All = convolveGradient(Call, *Attributes, *Data, *Grad,
                                           ArrayRef(*Out).drop_front(2));
  std::optional<Tensor> Own =
      Call.allocate(getContractDType(Call.getOutputDType()), *Out);
  if (failed(All) || !Own)
    return failure();
  // Each channel of the result depends on the channels of its group only.
  int64_t Size = (*Out)[2] * (*Out)[3], GroupOut = Channels / Groups;
  if (Own->getNumElements() != 0)
    copyStrided(Call, *All, 0, *Own, {Groups, GroupOut, GroupIn, Size},
                {GroupIn * Channels * Size + GroupOut * Size, Size,
                 Channels * Size, 1});
  return setConvOutput(Call, std::move(*Own), "OIHW", A.outLayout());
}
