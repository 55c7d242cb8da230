// The generated definitions, the analysis, an instrument, and what registers
// them.

#include "Custom.h"
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

namespace {
/// Hears of each pass once, over the whole module.
class PassLog : public PassInstrument {
public:
  PassLog() : PassInstrument("PassLog") {}

  llvm::Error runBeforePass(Module &, const PassInfo &Info) override {
    llvm::errs() << "// begins: " << Info.Name << '\n';
    return llvm::Error::success();
  }
  llvm::Error runAfterPass(Module &, const PassInfo &Info) override {
    llvm::errs() << "// ends: " << Info.Name << '\n';
    return llvm::Error::success();
  }
};
} // namespace

static void registerOps(Context &Ctx) {
  registerCustomOpsOps(Ctx);
  registerCustomHooks(Ctx);
}

static void registerPasses(PassRegistry &Registry) {
  custom::registerGeneratedPasses(Registry);
  Registry.registerAnalysis<Function, custom::SwishCountAnalysis>(
      "swish-count");
}

static void registerInstrumentation(PassContext &PC) {
  if (PC.getConfig(custom::LogPasses))
    PC.addInstrument(std::make_unique<PassLog>());
}

RelayOptExtension custom::getExtension() {
  return {registerOps, registerPasses, registerInstrumentation};
}
