//===- FusionRules.td - Fusion kinds that depend on more ---*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations whose fusion kind is not simply that of their operator's record,
// but depends on their types or attributes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_FUSIONRULES_TD
#define RELAY_ANALYSIS_FUSIONRULES_TD

include "relay/IR/Core.td"

// The fusion kind of `Op`, instead of OpInfo::Fusion; `Graph` is under
// construction.
class FusionRule<OpDef op, string function>
    : OpHook<"FusionRule",
             "FusionKind(DataflowGraph &Graph, const Operation &Op)", op,
             function>;

def : FusionRule<ConstantOp, "getFusionKindOfConstant">;
def : FusionRule<TupleGetItemOp, "getFusionKindOfProjection">;

#endif // RELAY_ANALYSIS_FUSIONRULES_TD
