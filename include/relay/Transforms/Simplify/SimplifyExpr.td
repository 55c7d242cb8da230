//===- SimplifyExpr.td - Rules of simplify-expr ------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule preserves the type of the root. If TVM's rule changes numbers by
// more than rounding, constraints exclude the cases in which it is wrong
// (docs/Differences.md). The pass has the rules of SimplifyExprPostAlterOp.td
// too.
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
include "relay/Transforms/Simplify/SimplifyExprPostAlterOp.td"

// Types.
def isStatic : Constraint<"hasStaticShape", ["Value *"]>;
def isFloat : Constraint<"hasFloats", ["Value *"]>;
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

let Benefit = 3 in {
defvar full = (Either:$e (FullOp (Constant)), (FullLikeOp ?, (Constant)));
foreach op = [AddOp, SubtractOp] in
  def op#WithFullOfZeros
      : Rewrite<(op:$call $x, full), (value $x),
                [(isFilledWith $e, 0), (keepsShape $call, $x, $e)]>;
foreach op = [MultiplyOp, DivideOp] in
  def op#WithFullOfOnes
      : Rewrite<(op:$call $x, full), (value $x),
                [(isFilledWith $e, 1), (keepsShape $call, $x, $e)]>;
// Sums and products match with swapped operands, too, but not where both are.
def FullOfZerosWithAddOp
    : Rewrite<(AddOp:$call full, other), (value $x),
              [(isFilledWith $e, 0), (keepsShape $call, $x, $e)]>;
def FullOfOnesWithMultiplyOp
    : Rewrite<(MultiplyOp:$call full, other), (value $x),
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
// Layouts
//===----------------------------------------------------------------------===//

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
