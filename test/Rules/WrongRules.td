//===- WrongRules.td - Rules that the test rejects ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule is wrong in some way that a rule may be wrong in, but for the last
// ones.
//
//===----------------------------------------------------------------------===//

include "relay/Ops/Elementwise.td"
include "relay/Ops/NN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Reduce.td"
include "relay/Ops/Tensor.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// Permutations are composed the wrong way round, which two of two axes do not
// show.
def composeInReverse
    : NativeCode<"composeInReverse", "Value *",
                 ["TransposeOp", "TransposeOp"]>;
def haveAxes : Constraint<"haveAxesInReverse", ["TransposeOp", "TransposeOp"]>;
def WrongOrderOfAxes
    : Rewrite<(TransposeOp:$outer (TransposeOp:$inner $x)),
              (composeInReverse $outer, $inner), [(haveAxes $outer, $inner)]>;

// Not for NaN and infinities.
def WrongForNaN : Rewrite<(SubtractOp $x, $x), (ZerosLikeOp $x)>;
// The same, but said to be so.
let Except = [NotFinite] in
def ExceptsNaN : Rewrite<(MultiplyOp $x, (ZerosLikeOp $x)), (ZerosLikeOp $x)>;

// Not where an extent of 1 is broadcast.
def haveSameRank : Constraint<"haveSameRank", ["Value *", "Value *"]>;
def WrongForExtentOf1
    : Rewrite<(SumOp:$sum (AddOp $x, $y)),
              (AddOp (SumOp $x, (attrs $sum)), (SumOp $y, (attrs $sum))),
              [(haveSameRank $x, $y)]>;

// Not for the least integer, whose absolute value is itself.
def WrongForLeastInteger
    : Rewrite<(MaximumOp (AbsOp $x), (ZerosLikeOp $x)), (AbsOp $x)>;

// Only within rounding, and by far more.
let Except = [NotFinite] in
def OnlyRoughly : Rewrite<(ErfOp (HasDType "float32", $x)), (FastErfOp $x)>;
def NotEvenRoughly : Rewrite<(SinOp $x), (value $x)>;

// Wrong without being evaluated.
def NeverEnds : Rewrite<(FloorOp $x), (FloorOp (NegativeOp $x))>;
def OtherType : Rewrite<(CeilOp $x), (ReshapeOp $x, ints<[-1]>)>;

// No instance is made of it.
def isNever : Constraint<"isNever", ["Value *"]>;
def NeverApplies : Rewrite<(NegativeOp $x), (value $x), [(isNever $x)]>;

// They are right.
def Right : Rewrite<(NegativeOp (NegativeOp $x)), (value $x)>;
def Cancels : Rewrite<(SubtractOp (AddOp $x, $y), $z),
                      (AddOp (SubtractOp $x, $z), $y)>;
