//===- Sparse.td - Sparse tensors --------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators on matrices and tensors with mostly zero elements: `nn.sparse_*`,
// `nn.internal.sparse_*`, `sparse_*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_SPARSE_TD
#define RELAY_OPS_SPARSE_TD

include "relay/IR/OpBase.td"

// Compressed rows: `sparse_data` holds the elements, `sparse_indices` their
// columns, and row i is the part from `sparse_indptr[i]` to `sparse_indptr[i + 1]`.
// With rank 3, `sparse_data` holds blocks instead of elements.
def SparseDenseAttrs : AttrsDef<"relay.attrs.SparseDenseAttrs"> {
  let Fields = (ins Default<Bool, "False">:$sparse_lhs);
}
def SparseConv2DAttrs : AttrsDef<"relay.attrs.SparseConv2DAttrs"> {
  let Fields = (ins DefaultText<String, "NHWC">:$layout,
                    Default<DimArray, "[1, 1]">:$kernel_size);
}
def SparseTransposeAttrs : AttrsDef<"relay.attrs.SparseTransposeAttrs"> {
  let Fields = (ins); // TVM's source has two, but does not make them known
}
def SparseToDenseAttrs : AttrsDef<"relay.attrs.SparseToDenseAttrs"> {
  let Fields = (ins IntArray:$output_shape);
}

def SparseDenseOp : Op<"nn.sparse_dense"> {
  let Summary = "product of a dense matrix and a transposed sparse matrix";
  let Operands = (ins Tensor:$dense_data, Tensor:$sparse_data,
                      Tensor:$sparse_indices, Tensor:$sparse_indptr);
  let Attributes = SparseDenseAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferSparseDense";
}
def SparseDensePaddedOp : Op<"nn.internal.sparse_dense_padded"> {
  let Summary = "nn.sparse_dense of rows padded for a GPU";
  let Operands = (ins Tensor:$data, Tensor:$weight_data,
                      Tensor:$weight_indices, Tensor:$weight_indptr);
  let Attributes = SparseDenseAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferSparseDense";
}
def SparseConv2DOp : Op<"nn.sparse_conv2d"> {
  let Summary = "convolution with a sparse weight";
  let Operands = (ins Tensor:$dense_data, Tensor:$sparse_data,
                      Tensor:$sparse_indices, Tensor:$sparse_indptr);
  let Attributes = SparseConv2DAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferSparseConv2D";
}
def SparseTransposeOp : Op<"nn.sparse_transpose"> {
  let Summary = "transposed sparse matrix, as a tuple of its parts";
  let Operands = (ins Tensor:$sparse_data, Tensor:$sparse_indices,
                      Tensor:$sparse_indptr);
  let Attributes = SparseTransposeAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferSparseTranspose";
}
def SparseAddOp : Op<"nn.sparse_add"> {
  let Summary = "sum of a dense and a sparse matrix";
  let Operands = (ins Tensor:$dense_data, Tensor:$sparse_data,
                      Tensor:$sparse_indices, Tensor:$sparse_indptr);
  let Relation = "inferSparseAdd";
}

// Here `sparse_indices` holds the position of each of `sparse_values`, one per
// row.
def SparseToDenseOp : Op<"sparse_to_dense"> {
  let Summary = "dense tensor of sparse values";
  let Operands = (ins Tensor:$sparse_indices, Tensor:$sparse_values,
                      Tensor:$default_value);
  let Attributes = SparseToDenseAttrs;
  let Relation = "inferSparseToDense";
}
def SparseFillEmptyRowsOp : Op<"sparse_fill_empty_rows"> {
  let Summary = "sparse values with a default in each empty row, and the mask of empty rows";
  let Operands = (ins Tensor:$sparse_indices, Tensor:$sparse_values,
                      Tensor:$dense_shape, Tensor:$default_value);
  let Relation = "inferSparseFillEmptyRows";
  let ShapeDataDependent = [1];
}
def SparseReshapeOp : Op<"sparse_reshape"> {
  let Summary = "indices of sparse values in another shape, and that shape";
  let Operands = (ins Tensor:$sparse_indices, Tensor:$prev_shape, Tensor:$new_shape);
  let FusionKind = Injective;
  let Relation = "inferSparseReshape";
  let ShapeDataDependent = [0];
}

#endif // RELAY_OPS_SPARSE_TD
