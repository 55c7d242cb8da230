//===- SliceKernels.cpp - Slices, masks and diagonals ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Index.td that read or replace a regular part of a tensor.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Index.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

void relay::copySlice(const KernelCall &Call, const Tensor &Data,
                      ArrayRef<AxisSlice> Slices, Tensor &Out) {
  Strides Steps = getStrides(Data.getShape());
  if (Out.getNumElements() == 0)
    return;
  int64_t Offset = 0;
  for (auto [Axis, S] : llvm::enumerate(Slices)) {
    Offset += S.Begin * Steps[Axis];
    // The step can overflow only if there is no second position.
    Steps[Axis] = Out.getDim(Axis) == 1 ? 0 : Steps[Axis] * S.Stride;
  }
  copyStrided(Call, Data, Offset, Out, Out.getShape(), Steps);
}

/// The type relation has checked the entries and computed the lengths.
LogicalResult relay::evalStridedSlice(KernelCall &Call) {
  const auto &A = Call.getAttrs<StridedSliceAttrs>();
  const Tensor &Data = Call.getInput(0);
  auto Begins = getInts(Call, A.begin(), "begin");
  auto Moves = getInts(Call, A.strides(), "strides");
  auto Axes = getInts(Call, A.hasAxes() ? A.axes() : ArrayRef<Dim>(), "axes");
  if (failed(Begins) || failed(Moves) || failed(Axes))
    return failure(); // reported
  SmallVector<AxisSlice, 6> Slices;
  for (int64_t Length : Data.getShape())
    Slices.push_back({0, Length, 1});
  bool HasSizes = A.sliceMode() == "size";
  size_t Count = std::max(Begins->size(), Moves->size());
  for (size_t I = 0; I != Count; ++I) {
    AxisSlice &S = Slices[A.hasAxes() ? (*Axes)[I] : I];
    S.Begin = I < Begins->size() ? (*Begins)[I] : 0;
    S.Stride = I < Moves->size() && !HasSizes ? (*Moves)[I] : 1;
  }
  for (auto [S, Length] : llvm::zip_equal(Slices, Data.getShape()))
    S.normalize(Length);
  copySlice(Call, Data, Slices, Call.getOutputTensor());
  return success();
}

/// Returns the beginning of data, with the extents of shape_like.
LogicalResult relay::evalSliceLike(KernelCall &Call) {
  copyStrided(Call, Call.getInput(0), getStrides(Call.getInput(0).getShape()));
  return success();
}

/// Returns entry \p Axis of operand \p I, or \p Default.
static int64_t getEntry(const KernelCall &Call, unsigned I, unsigned Axis,
                        int64_t Default) {
  const Tensor &T = Call.getInput(I);
  return Axis < T.getNumElements() ? T.getInt(Axis) : Default;
}

/// Returns the positions of an axis that are set. Without an entry, all from
/// the front or, as in TVM, those from the end for a negative stride.
static FailureOr<AxisSlice> getSetSlice(const KernelCall &Call, unsigned Axis,
                                        int64_t Length) {
  int64_t Stride = getEntry(Call, 4, Axis, 1);
  if (Stride == 0 || !llvm::isInt<32>(Stride))
    return Call.emitError("strides holds " + Twine(Stride));
  bool Forward = Stride > 0;
  AxisSlice S = {getEntry(Call, 2, Axis, Forward ? 0 : Length),
                 getEntry(Call, 3, Axis, Forward ? Length + 1 : -Length - 1),
                 Stride};
  S.normalize(Length);
  return S;
}

/// Reports an error unless \p New, of the data type of \p Data, has an element
/// for each position of \p Slice; as in TVM, it may have more along an axis.
static LogicalResult checkNewElements(const KernelCall &Call,
                                      const Tensor &Data, const Tensor &New,
                                      ArrayRef<int64_t> Slice) {
  if (New.getDType() != Data.getDType())
    return Call.emitError("data and v have different data types");
  bool Fits = New.getRank() == Slice.size() &&
              llvm::all_of(llvm::zip(New.getShape(), Slice), [](auto Pair) {
                return std::get<0>(Pair) >= std::get<1>(Pair);
              });
  if (Fits)
    return success();
  return Call.emitError("v has the shape " + toString(New.getShape()) +
                        ", and the slice " + toString(Slice));
}

/// data: [..], v: the shape of the slice.
LogicalResult relay::evalStridedSet(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0), &New = Call.getInput(1);
  TensorShape Shape;
  Strides Steps = getStrides(Data.getShape());
  int64_t Offset = 0;
  for (auto [Axis, Length] : llvm::enumerate(Data.getShape())) {
    FailureOr<AxisSlice> S = getSetSlice(Call, Axis, Length);
    if (failed(S))
      return failure(); // reported
    Shape.push_back(S->getCount());
    Offset += S->Begin * Steps[Axis];
    Steps[Axis] *= S->Stride;
  }
  if (failed(checkNewElements(Call, Data, New, Shape)))
    return failure();
  llvm::copy(Data.getBytes(), Call.getOutputTensor().getMutableBytes().begin());
  StridedWalk Walk(Shape, {Steps, getStrides(New.getShape())});
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(New);
    E *To = getMutableRawElements<E>(Call.getOutputTensor());
    Walk.forEachRow([&](int64_t, ArrayRef<int64_t> Offsets) {
      for (int64_t I = 0; I != Walk.getRowLength(); ++I)
        To[Offset + Offsets[0] + I * Walk.getRowStride(0)] =
            From[Offsets[1] + I * Walk.getRowStride(1)];
    });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Masks and diagonals
