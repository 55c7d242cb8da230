//===- RearrangeKernels.cpp - Moving and repeating elements ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Rearrange.td, except those of layouts (LayoutKernels.cpp).
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Rearrange.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

/// Axes in the order of `axes`, or reversed.
LogicalResult relay::evalTranspose(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  const auto &A = Call.getAttrs<TransposeAttrs>();
  Strides From = getStrides(Data.getShape()), Steps;
  if (!A.hasAxes()) {
    Steps.append(From.rbegin(), From.rend());
    copyStrided(Call, Data, Steps);
    return success();
  }
  auto Axes = getInts(Call, A.axes(), "axes");
  if (failed(Axes))
    return failure(); // reported
  for (int64_t Axis : *Axes)
    Steps.push_back(From[Axis < 0 ? Axis + Data.getRank() : Axis]);
  copyStrided(Call, Data, Steps);
  return success();
}

LogicalResult relay::evalReverse(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Axis =
      getAxis(Call, *Call.getAttrs<ReverseAttrs>().axis(), Data.getRank());
  if (failed(Axis))
    return failure(); // reported
  if (Data.getNumElements() == 0)
    return setReshaped(Call, Data, Data.getShape());
  Strides Steps = getStrides(Data.getShape());
  int64_t Last = (Data.getDim(*Axis) - 1) * Steps[*Axis];
  Steps[*Axis] = -Steps[*Axis];
  copyStrided(Call, Data, Steps, Last);
  return success();
}

/// data: [.., t, .., n, ..], seq_lengths: [n]. Elements beyond a length keep
/// their positions.
LogicalResult relay::evalReverseSequence(KernelCall &Call) {
  const auto &A = Call.getAttrs<ReverseSequenceAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Sequence = getAxis(Call, A.seqAxis(), Data.getRank());
  auto Batch = getAxis(Call, A.batchAxis(), Data.getRank());
  if (failed(Sequence) || failed(Batch))
    return failure(); // reported
  SmallVector<int64_t, 8> Lengths = Call.getInput(1).getInts();
  int64_t Extent = Data.getDim(*Sequence);
  for (int64_t Length : Lengths)
    if (Length > Extent)
      return Call.emitError("a sequence of " + Twine(Length) +
                            " elements on an axis of " + Twine(Extent));
  Strides Steps = getStrides(Data.getShape());
  int64_t Step = Steps[*Sequence], BatchStep = Steps[*Batch];
  int64_t Run = std::min(Step, BatchStep); // elements that move together
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *To = getMutableRawElements<E>(Call.getOutputTensor());
    for (int64_t I = 0; I < Data.getNumElements(); I += Run) {
      int64_t Place = I / Step % Extent;
      int64_t Length = Lengths[I / BatchStep % Data.getDim(*Batch)];
      int64_t Moved = Place < Length ? Length - 1 - Place : Place;
      std::copy_n(From + I + (Moved - Place) * Step, Run, To + I);
    }
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Repetitions
//===----------------------------------------------------------------------===//

void relay::tileTensor(const KernelCall &Call, const Tensor &Data,
                       Tensor &Out) {
  Strides From = getStrides(Data.getShape()), Steps;
  TensorShape Walk; // a repetition and an axis of data by turns
  unsigned NewAxes = Out.getRank() - Data.getRank();
  for (auto [I, Extent] : llvm::enumerate(Out.getShape())) {
    int64_t Own = I < NewAxes ? 1 : Data.getDim(I - NewAxes);
    Walk.append({Own == 0 ? 0 : Extent / Own, Own});
    Steps.append({0, I < NewAxes ? 0 : From[I - NewAxes]});
  }
  copyStrided(Call, Data, 0, Out, Walk, Steps);
}

LogicalResult relay::evalTile(KernelCall &Call) {
  if (failed(checkOutputShape(Call)))
    return failure();
  tileTensor(Call, Call.getInput(0), Call.getOutputTensor());
  return success();
}

/// [.., n, ..] -> [.., n * repeats, ..].
LogicalResult relay::evalRepeat(KernelCall &Call) {
  const auto &A = Call.getAttrs<RepeatAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Axis = getAxis(Call, *A.axis(), Data.getRank());
  if (failed(Axis))
    return failure(); // reported
  Strides Steps = getStrides(Data.getShape());
  Steps.insert(Steps.begin() + *Axis + 1, 0);
  TensorShape Walk(Data.getShape());
  Walk.insert(Walk.begin() + *Axis + 1, A.repeats());
  copyStrided(Call, Data, 0, Call.getOutputTensor(), Walk, Steps);
  return success();
}

LogicalResult relay::checkBroadcast(const KernelCall &Call, const Tensor &Data,
                                    ArrayRef<int64_t> Shape) {
  unsigned Rank = Data.getRank();
  bool Fits = Rank <= Shape.size() &&
              llvm::all_of(llvm::zip(Data.getShape(), Shape.take_back(Rank)),
                           [](auto Pair) {
                             auto [From, To] = Pair;
                             return From == To || From == 1;
                           });
  if (Fits)
    return success();
  return Call.emitError(toString(Data.getShape()) + " does not broadcast to " +
                        toString(Shape));
}

LogicalResult relay::evalBroadcastTo(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  if (failed(checkOutputShape(Call)) ||
      failed(checkBroadcast(Call, Data, Call.getOutputShape())))
    return failure();
  copyStrided(Call, Data,
              getBroadcastStrides(Data.getShape(), Call.getOutputShape()));
  return success();
}

/// [batch.., spatial..] -> [batch.., windows.., window_shape..].
LogicalResult relay::evalSlidingWindow(KernelCall &Call) {
  const auto &A = Call.getAttrs<SlidingWindowAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Moves = getInts(Call, A.strides(), "strides");
  auto Window = getInts(Call, A.windowShape(), "window_shape");
  if (failed(Moves) || failed(Window) || failed(checkOutputShape(Call)))
    return failure(); // reported
  unsigned Axis = A.axis(), NumSpatial = Window->size();
  if (Axis + NumSpatial != Data.getRank())
    return Call.emitError("the window does not have all axes from axis " +
                          Twine(Axis) + " on");
  Strides Steps = getStrides(Data.getShape());
  for (unsigned I = 0; I != NumSpatial; ++I) {
    int64_t Extent = Data.getDim(Axis + I);
    if ((*Window)[I] > Extent || (*Moves)[I] < 0)
      return Call.emitError("a window of " + Twine((*Window)[I]) + " by " +
                            Twine((*Moves)[I]) + " on an axis of " +
                            Twine(Extent));
    Steps.push_back(Steps[Axis + I]);
    Steps[Axis + I] *= (*Moves)[I];
  }
  copyStrided(Call, Data, Steps);
  return success();
}
