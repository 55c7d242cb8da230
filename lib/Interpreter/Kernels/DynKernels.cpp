//===- DynKernels.cpp - Operators with computed shapes --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Dyn.td: shapes are data, and the operators otherwise compute
// the same as those without `dyn.`.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Dyn.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Creation of tensors
//===----------------------------------------------------------------------===//

/// Creates output 0 in the shape listed in operand \p I; null after an error.
static Tensor *createListed(KernelCall &Call, unsigned I) {
  return Call.createOutput(0, Call.getInput(I).getInts());
}

static LogicalResult fillListed(KernelCall &Call, int64_t Value) {
  Tensor *Out = createListed(Call, 0);
  if (!Out)
    return failure(); // reported
  fillTensor(*Out, Value);
  return success();
}

LogicalResult relay::evalDynOnes(KernelCall &Call) {
  return fillListed(Call, 1);
}
LogicalResult relay::evalDynZeros(KernelCall &Call) {
  return fillListed(Call, 0);
}

/// fill_value: scalar, shape: [n] -> [..].
LogicalResult relay::evalDynFull(KernelCall &Call) {
  Tensor *Out = createListed(Call, 1);
  if (!Out)
    return failure(); // reported
  fillTensor(*Out, Call.getInput(0));
  return success();
}

/// Reports an error unless operand \p I has one element.
static LogicalResult checkOneElement(const KernelCall &Call, unsigned I) {
  if (Call.getInput(I).getNumElements() == 1)
    return success();
  return Call.emitError(Call.getInfo().OperandNames[I] + " holds " +
                        Twine(Call.getInput(I).getNumElements()) + " numbers");
}

/// indices: [..], depth: scalar -> [.., depth, ..].
LogicalResult relay::evalDynOneHot(KernelCall &Call) {
  int64_t Axis = Call.getAttrs<OneHotAttrs>().axis();
  const Tensor &Indices = Call.getInput(0);
  for (unsigned I : {1, 2, 3})
    if (failed(checkOneElement(Call, I)))
      return failure();
  TensorShape Shape(Indices.getShape());
  unsigned NewAxis = Axis < 0 ? Indices.getRank() : unsigned(Axis);
  Shape.insert(Shape.begin() + NewAxis, Call.getInput(3).getInt());
  Tensor *Out = Call.createOutput(0, Shape);
  return Out ? fillOneHot(Call, *Out, NewAxis) : failure();
}

//===----------------------------------------------------------------------===//
// Changes of shape
//===----------------------------------------------------------------------===//

namespace {
/// Reads a new shape: 0 copies a length (unless zero lengths are allowed), -1
/// is the remaining length, -3 the product of two lengths. As in TVM, -2 and
/// -4, which change the rank, are errors.
class NewShapeReader {
public:
  NewShapeReader(const KernelCall &Call, ArrayRef<int64_t> Old, bool AllowZero)
      : Call(Call), Old(Old), AllowZero(AllowZero) {}

  FailureOr<TensorShape> read(ArrayRef<int64_t> New);

private:
  LogicalResult readEntry(int64_t Entry);
  LogicalResult computeRest();

  const KernelCall &Call;
  ArrayRef<int64_t> Old;
  bool AllowZero;
  size_t Source = 0;
  std::optional<size_t> Rest;
  TensorShape Result;
};
} // namespace

LogicalResult NewShapeReader::readEntry(int64_t Entry) {
  size_t Width = Entry == -3 ? 2 : 1; // axes of the input
  bool Copies = Entry == -3 || (Entry == 0 && !AllowZero);
  if (Copies && Source + Width > Old.size())
    return Call.emitError("newshape holds " + Twine(Entry) +
                          " for axes that data does not have");
  if (Entry < -1 && Entry != -3)
    return Call.emitError("newshape holds " + Twine(Entry));
  if (Entry == -1) {
    if (Rest)
      return Call.emitError("newshape holds -1 twice");
    Rest = Result.size();
  }
  int64_t Length = Entry == -1 ? 1 : Entry;
  if (Copies)
    Length = *getNumElements(Old.slice(Source, Width));
  Result.push_back(Length);
  Source += Width;
  return success();
}

LogicalResult NewShapeReader::computeRest() {
  int64_t Size = *getNumElements(Old);
  std::optional<int64_t> Others = getNumElements(Result);
  if (!Others || *Others == 0 || Size % *Others != 0)
    return Call.emitError("newshape holds -1, but " + toString(Result) +
                          " does not divide " + toString(Old));
  Result[*Rest] = Size / *Others;
  return success();
}

FailureOr<TensorShape> NewShapeReader::read(ArrayRef<int64_t> New) {
  for (int64_t Entry : New)
    if (failed(readEntry(Entry)))
      return failure();
  if (Rest && failed(computeRest()))
    return failure();
  return Result;
}

/// Sets the output to operand 0 in \p Shape, if that matches the type.
static LogicalResult reshapeData(KernelCall &Call, ArrayRef<int64_t> Shape) {
  if (!Call.hasOutputShape() || Call.getOutputShape() == Shape)
    return setReshaped(Call, Call.getInput(0), Shape);
  return Call.emitError("the result has the shape " + toString(Shape) +
                        ", but the type says " +
                        toString(Call.getOutputShape()));
}

LogicalResult relay::evalDynReshape(KernelCall &Call) {
  NewShapeReader Reader(Call, Call.getInput(0).getShape(),
                        Call.getAttrs<ReshapeAttrs>().allowzero());
  FailureOr<TensorShape> Shape = Reader.read(Call.getInput(1).getInts());
  return failed(Shape) ? failure() : reshapeData(Call, *Shape);
}

