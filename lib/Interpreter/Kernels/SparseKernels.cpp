//===- SparseKernels.cpp - Kernels of Ops/Sparse.td -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices in compressed rows, of elements or of blocks. Sums follow the order
// in which the elements are stored. SparseListKernels.cpp contains operators on
// lists of positions and values.
//
//===----------------------------------------------------------------------===//

#include "TensorKernels.h"
#include "relay/Interpreter/Contraction/Contraction.h"
#include "relay/Interpreter/Values/TensorLayout.h"
#include "relay/Ops/Sparse.h"
#include <numeric>

using namespace relay;

//===----------------------------------------------------------------------===//
// Compressed rows
//===----------------------------------------------------------------------===//

namespace {
/// A matrix in compressed rows: block I of row R, for I in [Starts[R], Starts[R
/// + 1]), is at column Columns[I], both counted in blocks.
struct CompressedRows {
  Tensor Elements; ///< [n] or [n, BlockRows, BlockColumns]
  Tensor Columns, Starts;
  int64_t BlockRows = 1, BlockColumns = 1;

  /// Reads operands \p First to First + 2, with elements in the type of
  /// contractions for \p T and all columns in [0, \p NumColumns). Reports
  /// values out of range.
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
/// The offsets of a product: of element (I, K) of the dense matrix and of
/// element (I, R) of the result, where R is a row of the sparse matrix.
struct SparseProduct {
  int64_t NumRows; ///< of the dense matrix
  int64_t DenseRow, DenseColumn, OutRow, OutColumn;
};
} // namespace

/// Fills \p Out with \p Dense times the transposed \p M.
template <typename T>
static LogicalResult multiplySparse(KernelCall &Call, const CompressedRows &M,
                                    const T *Dense, const SparseProduct &P,
                                    T *Out) {
  const T *Elements = M.Elements.getElements<T>().data();
  ArrayRef<int64_t> Starts = M.getStarts(), Columns = M.getColumns();
  int64_t Rows = M.getNumRows() * M.BlockRows;
  return Call.limitedFor(
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

/// Returns \p Dense, with elements in the type of contractions, times the
/// transposed \p M, as \p Shape.
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
        return multiplySparse<T>(Call, M, Dense.getElements<T>().data(), P,
                                 Out->getMutableElements<T>().data());
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

/// data: [N, H, W, C] -> [N, H, W, KH * KW * C], the neighbourhood of each
/// position; zero outside of the data.
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

/// dense: [N, H, W, C] or [N, C, H, W], sparse: [O, KH * KW * C] -> likewise
/// with O for C. The kernel is 1 by 1, or 3 by 3 with the data padded by 1.
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
  if (T.isBool())
    return Call.emitUnsupported(T);
  return dispatchNumbers(Call, T, [&](auto Zero) {
    using N = decltype(Zero);
    ElementReader<N> Elements(Sparse->Elements), From(Out);
    ElementWriter<N> To(Out);
    for (int64_t Row = 0; Row != Sparse->getNumRows(); ++Row)
      for (int64_t At = Sparse->getStarts()[Row];
           At != Sparse->getStarts()[Row + 1]; ++At) {
        int64_t Place = Row * Dense.getDim(1) + Sparse->getColumns()[At];
        N Sum;
        if constexpr (std::is_integral_v<N>)
          Sum = Wrapping<N>::add(From[Place], Elements[At]);
        else
          Sum = From[Place] + Elements[At];
        To.write(Place, 1, &Sum);
      }
    return success();
  });
}

/// A square matrix: sparse_data: [n], sparse_indices: [n], sparse_indptr: [rows
/// + 1] -> its transpose in the same form, columns in order.
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
  for (unsigned I : {1, 2})
    if (getNumberType(Call.getOutputDType(I)).isFloat())
      return Call.emitUnsupported(Call.getOutputDType(I));
  ElementWriter<int64_t> OutColumns(Call.getOutputTensor(1));
  ElementWriter<int64_t>(Call.getOutputTensor(2))
      .write(0, Places.size(), Places.data());
  dispatchSize(Data.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    const E *From = getRawElements<E>(Data);
    E *To = getMutableRawElements<E>(Call.getOutputTensor(0));
    for (int64_t Row = 0; Row != Rows; ++Row)
      for (int64_t At = Start[Row]; At != Start[Row + 1]; ++At) {
        int64_t Place = Places[Column[At]]++;
        To[Place] = From[At];
        OutColumns.write(Place, 1, &Row);
      }
  });
  return success();
}
