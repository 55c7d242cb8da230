//===- Expansions.td - Operators that are compositions -----*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that simplify-inference replaces by what they compute, and the
// functions that do it.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_EXPANSIONS_TD
#define RELAY_TRANSFORMS_SIMPLIFY_EXPANSIONS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/NN.td"

// Spells `Op` out before `Root`, where `R` stands, and returns the replacement
// of `Root`: `Op` itself or, where that yields a tuple, its field 0. Returns
// null and changes nothing where it does not apply or a listener refuses the
// rewrite, which the function announces (startExpansion in SimplifyInference.cpp
// does so).
class Expansion<OpDef op, string function>
    : OpHook<"Expansion", "Value *(Rewriter &R, Operation *Op, Operation *Root)",
             op, function>;

def : Expansion<BatchNormOp, "expandBatchNorm">;
def : Expansion<DropoutOp, "expandDropout">;
def : Expansion<GroupNormOp, "expandGroupNorm">;
def : Expansion<InstanceNormOp, "expandInstanceNorm">;
def : Expansion<L2NormalizeOp, "expandL2Normalize">;
def : Expansion<LayerNormOp, "expandLayerNorm">;

#endif // RELAY_TRANSFORMS_SIMPLIFY_EXPANSIONS_TD
