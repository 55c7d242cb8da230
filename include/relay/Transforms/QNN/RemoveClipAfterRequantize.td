//===- RemoveClipAfterRequantize.td - Redundant clips ------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// qnn.requantize saturates to the range of its result.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_QNN_REMOVECLIPAFTERREQUANTIZE_TD
#define RELAY_TRANSFORMS_QNN_REMOVECLIPAFTERREQUANTIZE_TD

include "relay/Ops/Elementwise.td"
include "relay/Ops/QNN.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// The first data type is int32, the second one is narrower, and the limits are
// its range.
def narrowsTo : Constraint<"narrowsToRange">;
defvar wide = (QnnRequantizeOp:$wide $data, $in_scale, $in_zero, $scale, $zero,
                                     (attrs $out_dtype));

def NarrowRequantize
    : Rewrite<(CastOp (ClipOp wide, $lo, $hi), $dtype),
              (QnnRequantizeOp $data, $in_scale, $in_zero, $scale, $zero,
                               (attrs $wide, (value $dtype):$out_dtype)),
              [(narrowsTo $out_dtype, $lo, $hi, $dtype)]> {
  let Examples = [(CastOp (ClipOp wide, -128, 127), $dtype),
                  (CastOp (ClipOp wide, 0, 255), $dtype)];
}

#endif // RELAY_TRANSFORMS_QNN_REMOVECLIPAFTERREQUANTIZE_TD
