//===- SpaceKernels.cpp - Blocks of space and channels --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rearrangements of images, and fifo_buffer, of Ops/NN.td.
//
//===----------------------------------------------------------------------===//

#include "AxisView.h"
#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/NN.h"

using namespace relay;

/// data: [n, ..] -> [n, rest].
LogicalResult relay::evalBatchFlatten(KernelCall &Call) {
  Call.setOutput(0, Call.getInput(0).reshape(Call.getOutputShape()));
  return success();
}

/// Sets the output, of NCHW shape \p Shape in \p Layout, to the elements of \p
/// Data, in NCHW, at \p Offset + \p Steps of the positions \p Extents.
static LogicalResult setRearranged(KernelCall &Call, const Tensor &Data,
                                   const Strides &Steps,
                                   ArrayRef<int64_t> Extents,
                                   ArrayRef<int64_t> Shape, StringRef Layout) {
  std::optional<Tensor> Moved = Call.allocate(Data.getDType(), Shape);
  if (!Moved)
    return failure();
  copyStrided(Call, Data, 0, *Moved, Extents, Steps);
  auto Result = fromPlainLayout(Call, *Moved, "NCHW", Layout);
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

/// [N, C, H, W] -> [N, C / b^2, H * b, W * b]: with the mode DCR, a channel is
/// a position in a block and a channel of the result; with other modes, such as
/// TVM's "CDR", in reverse order.
LogicalResult relay::evalDepthToSpace(KernelCall &Call) {
  const auto &A = Call.getAttrs<SubPixelAttrs>();
  auto Data = toPlainLayout(Call, Call.getInput(0), A.layout(), "NCHW");
  if (failed(Data))
    return failure();
  int64_t B = A.blockSize(), Channels = Data->getDim(1);
  if (B <= 0 || Channels % (B * B) != 0)
    return Call.emitError(Twine(Channels) + " channels are not in blocks of " +
                          Twine(B) + " by " + Twine(B));
  int64_t N = Data->getDim(0), C = Channels / (B * B);
  int64_t H = Data->getDim(2), W = Data->getDim(3), Plane = H * W;
  bool IsDCR = A.mode() == "DCR";
  int64_t OfBlock = IsDCR ? C * Plane : Plane;
  int64_t OfChannel = IsDCR ? Plane : B * B * Plane;
  return setRearranged(
      Call, *Data, {Channels * Plane, OfChannel, W, B * OfBlock, 1, OfBlock},
      {N, C, H, B, W, B}, {N, C, H * B, W * B}, A.layout());
}

/// [N, C, H, W] -> [N, C * b^2, H / b, W / b]: a channel is a position in a
/// block and a channel of data.
LogicalResult relay::evalSpaceToDepth(KernelCall &Call) {
  const auto &A = Call.getAttrs<SubPixelAttrs>();
  auto Data = toPlainLayout(Call, Call.getInput(0), A.layout(), "NCHW");
  if (failed(Data))
    return failure();
  int64_t B = A.blockSize(), N = Data->getDim(0), C = Data->getDim(1);
  int64_t H = Data->getDim(2), W = Data->getDim(3);
  if (B <= 0 || H % B != 0 || W % B != 0)
    return Call.emitError("an image of " + Twine(H) + " by " + Twine(W) +
                          " is not in blocks of " + Twine(B));
  return setRearranged(Call, *Data, {C * H * W, W, 1, H * W, B * W, B},
                       {N, B, B, C, H / B, W / B}, {N, C * B * B, H / B, W / B},
                       A.layout());
}

/// data: [.., d at axis, ..], buffer: [.., b, ..] -> the last b positions of
/// buffer followed by data.
LogicalResult relay::evalFIFOBuffer(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0), &Buffer = Call.getInput(1);
  auto Axis =
      getAxis(Call, Call.getAttrs<FIFOBufferAttrs>().axis(), Buffer.getRank());
  if (failed(Axis))
    return failure();
  AxisView New(Data.getShape(), *Axis), Old(Buffer.getShape(), *Axis);
  if (New.Outer != Old.Outer || New.Inner != Old.Inner ||
      New.Length > Old.Length || Data.getDType() != Buffer.getDType())
    return Call.emitError("data of " + toString(Data.getShape()) +
                          " does not fit into a buffer of " +
                          toString(Buffer.getShape()));
  int64_t Place = Old.Inner * Data.getDType().getByteSize();
  int64_t Whole = Old.Length * Place, Pushed = New.Length * Place;
  char *Out = Call.getOutputTensor().getMutableBytes().data();
  for (int64_t I = 0; I != Old.Outer; ++I) {
    const char *From = Buffer.getBytes().data() + I * Whole;
    char *Row = std::copy(From + Pushed, From + Whole, Out + I * Whole);
    std::copy_n(Data.getBytes().data() + I * Pushed, Pushed, Row);
  }
  return success();
}
