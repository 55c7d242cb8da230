//===- CrashDump.h - The IR before the crashing pass ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -print-on-crash, -print-on-crash-path=FILE: when a pass crashes, prints its
// unit as it was before the pass: a module, or a function with everything that
// it names. The text reads back. It is prepared in memory before each pass,
// since printing is impossible after a crash.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_CRASHDUMP_H
#define RELAY_INSTRUMENTATION_DUMPS_CRASHDUMP_H

#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/OutputFile.h"
#include "relay/Text/Print/Printer.h"

namespace relay {

struct CrashDumpOptions : InstrumentationOptions {
  explicit CrashDumpOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Debugging") {}

  Flag<bool> Enabled{
      *this, "-print-on-crash",
      "On a crash, print the IR as it was before the crashing pass"};
  /// Empty for standard error.
  Flag<std::string> Path{*this, "-print-on-crash-path",
                         "On a crash, write the IR as it was before the "
                         "crashing pass to this file",
                         flag::ValueName{"file"}, flag::NeedsTrust()};

  bool isEnabled() const override { return Enabled || !Path->empty(); }
};

class CrashDump final : public Instrumentation {
public:
  using Options = CrashDumpOptions;
  static constexpr StringLiteral Name = "crash-dump";

  CrashDump(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts) {
    Printing.Spans = Setup.PrintSpans;
    Printing.ElideConstantsLargerThan = Setup.ElideConstantsLargerThan;
  }
  CrashDump(const CrashDump &) = delete;
  ~CrashDump() override { CrashHandler::set(CrashHandler::Dump, nullptr); }

  llvm::Error checkFlags() const override;
  void addFiles(SmallVectorImpl<InstrumentationFile> &Files) const override {
    Files.push_back({"-print-on-crash-path", *Opts.Path});
  }
  llvm::Error prepare(const PassRegistry &) const override {
    return Opts.Path->empty() ? llvm::Error::success()
                              : checkWritable(*Opts.Path);
  }
  void registerCallbacks(PassContext &PC) override;

private:
  void keep(const PassRun &Run);

  const Options &Opts;
  PrintOptions Printing;
  /// The current text, and the previous one, which is kept until it is replaced
  /// in the handler.
  std::unique_ptr<CrashText> Present, Old;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_CRASHDUMP_H
