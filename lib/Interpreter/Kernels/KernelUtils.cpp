//===- KernelUtils.cpp - Utilities of kernels -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See KernelUtils.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Relations.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Maps over numbers
//===----------------------------------------------------------------------===//

template <typename R, typename N>
void relay::mapBlocks(KernelCall &Call,
                      function_ref<void(const N *X, R *Out, int64_t Count)> F) {
  ElementReader<N> Data(Call.getInput(0));
  ElementWriter<R> Out(Call.getOutputTensor());
  Call.parallelFor(Call.getInput(0).getNumElements(), 8,
                   [&](int64_t Begin, int64_t End) {
                     mapRange(Data, Out, Begin, End,
                              [=](const N *X, R *Place, int64_t,
                                  int64_t Count) { F(X, Place, Count); });
                   });
}

namespace {
/// An operand of mapBlockPairs() in a row of the walk. A number shared by the
/// whole row is read once.
template <typename N> class RowReader {
public:
  RowReader(const ElementReader<N> &Data, int64_t First, int64_t Step)
      : Data(Data), First(First), Step(Step) {}

  /// Reads \p Count numbers starting at position \p Begin; the first call has
  /// the largest count.
  const N *read(int64_t Begin, int64_t Count) {
    if (!Last || Step != 0)
      Last = Data.read(First + Begin * Step, Step, Count, Numbers);
    return Last;
  }

private:
  const ElementReader<N> &Data;
  int64_t First, Step;
  const N *Last = nullptr;
  N Numbers[BlockSize];
};
} // namespace

template <typename R, typename N>
void relay::mapBlockPairs(
    const KernelCall &Call, const StridedOperand &Left,
    const StridedOperand &Right, Tensor &Out,
    function_ref<void(const N *X, const N *Y, R *Out, int64_t Count)> F) {
  ElementReader<N> LeftNumbers(Left.Data), RightNumbers(Right.Data);
  ElementWriter<R> Writer(Out);
  StridedWalk Walk(Out.getShape(), {Left.Steps, Right.Steps});
  // Positions [Begin, End) of the row whose first position is \p First.
  auto MapRow = [&](int64_t First, ArrayRef<int64_t> Offsets, int64_t Begin,
                    int64_t End) {
    RowReader<N> LeftRow(LeftNumbers, Offsets[0], Walk.getRowStride(0));
    RowReader<N> RightRow(RightNumbers, Offsets[1], Walk.getRowStride(1));
    R Results[BlockSize];
    for (int64_t Count; Begin != End; Begin += Count) {
      Count = std::min(BlockSize, End - Begin);
      R *Place = Writer.getPlace(First + Begin, Results);
      F(LeftRow.read(Begin, Count), RightRow.read(Begin, Count), Place, Count);
      Writer.write(First + Begin, Count, Place);
    }
  };
  int64_t Length = Walk.getRowLength();
  if (Walk.getNumRows() == 1)
    return Call.parallelFor(Length, 8, [&](int64_t Begin, int64_t End) {
      MapRow(0, {0, 0}, Begin, End);
    });
  auto MapWholeRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
    MapRow(First, Offsets, 0, Length);
  };
  Call.parallelFor(Walk.getNumRows(), 8 * Length,
                   [&](int64_t Begin, int64_t End) {
                     Walk.forEachRow(Begin, End, MapWholeRow);
                   });
}

#define RELAY_DEFINE_MAPS(R, N)                                                \
  template void relay::mapBlocks(KernelCall &,                                 \
                                 function_ref<void(const N *, R *, int64_t)>); \
  template void relay::mapBlockPairs(                                          \
      const KernelCall &, const StridedOperand &, const StridedOperand &,      \
      Tensor &, function_ref<void(const N *, const N *, R *, int64_t)>);
RELAY_DEFINE_MAPS(int64_t, int64_t)
RELAY_DEFINE_MAPS(uint64_t, uint64_t)
RELAY_DEFINE_MAPS(float, float)
RELAY_DEFINE_MAPS(double, double)
RELAY_DEFINE_MAPS(bool, int64_t)
RELAY_DEFINE_MAPS(bool, uint64_t)
RELAY_DEFINE_MAPS(bool, float)
RELAY_DEFINE_MAPS(bool, double)
#undef RELAY_DEFINE_MAPS

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

template <typename E>
static void copyStridedElements(const KernelCall &Call, const E *From, E *To,
                                const StridedWalk &Walk) {
  int64_t Length = Walk.getRowLength(), Step = Walk.getRowStride(0);
  auto CopyRow = [&](int64_t First, ArrayRef<int64_t> Offsets) {
    const E *Row = From + Offsets[0];
    if (Step == 1)
      std::memcpy(To + First, Row, Length * sizeof(E));
    else
      for (int64_t I = 0; I != Length; ++I)
        To[First + I] = Row[I * Step];
  };
  Call.parallelFor(Walk.getNumRows(), Length, [&](int64_t Begin, int64_t End) {
    Walk.forEachRow(Begin, End, CopyRow);
  });
}

namespace {
/// A copy in which neighbours on the result's innermost axis are distant in the
/// data, since elements of other axes, the near axes, are between them. Columns
/// of the near axes are read side by side, in the order of the data, so that
/// each cache line is read and written once.
class TransposedCopy {
public:
  TransposedCopy(ArrayRef<int64_t> Shape, const Strides &Steps);

  /// Returns true if a copy by rows would be slower.
  bool isWorthwhile() const {
    return HasNeighbours && Near.getNumPlaces() >= Side;
  }
  template <typename E>
  void run(const KernelCall &Call, const E *From, E *To) const;

private:
  static constexpr int64_t Side = 16; ///< columns at a time

