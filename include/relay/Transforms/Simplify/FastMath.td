//===- FastMath.td - Rules of fast-math --------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators with a fast approximation.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_FASTMATH_TD
#define RELAY_TRANSFORMS_SIMPLIFY_FASTMATH_TD

include "relay/Ops/Elementwise.td"
include "relay/Ops/NN.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// Applies to floats only: the approximation of an integer would be another
// integer.
def isFloat : Constraint<"isFloatTensor", ["Value *"]>;

def FastExp : Rewrite<(ExpOp $x), (FastExpOp $x), [(isFloat $x)]>;
def FastTanh : Rewrite<(TanhOp $x), (FastTanhOp $x), [(isFloat $x)]>;
// NaN becomes 1, and float16 from 3 on more than 1.
let Except = [NotFinite, NarrowFloats] in
def FastErf : Rewrite<(ErfOp $x), (FastErfOp $x), [(isFloat $x)]>;
def FastSoftmax
    : Rewrite<(SoftmaxOp $x, $axis), (FastSoftmaxOp $x, $axis), [(isFloat $x)]>;

#endif // RELAY_TRANSFORMS_SIMPLIFY_FASTMATH_TD
