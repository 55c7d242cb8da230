//===- SimplifyExpr.td - Rules of simplify-expr ------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule preserves the type of the root. If TVM's rule changes numbers by
// more than rounding, constraints exclude the cases in which it is wrong
// (docs/Differences.md).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_SIMPLIFYEXPR_TD
#define RELAY_TRANSFORMS_SIMPLIFY_SIMPLIFYEXPR_TD

include "relay/Ops/Elementwise.td"
include "relay/Ops/QNN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Sort.td"
include "relay/Ops/Tensor.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// Types.
def isStatic : Constraint<"hasStaticShape", ["Value *"]>;
def isReshapable : Constraint<"hasStaticShapeWithoutZero", ["Value *"]>;
def haveSameType : Constraint<"haveSameType", ["Value *", "Value *"]>;
// Returns true if a call has the type of its operand `x`, for any `?` in it and
// in its other operand.
def keepsShape : Constraint<"keepsShape", ["Value *", "Value *", "Value *"]>;
def isFloat : Constraint<"hasFloats", ["Value *"]>;
def shapeOf : NativeCode<"getShapeOf", "ArrayRef<Dim>", ["Value *"]>;
def dtypeOf : NativeCode<"getDTypeOf", "DType", ["Value *"]>;
// Constants.
def isNoConstant : Constraint<"isNoConstant", ["Value *"]>;
def sum : NativeCode<"addConstants", "Value *", ["Value *", "Value *"]>;
def product : NativeCode<"multiplyConstants", "Value *", ["Value *", "Value *"]>;

//===----------------------------------------------------------------------===//
// Shapes that are known
//===----------------------------------------------------------------------===//

def ConcretizeZerosLike
    : Rewrite<(ZerosLikeOp:$call ?), (ZerosOp (shapeOf $call), (dtypeOf $call)),
              [(isStatic $call)]>;
def ConcretizeOnesLike
    : Rewrite<(OnesLikeOp:$call ?), (OnesOp (shapeOf $call), (dtypeOf $call)),
              [(isStatic $call)]>;
def ConcretizeFullLike
    : Rewrite<(FullLikeOp:$call ?, $v),
              (FullOp $v, (shapeOf $call), (dtypeOf $call)),
              [(isStatic $call)]>;
def ConcretizeReshapeLike
    : Rewrite<(ReshapeLikeOp:$call $x, ?), (ReshapeOp $x, (shapeOf $call)),
              [(isReshapable $call)]>;
def shapeConstant : NativeCode<"createShapeConstant", "Value *", ["Value *"]>;
def ConcretizeCollapseSumLike
    : Rewrite<(CollapseSumLikeOp:$call $x, ?),
              (CollapseSumToOp $x, (shapeConstant $call), (shapeOf $call)),
              [(isStatic $call)]>;
def ConcretizeBroadcastToLike
    : Rewrite<(BroadcastToLikeOp:$call $x, ?), (BroadcastToOp $x, (shapeOf $call)),
              [(isStatic $call)]>;
def ConcretizeCastLike
    : Rewrite<(CastLikeOp:$call $x, ?), (CastOp $x, (dtypeOf $call))>;

//===----------------------------------------------------------------------===//
// Tensors of one number
//===----------------------------------------------------------------------===//

// A tensor that is one number everywhere.
defvar filled = (Either:$e (FullOp (Constant)), (ZerosOp), (OnesOp),
                        (FullLikeOp ?, (Constant)), (ZerosLikeOp ?),
                        (OnesLikeOp ?));
