//===- PassStatistics.cpp - Statistics of passes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums the counters of passes, and prints them as a table or as JSON. See
// PassStatistics.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassStatistics.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace relay;

namespace {
struct Count {
  StringRef Description;
  uint64_t Value = 0;
};
/// Counts by the argument of the pass and the name of the statistic.
using Counts = std::map<std::pair<StringRef, StringRef>, Count>;
} // namespace

/// Returns the statistics with a nonzero value.
static Counts collect(const ModulePassManager &PM) {
  Counts Result;
  PM.forEachPass([&](const Pass &P) {
    for (const Statistic *S : P.getStatistics())
      if (S->getValue()) {
        Count &C = Result[{P.getInfo().Argument, S->getName()}];
        C.Description = S->getDescription();
        C.Value += S->getValue();
      }
  });
  return Result;
}

/// Writes a table.
static void printStatistics(const ModulePassManager &PM, raw_ostream &OS) {
  Counts All = collect(PM);
  if (All.empty())
    return;
  size_t ValueWidth = 0, ArgumentWidth = 0;
  for (const auto &[Key, C] : All) {
    ValueWidth = std::max(ValueWidth, std::to_string(C.Value).size());
    ArgumentWidth = std::max(ArgumentWidth, Key.first.size());
  }
  std::string Rule = "===" + std::string(73, '-') + "===\n";
  OS << Rule << std::string(26, ' ') << "... Statistics Collected ...\n"
     << Rule << '\n';
  for (const auto &[Key, C] : All)
    OS << llvm::format_decimal(C.Value, ValueWidth) << ' '
       << llvm::left_justify(Key.first, ArgumentWidth) << " - " << C.Description
       << '\n';
  OS << '\n';
}

static void printStatisticsJSON(const ModulePassManager &PM, raw_ostream &OS) {
  llvm::json::OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    for (const auto &[Key, C] : collect(PM))
      J.attribute((Key.first + "." + Key.second).str(), C.Value);
  });
  OS << '\n';
}

llvm::Error PassStatistics::report(raw_ostream &OS, const ModulePassManager &PM,
                                   bool) {
  if (Opts.JSON.isGiven())
    printStatisticsJSON(PM, OS);
  else
    printStatistics(PM, OS);
  return llvm::Error::success();
}
