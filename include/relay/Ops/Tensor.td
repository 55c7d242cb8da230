//===- Tensor.td - Making and reshaping tensors ------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that create tensors (`zeros`, `ones`, `full`, `full_like`,
// `one_hot`, `arange`, `meshgrid`), return or change their shape (`shape_of`,
// `ndarray_size`, `reshape`, `reshape_like`, `contrib_reverse_reshape`,
// `expand_dims`, `squeeze`), and join and split them (`concatenate`, `stack`,
// `split`), without computing with their elements.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_TENSOR_TD
#define RELAY_OPS_TENSOR_TD

include "relay/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Creating tensors
//===----------------------------------------------------------------------===//

def InitOpAttrs : AttrsDef<"relay.attrs.InitOpAttrs"> {
  let Fields = (ins Nullable<IntArray>:$shape, DefaultText<DataType, "">:$dtype);
}
def NdarraySizeAttrs : AttrsDef<"relay.attrs.NdarraySizeAttrs"> {
  let Fields = (ins DefaultText<DataType, "">:$dtype);
}
def MeshgridAttrs : AttrsDef<"relay.attrs.MeshgridAttrs"> {
  let Fields = (ins DefaultText<String, "ij">:$indexing);
}
def OneHotAttrs : AttrsDef<"relay.attrs.OneHotAttrs"> {
  let Fields = (ins Default<Int, "1">:$depth, Default<Int, "-1">:$axis,
                    DefaultText<DataType, "">:$dtype);
}
def ArangeAttrs : AttrsDef<"relay.attrs.ArangeAttrs"> {
  let Fields = (ins Mirror<"start">:$start, Mirror<"end">:$stop,
                    Mirror<"step">:$step, DataType:$dtype);
}
def ShapeOfAttrs : AttrsDef<"relay.attrs.ShapeOfAttrs"> {
  let Fields = (ins DefaultText<DataType, "">:$dtype);
}

class InitOp<string name, string summary> : Op<name> {
  let Summary = summary;
  let Attributes = InitOpAttrs;
  let FusionKind = ElemWise;
  let Relation = "inferInitOp";
  let ShapeDataDependent = [0];
}

def ZerosOp : InitOp<"zeros", "tensor of zeros">;
def OnesOp : InitOp<"ones", "tensor of ones">;
def FullOp : InitOp<"full", "tensor filled with fill_value"> {
  let Operands = (ins Expr:$fill_value);
  let Relation = "inferFull";
}
def FullLikeOp : Op<"full_like"> {
  let Summary = "fill_value everywhere in the shape of data";
  let Operands = (ins Tensor:$data, Expr:$fill_value);
  let FusionKind = ElemWise;
  let Relation = "inferFullLike";
  let ShapeDataDependent = [0];
}
def OneHotOp : Op<"one_hot"> {
  let Summary = "on_value where the place on a new axis is the index, else off_value";
  let Operands = (ins Tensor:$indices, Expr:$on_value, Expr:$off_value);
  let Attributes = OneHotAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferOneHot";
  let ShapeDataDependent = [0];
}
def MeshgridOp : Op<"meshgrid"> {
  let Summary = "coordinates of a grid, from a tuple of vectors of them";
  let Operands = (ins TensorTuple:$data);
  let Attributes = MeshgridAttrs;
  let FusionKind = Injective;
  let Relation = "inferMeshgrid";
}
def ArangeOp : Op<"arange"> {
  let Summary = "values from start up to, but without, end, by step";
  let Operands = (ins Expr:$start, Expr:$end, Expr:$step);
  let Attributes = ArangeAttrs;
  let Relation = "inferArange";
  let ShapeDataDependent = [1];
}
def ShapeOfOp : Op<"shape_of"> {
  let Summary = "shape of a tensor, as a tensor of rank 1";
  let Operands = (ins Tensor:$data);
  let Attributes = ShapeOfAttrs;
  let Relation = "inferShapeOf";
}

def NdarraySizeOp : Op<"ndarray_size"> {
  let Summary = "number of elements of a tensor, as a scalar";
  let Operands = (ins Tensor:$data);
  let Attributes = NdarraySizeAttrs;
  let FusionKind = Injective;
  let Relation = "inferNdarraySize";
}

//===----------------------------------------------------------------------===//
// Changing the shape
//===----------------------------------------------------------------------===//