//===----------------------------------------------------------------------===//

/// Returns the number of positions below each of \p Lengths, which may be
/// fractions; all are below NaN, as in TVM.
static std::optional<Tensor> countPlaces(KernelCall &Call,
                                         const Tensor &Lengths) {
  DType T = Lengths.getDType();
  if (!T.isFloat() && !T.isBFloat())
    return convertToInt64(Call, Lengths);
  auto Counts = Call.allocate(DType::getInt(64), Lengths.getShape());
  if (!Counts)
    return std::nullopt;
  for (auto [I, Count] :
       llvm::enumerate(Counts->getMutableElements<int64_t>())) {
    double Length = Lengths.getDouble(I);
    Count = std::isnan(Length) ? INT64_MAX : truncateToInt64(std::ceil(Length));
  }
  return Counts;
}

/// data: [t, n, ..] or, with `axis` 1, [n, t, ..], valid_length: [n].
LogicalResult relay::evalSequenceMask(KernelCall &Call) {
  const auto &A = Call.getAttrs<SequenceMaskAttrs>();
  const Tensor &Data = Call.getInput(0);
  unsigned Axis = A.axis();
  auto Lengths = countPlaces(Call, Call.getInput(1));
  if (!Lengths)
    return failure(); // reported
  if (Data.getRank() < 2)
    return Call.emitError("data has rank " + Twine(Data.getRank()));
  ArrayRef<int64_t> Valid = Lengths->getElements<int64_t>();
  int64_t Columns = Data.getDim(1);
  int64_t Inner = *getNumElements(Data.getShape().drop_front(2));
  Tensor Mask = castScalar(
      Tensor::getScalar(DType::getFloat(64), A.maskValue()), Data.getDType());
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *Out = getMutableRawElements<E>(Call.getOutputTensor());
    for (int64_t I = 0; I != Data.getNumElements(); ++I) {
      int64_t Place[2] = {I / Inner / Columns, I / Inner % Columns};
      bool IsMasked = Place[Axis] >= Valid[Place[1 - Axis]];
      Out[I] = IsMasked ? *getRawElements<E>(Mask) : From[I];
    }
  });
  return success();
}

namespace {
/// The positions of the elements of a row and a column in the matrix of
/// diagonals.
struct DiagonalMap {
  const MatrixSetDiagAttrs &A;
  int64_t Rows, Columns;
  int64_t Length; ///< of the rows of diagonals

  bool contains(int64_t Row, int64_t Column) const {
    return Column - Row >= A.k1() && Column - Row <= A.k2();
  }
  int64_t getOffset(int64_t Row, int64_t Column) const;
};
} // namespace

/// The diagonals are rows, k2 first, each aligned to the left or right.
int64_t DiagonalMap::getOffset(int64_t Row, int64_t Column) const {
  int64_t K = Column - Row, Place = K >= 0 ? Row : Column;
  if (A.k1() == A.k2())
    return Place;
  bool Right = K >= 0 ? A.superDiagRightAlign() : A.subDiagRightAlign();
  int64_t Own =
      K >= 0 ? std::min(Rows, Columns - K) : std::min(Rows + K, Columns);
  return (A.k2() - K) * Length + Place + (Right ? Length - Own : 0);
}

/// input: [b.., rows, columns], diagonal: [b.., (count,) length].
LogicalResult relay::evalMatrixSetDiag(KernelCall &Call) {
  const auto &A = Call.getAttrs<MatrixSetDiagAttrs>();
  const Tensor &Data = Call.getInput(0), &New = Call.getInput(1);
  if (New.getDType() != Data.getDType())
    return Call.emitError("input and diagonal have different data types");
  DiagonalMap M = {A, Data.getDim(Data.getRank() - 2),
                   Data.getDim(Data.getRank() - 1),
                   New.getDim(New.getRank() - 1)};
  int64_t Size = M.Rows * M.Columns;
  int64_t PerMatrix = M.Length * (A.k2() - A.k1() + 1);
  llvm::copy(Data.getBytes(), Call.getOutputTensor().getMutableBytes().begin());
  LogicalResult Result = success();
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(New);
    E *To = getMutableRawElements<E>(Call.getOutputTensor());
    for (int64_t I = 0; I != Data.getNumElements(); ++I) {
      int64_t Row = I % Size / M.Columns, Column = I % M.Columns;
      if (!M.contains(Row, Column))
        continue;
      int64_t Offset = M.getOffset(Row, Column);
      if (Offset < 0 || Offset >= PerMatrix) {
        Result = Call.emitError("diagonals of " + Twine(M.Length) +
                                " elements are too short");
        return;
      }
      To[I] = From[I / Size * PerMatrix + Offset];
    }
  });
  return Result;
}

/// data: [.., rows, columns], k: scalar.
LogicalResult relay::evalTrilu(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  if (Data.getRank() < 2)
    return Call.emitError("data has rank " + Twine(Data.getRank()));
  bool IsUpper = Call.getAttrs<TriluAttrs>().upper();
  int64_t K = int32_t(Call.getInput(1).getInt());
  int64_t Rows = Data.getDim(Data.getRank() - 2);
  int64_t Columns = Data.getDim(Data.getRank() - 1);
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *To = getMutableRawElements<E>(Call.getOutputTensor());
    for (int64_t I = 0; I != Data.getNumElements(); ++I) {
      int64_t Above = I % Columns - K - I / Columns % Rows;
      bool Stays = IsUpper ? Above >= 0 : Above <= 0;
      To[I] = Stays ? From[I] : E(0);
    }
  });
  return success();
}
