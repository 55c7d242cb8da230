// A plugin whose pass crashes.
#include "relay/Driver/Plugin.h"
#include <cstdlib>

#include "Passes.h.inc"

using namespace relay;

#include "PassRegistry.inc"

namespace {
class PluginCrash final : public PluginCrashBase {
public:
  using PluginCrashBase::PluginCrashBase;
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &, PassContext &) override {
    if (F.getName() == Options.Function)
      std::abort();
    return PreservedAnalyses::all();
  }
};
} // namespace

std::unique_ptr<Pass> createPluginCrashPass(PluginCrashOptions Options) {
  return std::make_unique<PluginCrash>(std::move(Options));
}

const PluginInfo *relayGetPluginInfo() {
  static const PluginInfo Info("crash-plugin", {nullptr, registerGeneratedPasses, nullptr});
  return &Info;
}
