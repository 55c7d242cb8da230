//===- IndexKernels.cpp - Elements at given positions ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Index.td that read: take, gather, gather_nd, adv_index, and
// operators that return positions. No index reads outside of a tensor: where
// TVM does not check, gather and gather_nd read the nearest element, since
// networks mask the elements that such indices give, and other operators report
// an error.
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Index.h"

using namespace relay;

/// Reports an index outside of [0, \p Length).
static LogicalResult emitOutOfRange(const KernelCall &Call, int64_t Index,
                                    int64_t Length) {
  return Call.emitError("index " + Twine(Index) +
                        " is out of range for an axis of " + Twine(Length));
}

static LogicalResult checkIndices(const KernelCall &Call,
                                  ArrayRef<int64_t> Indices, int64_t Length) {
  for (int64_t I : Indices)
    if (I < 0 || I >= Length)
      return emitOutOfRange(Call, I, Length);
  return success();
}

static LogicalResult checkNotEmpty(const KernelCall &Call, int64_t Length,
                                   const Tensor &Indices) {
  if (Length != 0 || Indices.getNumElements() == 0)
    return success();
  return Call.emitError("cannot take elements from an empty axis");
}

/// Returns the index in [0, \p Length), which is not empty, nearest to \p
/// Index.
static int64_t clampIndex(int64_t Index, int64_t Length) {
  return std::clamp<int64_t>(Index, 0, Length - 1);
}

//===----------------------------------------------------------------------===//
// take, gather
//===----------------------------------------------------------------------===//

/// Returns operand 1 as positions in [0, \p Length), by the mode of take.
static FailureOr<Tensor> getPlaces(KernelCall &Call, int64_t Length,
                                   StringRef Mode) {
  std::optional<Tensor> Indices = convertToInt64(Call, Call.getInput(1));
  if (!Indices)
    return failure(); // reported
  if (Mode == "fast") {
    if (failed(checkIndices(Call, Indices->getElements<int64_t>(), Length)))
      return failure();
    return *Indices;
  }
  if (Mode != "clip" && Mode != "wrap")
    return Call.emitError("'mode' is \"" + Mode +
                          "\", not one of clip, wrap, fast");
  if (failed(checkNotEmpty(Call, Length, *Indices)))
    return failure();
  auto Places = Call.allocate(DType::getInt(64), Indices->getShape());
  if (!Places)
    return failure();
  bool Clips = Mode == "clip";
  llvm::transform(Indices->getElements<int64_t>(),
                  Places->getMutableElements<int64_t>().begin(),
                  [&](int64_t I) {
                    if (Clips)
                      return clampIndex(I, Length);
                    int64_t Rest = I % Length;
                    return Rest < 0 ? Rest + Length : Rest;
                  });
  return *Places;
}

namespace {
/// data: [batch, outer, n, inner], indices: [batch, count] -> [batch, outer,
/// count, inner].
struct TakeSizes {
  int64_t Batch = 1, Outer = 1, Length = 1, Inner = 1, Count = 1;
};
} // namespace

template <typename E>
static void takeElements(KernelCall &Call, const TakeSizes &S,
                         ArrayRef<int64_t> Places) {
  const E *From = getRawElements<E>(Call.getInput(0));
  E *To = getMutableRawElements<E>(Call.getOutputTensor());
  auto TakeRows = [&](int64_t Begin, int64_t End) {
    for (int64_t Row = Begin; Row != End; ++Row) {
      ArrayRef<int64_t> Own = Places.slice(Row / S.Outer * S.Count, S.Count);
      const E *Of = From + Row * S.Length * S.Inner;
      E *Out = To + Row * S.Count * S.Inner;
      for (int64_t Place : Own)
        Out = std::copy_n(Of + Place * S.Inner, S.Inner, Out);
    }
  };
  Call.parallelFor(S.Batch * S.Outer, S.Count * S.Inner, TakeRows);
}

LogicalResult relay::evalTake(KernelCall &Call) {
  const auto &A = Call.getAttrs<TakeAttrs>();
  const Tensor &Data = Call.getInput(0), &Indices = Call.getInput(1);
  TakeSizes S;
  if (A.axis()) {
    auto Axis = getAxis(Call, *A.axis(), Data.getRank());
    if (failed(Axis))
      return failure(); // reported
    unsigned Batch = A.batchDims();
    ArrayRef<int64_t> Shape = Data.getShape();
    if (Shape.take_front(Batch) != Indices.getShape().take_front(Batch))
      return Call.emitError("data and indices differ on their batch axes");
    S.Batch = *getNumElements(Shape.take_front(Batch));
    S.Outer = *getNumElements(Shape.slice(Batch, *Axis - Batch));
    S.Length = Shape[*Axis];
    S.Inner = *getNumElements(Shape.drop_front(*Axis + 1));
    S.Count = *getNumElements(Indices.getShape().drop_front(Batch));
  } else {
    S.Length = Data.getNumElements();
    S.Count = Indices.getNumElements();
  }
  FailureOr<Tensor> Places = getPlaces(Call, S.Length, A.mode());
  if (failed(Places))
    return failure();
  if (Call.getOutputTensor().getNumElements() != 0)
    dispatchSize(Data.getDType(), [&](auto Zero) {
      takeElements<decltype(Zero)>(Call, S, Places->getElements<int64_t>());
    });
  return success();
}

