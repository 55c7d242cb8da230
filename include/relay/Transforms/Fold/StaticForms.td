//===- StaticForms.td - Operators with constant shapes -----*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators that dynamic-to-static creates from operators of the dialect
// `dyn` whose shapes and counts are constants. As in TVM, dyn.expand_dims stays.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_FOLD_STATICFORMS_TD
#define RELAY_TRANSFORMS_FOLD_STATICFORMS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/Dyn.td"
include "relay/Ops/Image.td"
include "relay/Ops/Index.td"
include "relay/Ops/NN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Sort.td"
include "relay/Ops/Sparse.td"
include "relay/Ops/Tensor.td"

// A constant operand, whose numbers become `attribute`.
class StaticOperand<int index, string attribute> {
  string Text = "{" # index # ", \"" # attribute # "\"}";
}
// An operand that must be constant, and stays an operand.
class ConstantOperand<int index> : StaticOperand<index, "">;

// Returns the operator `form` for `op` if the listed operands are constants; it
// keeps the other operands and the other attributes. `GetData` returns the value
// of an operand, null if it is not constant. Has no opinion if an operand is not
// constant or an attribute cannot have its numbers.
class StaticForm<OpDef op, OpDef form, list<StaticOperand> operands>
    : OpHook<"StaticForm", op, "getStaticForm"> {
  let Arguments = (ins "const Operation &":$Op, "ConstantLookup":$GetData);
  let Result = HookResult<"StaticOp", "!$_self.Info">;
  let DataType = "const StaticFormInfo &";
  let Data = "StaticFormInfo{&" # form # "::getInfo, {"
             # !interleave(!foreach(o, operands, o.Text), ", ") # "}}";
}

def : StaticForm<DynBroadcastToOp, BroadcastToOp, [StaticOperand<1, "shape">]>;
def : StaticForm<DynFullOp, FullOp, [StaticOperand<1, "shape">]>;
def : StaticForm<DynOneHotOp, OneHotOp, [StaticOperand<3, "depth">]>;
def : StaticForm<DynOnesOp, OnesOp, [StaticOperand<0, "shape">]>;
def : StaticForm<DynPadOp, PadOp,
                 [StaticOperand<1, "pad_width">, ConstantOperand<2>]>;
def : StaticForm<DynReshapeOp, ReshapeOp, [StaticOperand<1, "newshape">]>;
def : StaticForm<DynResize2DOp, Resize2DOp,
                 [StaticOperand<1, "size">, StaticOperand<2, "roi">]>;
def : StaticForm<DynSparseToDenseOp, SparseToDenseOp,
                 [StaticOperand<3, "output_shape">]>;
def : StaticForm<DynSqueezeOp, SqueezeOp, [StaticOperand<1, "axis">]>;
def : StaticForm<DynStridedSliceOp, StridedSliceOp,
                 [StaticOperand<1, "begin">, StaticOperand<2, "end">,
                  StaticOperand<3, "strides">]>;
def : StaticForm<DynTileOp, TileOp, [StaticOperand<1, "reps">]>;
def : StaticForm<DynTopkOp, TopkOp, [StaticOperand<1, "k">]>;
def : StaticForm<DynUpSamplingOp, UpSamplingOp,
                 [StaticOperand<1, "scale_h">, StaticOperand<2, "scale_w">]>;
def : StaticForm<DynUpSampling3DOp, UpSampling3DOp,
                 [StaticOperand<1, "scale_d">, StaticOperand<2, "scale_h">,
                  StaticOperand<3, "scale_w">]>;
def : StaticForm<DynZerosOp, ZerosOp, [StaticOperand<0, "shape">]>;

#endif // RELAY_TRANSFORMS_FOLD_STATICFORMS_TD
