//===- SparseListKernels.cpp - Sparse tensors as lists of positions -------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Sparse.td on tensors that are lists of positions and values.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Ops/Sparse.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

/// Returns the offset in a tensor of \p Shape of the position \p Index; none,
/// with an error reported, if it is out of range.
static std::optional<int64_t> getPlaceOffset(KernelCall &Call,
                                             ArrayRef<int64_t> Index,
                                             ArrayRef<int64_t> Shape) {
  int64_t Offset = 0;
  for (auto [Place, Extent] : llvm::zip_equal(Index, Shape)) {
    if (Place < 0 || Place >= Extent) {
      Call.emitError("index " + Twine(Place) +
                     " is out of range for an axis of " + Twine(Extent));
      return std::nullopt;
    }
    Offset = Offset * Extent + Place;
  }
  return Offset;
}

/// sparse_indices: scalar, [n] or [n, rank], sparse_values: scalar or [n],
/// default_value: scalar -> \p Out.
static LogicalResult fillFromPlaces(KernelCall &Call, Tensor &Out) {
  auto Indices = convertToInt64(Call, Call.getInput(0));
  if (!Indices)
    return failure(); // reported
  fillTensor(Out, Call.getInput(2));
  const Tensor &Values = Call.getInput(1);
  unsigned Width = Indices->getRank() == 2 ? Indices->getDim(1) : 1;
  if (Width != Out.getRank())
    return Call.emitError("sparse_indices name " + Twine(Width) + " axes of " +
                          Twine(Out.getRank()));
  int64_t Count = Width == 0 ? 0 : Indices->getNumElements() / Width;
  if (Values.getNumElements() != 1 && Values.getNumElements() < Count)
    return Call.emitError("fewer sparse_values than sparse_indices");
  if (failed(Call.countWork(Indices->getNumElements(), 8)))
    return failure(); // reported
  ArrayRef<int64_t> Index = Indices->getElements<int64_t>();
  LogicalResult Result = success();
  dispatchSize(Out.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Values);
    E *To = getMutableRawElements<E>(Out);
    for (int64_t I = 0; I != Count && succeeded(Result); ++I) {
      auto Offset =
          getPlaceOffset(Call, Index.slice(I * Width, Width), Out.getShape());
      if (Offset)
        To[*Offset] = From[Values.getNumElements() == 1 ? 0 : I];
      else
        Result = failure();
    }
  });
  return Result;
}

LogicalResult relay::evalSparseToDense(KernelCall &Call) {
  if (failed(checkOutputShape(Call)))
    return failure(); // reported
  return fillFromPlaces(Call, Call.getOutputTensor());
}

/// output_shape: [rank].
LogicalResult relay::evalDynSparseToDense(KernelCall &Call) {
  Tensor *Out = Call.createOutput(0, Call.getInput(3).getInts());
  return Out ? fillFromPlaces(Call, *Out) : failure();
}

namespace {
/// Enumerates rows without an index during an ordered walk over the indices.
struct RowFiller {
  ArrayRef<int64_t> Index; ///< [n, Width]
  int64_t Width, NumRows;

  /// Returns the number of calls of forEach().
  int64_t getCount() const {
    int64_t Last = -1, Count = 0;
    for (size_t I = 0; I != Index.size(); I += Width) {
      Count += std::max<int64_t>(Index[I] - Last, 1);
      Last = Index[I];
    }
    return Count + NumRows - 1 - Last;
  }
  /// Calls \p Take with each index, and with -1 and the row for each row
  /// between its row and the previous one, and after the last row.
  template <typename Fn> void forEach(Fn &&Take) const {
    int64_t Last = -1, Count = int64_t(Index.size()) / Width;
    for (int64_t I = 0; I <= Count; ++I) {
      int64_t Row = I == Count ? NumRows : Index[I * Width];
      for (int64_t Empty = Last + 1; Empty < Row; ++Empty)
        Take(-1, Empty);
      if (I != Count)
        Take(I, Row);
      Last = Row;
    }
  }
};
} // namespace

