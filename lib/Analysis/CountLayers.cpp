//===- CountLayers.cpp - Depth in layers ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk that visits each operation after its operands.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/CountLayers.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassContext.h"

using namespace relay;

AnalysisKey CountLayersAnalysis::Key;

LayerCount::LayerCount(Function &F, ArrayRef<const OpInfo *> Operators) {
  llvm::DenseMap<const Value *, unsigned> Depths; // zeros left out
  walk(F, [&](Operation *Op) {
    unsigned Depth = 0;
    for (Value *V : Op->operands())
      Depth = std::max(Depth, Depths.lookup(V));
    for (Block &B : Op->getRegions())
      Depth = std::max(Depth, Depths.lookup(B.getResult()));
    Depth += llvm::is_contained(Operators, &Op->getInfo());
    if (auto Call = dyn_cast<CallValueOp>(Op)) {
      unsigned Before = 0;
      for (Value *V : Call.arguments())
        Before = std::max(Before, Depths.lookup(V));
      Depth = Before + Depths.lookup(Call.callee());
    }
    if (Depth)
      Depths[Op] = Depth;
    Count = std::max(Count, Depth);
  });
}

void LayerCount::print(raw_ostream &OS) const {
  OS << Count << (Count == 1 ? " layer\n" : " layers\n");
}

ArrayRef<PassOptionInfo> CountLayersAnalysis::getOptions() {
  static constexpr PassOptionInfo Options[] = {
      {"operators", PassOptionKind::String, "nn.conv2d,nn.dense",
       "operators that count as layers", PassOptionShape::List,
       /*IsOptional=*/false,
       /*IsPositional=*/true}};
  return Options;
}

CountLayersAnalysis::CountLayersAnalysis(const PassOptionValues &Arguments) {
  Arguments.get("operators", Operators);
}

FailureOr<LayerCount> CountLayersAnalysis::run(Function &F,
                                               FunctionAnalysisManager &AM) {
  SmallVector<const OpInfo *> Infos;
  for (const std::string &Name : Operators) {
    const OpInfo *Info = F.getContext().lookupOp(Name);
    if (!Info)
      return AM.getPassContext().getDiagnostics().emitError(
                 Location(),
                 "cannot count layers: unknown operator '" + Twine(Name) + "'")
             << getSuggestion(Name, F.getContext().getOperatorNames());
    Infos.push_back(Info);
  }
  return LayerCount(F, Infos);
}
