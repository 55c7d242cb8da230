//===- PrintChanged.h - Dumps of changed IR ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -print-changed and -print-before-changed: prints the functions that a pass
// changed, or the differences, at a cost proportional to the change. For a
// module pass, added and removed functions are named.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_PRINTCHANGED_H
#define RELAY_INSTRUMENTATION_DUMPS_PRINTCHANGED_H

#include "relay/Instrumentation/Dumps/ChangeTracking.h"
#include "relay/Instrumentation/Dumps/IRDumper.h"

namespace relay {

enum class PrintChangedMode : uint8_t {
  None,
  Verbose, ///< changes, and passes without changes
  Quiet,
  Diff, ///< as above, with differences instead of dumps
  DiffQuiet,
  ColorDiff,
  ColorDiffQuiet
};

struct PrintChangedOptions : FlagGroup {
  explicit PrintChangedOptions(FlagSet &Flags) : FlagGroup(Flags, "Dumps") {}

  Flag<PrintChangedMode> Mode{
      *this, "-print-changed", "Dump the IR after each change",
      flag::WithoutValue{PrintChangedMode::Verbose},
      flag::OneOf<PrintChangedMode>{
          {"quiet", PrintChangedMode::Quiet,
           "Omit passes that changed nothing"},
          {"diff", PrintChangedMode::Diff, "Print diffs"},
          {"diff-quiet", PrintChangedMode::DiffQuiet, "diff and quiet"},
          {"cdiff", PrintChangedMode::ColorDiff, "Print diffs in color"},
          {"cdiff-quiet", PrintChangedMode::ColorDiffQuiet,
           "cdiff and quiet"}}};
  /// Also dump changed functions as they were before the pass.
  Flag<bool> BeforeChanged{*this, "-print-before-changed",
                           "Dump the IR before and after each change"};

  /// BeforeChanged alone implies Quiet.
  PrintChangedMode getMode() const {
    return BeforeChanged && Mode == PrintChangedMode::None
               ? PrintChangedMode::Quiet
               : Mode;
  }
  bool any() const { return getMode() != PrintChangedMode::None; }
  bool isVerbose() const {
    return Mode == PrintChangedMode::Verbose ||
           Mode == PrintChangedMode::Diff ||
           Mode == PrintChangedMode::ColorDiff;
  }
  bool isDiff() const { return Mode >= PrintChangedMode::Diff; }
  bool isColored() const { return Mode >= PrintChangedMode::ColorDiff; }
};

/// Writes a unified diff of each function of \p Changes, whose texts were kept.
void printDiffs(ArrayRef<FunctionChange> Changes, raw_ostream &OS, bool Color);

class PrintChanged {
public:
  PrintChanged(const PrintChangedOptions &Options, IRDumper &Dumper);

  /// Must be called before the first pass runs on \p M.
  void start(Module &M) {
    if (Options.isVerbose())
      Dumper.dumpStart(M);
  }
  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  using Changes = ArrayRef<FunctionChange>;
  using SharedText = std::shared_ptr<const std::string>;
  bool isWanted(const Pass &P) const;
  void registerTextBefore(PassInstrumentationCallbacks &PIC);
  SharedText getTextBefore(const PassRun &Run);
  void report(const PassRun &Run, Changes All);
  void printBefore(const PassRun &Run, Changes Of);
  void printAfter(const PassRun &Run, Changes Of);

  const PrintChangedOptions &Options;
  IRDumper &Dumper;
  ChangeTracker Tracker;
  /// If a dump is one text: the text to print if the pass changes something.
  StateMap<SharedText> Before;
  /// The current module, if modules are dumped; null if it is unknown.
  SharedText ModuleText;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_PRINTCHANGED_H