/// data: [.., n, ..], indices: [.., m, ..] -> [.., m, ..].
LogicalResult relay::evalGather(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Axis =
      getAxis(Call, *Call.getAttrs<GatherAttrs>().axis(), Data.getRank());
  auto Indices = convertToInt64(Call, Call.getInput(1));
  if (failed(Axis) || !Indices)
    return failure(); // reported
  ArrayRef<int64_t> Index = Indices->getElements<int64_t>();
  int64_t Length = Data.getDim(*Axis), Count = Indices->getDim(*Axis);
  int64_t Inner = *getNumElements(Data.getShape().drop_front(*Axis + 1));
  if (failed(checkNotEmpty(Call, Length, *Indices)))
    return failure();
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *To = getMutableRawElements<E>(Call.getOutputTensor());
    Call.parallelFor(Index.size(), 8, [&](int64_t Begin, int64_t End) {
      for (int64_t I = Begin; I != End; ++I)
        To[I] =
            From[(I / Inner / Count * Length + clampIndex(Index[I], Length)) *
                     Inner +
                 I % Inner];
    });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// gather_nd, adv_index
//===----------------------------------------------------------------------===//

/// Copies the slices of operand \p Data of \p Length elements that begin at \p
/// Offsets to the output.
static void copySlices(KernelCall &Call, const Tensor &Data,
                       ArrayRef<int64_t> Offsets, int64_t Length) {
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *To = getMutableRawElements<E>(Call.getOutputTensor());
    Call.parallelFor(Offsets.size(), Length, [&](int64_t Begin, int64_t End) {
      for (int64_t I = Begin; I != End; ++I)
        std::copy_n(From + Offsets[I], Length, To + I * Length);
    });
  });
}

/// data: [b.., x.., y..], indices: [x's rank, b.., i..] -> [b.., i.., y..].
LogicalResult relay::evalGatherND(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Indices = convertToInt64(Call, Call.getInput(1));
  if (!Indices)
    return failure(); // reported
  unsigned Batch = Call.getAttrs<GatherNDAttrs>().batchDims();
  unsigned Named = Indices->getDim(0);
  if (Batch + Named > Data.getRank())
    return Call.emitError("indices name " + Twine(Named) + " axes of " +
                          Twine(Data.getRank() - Batch));
  ArrayRef<int64_t> Shape = Data.getShape();
  if (failed(Call.countWork(Indices->getNumElements(), 8)))
    return failure(); // reported
  int64_t Count = *getNumElements(Indices->getShape().drop_front());
  auto Offsets = Call.allocate(DType::getInt(64), Count);
  if (!Offsets)
    return failure();
  int64_t PerBatch = *getNumElements(Indices->getShape().drop_front(1 + Batch));
  int64_t BatchStep = *getNumElements(Shape.drop_front(Batch));
  ArrayRef<int64_t> Index = Indices->getElements<int64_t>();
  MutableArrayRef<int64_t> To = Offsets->getMutableElements<int64_t>();
  for (int64_t I = 0; I != Count; ++I)
    To[I] = I / PerBatch * BatchStep;
  Strides Steps = getStrides(Shape);
  for (unsigned Axis = 0; Axis != Named; ++Axis) {
    ArrayRef<int64_t> Own = Index.slice(Axis * Count, Count);
    int64_t Length = Shape[Batch + Axis];
    if (failed(checkNotEmpty(Call, Length, *Indices)))
      return failure();
    for (auto [Offset, Place] : llvm::zip_equal(To, Own))
      Offset += clampIndex(Place, Length) * Steps[Batch + Axis];
  }
  copySlices(Call, Data, To, *getNumElements(Shape.drop_front(Batch + Named)));
  return success();
}