  /// The axes, from the largest step in the data to the smallest.
  struct Axes {
    TensorShape Shape;
    Strides From, To;

    int64_t getNumPlaces() const { return *getNumElements(Shape); }
  };
  template <typename E>
  void copyColumns(const E *From, E *To, int64_t Count) const;

  bool HasNeighbours = false;
  int64_t Length = 1, Step = 0; ///< of the innermost axis
  Axes Near, Far;
};
} // namespace

TransposedCopy::TransposedCopy(ArrayRef<int64_t> Shape, const Strides &Steps) {
  Strides OutSteps = getStrides(Shape);
  SmallVector<unsigned, 6> Order;
  for (unsigned I = 0; I != Shape.size(); ++I)
    if (Shape[I] != 1)
      Order.push_back(I);
  if (Order.empty())
    return;
  unsigned Last = Order.pop_back_val();
  Length = Shape[Last];
  Step = Steps[Last];
  llvm::stable_sort(
      Order, [&](unsigned A, unsigned B) { return Steps[A] > Steps[B]; });
  for (unsigned I : Order) {
    HasNeighbours |= Steps[I] == 1;
    Axes &Of = Steps[I] > 0 && Steps[I] < Step ? Near : Far;
    Of.Shape.push_back(Shape[I]);
    Of.From.push_back(Steps[I]);
    Of.To.push_back(OutSteps[I]);
  }
}

/// Copies \p Count columns, over all positions of the near axes.
template <typename E>
void TransposedCopy::copyColumns(const E *From, E *To, int64_t Count) const {
  StridedWalk Walk(Near.Shape, {Near.From, Near.To});
  int64_t FromStep = Walk.getRowStride(0), ToStep = Walk.getRowStride(1);
  Walk.forEachRow(
      0, Walk.getNumRows(), [&](int64_t, ArrayRef<int64_t> Offsets) {
        const E *FromRow = From + Offsets[0];
        E *ToRow = To + Offsets[1];
        for (int64_t I = 0; I != Walk.getRowLength(); ++I)
          for (int64_t J = 0; J != Count; ++J)
            ToRow[I * ToStep + J] = FromRow[I * FromStep + J * Step];
      });
}

template <typename E>
void TransposedCopy::run(const KernelCall &Call, const E *From, E *To) const {
  int64_t NumTiles = llvm::divideCeil(Length, Side);
  auto CopyTile = [&](int64_t I) {
    int64_t First = I % NumTiles * Side, Place = I / NumTiles;
    int64_t FromOffset = First * Step, ToOffset = First;
    for (size_t Axis = Far.Shape.size(); Axis-- != 0;) {
      int64_t P = Place % Far.Shape[Axis];
      Place /= Far.Shape[Axis];
      FromOffset += P * Far.From[Axis];
      ToOffset += P * Far.To[Axis];
    }
    copyColumns(From + FromOffset, To + ToOffset,
                std::min(Side, Length - First));
  };
  Call.parallelFor(Far.getNumPlaces() * NumTiles, Near.getNumPlaces() * Side,
                   [&](int64_t Begin, int64_t End) {
                     for (int64_t I = Begin; I != End; ++I)
                       CopyTile(I);
                   });
}

void relay::copyStrided(const KernelCall &Call, const Tensor &Data,
                        int64_t Offset, Tensor &Out, ArrayRef<int64_t> Shape,
                        const Strides &Steps) {
  assert(getNumElements(Shape) == Out.getNumElements());
  TransposedCopy Transposed(Shape, Steps);
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data) + Offset;
    E *To = getMutableRawElements<E>(Out);
    if (Transposed.isWorthwhile())
      Transposed.run(Call, From, To);
    else
      copyStridedElements(Call, From, To, StridedWalk(Shape, Steps));
  });
}

void relay::copyStrided(KernelCall &Call, const Tensor &Data,
                        const Strides &Steps, int64_t Offset) {
  Tensor &Out = Call.getOutputTensor();
  copyStrided(Call, Data, Offset, Out, Out.getShape(), Steps);
}

std::optional<Tensor> relay::convertToInt64(KernelCall &Call,
                                            const Tensor &Data) {
  if (Data.getDType().isInt(64))
    return Data;
  std::optional<Tensor> Result =
      Call.allocate(DType::getInt(64), Data.getShape());
  if (!Result)
    return std::nullopt;
  convertElements<int64_t>(ElementReader<int64_t>(Data),
                           ElementWriter<int64_t>(*Result), 0,
                           Data.getNumElements());
  return Result;
}

FailureOr<SmallVector<int64_t, 6>>
relay::getInts(const KernelCall &Call, ArrayRef<Dim> Values, StringRef Name) {
  SmallVector<int64_t, 6> Result;
  for (Dim D : Values) {
    if (!D.isConst())
      return Call.emitError("attribute '" + Name + "' is not known");
    Result.push_back(D.getInt());
  }
  return Result;
}

SmallVector<double, 6> relay::getDoubles(ArrayRef<Attr> Values) {
  SmallVector<double, 6> Result;
  for (Attr Value : Values)
    Result.push_back(Value.getFloat());
  return Result;
}

FailureOr<unsigned> relay::getAxis(const KernelCall &Call, int64_t Axis,
                                   unsigned Rank) {
  if (std::optional<unsigned> Known = normalizeAxis(Axis, Rank))
    return *Known;
  return Call.emitError("axis " + Twine(Axis) + " is out of range for rank " +
                        Twine(Rank));
}
