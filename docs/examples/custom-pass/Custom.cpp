// The generated definitions, the analysis, and what registers them.

#include "Custom.h"
#include "PassLog.h"
#include "relay/IR/Walk.h"

#include "CustomOps.cpp.inc"

using namespace relay;

namespace custom {

#include "PassRegistry.inc"

AnalysisKey SwishCountAnalysis::Key;

SwishCount SwishCountAnalysis::run(Function &F, FunctionAnalysisManager &) {
  SwishCount Count;
  walk(F, [&](Operation *Op) { Count.Calls += isa<SwishOp>(Op); });
  return Count;
}

void SwishCount::print(raw_ostream &OS) const {
  OS << Calls << " calls of custom.swish\n";
}

} // namespace custom

static void registerPasses(PassRegistry &Registry) {
  custom::registerGeneratedPasses(Registry);
  Registry.registerAnalysis<Function, custom::SwishCountAnalysis>(
      "swish-count");
}

static void registerInstrumentations(InstrumentationList &List) {
  List.add<custom::PassLog>();
}

RelayOptExtension custom::getExtension() {
  return {registerCustomOpsOps, registerPasses, registerInstrumentations};
}
