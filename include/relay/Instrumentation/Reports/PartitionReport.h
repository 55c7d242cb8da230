//===- PartitionReport.h - Report on offloaded operations -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -partition-report=FILE: the operations of the result by the target that
// executes them, the values that cross boundaries, and, for each operation that
// stayed on the host, the remarks of the passes (docs/Backends.md). A
// self-contained page, the same data as JSON, or a picture.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_PARTITIONREPORT_H
#define RELAY_INSTRUMENTATION_REPORTS_PARTITIONREPORT_H

#include "relay/Instrumentation/Instrumentation.h"

namespace relay {

struct PartitionReportOptions : InstrumentationOptions {
  explicit PartitionReportOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Time and reports") {}

  /// A file name that ends in .html, .json or .svg; empty for no report.
  Flag<std::string> File{*this, "-partition-report",
                         "Write which operations are offloaded: a page "
                         "(.html), data (.json) or a picture (.svg)",
                         flag::ValueName{"file"}, flag::NeedsTrust()};

  bool isEnabled() const override { return !File->empty(); }
};

class PartitionReport final : public Instrumentation {
public:
  using Options = PartitionReportOptions;
  static constexpr StringLiteral Name = "partition-report";

  PartitionReport(const Options &Opts, const InstrumentationSetup &Setup);
  ~PartitionReport() override;

  /// Returns an error if the file name has an unknown extension.
  llvm::Error checkFlags() const override;
  void addFiles(SmallVectorImpl<InstrumentationFile> &Files) const override {
    Files.push_back({"-partition-report", *Opts.File});
  }
  /// Keeps one report for all modules.
  void takeOver(Instrumentation &Previous) override;
  void registerCallbacks(PassContext &PC) override;
  /// Adds \p M to the report.
  llvm::Error finish(Module &M, bool Failed) override;
  StringRef getReportFile() const override { return *Opts.File; }
  llvm::Error report(raw_ostream &OS, const ModulePassManager &,
                     bool Failed) override;

private:
  struct Data;

  void note(const PassRun &Run, const MissedRemark &Remark);
  void writePage(raw_ostream &OS) const;

  const Options &Opts;
  std::string Input, Pipeline;
  std::unique_ptr<Data> Collected;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PARTITIONREPORT_H