/// Adds \p Indices, broadcast and multiplied by \p Step, to \p Offsets, which
/// has an entry for each position of \p Shape. Reports indices outside of [0,
/// \p Length).
static LogicalResult addOffsets(KernelCall &Call, const Tensor &Indices,
                                ArrayRef<int64_t> Shape, int64_t Length,
                                int64_t Step,
                                MutableArrayRef<int64_t> Offsets) {
  auto Index = convertToInt64(Call, Indices);
  if (!Index)
    return failure(); // reported
  ArrayRef<int64_t> From = Index->getElements<int64_t>();
  if (failed(checkIndices(Call, From, Length)))
    return failure();
  StridedWalk Walk(Shape, {getBroadcastStrides(Indices.getShape(), Shape)});
  Walk.forEachRow([&](int64_t First, ArrayRef<int64_t> At) {
    for (int64_t I = 0; I != Walk.getRowLength(); ++I)
      Offsets[First + I] += From[At[0] + I * Walk.getRowStride(0)] * Step;
  });
  return success();
}

/// (data: [x.., y..], an index tensor for each axis of x) -> [their broadcast
/// shape.., y..].
LogicalResult relay::evalAdvIndex(KernelCall &Call) {
  auto Inputs = Call.getTuple(0);
  const Tensor &Data = *Inputs.front();
  auto Indices = ArrayRef(Inputs).drop_front();
  ArrayRef<int64_t> Rest = Data.getShape().drop_front(Indices.size());
  ArrayRef<int64_t> Shape = Call.getOutputShape().drop_back(Rest.size());
  auto Offsets = Call.allocate(DType::getInt(64), Shape);
  if (!Offsets)
    return failure(); // reported
  MutableArrayRef<int64_t> To = Offsets->getMutableElements<int64_t>();
  std::fill(To.begin(), To.end(), 0);
  Strides Steps = getStrides(Data.getShape());
  for (auto [Axis, T] : llvm::enumerate(Indices))
    if (failed(addOffsets(Call, *T, Shape, Data.getDim(Axis), Steps[Axis], To)))
      return failure();
  copySlices(Call, Data, To, *getNumElements(Rest));
  return success();
}

//===----------------------------------------------------------------------===//
// Searches for positions
//===----------------------------------------------------------------------===//

/// Writes the position of element \p I of a tensor with the given strides.
static int32_t *storePlace(int64_t I, const Strides &Steps, int32_t *To) {
  for (int64_t Step : Steps) {
    *To++ = int32_t(I / Step);
    I %= Step;
  }
  return To;
}

/// Fills the output with the positions of the numbers of \p Condition that are
/// neither 0 nor NaN.
template <typename N>
static LogicalResult storePlaces(KernelCall &Call, const Tensor &Condition) {
  ElementReader<N> Data(Condition);
  auto Holds = [&](int64_t I) { return Data[I] < N(0) || Data[I] > N(0); };
  auto Places = llvm::seq<int64_t>(0, Condition.getNumElements());
  int64_t Count = llvm::count_if(Places, Holds);
  Tensor *Out = Call.createOutput(0, {Count, Condition.getRank()});
  if (!Out)
    return failure(); // reported
  Strides Steps = getStrides(Condition.getShape());
  int32_t *To = Out->getMutableElements<int32_t>().data();
  for (int64_t I : Places)
    if (Holds(I))
      To = storePlace(I, Steps, To);
  return success();
}

/// condition: [..] of rank n -> [count, n].
LogicalResult relay::evalArgwhere(KernelCall &Call) {
  const Tensor &Condition = Call.getInput(0);
  if (failed(Call.countWork(Condition.getNumElements(), 8)))
    return failure(); // reported
  if (getNumberType(Condition.getDType()).isFloat())
    return storePlaces<double>(Call, Condition);
  return storePlaces<int64_t>(Call, Condition);
}

/// data: [n] or scalar, shape: [rank] -> [rank, n] or [rank].
LogicalResult relay::evalUnravelIndex(KernelCall &Call) {
  SmallVector<int64_t, 8> Shape = Call.getInput(1).getInts();
  const Tensor &Data = Call.getInput(0);
  if (Data.getRank() > 1)
    return Call.emitError("data has rank " + Twine(Data.getRank()));
  if (llvm::any_of(Shape, [](int64_t Extent) { return Extent <= 0; }))
    return Call.emitError("shape has an axis that is not positive");
  if (failed(Call.countWork(Data.getNumElements(), 16 * Shape.size())))
    return failure(); // reported
  if (Data.getDType().isBool() || getNumberType(Data.getDType()).isFloat())
    return Call.emitUnsupported(Data.getDType());
  ElementReader<int64_t> From(Data);
  ElementWriter<int64_t> Out(Call.getOutputTensor());
  int64_t Count = Data.getNumElements();
  for (int64_t I = 0; I != Count; ++I) {
    int64_t Rest = From[I];
    for (size_t Axis = Shape.size(); Axis-- != 0; Rest /= Shape[Axis]) {
      int64_t Place = Rest % Shape[Axis];
      Out.write(Axis * Count + I, 1, &Place);
    }
  }
  return success();
}
