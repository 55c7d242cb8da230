//===- Dumps.h - Dumps before and after passes, and what changed *- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instrumentation that all dumps are, since they have filters, numbers and
// places to go to in common (IRDumper): IRPrinting, PrintChanged and OpDiff.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_DUMPS_H
#define RELAY_INSTRUMENTATION_DUMPS_DUMPS_H

#include "relay/Instrumentation/Dumps/IRPrinting.h"
#include "relay/Instrumentation/Dumps/OpDiff.h"
#include "relay/Instrumentation/Dumps/PrintChanged.h"
#include "relay/Instrumentation/Instrumentation.h"

namespace relay {

struct DumpOptions : InstrumentationOptions {
  explicit DumpOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Dumps"), Dumping(Flags), Printing(Flags),
        Changes(Flags), OpDifferences(Flags) {}

  IRDumpOptions Dumping;
  IRPrintingOptions Printing;
  PrintChangedOptions Changes;
  OpDiffOptions OpDifferences;

  /// Filters are checked even if there is nothing to dump.
  bool isEnabled() const override { return true; }
  bool dumps() const {
    return Printing.any() || Changes.any() || Dumping.hasNumbers();
  }
  /// A directory without a word on what to dump is for dumps after each pass.
  bool dumpsAfterAll() const {
    bool SaysWhat = Printing.any() || Changes.any() ||
                    !Dumping.BeforeNumbers.empty() ||
                    !Dumping.AfterNumbers.empty();
    return Printing.AfterAll || (!Dumping.Directory->empty() && !SaysWhat);
  }
};

class Dumps final : public Instrumentation {
public:
  using Options = DumpOptions;
  static constexpr StringLiteral Name = "dumps";

  Dumps(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts), Dumper(Opts.Dumping, Setup),
        Printing(Opts.Printing, Dumper, Opts.dumpsAfterAll()),
        Changes(Opts.Changes, Dumper) {}

  void addFiles(SmallVectorImpl<InstrumentationFile> &Files) const override {
    Files.push_back({"-ir-dump-directory", *Opts.Dumping.Directory});
  }
  llvm::Error prepare(const PassRegistry &Registry) const override;
  /// Numbers, and with them names of files, go on from module to module.
  void takeOver(Instrumentation &Previous) override {
    Dumper.takeOver(static_cast<Dumps &>(Previous).Dumper);
  }
  /// Returns an error if both differences and the IR before are requested.
  llvm::Error checkFlags() const override;
  void registerCallbacks(PassContext &PC) override;
  void start(Module &M) override { Changes.start(M); }
  /// An error if a flag names a function that no module has had so far.
  llvm::Error finish(Module &M, bool Failed) override;
  /// Returns true if a file could not be written, if only that of the start.
  bool hasFailed() const override { return failed(Dumper.getResult()); }
  /// An error if a flag has the number of a run that never came.
  llvm::Error report(raw_ostream &OS, const ModulePassManager &,
                     bool Failed) override;

private:
  const Options &Opts;
  IRDumper Dumper;
  IRPrinting Printing;
  PrintChanged Changes;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_DUMPS_H
