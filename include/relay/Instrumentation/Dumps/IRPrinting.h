//===- IRPrinting.h - Dumps before and after passes -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -print-before, -print-after and related flags. IRDumper formats the dumps. A
// failed pass is dumped too, with a header that states the failure.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_IRPRINTING_H
#define RELAY_INSTRUMENTATION_DUMPS_IRPRINTING_H

#include "relay/Instrumentation/Dumps/IRDumper.h"
#include "relay/Support/Flags.h"

namespace relay {

struct IRPrintingOptions : FlagGroup {
  explicit IRPrintingOptions(FlagSet &Flags) : FlagGroup(Flags, "Dumps") {}

  Flag<bool> BeforeAll{*this, "-print-before-all", "Dump IR before each pass"};
  Flag<bool> AfterAll{*this, "-print-after-all", "Dump IR after each pass"};
  /// Arguments of passes.
  ListFlag<std::string> Before{
      *this, "-print-before", "Dump IR before these passes",
      flag::CommaSeparated(), flag::ValueName{"pass,..."}};
  ListFlag<std::string> After{
      *this, "-print-after", "Dump IR after these passes",
      flag::CommaSeparated(), flag::ValueName{"pass,..."}};

  bool any() const {
    return BeforeAll || AfterAll || !Before.empty() || !After.empty();
  }
};

class IRPrinting {
public:
  /// \p AfterAll requests a dump after each pass, for any options.
  IRPrinting(const IRPrintingOptions &Options, IRDumper &Dumper, bool AfterAll)
      : Options(Options), Dumper(Dumper), AfterAll(AfterAll) {}

  /// Returns an error if a flag names a pass that \p Registry does not know.
  llvm::Error checkPasses(const PassRegistry &Registry) const;
  /// Looks up the passes that flags name; must be called before a run.
  void lookUpPasses(const PassRegistry &Registry) {
    Before = NamedPasses(Options.Before, Registry);
    After = NamedPasses(Options.After, Registry);
  }
  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  bool isWanted(const PassRun &Run, bool All, const NamedPasses &Named,
                ArrayRef<unsigned> Numbers) const;
  bool isWantedAfter(const PassRun &Run) const;

  const IRPrintingOptions &Options;
  IRDumper &Dumper;
  bool AfterAll;
  NamedPasses Before, After; ///< of -print-before, -print-after
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_IRPRINTING_H
