//===- PassStatistics.h - What passes counted -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -stats and -stats-json. Statistics are counters of pass objects, declared in
// Passes.td and always on; the report adds up those of a pass over its places
// in a pipeline and over all modules that this has run on. It looks as LLVM's:
// sorted by argument and name, without those that are 0. The JSON is an object
// from `argument.Name` to the number.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_PASSSTATISTICS_H
#define RELAY_INSTRUMENTATION_PASSSTATISTICS_H

#include "relay/Pass/PassManager.h"
#include "relay/Support/Flags.h"

namespace relay {

struct PassStatisticsOptions : FlagGroup {
  explicit PassStatisticsOptions(FlagSet &Flags)
      : FlagGroup(Flags, "Time and reports") {}

  Flag<bool> Enabled{*this, "-stats", "Report what passes counted"};
  /// Instead of the table.
  Flag<bool> JSON{*this, "-stats-json", "Report what passes counted, as JSON"};
};

/// Writes what the passes of \p PM counted as a table.
void printStatistics(const ModulePassManager &PM, raw_ostream &OS);
/// The same as JSON.
void printStatisticsJSON(const ModulePassManager &PM, raw_ostream &OS);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_PASSSTATISTICS_H
