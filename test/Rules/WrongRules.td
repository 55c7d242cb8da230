//===- WrongRules.td - Rules that the test rejects ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule is wrong in a different way, except the last ones.
//
//===----------------------------------------------------------------------===//

include "relay/Ops/Elementwise.td"
include "relay/Ops/NN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Tensor.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// Permutations are composed in reverse order. Two permutations of two axes do
// not show the error.
def composeInReverse
    : NativeCode<"composeInReverse", "Value *",
                 ["TransposeOp", "TransposeOp"]>;
def haveAxes : Constraint<"haveAxesInReverse", ["TransposeOp", "TransposeOp"]>;
def WrongOrderOfAxes
    : Rewrite<(TransposeOp:$outer (TransposeOp:$inner $x)),
              (composeInReverse $outer, $inner), [(haveAxes $outer, $inner)]>;

// Wrong for NaN and infinities.
def WrongForNaN : Rewrite<(SubtractOp $x, $x), (ZerosLikeOp $x)>;
// As above, but declared.
let Except = [NotFinite] in
def ExceptsNaN : Rewrite<(MultiplyOp $x, (ZerosLikeOp $x)), (ZerosLikeOp $x)>;

// Wrong if an extent of 1 is broadcast.
def haveSameRank : Constraint<"haveSameRank", ["Value *", "Value *"]>;
def WrongForExtentOf1
    : Rewrite<(SumOp:$sum (AddOp $x, $y)),
              (AddOp (SumOp $x, (attrs $sum)), (SumOp $y, (attrs $sum))),
              [(haveSameRank $x, $y)]>;

// Wrong for the least integer, whose absolute value is itself.
def WrongForLeastInteger
    : Rewrite<(MaximumOp (AbsOp $x), (ZerosLikeOp $x)), (AbsOp $x)>;

// Correct only within a large error.
let Except = [NotFinite] in
def OnlyRoughly : Rewrite<(ErfOp (HasDType "float32", $x)), (FastErfOp $x)>;
def NotEvenRoughly : Rewrite<(SinOp $x), (value $x)>;

// Wrong even without an evaluation.
def NeverEnds : Rewrite<(FloorOp $x), (FloorOp (NegativeOp $x))>;
def OtherType : Rewrite<(CeilOp $x), (ReshapeOp $x, ints<[-1]>)>;

// It has no instances.
def isNever : Constraint<"isNever", ["Value *"]>;
def NeverApplies : Rewrite<(NegativeOp $x), (value $x), [(isNever $x)]>;

// Correct rules.
def Right : Rewrite<(NegativeOp (NegativeOp $x)), (value $x)>;
def Cancels : Rewrite<(SubtractOp (AddOp $x, $y), $z),
                      (AddOp (SubtractOp $x, $z), $y)>;
