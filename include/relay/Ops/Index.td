//===- Index.td - Reading and writing parts of tensors -----*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that pick elements of tensors by position, or replace them:
// `take`, `gather*`, `scatter_*`, `adv_index`, `argwhere`, `unravel_index`,
// `strided_slice`, `strided_set`, `slice_like`, `sequence_mask`,
// `matrix_set_diag`, `trilu`. `split` is in Tensor.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_INDEX_TD
#define RELAY_OPS_INDEX_TD

include "relay/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Reading elements at indices
//===----------------------------------------------------------------------===//
def TakeAttrs : AttrsDef<"relay.attrs.TakeAttrs"> {
  let Fields = (ins Default<Integer, "0">:$batch_dims,
                    Default<OptInt, "None">:$axis,
                    DefaultText<StringObject, "clip">:$mode);
}
def GatherAttrs : AttrsDef<"relay.attrs.GatherAttrs"> {
  let Fields = (ins Default<OptInt, "None">:$axis);
}
def GatherNDAttrs : AttrsDef<"relay.attrs.GatherNDAttrs"> {
  let Fields = (ins Default<Integer, "0">:$batch_dims,
                    Default<OptInt, "None">:$index_rank);
}

def TakeOp : Op<"take"> {
  let Summary = "elements of data, along an axis or of all, at indices";
  let Description = [{
    `data: [a, b, c]`, `indices: [i, j]` -> `[a, i, j, c]` with `axis=1`; without an axis
    `data` is flattened, and the result is `[i, j]`. `mode` selects the handling of
    indices out of range: `clip`, `wrap` or `fast` (unchecked).
  }];
  let Operands = (ins Tensor:$data, Tensor:$indices);
  let Attributes = TakeAttrs;
  let FusionKind = Injective;
  let Relation = "inferTake";
  let ShapeDataDependent = [0];
}
def GatherOp : Op<"gather"> {
  let Summary = "elements at the place of the result, but with the index on axis";
  let Operands = (ins Tensor:$data, Tensor:$indices);
  let Attributes = GatherAttrs;
  let FusionKind = Injective;
  let Relation = "inferGather";
  let ShapeDataDependent = [0];
}
def GatherNDOp : Op<"gather_nd"> {
  let Summary = "slices of data at the indices along the first axis of indices";
  let Description = [{
    `data: [a, b, c]`, `indices: [2, n]` -> `[n, c]`.
  }];
  let Operands = (ins Tensor:$data, Tensor:$indices);
  let Attributes = GatherNDAttrs;
  let FusionKind = Injective;
  let Relation = "inferGatherND";
  let ShapeDataDependent = [0];
}
def AdvIndexOp : Op<"adv_index"> {
  let Summary = "numpy's inputs[0][inputs[1], …]";
  let Operands = (ins TensorTuple:$inputs);
  let FusionKind = Injective;
  let Relation = "inferAdvIndex";
  let ShapeDataDependent = [0];
}
def ArgwhereOp : Op<"argwhere"> {
  let Summary = "indices where condition is true, one per row";
  let Operands = (ins Tensor:$condition);
  let Relation = "inferArgwhere";
  let ShapeDataDependent = [1];
}
def UnravelIndexOp : Op<"unravel_index"> {
  let Summary = "coordinates, one row per axis, of flat indices into a tensor of the given shape";
  let Operands = (ins Tensor:$data, Tensor:$shape);
  let FusionKind = Injective;
  let Relation = "inferUnravelIndex";
}

//===----------------------------------------------------------------------===//
// Replacing elements at indices
//===----------------------------------------------------------------------===//
def ScatterElementsAttrs : AttrsDef<"relay.attrs.ScatterElementsAttrs"> {
  let Fields = (ins Default<Integer, "0">:$axis,
                    DefaultText<StringObject, "update">:$reduction);
}
def ScatterNDAttrs : AttrsDef<"relay.attrs.ScatterNDAttrs"> {
  let Fields = (ins DefaultText<StringObject, "update">:$mode);
}

