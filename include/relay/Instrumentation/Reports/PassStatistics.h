//===- PassStatistics.h - Statistics of passes ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -stats and -stats-json. Statistics are counters of pass objects, declared in
// Passes.td and always enabled. The report sums the counters of a pass over all
// its positions in a pipeline and over all modules. It has LLVM's format:
// sorted by argument and name, without zeros. The JSON is an object that maps
// `argument.Name` to the number.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_PASSSTATISTICS_H
#define RELAY_INSTRUMENTATION_REPORTS_PASSSTATISTICS_H

#include "relay/Instrumentation/Instrumentation.h"

namespace relay {

struct PassStatisticsOptions : InstrumentationOptions {
  explicit PassStatisticsOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Time and reports") {}

  Flag<bool> Enabled{*this, "-stats", "Print statistics of passes"};
  /// Print JSON instead of the table.
  Flag<std::string> JSON{*this,
                         "-stats-json",
                         "Print statistics of passes, as JSON; to this file, "
                         "if one is named",
                         flag::WithoutValue{std::string()},
                         flag::ValueName{"file"},
                         flag::NeedsTrust()};

  bool isEnabled() const override { return Enabled || JSON.isGiven(); }
};

/// Reports the counters of passes.
class PassStatistics final : public Instrumentation {
public:
  using Options = PassStatisticsOptions;
  static constexpr StringLiteral Name = "pass-statistics";

  PassStatistics(const Options &Opts, const InstrumentationSetup &)
      : Opts(Opts) {}

  void addFiles(SmallVectorImpl<InstrumentationFile> &Files) const override {
    if (!Opts.JSON->empty())
      Files.push_back({"-stats-json", *Opts.JSON});
  }
  StringRef getReportFile() const override { return *Opts.JSON; }
  StringRef getJSONFlag() const override {
    return Opts.JSON.isGiven() && Opts.JSON->empty() ? "-stats-json" : "";
  }
  llvm::Error report(raw_ostream &OS, const ModulePassManager &PM,
                     bool Failed) override;

private:
  const Options &Opts;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PASSSTATISTICS_H
