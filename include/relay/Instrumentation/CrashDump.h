//===- CrashDump.h - The IR before the pass that crashed --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -print-on-crash, -print-on-crash-path=FILE: when a pass crashes, the module
// as it was before that pass is printed, as text that reads back. It is printed
// to memory before each pass, since nothing can be printed when it has come to
// a crash.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CRASHDUMP_H
#define RELAY_INSTRUMENTATION_CRASHDUMP_H

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/Flags.h"

namespace relay {

struct CrashDumpOptions : FlagGroup {
  explicit CrashDumpOptions(FlagSet &Flags) : FlagGroup(Flags, "Debugging") {}

  Flag<bool> Enabled{*this, "-print-on-crash",
                     "Print the module as it was before the pass that crashed"};
  /// Empty for standard error.
  Flag<std::string> Path{*this, "-print-on-crash-path",
                         "Write the module as it was before the pass that "
                         "crashed to this file",
                         flag::ValueName{"file"}};

  bool any() const { return Enabled || !Path->empty(); }
};

class CrashDump {
public:
  explicit CrashDump(const CrashDumpOptions &Options) : Options(Options) {}
  CrashDump(const CrashDump &) = delete;
  ~CrashDump() { CrashHandler::set(CrashHandler::Dump, nullptr); }

  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  void keep(const PassRun &Run);

  const CrashDumpOptions &Options;
  /// The present one, and the one before, which stays until the change is made.
  std::unique_ptr<CrashText> Present, Old;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CRASHDUMP_H
