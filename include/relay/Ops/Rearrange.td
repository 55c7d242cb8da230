//===- Rearrange.td - Moving and repeating elements --------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators whose result holds the elements of the operand in another order,
// or several times: `transpose`, `layout_transform`, `reverse`,
// `reverse_sequence`, `tile`, `repeat`, `broadcast_to`, `broadcast_to_like`,
// `sliding_window`. `concatenate`, `stack`, `split` and `reshape` are in
// Tensor.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_REARRANGE_TD
#define RELAY_OPS_REARRANGE_TD

include "relay/Ops/Tensor.td"

//===----------------------------------------------------------------------===//
// Changing the order of elements
//===----------------------------------------------------------------------===//

def TransposeAttrs : AttrsDef<"relay.attrs.TransposeAttrs"> {
  let Fields = (ins Nullable<IntArray>:$axes);
}
def ReverseAttrs : AttrsDef<"relay.attrs.ReverseAttrs"> {
  let Fields = (ins Default<OptInt, "None">:$axis);
}
def ReverseSequenceAttrs : AttrsDef<"relay.attrs.ReverseSequenceAttrs"> {
  let Fields = (ins Default<Integer, "1">:$seq_axis,
                    Default<Integer, "0">:$batch_axis);
}
def LayoutTransformAttrs : AttrsDef<"relay.attrs.LayoutTransformAttrs"> {
  let Fields = (ins String:$src_layout, String:$dst_layout);
}
def AutoSchedulerLayoutTransformAttrs
    : AttrsDef<"relay.attrs.AutoSchedulerLayoutTransformAttrs"> {
  let Fields = (ins String:$src_layout, String:$dst_layout);
}

def TransposeOp : Op<"transpose"> {
  let Summary = "axes in another order; the reverse one when axes is None";
  let Description = [{
    `data: [a, b, c]` -> `[c, a, b]` with `axes=[2, 0, 1]`.
  }];
  let Operands = (ins Tensor:$data);
  let Attributes = TransposeAttrs;
  let FusionKind = Injective;
  let Relation = "inferTranspose";
  let ShapeDataDependent = [0];
}
def LayoutTransformOp : Op<"layout_transform"> {
  let Summary = "data of src_layout in dst_layout";
  let Operands = (ins Tensor:$data);
  let Attributes = LayoutTransformAttrs;
  let FusionKind = Injective;
  let Relation = "inferLayoutTransform";
  let ShapeDataDependent = [0];
}
def AutoSchedulerLayoutTransformOp : Op<"auto_scheduler_layout_transform"> {
  let Summary = "data in a layout with extents, such as 8N4C2n";
  let Operands = (ins Tensor:$data);
  let Attributes = AutoSchedulerLayoutTransformAttrs;
  let FusionKind = Injective;
  let Relation = "inferAutoSchedulerLayoutTransform";
}
def ReverseOp : Op<"reverse"> {
  let Summary = "elements in reverse order along an axis";
  let Operands = (ins Tensor:$data);
  let Attributes = ReverseAttrs;
  let FusionKind = Injective;
  let Relation = "inferReverse";
}
def ReverseSequenceOp : Op<"reverse_sequence"> {
  let Summary = "the first seq_lengths[i] elements of each sequence i reversed";
  let Operands = (ins Tensor:$data, Tensor:$seq_lengths);
  let Attributes = ReverseSequenceAttrs;
  let FusionKind = Injective;
  let Relation = "inferReverseSequence";
}

//===----------------------------------------------------------------------===//
// Repeating elements
//===----------------------------------------------------------------------===//

def TileAttrs : AttrsDef<"relay.attrs.TileAttrs"> {
  let Fields = (ins IntArray:$reps);
}
def RepeatAttrs : AttrsDef<"relay.attrs.RepeatAttrs"> {
  let Fields = (ins Integer:$repeats, Default<OptInt, "None">:$axis);
}

def TileOp : Op<"tile"> {
  let Summary = "the whole tensor reps times along each axis";
  let Operands = (ins Tensor:$data);
  let Attributes = TileAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferTile";
  let ShapeDataDependent = [0];
}
def RepeatOp : Op<"repeat"> {
  let Summary = "each element repeats times along an axis";
  let Operands = (ins Tensor:$data);
  let Attributes = RepeatAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferRepeat";
  let ShapeDataDependent = [0];
}
def BroadcastToOp : Op<"broadcast_to"> {
  let Summary = "data broadcast to a shape";
  let Operands = (ins Tensor:$data);
  let Attributes = InitOpAttrs;
  let FusionKind = Broadcast;
  let Relation = "inferBroadcastTo";
  let ShapeDataDependent = [1];
}
def BroadcastToLikeOp : Op<"broadcast_to_like"> {
  let Summary = "data broadcast to the shape of broadcast_type";
  let Operands = (ins Tensor:$data, Tensor:$broadcast_type);
  let FusionKind = Broadcast;
  let Relation = "inferBroadcastToLike";
  let ShapeDataDependent = [0];
}
def SlidingWindowAttrs : AttrsDef<"relay.attrs.SlidingWindowAttrs"> {
  let Fields = (ins Int:$axis, IntArray:$window_shape, IntArray:$strides);
}
def SlidingWindowOp : Op<"sliding_window"> {
  let Summary = "windows over the axes from axis on, as further axes";
  let Operands = (ins Tensor:$data);
  let Attributes = SlidingWindowAttrs;
  let Relation = "inferSlidingWindow";
}

#endif // RELAY_OPS_REARRANGE_TD
