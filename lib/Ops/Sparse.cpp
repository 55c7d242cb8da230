//===- Sparse.cpp - Sparse tensors ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type relations of Sparse.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Ops/Sparse.h"
#include "relay/Ops/Relations.h"

#include "relay/Ops/Sparse.cpp.inc"

using namespace relay;

//===----------------------------------------------------------------------===//
// Compressed rows
//===----------------------------------------------------------------------===//

/// Returns the number of rows of the sparse matrix of \p Data and \p Starts,
/// its operands 1 and 3. As in TVM, further axes of Starts are ignored.
static FailureOr<Dim> getNumRows(TypeRelation &R, const TensorType *Data,
                                 const TensorType *Starts) {
  if (Starts->isScalar()) {
    R.error("the start of the rows is a scalar");
    return failure();
  }
  DimMath Math(R.getContext());
  Dim Rows = Math.sub(Starts->getDim(0), 1);
  if (Data->getRank() == 1)
    return Rows;
  if (Data->getRank() == 3)
    return Math.mul(Rows, Data->getDim(1));
  R.error("the elements have rank " + Twine(Data->getRank()) +
          ", neither 1 nor 3");
  return failure();
}

// dense: [m, k], sparse: [n, k] -> [m, n]; with sparse_lhs, dense: [n, k],
// sparse: [m, k] -> [m, n]. As in TVM, only the first axis of the dense matrix
// is used.
RelationResult relay::inferSparseDense(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0, 1, 3}))
    return *Missing;
  const TensorType *Dense = R.getTensor(0);
  FailureOr<Dim> Rows = getNumRows(R, R.getTensor(1), R.getTensor(3));
  if (failed(Rows))
    return RelationResult::Failed;
  if (Dense->isScalar())
    return R.error("the dense matrix is a scalar");
  Shape Out = {Dense->getDim(0), *Rows};
  if (R.getAttrs<SparseDenseAttrs>().sparseLhs())
    std::swap(Out[0], Out[1]);
  return R.setResult(R.getTensorType(Out, Dense->getDType()));
}

// dense: [N, H, W, C] or [N, C, H, W], sparse: [O, C] -> likewise with O for C.
RelationResult relay::inferSparseConv2D(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0, 1, 3}))
    return *Missing;
  const TensorType *Dense = R.getTensor(0), *Data = R.getTensor(1),
                   *Starts = R.getTensor(3);
  if (failed(checkRank(R, "dense_data", Dense, 4)) ||
      failed(checkRank(R, "sparse_indptr", Starts, 1)))
    return RelationResult::Failed;
  if (Data->getRank() != 2 && Data->getRank() != 3)
    return R.error("sparse_data has rank " + Twine(Data->getRank()) +
                   ", neither 2 nor 3");
  StringRef Layout = R.getAttrs<SparseConv2DAttrs>().layout();
  if (Layout != "NHWC" && Layout != "NCHW")
    return R.error("'layout' is \"" + Layout + "\", neither NHWC nor NCHW");
  DimMath Math(R.getContext());
  Dim Rows = Math.sub(Starts->getDim(0), 1);
  Shape Out(Dense->getShape());
  Out[Layout == "NHWC" ? 3 : 1] = Math.mul(Rows, Data->getDim(1));
  return R.setResult(R.getTensorType(Out, Dense->getDType()));
}

// The parts of a sparse matrix -> a tuple of the parts of its transpose.
RelationResult relay::inferSparseTranspose(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  for (unsigned I : {0, 1, 2})
    if (failed(checkRank(R, R.getInfo().OperandNames[I], R.getTensor(I), 1)))
      return RelationResult::Failed;
  return R.setResult(
      R.getTupleType({R.getOperand(0), R.getOperand(1), R.getOperand(2)}));
}

// dense: [m, n], sparse: [m, n] -> [m, n]. As in TVM, the ranks of dense and of
// sparse_indptr are not checked.
RelationResult relay::inferSparseAdd(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R, {0, 1, 2}))
    return *Missing;
  if (failed(checkSameDType(R, R.getTensor(0), R.getTensor(1))) ||
      failed(checkRank(R, "sparse_data", R.getTensor(1), 1)) ||
      failed(checkRank(R, "sparse_indices", R.getTensor(2), 1)))
    return RelationResult::Failed;
  return R.setResultLike(0);
}

//===----------------------------------------------------------------------===//
// Lists of positions
//===----------------------------------------------------------------------===//

LogicalResult relay::checkSparseValues(TypeRelation &R) {
  const TensorType *Indices = R.getTensor(0), *Values = R.getTensor(1);
  if (Indices->getRank() > 3 || Values->getRank() > 2) {
    R.error("indices have rank " + Twine(Indices->getRank()) +
            " and values rank " + Twine(Values->getRank()) +
            ", more than 3 and 2");
    return failure();
  }
  return success(succeeded(checkSignedIntegers(R, 0)) &&
                 succeeded(checkRank(R, "the default", R.getTensor(2), 0)));
}

// -> the attribute's shape, with the dtype of the values.
RelationResult relay::inferSparseToDense(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  if (failed(checkSparseValues(R)))
    return RelationResult::Failed;
  return R.setResult(
      R.getTensorType(R.getAttrs<SparseToDenseAttrs>().outputShape(),
                      R.getTensor(1)->getDType()));
}

// indices: [n, rank] -> ([?, rank], [?], [?]), all of int64. As in TVM, other
// operands and further axes of indices are ignored.
RelationResult relay::inferSparseFillEmptyRows(TypeRelation &R) {
  const TensorType *Indices = R.getTensor(0);
  if (!Indices)
    return R.unresolved(0);
  if (Indices->getRank() < 2)
    return R.error("sparse_indices has rank " + Twine(Indices->getRank()) +
                   ", less than 2");
  DType T = DType::getInt(64);
  Type *Some = R.getTensorType({Dim::getAny()}, T);
  Type *Places = R.getTensorType({Dim::getAny(), Indices->getDim(1)}, T);
  return R.setResult(R.getTupleType({Places, Some, Some}));
}

// indices: [n, rank], new_shape: [new rank] -> ([n, new rank], [new rank]).
RelationResult relay::inferSparseReshape(TypeRelation &R) {
  if (auto Missing = getMissingTensor(R))
    return *Missing;
  const TensorType *Indices = R.getTensor(0), *NewShape = R.getTensor(2);
  if (failed(checkRank(R, "sparse_indices", Indices, 2)) ||
      failed(checkRank(R, "prev_shape", R.getTensor(1), 1)) ||
      failed(checkRank(R, "new_shape", NewShape, 1)))
    return RelationResult::Failed;
  for (unsigned I : {0, 1, 2})
    if (failed(checkSignedIntegers(R, I)))
      return RelationResult::Failed;
  Dim NewRank = NewShape->getDim(0);
  return R.setResult(R.getTupleType(
      {R.getTensorType({Indices->getDim(0), NewRank}, Indices->getDType()),
       R.getTensorType({NewRank}, NewShape->getDType())}));
}
