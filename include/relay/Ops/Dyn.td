//===- Dyn.td - Operators with computed shapes -------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators with operands for attributes of the operators of the same name in
// other families; these attributes remain, and are ignored: `dyn.*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_DYN_TD
#define RELAY_OPS_DYN_TD

include "relay/Ops/Image.td"
include "relay/Ops/Index.td"
include "relay/Ops/NN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Sort.td"
include "relay/Ops/Tensor.td"

def DynExpandDimsAttrs : AttrsDef<"relay.attrs.DynExpandDimsAttrs"> {
  let Fields = (ins Default<Int, "1">:$num_newaxis);
}

//===----------------------------------------------------------------------===//
// Creating tensors
//===----------------------------------------------------------------------===//
def DynOnesOp : Op<"dyn.ones"> {
  let Summary = "tensor of ones";
  let Operands = (ins Tensor:$shape);
  let Attributes = InitOpAttrs;
  let FusionKind = ElemWise;
  let Relation = "inferDynInit";
  let ShapeDataDependent = [1];
}
def DynZerosOp : Op<"dyn.zeros"> {
  let Summary = "tensor of zeros";
  let Operands = (ins Tensor:$shape);
  let Attributes = InitOpAttrs;
  let FusionKind = ElemWise;
  let Relation = "inferDynInit";
  let ShapeDataDependent = [1];
}
def DynFullOp : Op<"dyn.full"> {
  let Summary = "tensor filled with fill_value";
  let Operands = (ins Expr:$fill_value, Tensor:$shape);
  let Attributes = InitOpAttrs;
  let FusionKind = ElemWise;
  let Relation = "inferDynFull";
  let ShapeDataDependent = [1];
}
def DynOneHotOp : Op<"dyn.one_hot"> {
  let Summary = "on_value where the place on a new axis is the index, else off_value";
  let Operands = (ins Tensor:$indices, Expr:$on_value, Expr:$off_value, Expr:$depth);
  let Attributes = OneHotAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferDynOneHot";
  let ShapeDataDependent = [1];
}

//===----------------------------------------------------------------------===//
// Changing the shape
//===----------------------------------------------------------------------===//
def DynReshapeOp : Op<"dyn.reshape"> {
  let Summary = "the same elements in another shape";
  let Operands = (ins Tensor:$data, Tensor:$newshape);
  let Attributes = ReshapeAttrs;
  let FusionKind = Injective;
  let Traits = [ReshapeLike];
  let Relation = "inferDynReshape";
  let ShapeDataDependent = [0, 1];
}
def DynExpandDimsOp : Op<"dyn.expand_dims"> {
  let Summary = "insert axes of length 1";
  let Operands = (ins Tensor:$data, Tensor:$axis);
  let Attributes = DynExpandDimsAttrs;
  let FusionKind = Injective;
  let Traits = [AttrsAsMeta];
  let Relation = "inferDynExpandDims";
  let ShapeDataDependent = [1, 1];
}
def DynSqueezeOp : Op<"dyn.squeeze"> {
  let Summary = "data without some axes of length 1";
  let Operands = (ins Tensor:$data, Tensor:$axes);
  let Attributes = SqueezeAttrs;
  let FusionKind = Injective;
  let Traits = [ReshapeLike];
  let Relation = "inferDynSqueeze";
  let ShapeDataDependent = [0, 1];
}
def DynTileOp : Op<"dyn.tile"> {
  let Summary = "the whole tensor reps times along each axis";
  let Operands = (ins Tensor:$data, Tensor:$reps);
  let Attributes = TileAttrs;
  let FusionKind = Injective;
  let Relation = "inferDynTile";
  let ShapeDataDependent = [1];
}
def DynBroadcastToOp : Op<"dyn.broadcast_to"> {
  let Summary = "data broadcast to a shape";
  let Operands = (ins Tensor:$data, Tensor:$shape);
  let Attributes = InitOpAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferDynBroadcastTo";
  let ShapeDataDependent = [1];
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//
def DynStridedSliceOp : Op<"dyn.strided_slice"> {
  let Summary = "slice of a tensor: from begin to end by strides";
  let Operands = (ins Tensor:$data, Tensor:$begin, Tensor:$end, Tensor:$strides);
  let Attributes = StridedSliceAttrs;
  let FusionKind = Injective;
  let Relation = "inferDynStridedSlice";
  let ShapeDataDependent = [0, 1, 1, 1];
}
def DynTopkOp : Op<"dyn.topk"> {
  let Summary = "the first k elements in sorted order along an axis, their indices, or both";
  let Operands = (ins Tensor:$data, Tensor:$k);
  let Attributes = TopkAttrs;
  let Relation = "inferDynTopk";
  let ShapeDataDependent = [1];
}
def DynSparseToDenseOp : Op<"dyn.sparse_to_dense"> {
  let Summary = "dense tensor of sparse values";
  let Operands = (ins Tensor:$sparse_indices, Tensor:$sparse_values,
                      Tensor:$default_value, Tensor:$output_shape);
  let Relation = "inferDynSparseToDense";
  let ShapeDataDependent = [1];
}

//===----------------------------------------------------------------------===//
// Padding and resizing
//===----------------------------------------------------------------------===//
def DynPadOp : Op<"dyn.nn.pad"> {
  let Summary = "data with pad_val around it";
  let Operands = (ins Tensor:$data, Tensor:$pad_width, Expr:$pad_val);
  let Attributes = PadAttrs;
  let FusionKind = Injective;
  let Relation = "inferDynPad";
  let ShapeDataDependent = [1];
}
def DynUpSamplingOp : Op<"dyn.nn.upsampling"> {
  let Summary = "larger image, by factors";
  let Operands = (ins Tensor:$data, Expr:$scale_h, Expr:$scale_w);
  let Attributes = UpSamplingAttrs;
  let FusionKind = Injective;
  let Relation = "inferDynUpSampling";
  let ShapeDataDependent = [1];
}
def DynUpSampling3DOp : Op<"dyn.nn.upsampling3d"> {
  let Summary = "larger volume, by factors";
  let Operands = (ins Tensor:$data, Expr:$scale_d, Expr:$scale_h, Expr:$scale_w);
  let Attributes = UpSampling3DAttrs;
  let FusionKind = Injective;
  let Relation = "inferDynUpSampling3D";
  let ShapeDataDependent = [1];
}
def DynResize2DOp : Op<"dyn.image.resize2d"> {
  let Summary = "data in another size";
  let Operands = (ins Tensor:$data, Tensor:$size, Tensor:$roi);
  let Attributes = Resize2DAttrs;
  let FusionKind = Injective;
  let Relation = "inferDynResize2D";
  let ShapeDataDependent = [1];
}

#endif // RELAY_OPS_DYN_TD
