//===- SparseKernels.cpp - Kernels of Ops/Sparse.td -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices in compressed rows, of elements or of blocks, and tensors as lists
// of places and values. Sums have the order in which the elements are stored.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Interpreter/Contraction.h"
#include "relay/Interpreter/TensorLayout.h"
#include "relay/Ops/Sparse.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace relay;

//===----------------------------------------------------------------------===//
// Compressed rows
//===----------------------------------------------------------------------===//

namespace {
/// A matrix in compressed rows: block I of row R, for I in [Starts[R],
/// Starts[R + 1]), stands at column Columns[I], both counted in blocks.
struct CompressedRows {
  Tensor Elements; ///< [n] or [n, BlockRows, BlockColumns]
  Tensor Columns, Starts;
  int64_t BlockRows = 1, BlockColumns = 1;

  /// Operands \p First to First + 2, elements as they are contracted for \p T,
  /// with all columns in [0, \p NumColumns). Reports what is out of range.
  static FailureOr<CompressedRows> get(KernelCall &Call, unsigned First,
                                       DType T, int64_t NumColumns);

  int64_t getNumRows() const { return Starts.getNumElements() - 1; }
  ArrayRef<int64_t> getStarts() const { return Starts.getElements<int64_t>(); }
  ArrayRef<int64_t> getColumns() const {
    return Columns.getElements<int64_t>();
  }

private:
  LogicalResult check(KernelCall &Call, int64_t NumColumns) const;
};
} // namespace

/// Reports operands that are no tensors, which type relations do not look at.
static LogicalResult checkTensors(const KernelCall &Call) {
  for (unsigned I = 0; I != Call.getNumInputs(); ++I)
    if (!Call.getValue(I).isTensor())
      return Call.emitError("'" + Call.getInfo().OperandNames[I] +
                            "' is no tensor");
  return success();
}

LogicalResult CompressedRows::check(KernelCall &Call,
                                    int64_t NumColumns) const {
  int64_t BlockSize = BlockRows * BlockColumns, Last = 0;
  int64_t Count = BlockSize ? Elements.getNumElements() / BlockSize : 0;
  Count = std::min(Count, Columns.getNumElements());
  if (Starts.getRank() != 1 || getStarts().empty())
    return Call.emitError("the start of the rows has the shape " +
                          toString(Starts.getShape()));
  for (int64_t Start : getStarts()) {
    if (Start < Last || Start > Count)
      return Call.emitError("the start " + Twine(Start) +
                            " of a row is out of range for " + Twine(Count) +
                            " elements");
    Last = Start;
  }
  for (int64_t Column : getColumns().take_front(Last))
    if (Column < 0 || Column >= NumColumns / BlockColumns)
      return Call.emitError("column " + Twine(Column) +
                            " is out of range for " +
                            Twine(NumColumns / BlockColumns));
  return success();
}

FailureOr<CompressedRows> CompressedRows::get(KernelCall &Call, unsigned First,
                                              DType T, int64_t NumColumns) {
  if (failed(checkTensors(Call)))
    return failure(); // reported
  CompressedRows M;
  auto Elements = loadContracted(Call, Call.getInput(First), T);
  auto Columns = convertToInt64(Call, Call.getInput(First + 1));
  auto Starts = convertToInt64(Call, Call.getInput(First + 2));
  if (failed(Elements) || !Columns || !Starts)
    return failure();
  M.Elements = *Elements;
  M.Columns = *Columns;
  M.Starts = *Starts;
  // Blocks of rank 2 have one column.
  if (Elements->getRank() > 1)
    M.BlockRows = Elements->getDim(1);
  if (Elements->getRank() > 2)
    M.BlockColumns = Elements->getDim(2);
  if (failed(M.check(Call, NumColumns)))
    return failure();
  return M;
}

namespace {
/// Where a product reads and writes: element (I, K) of the dense matrix and
/// element (I, R) of the result, R a row of the sparse one.
struct SparseProduct {
  int64_t NumRows; ///< of the dense matrix
  int64_t DenseRow, DenseColumn, OutRow, OutColumn;
};
} // namespace

/// Fills \p Out with \p Dense times the transposed \p M.
template <typename T>
static void multiplySparse(KernelCall &Call, const CompressedRows &M,
                           const T *Dense, const SparseProduct &P, T *Out) {
  const T *Elements = M.Elements.getElements<T>().data();
  ArrayRef<int64_t> Starts = M.getStarts(), Columns = M.getColumns();
  int64_t Rows = M.getNumRows() * M.BlockRows;
  Call.parallelFor(
      P.NumRows, 8 * (M.Elements.getNumElements() + Rows),
      [&](int64_t Begin, int64_t End) {
        for (int64_t I = Begin * Rows; I != End * Rows; ++I) {
          int64_t Row = I % Rows, InBlock = Row % M.BlockRows;
          const T *Line = Dense + I / Rows * P.DenseRow;
          T Sum = 0;
          for (int64_t At = Starts[Row / M.BlockRows];
               At != Starts[Row / M.BlockRows + 1]; ++At)
            for (int64_t C = 0; C != M.BlockColumns; ++C)
              Sum +=
                  Line[(Columns[At] * M.BlockColumns + C) * P.DenseColumn] *
                  Elements[(At * M.BlockRows + InBlock) * M.BlockColumns + C];
          Out[I / Rows * P.OutRow + Row * P.OutColumn] = Sum;
        }
      });
}

