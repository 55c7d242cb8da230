//===- Passes.cpp - Registration of the passes ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds what relay-tblgen generates for Passes.td. Each pass is defined in its
// own file.
//
//===----------------------------------------------------------------------===//

#include "relay/Transforms/Passes.h"
#include "Fold/ConstantBudget.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/Analysis/CountLayers.h"
#include "relay/Analysis/LetDominance.h"
#include "relay/Analysis/OpCounts.h"
#include "relay/Analysis/PostDominators.h"
#include "relay/Analysis/Purity.h"

namespace relay {

#include "relay/Transforms/PassRegistry.inc"

#define RELAY_OP_FACTS(NAME) void register##NAME(Context &);
#include "relay/Transforms/OpFacts.def"

void registerAllOpFacts(Context &Ctx) {
#define RELAY_OP_FACTS(NAME) register##NAME(Ctx);
#include "relay/Transforms/OpFacts.def"
}

/// Adds the tables of PatternTables.td.
void registerPatternTables(PassRegistry &Registry);

void registerAllPasses(PassRegistry &Registry) {
  registerGeneratedPasses(Registry);
  registerPatternTables(Registry);
  Registry.registerAnalysis<Module, CallGraphAnalysis>("call-graph");
  Registry.registerAnalysis<Module, PurityAnalysis>("purity");
  Registry.registerAnalysis<Function, CountLayersAnalysis>("count-layers");
  Registry.registerAnalysis<Function, DataflowGraphAnalysis>("dataflow-graph");
  Registry.registerAnalysis<Function, LetDominanceAnalysis>("let-dominance");
  Registry.registerAnalysis<Function, OpCountsAnalysis>("op-counts");
  Registry.registerAnalysis<Function, PostDominatorsAnalysis>(
      "post-dominators");
}

} // namespace relay
