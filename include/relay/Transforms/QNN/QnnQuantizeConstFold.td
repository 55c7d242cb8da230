//===- QnnQuantizeConstFold.td - Quantized constants -------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// qnn.quantize of constants.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_QNN_QNNQUANTIZECONSTFOLD_TD
#define RELAY_TRANSFORMS_QNN_QNNQUANTIZECONSTFOLD_TD

include "relay/Ops/QNN.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// All data is known, the scales are positive, and scales and numbers are
// finite.
def isMeaningful : Constraint<"isMeaningfulQuantization">;
// A limit of the size.
def fits : Constraint<"fitsInMemory">;
def quantized : NativeCode<"evaluateQuantize">;

def QuantizeConstant
    : Rewrite<(QnnQuantizeOp:$call (Constant:$data), (Constant:$scale),
                                   (Constant:$zero)),
              (quantized $call),
              [(fits $data), (isMeaningful $data, $scale, $zero)]>;

#endif // RELAY_TRANSFORMS_QNN_QNNQUANTIZECONSTFOLD_TD
