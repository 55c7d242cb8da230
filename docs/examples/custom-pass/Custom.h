// What this project adds to relay-opt: generated declarations, an analysis, and
// the function that names all of it.

#ifndef CUSTOM_CUSTOM_H
#define CUSTOM_CUSTOM_H

#include "relay/Driver/RelayOptMain.h"
#include "relay/IR/Builder.h"
#include "relay/IR/TypeRelation.h"
#include "relay/Pass/PassManager.h"
#include "relay/Transforms/Expansions.h.inc"

#include "CustomHooks.h.inc"
#include "CustomOps.h.inc"

namespace custom {

using relay::Pass;
#include "Passes.h.inc"

/// How often custom.swish is called in a function: `print<swish-count>`.
struct SwishCount {
  unsigned Calls = 0;
  void print(llvm::raw_ostream &OS) const;
};

struct SwishCountAnalysis {
  using Result = SwishCount;
  static relay::AnalysisKey Key;
  static llvm::StringRef name() { return "SwishCountAnalysis"; }
  Result run(relay::Function &F, relay::FunctionAnalysisManager &);
};

relay::RelayOptExtension getExtension();

} // namespace custom

#endif // CUSTOM_CUSTOM_H
