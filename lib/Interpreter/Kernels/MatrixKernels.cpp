//===- MatrixKernels.cpp - Products of matrices ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dense layers and products of matrices, of Ops/NN.td.
//
//===----------------------------------------------------------------------===//

#include "MatrixKernels.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/NN.h"

using namespace relay;

/// See PackPanelFn; \p Data is the matrix.
template <typename T>
static void packMatrix(const MatrixView &M, const T *Data, int64_t Row,
                       int64_t NumRows, int64_t Column, unsigned NumColumns,
                       T *Panel) {
  constexpr int64_t Width = PanelWidth<T>;
  const T *From = Data + Row * M.RowStep + Column * M.ColumnStep;
  if (M.ColumnStep == 1) {
    for (int64_t I = 0; I != NumRows; ++I)
      std::copy_n(From + I * M.RowStep, NumColumns, Panel + I * Width);
    return;
  }
  // Copies squares, so that each cache line of a column is read once.
  for (int64_t First = 0; First < NumRows; First += Width)
    for (int64_t J = 0; J != NumColumns; ++J)
      for (int64_t I = First, End = std::min(First + Width, NumRows); I != End;
           ++I)
        Panel[I * Width + J] = From[I * M.RowStep + J * M.ColumnStep];
}

/// Fills \p Out, which is not empty.
template <typename T>
static LogicalResult multiplyElements(const KernelCall &Call,
                                      const MatrixView &L, const MatrixView &R,
                                      int64_t Batch, Tensor &Out) {
  const T *Right = R.Elements.getElements<T>().data();
  auto Pack = [&](int64_t Product, int64_t Row, int64_t NumRows, int64_t Column,
                  unsigned NumColumns, T *Panel) {
    packMatrix(R, Right + R.getOffset(Product), Row, NumRows, Column,
               NumColumns, Panel);
  };
  return MatrixProducts<T>{Batch,
                           L.Rows,
                           L.Columns,
                           R.Columns,
                           {L.Elements.getElements<T>().data(), L.Batch,
                            L.Rows * L.Columns, L.RowStep, L.ColumnStep},
                           Pack,
                           Out.getMutableElements<T>().data()}
      .compute(Call);
}

LogicalResult relay::multiplyMatrices(KernelCall &Call, const MatrixView &L,
                                      const MatrixView &R) {
  bool Broadcasts = L.Batch == R.Batch || L.Batch == 1 || R.Batch == 1;
  if (L.Columns != R.Rows || !Broadcasts || !Call.hasOutputShape())
    return Call.emitError("matrices of " + Twine(L.Rows) + " by " +
                          Twine(L.Columns) + " and of " + Twine(R.Rows) +
                          " by " + Twine(R.Columns) + " cannot be multiplied");
  DType T = Call.getOutputDType();
  int64_t Batch = L.Batch == 1 ? R.Batch : L.Batch;
  std::optional<Tensor> Out =
      Call.allocate(getContractDType(T), Call.getOutputShape());
  if (!Out)
    return failure();
  // By TVM's type relation, an axis of length 0 broadcast with 1 has length 1.
  if (Out->getNumElements() != Batch * L.Rows * R.Columns)
    return Call.emitError("batches of " + Twine(L.Batch) + " and " +
                          Twine(R.Batch) + " matrices do not fit");
  LogicalResult Done = dispatchContraction(Call, T, [&](auto Zero) {
    return Out->getNumElements() == 0
               ? success()
               : multiplyElements<decltype(Zero)>(Call, L, R, Batch, *Out);
  });
  if (failed(Done))
    return failure();
  FailureOr<Tensor> Result = storeContracted(Call, *Out, T);
  if (failed(Result))
    return failure();
  Call.setOutput(0, std::move(*Result));
  return success();
}

/// Returns operand \p I with elements of the output's type of contractions.
static FailureOr<Tensor> loadFactor(KernelCall &Call, unsigned I) {
  return loadContracted(Call, Call.getInput(I), Call.getOutputDType());
}

