//===- Dumps.h - Dumps around passes and of changes -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A single instrumentation for all dumps, which share filters, numbers and
// output files (IRDumper): IRPrinting, PrintChanged and OpDiff.
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
  /// Returns true if dumps after each pass are requested: also by a directory
  /// alone.
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
  /// Continues the numbers, and thus the names of files, from module to module.
  void takeOver(Instrumentation &Previous) override {
    Dumper.takeOver(static_cast<Dumps &>(Previous).Dumper);
  }
  /// Returns an error if both differences and the IR before are requested.
  llvm::Error checkFlags() const override;
  void registerCallbacks(PassContext &PC) override;
  void start(Module &M) override { Changes.start(M); }
  /// Returns an error if a flag names a function that no module has had so far.
  llvm::Error finish(Module &M, bool Failed) override;
  /// Returns true if a file could not be written, even if only the initial one.
  bool hasFailed() const override { return failed(Dumper.getResult()); }
  /// Returns an error if a flag has the number of a run that did not occur.
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
