// -log-passes: how each pass ended on each unit, and at the end how often each
// pass changed something. An instrumentation with a flag, which is this file
// and a line of Custom.cpp.

#ifndef CUSTOM_PASSLOG_H
#define CUSTOM_PASSLOG_H

#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/ADT/MapVector.h"

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

  /// The report is on all modules of the input.
  void takeOver(relay::Instrumentation &Previous) override {
    NumChanged = std::move(static_cast<PassLog &>(Previous).NumChanged);
  }

  void registerCallbacks(relay::PassContext &PC) override {
    PC.getCallbacks().registerEndPassCallback(
        [this](const relay::PassRun &Run) { note(Run); });
  }

  llvm::Error report(llvm::raw_ostream &Out, const relay::ModulePassManager &,
                     bool /*Failed*/) override {
    for (const auto &Entry : NumChanged)
      Out << "// runs of " << Entry.first
          << " that changed something: " << Entry.second << '\n';
    return llvm::Error::success();
  }

private:
  /// May be called by several threads: OS orders their text, and runInOrder()
  /// orders their counts.
  void note(const relay::PassRun &Run) {
    bool Changed = Run.getOutcome() == relay::PassRun::Outcome::Changed;
    OS << "// " << Run.getName() << " on " << Run.getUnit().getName()
       << (Changed           ? ": changed\n"
           : Run.hasFailed() ? ": failed\n"
                             : "\n");
    if (Changed)
      relay::runInOrder([this, Pass = Run.getName()] { ++NumChanged[Pass]; });
  }

  llvm::raw_ostream &OS;
  llvm::MapVector<llvm::StringRef, unsigned> NumChanged; // by the pass's name
};

} // namespace custom

#endif // CUSTOM_PASSLOG_H
