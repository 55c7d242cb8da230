//===- Expansions.td - Operators that are compositions -----*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that simplify-inference expands into simpler ones, and the
// functions that expand them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_EXPANSIONS_TD
#define RELAY_TRANSFORMS_SIMPLIFY_EXPANSIONS_TD

include "relay/IR/OpBase.td"
include "relay/Ops/NN.td"

// Computes `Result` by operations that it creates with `R`, and returns a value
// of the same or a less dynamic type; simplify-inference puts it in place, and
// fails if the type is another one. Before it creates any, it announces the
// rewrite by Result.start(R). Returns null and has created nothing if it does
// not apply or if start() returns false. See Expansion.h.
class Expansion<OpDef op, string function>
    : OpHook<"Expansion", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "ExpandedResult &":$Result);
  let Result = NullIsNoOpinion<"Value *">;
}

def : Expansion<BatchNormOp, "expandBatchNorm">;
def : Expansion<DropoutOp, "expandDropout">;
def : Expansion<GroupNormOp, "expandGroupNorm">;
def : Expansion<InstanceNormOp, "expandInstanceNorm">;
def : Expansion<L2NormalizeOp, "expandL2Normalize">;
def : Expansion<LayerNormOp, "expandLayerNorm">;

#endif // RELAY_TRANSFORMS_SIMPLIFY_EXPANSIONS_TD