/// [.., m, k] x [k, n] -> [.., m, n], each pair of axes swapped if it is
/// transposed. Leading axes are rows, too, unless they are transposed.
static LogicalResult evalProduct(KernelCall &Call, bool TransposeA,
                                 bool TransposeB) {
  FailureOr<Tensor> A = loadFactor(Call, 0), B = loadFactor(Call, 1);
  if (failed(A) || failed(B))
    return failure();
  if (TransposeA && A->getRank() != 2)
    return Call.emitError("tensor_a of rank " + Twine(A->getRank()) +
                          " is transposed");
  int64_t Last = A->getShape().back(), Rows = 1;
  for (int64_t Extent : A->getShape().drop_back())
    Rows *= Extent;
  MatrixView Left(std::move(*A), 1, Rows, Last, TransposeA);
  int64_t BRows = B->getDim(0), BColumns = B->getDim(1);
  MatrixView Right(std::move(*B), 1, BRows, BColumns, TransposeB);
  return multiplyMatrices(Call, Left, Right);
}

LogicalResult relay::evalDense(KernelCall &Call) {
  return evalProduct(Call, false, true);
}
LogicalResult relay::evalMatmul(KernelCall &Call) {
  const auto &A = Call.getAttrs<MatmulAttrs>();
  return evalProduct(Call, A.transposeA(), A.transposeB());
}

/// [b, m, k] x [b, k, n] -> [b, m, n], each pair of axes swapped if it is
/// transposed; a batch of 1 is repeated.
LogicalResult relay::evalBatchMatmul(KernelCall &Call) {
  const auto &Attributes = Call.getAttrs<BatchMatmulAttrs>();
  FailureOr<Tensor> A = loadFactor(Call, 0), B = loadFactor(Call, 1);
  if (failed(A) || failed(B))
    return failure();
  return multiplyMatrices(Call,
                          MatrixView::getBatch(*A, Attributes.transposeA()),
                          MatrixView::getBatch(*B, Attributes.transposeB()));
}

/// Returns true if \p L is the layout of a packed weight of \p Rank axes: NC8n
/// or NC8n4c, with any name for C. A layout without blocks is the default, of
/// packed weights as well.
static bool isPacked(const Layout &L, unsigned Rank) {
  ArrayRef<Layout::Axis> Axes = L.getAxes();
  if (Axes.size() == 2)
    return true;
  return Axes.size() == Rank && Axes[0].Name == 'N' && Axes[2].Name == 'n' &&
         (Rank == 3 || Axes[3].primal() == Axes[1].Name);
}

std::optional<Tensor> relay::unpackWeight(KernelCall &Call,
                                          const Tensor &Weight) {
  StringRef WeightLayout = Call.getAttrs<DensePackAttrs>().weightLayout();
  std::optional<Layout> L = Layout::parse(WeightLayout);
  if (!L || !isPacked(*L, Weight.getRank())) {
    Call.emitError("a weight of rank " + Twine(Weight.getRank()) +
                   " cannot be in layout '" + WeightLayout +
                   "'; expected the form " +
                   (Weight.getRank() == 3 ? "NC8n" : "NC8n4c"));
    return std::nullopt;
  }
  int64_t BlocksN = Weight.getDim(0), BlockN = Weight.getDim(2);
  int64_t BlocksK = Weight.getDim(1);
  int64_t BlockK = Weight.getRank() == 4 ? Weight.getDim(3) : 1;
  std::optional<Tensor> Plain =
      Call.allocate(Weight.getDType(), {BlocksN * BlockN, BlocksK * BlockK});
  if (Plain && Plain->getNumElements() != 0)
    copyStrided(Call, Weight, 0, *Plain, {BlocksN, BlockN, BlocksK, BlockK},
                {BlocksK * BlockN * BlockK, BlockK, BlockN * BlockK, 1});
  return Plain;
}

/// data: [m, k], weight: [n / a, k, a] or [n / a, k / b, a, b] -> [m, n].
LogicalResult relay::evalContribDensePack(KernelCall &Call) {
  FailureOr<Tensor> A = loadFactor(Call, 0), B = loadFactor(Call, 1);
  if (failed(A) || failed(B))
    return failure();
  std::optional<Tensor> Plain = unpackWeight(Call, *B);
  if (!Plain)
    return failure();
  int64_t N = Plain->getDim(0), K = Plain->getDim(1);
  return multiplyMatrices(Call,
                          MatrixView(*A, 1, A->getDim(0), A->getDim(1), false),
                          MatrixView(std::move(*Plain), 1, N, K, true));
}