/// \p Dense, of elements that are contracted, times the transposed \p M, in
/// \p Shape.
static FailureOr<Tensor>
multiplySparse(KernelCall &Call, const CompressedRows &M, const Tensor &Dense,
               const SparseProduct &P, ArrayRef<int64_t> Shape) {
  std::optional<Tensor> Out = Call.allocate(Dense.getDType(), Shape);
  if (!Out)
    return failure();
  assert(Out->getNumElements() == P.NumRows * M.getNumRows() * M.BlockRows);
  LogicalResult Done =
      dispatchContraction(Call, Dense.getDType(), [&](auto Zero) {
        using T = decltype(Zero);
        multiplySparse<T>(Call, M, Dense.getElements<T>().data(), P,
                          Out->getMutableElements<T>().data());
        return success();
      });
  if (failed(Done))
    return failure();
  return std::move(*Out);
}

/// dense: [m, k], sparse: [n, k] -> [m, n], or with sparse_lhs [n, m].
LogicalResult relay::evalSparseDense(KernelCall &Call) {
  DType T = Call.getOutputDType();
  if (Call.getInput(0).getRank() != 2)
    return Call.emitError("the dense matrix has rank " +
                          Twine(Call.getInput(0).getRank()));
  int64_t M = Call.getInput(0).getDim(0), K = Call.getInput(0).getDim(1);
  auto Dense = loadContracted(Call, Call.getInput(0), T);
  auto Sparse = CompressedRows::get(Call, 1, T, K);
  if (failed(Dense) || failed(Sparse))
    return failure();
  int64_t N = Sparse->getNumRows() * Sparse->BlockRows;
  SparseProduct P = {M, K, 1, N, 1};
  if (Call.getAttrs<SparseDenseAttrs>().sparseLhs())
    P = {M, K, 1, 1, M};
  auto Sums = multiplySparse(Call, *Sparse, *Dense, P, Call.getOutputShape());
  if (failed(Sums))
    return failure();
  auto Result = storeContracted(Call, *Sums, T);
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

/// data: [N, H, W, C] -> [N, H, W, KH * KW * C], the places around each; zero
/// beyond the data.
static FailureOr<Tensor> gatherNeighbours(KernelCall &Call, const Tensor &Data,
                                          int64_t KH, int64_t KW) {
  ArrayRef<int64_t> In = Data.getShape();
  std::optional<Tensor> Out =
      Call.allocate(Data.getDType(), {In[0], In[1], In[2], KH * KW * In[3]});
  if (!Out)
    return failure();
  int64_t Size = In[3] * Data.getDType().getByteSize();
  const char *From = Data.getBytes().data();
  char *To = Out->getMutableBytes().data();
  for (int64_t I = 0, E = In[0] * In[1] * In[2] * KH * KW; I != E; ++I) {
    int64_t Place = I / (KH * KW), Kernel = I % (KH * KW);
    int64_t Y = Place / In[2] % In[1] + Kernel / KW - KH / 2;
    int64_t X = Place % In[2] + Kernel % KW - KW / 2;
    bool IsData = Y >= 0 && Y < In[1] && X >= 0 && X < In[2];
    if (IsData)
      std::copy_n(From + ((Place / (In[1] * In[2]) * In[1] + Y) * In[2] + X) *
                             Size,
                  Size, To + I * Size);
    else
      std::fill_n(To + I * Size, Size, 0);
  }
  return std::move(*Out);
}

/// dense: [N, H, W, C] or [N, C, H, W], sparse: [O, KH * KW * C] -> the same
/// with O for C. The kernel is 1 by 1, or 3 by 3 and the data padded by 1.
LogicalResult relay::evalSparseConv2D(KernelCall &Call) {
  const auto &A = Call.getAttrs<SparseConv2DAttrs>();
  DType T = Call.getOutputDType();
  auto Kernel = getInts(Call, A.kernelSize(), "kernel_size");
  auto Plain = toPlainLayout(Call, Call.getInput(0), A.layout(), "NHWC");
  if (failed(Kernel) || failed(Plain))
    return failure();
  bool IsPoint = ArrayRef<int64_t>(*Kernel) == ArrayRef<int64_t>({1, 1});
  if (!IsPoint && (A.layout() != "NHWC" ||
                   ArrayRef<int64_t>(*Kernel) != ArrayRef<int64_t>({3, 3})))
    return Call.emitError("'kernel_size' is " + toString(*Kernel) +
                          " and 'layout' \"" + A.layout() +
                          "\", neither (1, 1) nor (3, 3) and \"NHWC\"");
  auto Dense = loadContracted(Call, *Plain, T);
  if (succeeded(Dense) && !IsPoint)
    Dense = gatherNeighbours(Call, *Dense, 3, 3);
  if (failed(Dense))
    return failure();
  TensorShape Shape(Dense->getShape());
  int64_t Places = Shape[0] * Shape[1] * Shape[2], K = Shape[3];
  auto Sparse = CompressedRows::get(Call, 1, T, K);
  if (failed(Sparse))
    return failure();
  Shape[3] = Sparse->getNumRows() * Sparse->BlockRows;
  auto Sums =
      multiplySparse(Call, *Sparse, *Dense, {Places, K, 1, Shape[3], 1}, Shape);
  if (failed(Sums))
    return failure();
  auto Stored = storeContracted(Call, *Sums, T);
  if (failed(Stored))
    return failure();
  auto Result = fromPlainLayout(Call, *Stored, "NHWC", A.layout());
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

/// dense: [m, n], sparse: [m, n] -> [m, n].
LogicalResult relay::evalSparseAdd(KernelCall &Call) {
  const Tensor &Dense = Call.getInput(0);
  DType T = Call.getOutputDType();
  if (Dense.getRank() != 2)
    return Call.emitError("the dense matrix has rank " +
                          Twine(Dense.getRank()));
  auto Sums = loadContracted(Call, Dense, T);
  auto Sparse = CompressedRows::get(Call, 1, T, Dense.getDim(1));
  if (failed(Sums) || failed(Sparse))
    return failure();
  if (Sparse->getNumRows() > Dense.getDim(0))
    return Call.emitError("the sparse matrix has " +
                          Twine(Sparse->getNumRows()) + " rows for " +
                          Twine(Dense.getDim(0)));
  auto Result = storeContracted(Call, *Sums, T);
  if (failed(Result))
    return failure();
  Tensor &Out = Call.getOutputTensor();
  llvm::copy(Result->getBytes(), Out.getMutableBytes().begin());
  return dispatchElements(Call, T, [&](auto Zero) {
    using E = decltype(Zero);
    if constexpr (std::is_same_v<E, bool>) {
      return Call.emitUnsupported(T);
    } else {
      using C = ContractType<E>;
      ArrayRef<C> Elements = Sparse->Elements.getElements<C>();
      MutableArrayRef<E> To = Out.getMutableElements<E>();
      for (int64_t Row = 0; Row != Sparse->getNumRows(); ++Row)
        for (int64_t At = Sparse->getStarts()[Row];
             At != Sparse->getStarts()[Row + 1]; ++At) {
          E &Place = To[Row * Dense.getDim(1) + Sparse->getColumns()[At]];
          Place = store<E>(C(C(load(Place)) + Elements[At]));
        }
      return success();
    }
  });
}

/// A square matrix: sparse_data: [n], sparse_indices: [n], sparse_indptr:
/// [rows + 1] -> the same of its transpose, columns in order.
LogicalResult relay::evalSparseTranspose(KernelCall &Call) {
  const Tensor &Data = Call.getInput(0);
  auto Columns = convertToInt64(Call, Call.getInput(1));
  auto Starts = convertToInt64(Call, Call.getInput(2));
  if (!Columns || !Starts)
    return failure();
  ArrayRef<int64_t> Column = Columns->getElements<int64_t>();
  ArrayRef<int64_t> Start = Starts->getElements<int64_t>();
  int64_t Count = Data.getNumElements(), Rows = int64_t(Start.size()) - 1;
  if (int64_t(Column.size()) != Count || Rows < 0 || Start.front() != 0 ||
      Start.back() != Count || !llvm::is_sorted(Start))
    return Call.emitError("the rows do not fit " + Twine(Count) + " elements");
  std::optional<Tensor> Next = Call.allocate(DType::getInt(64), {Rows + 1});
  if (!Next)
    return failure();
  MutableArrayRef<int64_t> Places = Next->getMutableElements<int64_t>();
  std::fill(Places.begin(), Places.end(), 0);
  for (int64_t C : Column) {
    if (C < 0 || C >= Rows)
      return Call.emitError("column " + Twine(C) + " is out of range for " +
                            Twine(Rows));
    ++Places[C + 1];
  }
  std::partial_sum(Places.begin(), Places.end(), Places.begin());
  auto Write = [&](auto IndexZero, auto StartZero) {
    using Index = decltype(IndexZero);
    using Begin = decltype(StartZero);
    MutableArrayRef<Index> OutColumns = Call.getOutput<Index>(1);
    llvm::transform(Places, Call.getOutput<Begin>(2).begin(),
                    [](int64_t Place) { return Begin(Place); });
    dispatchSize(Data.getDType(), [&](auto Zero) {
      using E = decltype(Zero);
      const E *From = getRawElements<E>(Data);
      E *To = getMutableRawElements<E>(Call.getOutputTensor(0));
      for (int64_t Row = 0; Row != Rows; ++Row)
        for (int64_t At = Start[Row]; At != Start[Row + 1]; ++At) {
          int64_t Place = Places[Column[At]]++;
          To[Place] = From[At];
          OutColumns[Place] = Index(Row);
        }
    });
    return success();
  };
  return dispatchIntegers(Call, Call.getOutputDType(1), [&](auto IndexZero) {
    return dispatchIntegers(Call, Call.getOutputDType(2), [&](auto StartZero) {
      return Write(IndexZero, StartZero);
    });
  });
}

//===----------------------------------------------------------------------===//
// Lists of places
//===----------------------------------------------------------------------===//

/// The offset in a tensor of \p Shape of the place that \p Index names; none,
/// after a report, where it is out of range.
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
  if (!Indices || failed(fillTensor(Call, Out, Call.getInput(2))))
    return failure(); // reported
  const Tensor &Values = Call.getInput(1);
  unsigned Width = Indices->getRank() == 2 ? Indices->getDim(1) : 1;
  if (Width != Out.getRank())
    return Call.emitError("sparse_indices name " + Twine(Width) + " axes of " +
                          Twine(Out.getRank()));
  int64_t Count = Width == 0 ? 0 : Indices->getNumElements() / Width;
  if (Values.getNumElements() != 1 && Values.getNumElements() < Count)
    return Call.emitError("fewer sparse_values than sparse_indices");
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
/// Rows that no index names, while the indices are walked through in order.
struct RowFiller {
  ArrayRef<int64_t> Index; ///< [n, Width]
  int64_t Width, NumRows;

  /// How often forEach() calls.
  int64_t getCount() const {
    int64_t Last = -1, Count = 0;
    for (size_t I = 0; I != Index.size(); I += Width) {
      Count += std::max<int64_t>(Index[I] - Last, 1);
      Last = Index[I];
    }
    return Count + NumRows - 1 - Last;
  }
  /// Calls \p Take with each index, and -1, the row for each row that lies
  /// between its row and that of the one before, or behind the last.
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
/// default_value: scalar -> ([m, rank], [m], [rows]): an element in each empty
/// row, and which were empty. The indices are in order of rows.
LogicalResult relay::evalSparseFillEmptyRows(KernelCall &Call) {
  if (failed(checkTensors(Call)))
    return failure(); // reported
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
  // The flags first: their number is what limits the rows.
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

/// prev_shape: [rank], new_shape: [new rank], -1 for what is left -> new_shape
/// without -1; none, after a report, where that does not divide.
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

/// sparse_indices: [n, rank] -> ([n, new rank], [new rank]).
LogicalResult relay::evalSparseReshape(KernelCall &Call) {
  auto Indices = convertToInt64(Call, Call.getInput(0));
  auto New = getNewShape(Call);
  if (!Indices || !New)
    return failure();
  SmallVector<int64_t, 8> Old = Call.getInput(1).getInts();
  unsigned Width = Indices->getDim(1), NewWidth = New->size();
  if (Width != Old.size())
    return Call.emitError("sparse_indices name " + Twine(Width) + " axes of " +
                          Twine(Old.size()));
  auto Write = [&](auto IndexZero, auto ShapeZero) {
    using Index = decltype(IndexZero);
    using Extent = decltype(ShapeZero);
    llvm::transform(*New, Call.getOutput<Extent>(1).begin(),
                    [](int64_t E) { return Extent(E); });
    ArrayRef<int64_t> From = Indices->getElements<int64_t>();
    Index *To = Call.getOutput<Index>(0).data();
    for (int64_t I = 0; I != Indices->getDim(0); ++I, To += NewWidth) {
      auto Offset = getPlaceOffset(Call, From.slice(I * Width, Width), Old);
      if (!Offset)
        return failure();
      for (unsigned J = NewWidth; J-- != 0;) {
        int64_t Length = std::max<int64_t>((*New)[J], 1);
        To[J] = Index(J == 0 ? *Offset : *Offset % Length);
        *Offset /= Length;
      }
    }
    return success();
  };
  return dispatchIntegers(Call, Call.getOutputDType(0), [&](auto IndexZero) {
    return dispatchIntegers(Call, Call.getOutputDType(1), [&](auto ShapeZero) {
      return Write(IndexZero, ShapeZero);
    });
  });
}
