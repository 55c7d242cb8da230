//===- PassReport.h - Report on the changes of each pass --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -pass-report=FILE: the changes of each pass, as a diff with stable names,
// with its rewrites, operations, time and memory, and the layouts and data
// types before and after all passes; one self-contained HTML page, or the same
// data as JSON (docs/Instrumentation.md). Times come from PassTiming, formats
// from FormatTracker.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_PASSREPORT_H
#define RELAY_INSTRUMENTATION_REPORTS_PASSREPORT_H

#include "relay/Instrumentation/Dumps/ChangeTracking.h"
#include "relay/Instrumentation/Dumps/FunctionHistory.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Instrumentation/Reports/FormatTracker.h"
#include "relay/Instrumentation/Reports/PassTiming.h"
#include "relay/Support/CrashHandler.h"
#include <optional>

namespace relay {

struct PassReportOptions : InstrumentationOptions {
  PassReportOptions() = default;
  explicit PassReportOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Time and reports") {}

  /// A file name that ends in .html or .json; empty for no report.
  Flag<std::string> File{
      *this, "-pass-report",
      "Write a report of all passes: a page (.html) or data (.json)",
      flag::ValueName{"file"}, flag::NeedsTrust()};

  bool isEnabled() const override { return !File->empty(); }
};

/// The number of applications of rules: by rule, and by layer of the operations
/// to which they were applied.
struct RewriteCounts {
  std::map<std::string, uint64_t> Rules, Layers;
};

/// Counts rewrites. Thread-safe.
class RewriteCounter : public RewriteListener {
public:
  void notifyRewrite(const Rewrite &R) override;
  /// Returns the rewrites of \p F since the last call; of the whole module if
  /// null.
  RewriteCounts take(const Function *F);

private:
  std::mutex Lock;
  std::map<const Function *, RewriteCounts> Counts;
};

/// One pass at its position in the pipeline. Sums the runs on the functions of
/// a module.
struct PassRecord {
  enum class State : uint8_t { Skipped, Unchanged, Changed };
  /// The maximal number of changes that are kept.
  static constexpr size_t MaxChanges = 200;
  /// The size of the unit of the pass.
  struct Size {
    uint64_t Operations = 0;
    uint64_t ArenaBytes = 0; ///< memory of the IR
    Size &operator+=(Size O) {
      Operations += O.Operations;
      ArenaBytes += O.ArenaBytes;
      return *this;
    }
  };

  const PassInfo *Info;
  std::string Text;     ///< with options: `fuse-ops<max-depth=4>`
  std::string FailedOn; ///< the name of a unit, or empty
  std::vector<PassRecord *> Inside;

  State S = State::Skipped;
  const PassTiming::Node *Time = nullptr;
  unsigned NumRuns = 0;
  Size Before, After;
  uint64_t PeakMemory = 0; ///< of the process, in bytes, at the end
  size_t NumChanges = 0;   ///< functions that changed
  std::vector<FunctionDelta> Changes;
  OpCountChanges Operations;
  RewriteCounts Rewrites;
  ByConversion<ConversionChanges> Conversions;
};

/// Returns the peak memory of the process so far, in bytes.
uint64_t getPeakMemory();

/// After a crash, the report covers all earlier runs.
class PassReport final : public Instrumentation, private CrashTask {
public:
  using Options = PassReportOptions;
  static constexpr StringLiteral Name = "pass-report";

  /// One pipeline on one module.
  struct ModuleRecord {
    std::vector<PassRecord *> Passes; ///< the outermost
    llvm::DenseMap<unsigned, PassRecord *> BySweep;
    PassRecord::Size Before, After;
    FormatSummary Formats;
    ByConversion<ConversionChanges> Conversions; ///< of all passes
    std::vector<std::string> Errors; ///< the first, as they were printed
    bool Failed = false;
  };

  PassReport(const Options &Opts, const InstrumentationSetup &Setup);
  ~PassReport() override;

  /// Returns an error if the file name has an unknown extension.
  llvm::Error checkFlags() const override;
  void addFiles(SmallVectorImpl<InstrumentationFile> &Files) const override {
    Files.push_back({"-pass-report", *Opts.File});
  }
  /// Keeps one report for all modules.
  void takeOver(Instrumentation &Previous) override;
  void registerCallbacks(PassContext &PC) override;
  void start(Module &M) override;
  llvm::Error finish(Module &M, bool Failed) override;
  StringRef getReportFile() const override { return *Opts.File; }
  /// Writes the report on all pipelines run so far, in the format of the file's
  /// extension.
  llvm::Error report(raw_ostream &OS, const ModulePassManager &,
                     bool Failed) override;

private:
  struct FunctionState {
    FunctionHistory History;
    unsigned Number; ///< in the order in which functions were added
    FormatTracker::FunctionState Formats = {};
    uint64_t ArenaBytes = 0;
    PassRecord::Size getSize() const {
      return {History.getNumOperations(), ArenaBytes};
    }
  };
  /// The effect of a pass on one function.
  struct FunctionEffect {
    PassRecord::Size Before, After;
    std::optional<FunctionDelta> Delta; ///< if it changed something
    FormatTracker::Changes Formats;
    RewriteCounts Rewrites;
  };
  /// Facts about a run, kept until its output is flushed.
  struct RunFacts {
    explicit RunFacts(const PassRun &Run);
    const Pass &P;
    unsigned Sweep, OuterSweep;
    std::string FailedOn; ///< the name of the unit, or empty
  };

  PassRecord &getRecord(const RunFacts &Facts);
  PassRecord::Size getTotals() const;
  FunctionState &getState(StringRef Name);
  FunctionDelta takeIn(const FunctionChange &C);
  void takeInFormats(PassRecord &R, const FunctionChange &C, unsigned Sweep);
  void addFormats(PassRecord &R, unsigned Sweep,
                  const FormatTracker::Changes &Changes);
  FormatSummary summarizeFormats(const ResultNames *Names) const;
  void noteChanges(const PassRun &Run, ArrayRef<FunctionChange> Changes);
  void finishModulePass(const PassRun &Run, Module &M);
  void finishFunctionPass(const PassRun &Run, Function &F);
  void finishRun(PassRecord &R, const RunFacts &Facts);
  void writeJSON(raw_ostream &OS, bool Failed, unsigned Indent) const;
  bool runAfterCrash(StringRef Ending) override;
  const char *getWhat() const override { return "write the report"; }
  bool keepError(const DiagnosticEngine &Engine, const Diagnostic &D);

  /// The results for all modules.
  struct Results {
    std::deque<PassRecord> Records;
    std::vector<ModuleRecord> Modules;
    LineTable Lines;
  };

  const Options &Opts;
  std::string Input, Pipeline;
  PassTimingOptions TimingOptions;
  PassTiming Timing;

  std::unique_ptr<Results> All = std::make_unique<Results>();
  ChangeTracker Tracker;
  RewriteCounter Rewrites;
  FormatTracker Formats;

  // State of the module on which passes are running.
  llvm::StringMap<FunctionState> Functions;
  unsigned NumFunctions = 0; ///< that have been added
  std::optional<FunctionHistory> Definitions;
  /// The active runs on functions that have changed something.
  StateMap<bool> HasChanged;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PASSREPORT_H