def ExpandDimsAttrs : AttrsDef<"relay.attrs.ExpandDimsAttrs"> {
  let Fields = (ins Int:$axis, Default<Int, "1">:$num_newaxis);
}
def ReshapeAttrs : AttrsDef<"relay.attrs.ReshapeAttrs"> {
  let Fields = (ins IntArray:$newshape, Default<Bool, "False">:$allowzero);
}
def ReshapeLikeAttrs : AttrsDef<"relay.attrs.ReshapeLikeAttrs"> {
  let Fields = (ins Default<Int, "0">:$lhs_begin, Default<OptInt, "None">:$lhs_end,
                    Default<Int, "0">:$rhs_begin, Default<OptInt, "None">:$rhs_end);
}
def SqueezeAttrs : AttrsDef<"relay.attrs.SqueezeAttrs"> {
  let Fields = (ins Default<IntArray, "None">:$axis);
}

def ExpandDimsOp : Op<"expand_dims"> {
  let Summary = "insert axes of length 1";
  let Description = [{
    `[a, b]` -> `[a, 1, 1, b]` with `axis=1, num_newaxis=2`.
  }];
  let Operands = (ins Tensor:$data);
  let Attributes = ExpandDimsAttrs;
  let FusionKind = Broadcast;
  let Traits = [ReshapeLike];
  let Relation = "inferExpandDims";
  let ShapeDataDependent = [0];
}
def SqueezeOp : Op<"squeeze"> {
  let Summary = "data without axes of length 1: the listed ones, or all";
  let Operands = (ins Tensor:$data);
  let Attributes = SqueezeAttrs;
  let FusionKind = Injective;
  let Traits = [ReshapeLike];
  let Relation = "inferSqueeze";
  let ShapeDataDependent = [0];
}
def ReshapeOp : Op<"reshape"> {
  let Summary = "the same elements in another shape";
  let Description = [{
    Entries of `newshape`: a positive number is an extent; 0 copies the extent of
    the input (with `allowzero` it is an extent of 0); -1 is inferred from the
    number of elements; -2 copies all remaining extents; -3 is the product of two
    extents; -4 splits an extent into the two extents after it.
  }];
  let Operands = (ins Tensor:$data);
  let Attributes = ReshapeAttrs;
  let FusionKind = Injective;
  let Traits = [ReshapeLike];
  let Relation = "inferReshape";
  let ShapeDataDependent = [0];
}
def ContribReverseReshapeOp : Op<"contrib_reverse_reshape"> {
  let Summary = "reshape that matches the shape and newshape from right to left";
  let Operands = (ins Tensor:$data);
  let Attributes = ReshapeAttrs;
  let FusionKind = Injective;
  let Traits = [ReshapeLike];
  let Relation = "inferReverseReshape";
}
def ReshapeLikeOp : Op<"reshape_like"> {
  let Summary = "the elements of data in the shape, or a part of it, of shape_like";
  let Operands = (ins Tensor:$data, Tensor:$shape_like);
  let Attributes = ReshapeLikeAttrs;
  let FusionKind = Injective;
  let Relation = "inferReshapeLike";
  let ShapeDataDependent = [0];
}

//===----------------------------------------------------------------------===//
// Concatenating and splitting
//===----------------------------------------------------------------------===//

def ConcatenateAttrs : AttrsDef<"relay.attrs.ConcatenateAttrs"> {
  let Fields = (ins Default<Int, "0">:$axis);
}
def SplitAttrs : AttrsDef<"relay.attrs.SplitAttrs"> {
  let Fields = (ins IntOrArray:$indices_or_sections, Default<Int, "0">:$axis);
}
def StackAttrs : AttrsDef<"relay.attrs.StackAttrs"> {
  let Fields = (ins Default<Integer, "0">:$axis);
}

def ConcatenateOp : Op<"concatenate"> {
  let Summary = "tensors one after the other along an axis";
  let Description = [{
    `([a, b], [c, b])` -> `[a + c, b]` with `axis=0`.
  }];
  let Operands = (ins TensorTuple:$data);
  let Attributes = ConcatenateAttrs;
  let FusionKind = Injective;
  let Relation = "inferConcatenate";
  let ShapeDataDependent = [0];
}
def StackOp : Op<"stack"> {
  let Summary = "tensors of one shape along a new axis";
  let Operands = (ins TensorTuple:$data);
  let Attributes = StackAttrs;
  let FusionKind = Injective;
  let Relation = "inferStack";
  let ShapeDataDependent = [0];
}
def SplitOp : Op<"split"> {
  let Summary = "tuple of parts along an axis";
  let Description = [{
    `indices_or_sections` is a number of equal parts, or a list of indices
    at which to split.
  }];
  let Operands = (ins Tensor:$data);
  let Attributes = SplitAttrs;
  let FusionKind = Injective;
  let Relation = "inferSplit";
  let ShapeDataDependent = [0];
}

#endif // RELAY_OPS_TENSOR_TD
