// A plugin whose pass crashes; or, as the environment says, what it hangs into
// the pass manager.
#include "relay/Session/Plugin.h"
#include <cstdlib>

#include "Passes.h.inc"

using namespace relay;

#include "PassRegistry.inc"

namespace {
class PluginCrash final : public PluginCrashBase<PluginCrash> {
public:
  using PluginCrashBase::PluginCrashBase;
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    if (F.getName() == Options.Function)
      std::abort();
    return PreservedAnalyses::all();
  }
};
} // namespace

std::unique_ptr<Pass> createPluginCrashPass(PluginCrashOptions Options) {
  return std::make_unique<PluginCrash>(std::move(Options));
}

namespace {
/// An instrument whose hook crashes.
class CrashingInstrument final : public PassInstrument {
public:
  CrashingInstrument() : PassInstrument("CrashingInstrument") {}
  llvm::Error runBeforePass(Module &, const PassInfo &) override {
    std::abort();
  }
};
} // namespace

namespace {
/// Crashes where the environment says.
class Crasher final : public Instrumentation {
public:
  struct Options : InstrumentationOptions {
    explicit Options(FlagSet &Flags)
        : InstrumentationOptions(Flags, "Debugging") {}
    bool isEnabled() const override { return true; }
  };
  static constexpr StringLiteral Name = "crasher";

  Crasher(const Options &, const InstrumentationSetup &) {}

  void registerCallbacks(PassContext &PC) override {
    StringRef Where = std::getenv("CRASH_IN") ? std::getenv("CRASH_IN") : "";
    PassInstrumentationCallbacks &PIC = PC.getCallbacks();
    if (Where == "before")
      PIC.registerBeforeNonSkippedPassCallback(
          [](const PassRun &) { std::abort(); });
    if (Where == "after")
      PIC.registerAfterPassCallback(
          [](const PassRun &) -> LogicalResult { std::abort(); });
    if (Where == "instrument")
      PC.addInstrument(std::make_unique<CrashingInstrument>());
    if (Where == "enter")
      PIC.registerEnterPassContextCallback([](PassContext &) { std::abort(); });
  }
};
} // namespace

static void registerInstrumentations(InstrumentationList &List) {
  List.add<Crasher>();
}

const PluginInfo *relayGetPluginInfo() {
  static const PluginInfo Info(
      "crash-plugin",
      {nullptr, registerGeneratedPasses, registerInstrumentations});
  return &Info;
}
