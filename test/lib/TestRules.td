//===- TestRules.td - Rules that do wrong ------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that the driver of rules is tried on, by test-rules of relay-test-opt.
//
//===----------------------------------------------------------------------===//

include "relay/Ops/Elementwise.td"
include "relay/Ops/NN.td"
include "relay/Ops/Rearrange.td"
include "relay/Ops/Tensor.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// They never end.
def GrowTanh : Rewrite<(TanhOp $x), (TanhOp (ExpOp $x))>;
def SwapSinCos : Rewrite<(SinOp $x), (CosOp $x)>;
def SwapCosSin : Rewrite<(CosOp $x), (SinOp $x)>;

// The value has another type.
def Flatten : Rewrite<(ReluOp $x), (ReshapeOp $x, ints<[-1]>)>;

// The greater benefit comes first, then the order of the file.
def isAnything : Constraint<"isAnything">;
def SqrtToLog : Rewrite<(SqrtOp $x), (LogOp $x)>;
def SqrtToExp : Rewrite<(SqrtOp $x), (ExpOp $x), [(isAnything $x)], 2>;

// With other uses of what is inside, and without.
def NegateTwice : Rewrite<(NegativeOp (NegativeOp $x)), (value $x)>;
def CeilOfFloor : Rewrite<(CeilOp (FloorOp:$inner ?)), (value $inner)> {
  let SharesInner = 1;
}

// Attributes, types, alternatives, tuples.
def SwapAxes
    : Rewrite<(TransposeOp (HasDType "float16", $x), ints<[1, 0]>),
              (TransposeOp $x, ints<[-1, -2]>)>;
def FirstOfPair : Rewrite<(TupleGetItemOp (TupleOp $a, ?), 0), (value $a)>;
def SoftmaxOfActivation
    : Rewrite<(SoftmaxOp (Either (SigmoidOp $x), (LeakyReluOp $x)),
                         (attrs $axis)),
              (SoftmaxOp $x, (attrs (value $axis):$axis))>;
def SameAxis : Rewrite<(SoftmaxOp (LogSoftmaxOp $x, $axis), $axis),
                       (SoftmaxOp $x, $axis)>;

// Right within a tolerance.
def ApproximateErf : Rewrite<(ErfOp $x), (FastErfOp $x)>;

// Where the condition holds.
def isScalar : Constraint<"isScalar">;
def ScalarFloor : Rewrite<(FloorOp $x), (CeilOp $x), [(isScalar $x)]>;

// For test-composites.
def : CompositePattern<"test.relu_of_add", (ReluOp (AddOp $x, (Constant)))>;
def : CompositePattern<"test.softmax", (SoftmaxOp $x, $axis)>;
def : CompositePattern<"test.tanh", (TanhOp ?)>;