/// axis: scalar; -1 inserts after the last axis.
LogicalResult relay::evalDynExpandDims(KernelCall &Call) {
  TensorShape Shape(Call.getInput(0).getShape());
  auto Axis = getAxis(Call, Call.getInput(1).getInt(), Shape.size() + 1);
  if (failed(Axis))
    return failure(); // reported
  Shape.insert(Shape.begin() + *Axis,
               Call.getAttrs<DynExpandDimsAttrs>().numNewaxis(), 1);
  return reshapeData(Call, Shape);
}

/// axes: [n], of axes of length 1.
LogicalResult relay::evalDynSqueeze(KernelCall &Call) {
  ArrayRef<int64_t> Old = Call.getInput(0).getShape();
  SmallVector<bool, 6> Dropped(Old.size(), false);
  for (int64_t Number : Call.getInput(1).getInts()) {
    auto Axis = getAxis(Call, Number, Old.size());
    if (failed(Axis))
      return failure(); // reported
    if (std::exchange(Dropped[*Axis], true))
      return Call.emitError("axis " + Twine(*Axis) + " is named twice");
  }
  TensorShape Shape;
  for (auto [Extent, Drops] : llvm::zip_equal(Old, Dropped))
    if (!Drops)
      Shape.push_back(Extent);
  return reshapeData(Call, Shape);
}

/// data: [..], reps: [n] -> [..] of the greater rank.
LogicalResult relay::evalDynTile(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  SmallVector<int64_t, 8> Reps = Call.getInput(1).getInts();
  size_t Rank = std::max<size_t>(Data.getRank(), Reps.size());
  TensorShape Shape(Rank - Data.getRank(), 1);
  llvm::append_range(Shape, Data.getShape());
  for (auto [I, Rep] : llvm::enumerate(Reps)) {
    int64_t &Extent = Shape[Rank - Reps.size() + I];
    if (Rep < 0 || llvm::MulOverflow(Extent, Rep, Extent))
      return Call.emitError("reps holds " + Twine(Rep));
  }
  Tensor *Out = Call.createOutput(0, Shape);
  if (!Out)
    return failure(); // reported
  tileTensor(Call, Data, *Out);
  return success();
}

/// data: [..], shape: [n] -> [..].
LogicalResult relay::evalDynBroadcastTo(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  TensorShape Shape(Call.getInput(1).getInts());
  if (failed(checkBroadcast(Call, Data, Shape)))
    return failure(); // reported
  Tensor *Out = Call.createOutput(0, Shape);
  if (!Out)
    return failure();
  copyStrided(Call, Data, 0, *Out, Shape,
              getBroadcastStrides(Data.getShape(), Shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Returns the slice of \p Axis given by operands 1 to 3. With sizes, operand 2
/// has lengths, -1 for all remaining elements, and there are no strides. A
/// negative begin counts from the end; TVM does so for the shape, and then
/// reads before the tensor.
static FailureOr<AxisSlice> getSlice(const KernelCall &Call, unsigned Axis,
                                     bool HasSizes) {
  int64_t Length = Call.getInput(0).getDim(Axis);
  auto GetEntry = [&](unsigned I, int64_t Default) {
    const Tensor &T = Call.getInput(I);
    return Axis < T.getNumElements() ? T.getInt(Axis) : Default;
  };
  AxisSlice S = {GetEntry(1, 0), GetEntry(2, Length), GetEntry(3, 1)};
  if (HasSizes) {
    S.Stride = 1;
    bool IsWhole = S.End < 0 || llvm::AddOverflow(S.Begin, S.End, S.End);
    S.End = IsWhole ? Length : S.End;
  }
  if (S.Stride == 0)
    return Call.emitError("strides holds 0");
  S.normalize(Length);
  return S;
}

LogicalResult relay::evalDynStridedSlice(KernelCall &Call) {
  // In TVM, every other mode has sizes.
  bool HasSizes = Call.getAttrs<StridedSliceAttrs>().sliceMode() != "end";
  const Tensor &Data = Call.getInput(0);
  SmallVector<AxisSlice, 6> Slices;
  TensorShape Shape;
  for (unsigned Axis = 0; Axis != Data.getRank(); ++Axis) {
    FailureOr<AxisSlice> S = getSlice(Call, Axis, HasSizes);
    if (failed(S))
      return failure(); // reported
    Slices.push_back(*S);
    Shape.push_back(S->getCount());
  }
  Tensor *Out = Call.createOutput(0, Shape);
  if (!Out)
    return failure();
  copySlice(Call, Data, Slices, *Out);
  return success();
}

/// k: scalar or one element; all elements if it is less than 1.
LogicalResult relay::evalDynTopk(KernelCall &Call) {
  const auto &A = Call.getAttrs<TopkAttrs>();
  TensorShape Shape(Call.getInput(0).getShape());
  auto Axis = getAxis(Call, A.axis(), Shape.size());
  if (failed(Axis))
    return failure(); // reported
  if (int64_t Count = Call.getInput(1).getInt(); Count >= 1)
    Shape[*Axis] = std::min(Count, Shape[*Axis]);
  for (unsigned I = 0; I != Call.getNumOutputs(); ++I)
    if (!Call.createOutput(I, Shape))
      return failure();
  return fillTopk(Call, A, Shape[*Axis]);
}
