//===- FusionRules.td - Fusion kinds that depend on more ---*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations whose fusion kind depends on their types or attributes, and
// operators whose fusion kind a target or a user changes.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_FUSIONRULES_TD
#define RELAY_ANALYSIS_FUSIONRULES_TD

include "relay/IR/Core.td"

// The fusion kind of `Op`, instead of OpInfo::Fusion; `Graph` is under
// construction.
class FusionRule<OpDef op, string function>
    : OpHook<"FusionRule", op, function> {
  let Arguments = (ins "DataflowGraph &":$Graph, "const Operation &":$Op);
  let Result = HookResult<"FusionKind">;
}

def : FusionRule<ConstantOp, "getFusionKindOfConstant">;
def : FusionRule<TupleGetItemOp, "getFusionKindOfProjection">;

// The fusion kind of an operator, instead of the one of its record: TVM's
// register_pattern. There are no records of it; files, targets and plugins add
// entries.
class FusionPattern<OpDef op, string value>
    : OpFact<"FusionPattern", op, value> {
  let Type = EnumFact<["elem-wise", "broadcast", "injective", "comm-reduce",
                       "out-elem-wise-fusable", "opaque"]>;
}

#endif // RELAY_ANALYSIS_FUSIONRULES_TD