defvar element = (Either:$e (Constant), (FullOp (Constant)), (ZerosOp), (OnesOp),
                         (FullLikeOp ?, (Constant)), (ZerosLikeOp ?),
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

// The number of a tensor that is the same everywhere as a scalar.
def hasNumber : Constraint<"hasNumberOfItsType", ["Value *"]>;
def number : NativeCode<"createNumber", "Value *", ["Value *"]>;
// Sums and products match with swapped operands, too.
def isLeftOperand
    : Constraint<"isLeftOperand", ["Operation *", "Value *"]>;

let Benefit = 2 in
foreach op = [AddOp, SubtractOp, MultiplyOp, DivideOp, MaximumOp, MinimumOp,
              PowerOp, ModOp, FloorModOp, TruncModOp, FloorDivideOp,
              TruncDivideOp, LeftShiftOp, RightShiftOp, BitwiseAndOp,
              BitwiseOrOp, BitwiseXorOp, LogicalAndOp, LogicalOrOp,
              LogicalXorOp, EqualOp, NotEqualOp, LessOp, LessEqualOp, GreaterOp,
              GreaterEqualOp] in {
  def FullLhsOf#op : Rewrite<(op:$call filled, $x), (op (number $e), $x),
                             [(isLeftOperand $call, $e), (hasNumber $e),
                              (keepsShape $call, $x, $e)]>;
  def FullRhsOf#op : Rewrite<(op:$call $x, filled), (op $x, (number $e)),
                             [(hasNumber $e), (keepsShape $call, $x, $e)]>;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

def MergeAddedConstants
    : Rewrite<(AddOp (AddOp $x, (Constant:$c1)), (Constant:$c2)),
              (AddOp $x, (sum $c1, $c2)), [(isNoConstant $x)]>;
def MergeFactors
    : Rewrite<(MultiplyOp (MultiplyOp $x, (Constant:$c1)), (Constant:$c2)),
              (MultiplyOp $x, (product $c1, $c2)),
              [(isNoConstant $x)]>;
def DistributeFactor
    : Rewrite<(MultiplyOp (AddOp $x, (Constant:$c1)), (Constant:$c2)),
              (AddOp (MultiplyOp $x, $c2), (product $c1, $c2)),
              [(isNoConstant $x)]>;

// Not for booleans: twice True would be False.
def hasNumbers : Constraint<"hasNumbers", ["Value *"]>;
def two : NativeCode<"createTwo", "Value *", ["Value *"]>;
def DoubleOfItself
    : Rewrite<(AddOp $x, $x), (MultiplyOp $x, (two $x)), [(hasNumbers $x)]>;

def DivideBySquareRoot
    : Rewrite<(DivideOp $y, (SqrtOp $x)), (MultiplyOp $y, (RsqrtOp $x)),
              [(isFloat $x)]>;

// a x x + b x y + c y y in any form, as two factors.
def isBinomial : Constraint<"isBinomial">;
def factors : NativeCode<"createFactors">;
let Benefit = 0 in
def FactorBinomial : Rewrite<(AddOp:$sum (AddOp:$inner ?, ?), ?),
                             (factors $sum, $inner),
                             [(isBinomial $sum, $inner)]> {
  let Examples = [
    (AddOp (AddOp (MultiplyOp $x, $x),
                  (MultiplyOp (Constant), (MultiplyOp $x, $y))),
           (MultiplyOp $y, $y)),
    (AddOp (MultiplyOp (MultiplyOp (Constant), $y), $y),
           (AddOp (MultiplyOp (Constant), (MultiplyOp $x, $x)),
                  (MultiplyOp $y, (MultiplyOp $x, (Constant)))))
  ];
}

//===----------------------------------------------------------------------===//
// Shapes and layouts
//===----------------------------------------------------------------------===//

foreach outer = [ReshapeOp, ContribReverseReshapeOp] in
  foreach inner = [ReshapeOp, ContribReverseReshapeOp] in
    def outer#Of#inner
        : Rewrite<(outer:$call (inner $x)), (ReshapeOp $x, (shapeOf $call)),
                  [(isReshapable $call)]>;

def isIdentity : Constraint<"isIdentityRearrangement">;
foreach op = [TransposeOp, LayoutTransformOp] in
  def Identity#op : Rewrite<(op:$call $x), (value $x), [(isIdentity $call),
                                                        (haveSameType $call, $x)]>;

def canMerge : Constraint<"canMergeRearrangements", ["Operation *", "Operation *"]>;
def merged : NativeCode<"mergeRearrangements", "Value *",
                        ["Operation *", "Operation *"]>;
foreach outer = [TransposeOp, LayoutTransformOp] in
  foreach inner = [TransposeOp, LayoutTransformOp] in
    def outer#Of#inner : Rewrite<(outer:$outer (inner:$inner ?)),
                                 (merged $outer, $inner),
                                 [(canMerge $outer, $inner)]>;

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

// True if different integers become different floats, in the same order.
def keepsOrder : Constraint<"keepsOrder">;
// argmax of a tensor that contains only the least integer is -1.
let Except = [IntegerLimits] in
foreach op = [ArgmaxOp, ArgminOp, ArgsortOp] in
  def op#OfDequantize
      : Rewrite<(op:$call (QnnDequantizeOp:$floats $q, (Constant:$scale),
                                           (Constant:$z))),
                (op $q, (attrs $call)), [(keepsOrder $floats, $q, $scale, $z)]>;

#endif // RELAY_TRANSFORMS_SIMPLIFY_SIMPLIFYEXPR_TD
