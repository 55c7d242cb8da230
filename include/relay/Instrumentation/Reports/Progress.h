//===- Progress.h - Progress of a long run ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a terminal, a run of more than a second shows one line that is updated:
// `FuseOps, 345 of 1000 functions, 2.3 s`. The line is removed before other
// output, and at the end. The driver enables it; it has no flag.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_PROGRESS_H
#define RELAY_INSTRUMENTATION_REPORTS_PROGRESS_H

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/StatusLine.h"

namespace relay {

using ProgressOptions = StatusLineOptions;

class ProgressLine {
public:
  ProgressLine(const ProgressOptions &Options, raw_ostream &OS);

  /// The stream for all other output to the terminal.
  raw_ostream &getStream() { return Line.getStream(); }
  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  void start();
  void note(const PassRun &Run);
  bool print(raw_ostream &OS) const;

  // Guarded by the lock of Line:
  /// The pass that began last, and the number of its functions.
  StringRef PassName;
  size_t NumSeen = 0, NumFunctions = 0;
  /// The number of functions that each sweep of a function pass has begun.
  llvm::DenseMap<unsigned, size_t> Seen;
  /// Must be the last member: its thread stops before the printed members are
  /// destroyed.
  StatusLine Line;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PROGRESS_H
