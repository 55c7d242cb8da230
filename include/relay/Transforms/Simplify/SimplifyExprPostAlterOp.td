//===- SimplifyExprPostAlterOp.td - Rules without layouts --*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of simplify-expr that TVM applies again after alter-op-layout. Each
// rule preserves the type of the root (see SimplifyExpr.td).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_SIMPLIFYEXPRPOSTALTEROP_TD
#define RELAY_TRANSFORMS_SIMPLIFY_SIMPLIFYEXPRPOSTALTEROP_TD

include "relay/Ops/Elementwise.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Tensor.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// Types.
def isReshapable : Constraint<"hasStaticShapeWithoutZero", ["Value *"]>;
def haveSameType : Constraint<"haveSameType", ["Value *", "Value *"]>;
// Returns true if a call has the type of its operand `x`, for any `?` in it and
// in its other operand.
def keepsShape : Constraint<"keepsShape", ["Value *", "Value *", "Value *"]>;
def shapeOf : NativeCode<"getShapeOf", "ArrayRef<Dim>", ["Value *"]>;

//===----------------------------------------------------------------------===//
// Operations without effect
//===----------------------------------------------------------------------===//

// A tensor that may be one number everywhere. TVM leaves `full` to simplify-expr.
defvar element = (Either:$e (Constant), (ZerosOp), (OnesOp), (ZerosLikeOp ?),
                         (OnesLikeOp ?));
defvar other = (Either:$x (Constant), (FullOp (Constant)), (ZerosOp), (OnesOp),
                       (FullLikeOp ?, (Constant)), (ZerosLikeOp ?),
                       (OnesLikeOp ?));
// True if all elements are that number.
def isFilledWith : Constraint<"isFilledWith", ["Value *", "int64_t"]>;

let Benefit = 3 in {
foreach op = [AddOp, SubtractOp] in
  def op#WithZero : Rewrite<(op:$call $x, element), (value $x),
                            [(isFilledWith $e, 0), (keepsShape $call, $x, $e)]>;
foreach op = [MultiplyOp, DivideOp] in
  def op#WithOne : Rewrite<(op:$call $x, element), (value $x),
                           [(isFilledWith $e, 1), (keepsShape $call, $x, $e)]>;
// Sums and products match with swapped operands, too, but not where both are.
def ZeroWithAddOp : Rewrite<(AddOp:$call element, other), (value $x),
                            [(isFilledWith $e, 0), (keepsShape $call, $x, $e)]>;
def OneWithMultiplyOp
    : Rewrite<(MultiplyOp:$call element, other), (value $x),
              [(isFilledWith $e, 1), (keepsShape $call, $x, $e)]>;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

foreach outer = [ReshapeOp, ContribReverseReshapeOp] in
  foreach inner = [ReshapeOp, ContribReverseReshapeOp] in
    def outer#Of#inner
        : Rewrite<(outer:$call (inner $x)), (ReshapeOp $x, (shapeOf $call)),
                  [(isReshapable $call)]>;

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

let Benefit = 2 in
def CastToItself
    : Rewrite<(CastOp:$call $x), (value $x), [(haveSameType $call, $x)]>;
// True if the second type represents all values of the first.
def isLossless : Constraint<"isLosslessCast", ["Value *", "Value *"]>;
def MergeCasts : Rewrite<(CastOp (CastOp:$middle $x), $dtype), (CastOp $x, $dtype),
                         [(isLossless $x, $middle)]>;

def coversAll : Constraint<"coversAllNumbers">;
// The clip makes NaN and infinities finite.
let Except = [NotFinite] in
def ClipNothing
    : Rewrite<(ClipOp $x, $lo, $hi), (value $x), [(coversAll $x, $lo, $hi)]>;
// True if the last cast alone gives the clipped numbers the same values.
def keepsClipped : Constraint<"keepsClippedNumbers">;
def CastOfClipped
    : Rewrite<(CastOp:$last (CastOp:$middle (ClipOp:$clip ?, $lo, $hi)), $dtype),
              (CastOp $clip, $dtype),
              [(keepsClipped $clip, $middle, $last, $lo, $hi)]>;

#endif // RELAY_TRANSFORMS_SIMPLIFY_SIMPLIFYEXPRPOSTALTEROP_TD
