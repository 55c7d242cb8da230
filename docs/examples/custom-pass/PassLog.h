// -log-passes: how each pass ended on each unit. An instrumentation with a
// flag, which is this file and a line of Custom.cpp.

#ifndef CUSTOM_PASSLOG_H
#define CUSTOM_PASSLOG_H

#include "relay/Instrumentation/Instrumentation.h"

namespace custom {

class PassLog : public relay::Instrumentation {
public:
  struct Options : relay::InstrumentationOptions {
    explicit Options(relay::FlagSet &Flags)
        : InstrumentationOptions(Flags, "Custom") {}
    relay::Flag<bool> Enabled{*this, "-log-passes",
                              "Print how each pass ended"};
    bool isEnabled() const override { return Enabled; }
  };
  static constexpr llvm::StringLiteral Name = "pass-log";

  PassLog(const Options &, const relay::InstrumentationSetup &Setup)
      : OS(*Setup.Stream) {}

  void registerCallbacks(relay::PassContext &PC) override {
    PC.getCallbacks().registerEndPassCallback(
        [this](const relay::PassRun &Run) {
          bool Changed = Run.getOutcome() == relay::PassRun::Outcome::Changed;
          OS << "// " << Run.getName() << " on " << Run.getUnit().getName()
             << (Changed           ? ": changed\n"
                 : Run.hasFailed() ? ": failed\n"
                                   : "\n");
        });
  }

private:
  llvm::raw_ostream &OS;
};

} // namespace custom

#endif // CUSTOM_PASSLOG_H