def ScatterElementsOp : Op<"scatter_elements"> {
  let Summary = "data with updates at the positions that gather reads";
  let Operands = (ins Tensor:$data, Tensor:$indices, Tensor:$updates);
  let Attributes = ScatterElementsAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferScatterElements";
  let ShapeDataDependent = [0];
}
def ScatterNDOp : Op<"scatter_nd"> {
  let Summary = "data with updates at the positions that gather_nd reads";
  let Operands = (ins Tensor:$data, Tensor:$indices, Tensor:$updates);
  let Attributes = ScatterNDAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferScatterND";
  let ShapeDataDependent = [0];
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//
// `slice_mode`: with "end", `end` is a position; with "size", it is a length,
// and -1 means all remaining elements. If `axes` is None, the first axes are
// sliced.
def StridedSliceAttrs : AttrsDef<"relay.attrs.StridedSliceAttrs"> {
  let Fields = (ins Nullable<IntArray>:$begin, Nullable<IntArray>:$end,
                    Nullable<IntArray>:$strides,
                    DefaultText<StringObject, "end">:$slice_mode,
                    Nullable<IntArray>:$axes);
}
def SliceLikeAttrs : AttrsDef<"relay.attrs.SliceLikeAttrs"> {
  let Fields = (ins Nullable<IntArray>:$axes);
}

def StridedSliceOp : Op<"strided_slice"> {
  let Summary = "slice of a tensor: from begin to end by strides";
  let Description = [{
    `begin`, `end` and `strides` apply to the first axes, or to `axes`. Negative
    indices count from the end. With `slice_mode="size"`, `end` contains lengths (-1
    for the rest of the axis), and `strides` is ignored.
  }];
  let Operands = (ins Tensor:$data);
  let Attributes = StridedSliceAttrs;
  let FusionKind = Injective;
  let Relation = "inferStridedSlice";
  let ShapeDataDependent = [0];
}
def StridedSetOp : Op<"strided_set"> {
  let Summary = "data with v in place of a slice";
  let Operands = (ins Tensor:$data, Tensor:$v, Tensor:$begin, Tensor:$end,
                      Tensor:$strides);
  let FusionKind = Injective;
  let Relation = "inferStridedSet";
}
def SliceLikeOp : Op<"slice_like"> {
  let Summary = "data cut to the extents of shape_like, on axes or on all";
  let Operands = (ins Tensor:$data, Tensor:$shape_like);
  let Attributes = SliceLikeAttrs;
  let FusionKind = Injective;
  let Relation = "inferSliceLike";
}

//===----------------------------------------------------------------------===//
// Masks and diagonals
//===----------------------------------------------------------------------===//
def SequenceMaskAttrs : AttrsDef<"relay.attrs.SequenceMaskAttrs"> {
  let Fields = (ins Default<Double, "0f">:$mask_value, Default<Int, "0">:$axis);
}
def MatrixSetDiagAttrs : AttrsDef<"relay.attrs.MatrixSetDiagAttrs"> {
  let Fields = (ins Default<Int, "0">:$k1, Default<Int, "0">:$k2,
                    Default<Bool, "True">:$super_diag_right_align,
                    Default<Bool, "False">:$sub_diag_right_align);
}
def TriluAttrs : AttrsDef<"relay.attrs.TriluAttrs"> {
  let Fields = (ins Default<Bool, "True">:$upper);
}

def SequenceMaskOp : Op<"sequence_mask"> {
  let Summary = "data with mask_value beyond the valid length of each sequence";
  let Operands = (ins Tensor:$data, Tensor:$valid_length);
  let Attributes = SequenceMaskAttrs;
  let FusionKind = Injective;
  let Relation = "inferSequenceMask";
}
def MatrixSetDiagOp : Op<"matrix_set_diag"> {
  let Summary = "input with the diagonals k1 to k2 replaced";
  let Operands = (ins Tensor:$input, Tensor:$diagonal);
  let Attributes = MatrixSetDiagAttrs;
  let FusionKind = Injective;
  let Relation = "inferMatrixSetDiag";
}
def TriluOp : Op<"trilu"> {
  let Summary = "the upper or lower triangle of matrices, from diagonal k on";
  let Operands = (ins Tensor:$data, Tensor:$k);
  let Attributes = TriluAttrs;
  let FusionKind = ElemWise;
  let Traits = [AttrsAsMeta];
  let Relation = "inferTrilu";
}

#endif // RELAY_OPS_INDEX_TD
