//===- DivToMul.td - Rules of div-to-mul -------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division by a constant.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_DIVTOMUL_TD
#define RELAY_TRANSFORMS_SIMPLIFY_DIVTOMUL_TD

include "relay/Ops/Elementwise.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// A float16, float32 or float64 without a zero, and its inverse, element by
// element.
def hasReciprocal : Constraint<"hasReciprocal">;
def reciprocal : NativeCode<"createReciprocal">;

def DivideByConstant
    : Rewrite<(DivideOp $x, (Constant:$c)), (MultiplyOp $x, (reciprocal $c)),
              [(hasReciprocal $c)]>;

#endif // RELAY_TRANSFORMS_SIMPLIFY_DIVTOMUL_TD