/// sparse_indices: [n, rank], sparse_values: [n], dense_shape: [rank],
/// default_value: scalar -> ([m, rank], [m], [rows]): with an element in each
/// empty row, and a flag for each row that was empty. The indices are ordered
/// by rows.
LogicalResult relay::evalSparseFillEmptyRows(KernelCall &Call) {
  auto Indices = convertToInt64(Call, Call.getInput(0));
  if (!Indices)
    return failure();
  const Tensor &Values = Call.getInput(1), &Shape = Call.getInput(2);
  if (Indices->getRank() != 2 || Shape.getNumElements() == 0 ||
      Indices->getDim(1) == 0 || Call.getInput(3).getNumElements() != 1 ||
      Values.getNumElements() != Indices->getDim(0))
    return Call.emitError("the operands do not fit");
  RowFiller Filler = {Indices->getElements<int64_t>(), Indices->getDim(1),
                      Shape.getInt(0)};
  for (int64_t I = 0; I != Indices->getDim(0); ++I)
    if (int64_t Row = Filler.Index[I * Filler.Width];
        Row < 0 || Row >= Filler.NumRows)
      return Call.emitError("row " + Twine(Row) + " is out of range for " +
                            Twine(Filler.NumRows));
  // The flags come first: their number limits the rows.
  Tensor *Empty = Call.createOutput(2, {Filler.NumRows});
  if (!Empty)
    return failure();
  int64_t Count = Filler.getCount();
  Tensor *Places = Call.createOutput(0, {Count, Filler.Width});
  Tensor *Filled = Call.createOutput(1, {Count});
  if (!Places || !Filled)
    return failure();
  MutableArrayRef<int64_t> Flags = Empty->getMutableElements<int64_t>();
  int64_t *Place = Places->getMutableElements<int64_t>().data();
  int64_t *Value = Filled->getMutableElements<int64_t>().data();
  std::fill(Flags.begin(), Flags.end(), 1);
  Filler.forEach([&](int64_t I, int64_t Row) {
    *Value++ = I < 0 ? Call.getInput(3).getInt() : Values.getInt(I);
    std::fill_n(Place, Filler.Width, 0);
    *Place = Row;
    if (I >= 0) {
      std::copy_n(Filler.Index.data() + I * Filler.Width, Filler.Width, Place);
      Flags[Row] = 0;
    }
    Place += Filler.Width;
  });
  return success();
}

/// prev_shape: [rank], new_shape: [new rank], with -1 for the remaining extent
/// -> new_shape without -1; none, with an error reported, if it does not
/// divide.
static std::optional<TensorShape> getNewShape(KernelCall &Call) {
  SmallVector<int64_t, 8> Old = Call.getInput(1).getInts();
  TensorShape New(Call.getInput(2).getInts());
  int64_t Rest = -1, Others = 1;
  for (auto [I, Extent] : llvm::enumerate(New)) {
    bool IsRest = Extent == -1 && Rest < 0;
    if (IsRest)
      Rest = I;
    if (!IsRest && (Extent <= 0 || llvm::MulOverflow(Others, Extent, Others))) {
      Call.emitError("new_shape holds " + Twine(Extent));
      return std::nullopt;
    }
  }
  std::optional<int64_t> Count = getNumElements(Old);
  if (!Count) {
    Call.emitError("prev_shape is " + toString(Old));
    return std::nullopt;
  }
  if (Rest >= 0)
    New[Rest] = *Count / Others;
  return New;
}

/// Converts the positions \p From, [n, rank of Old], in a tensor of the shape
/// \p Old to positions \p To, [n, rank of New], in one of \p New.
template <typename T>
static LogicalResult reshapePlaces(KernelCall &Call, const Tensor &From,
                                   ArrayRef<int64_t> Old, ArrayRef<int64_t> New,
                                   T *To) {
  ArrayRef<int64_t> Places = From.getElements<int64_t>();
  for (int64_t I = 0; I != From.getDim(0); ++I, To += New.size()) {
    auto Offset =
        getPlaceOffset(Call, Places.slice(I * Old.size(), Old.size()), Old);
    if (!Offset)
      return failure(); // reported
    for (size_t J = New.size(); J-- != 0;) {
      int64_t Length = std::max<int64_t>(New[J], 1);
      To[J] = T(J == 0 ? *Offset : *Offset % Length);
      *Offset /= Length;
    }
  }
  return success();
}

/// sparse_indices: [n, rank] -> ([n, new rank], [new rank]).
LogicalResult relay::evalSparseReshape(KernelCall &Call) {
  auto Indices = convertToInt64(Call, Call.getInput(0));
  auto New = getNewShape(Call);
  if (!Indices || !New)
    return failure();
  SmallVector<int64_t, 8> Old = Call.getInput(1).getInts();
  if (Indices->getDim(1) != int64_t(Old.size()))
    return Call.emitError("sparse_indices name " + Twine(Indices->getDim(1)) +
                          " axes of " + Twine(Old.size()));
  auto WriteShape = [&](auto Zero) {
    using T = decltype(Zero);
    llvm::transform(*New, Call.getOutput<T>(1).begin(),
                    [](int64_t Extent) { return T(Extent); });
    return success();
  };
  if (failed(dispatchIntegers(Call, Call.getOutputDType(1), WriteShape)))
    return failure();
  return dispatchIntegers(Call, Call.getOutputDType(0), [&](auto Zero) {
    return reshapePlaces(Call, *Indices, Old, *New,
                         Call.getOutput<decltype(Zero)>(0).data());
  });
}
