//===- PassRemarks.h - Remarks on missed opportunities ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -pass-remarks-missed: the operations that passes left unchanged, with the
// reasons, as diagnostics. Passes emit them (emitMissedRemark()).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_PASSREMARKS_H
#define RELAY_INSTRUMENTATION_REPORTS_PASSREMARKS_H

#include "relay/Instrumentation/Dumps/IRDumper.h"

namespace relay {

struct PassRemarkOptions : InstrumentationOptions {
  explicit PassRemarkOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Debugging") {}

  ListFlag<std::string> Missed{
      *this, "-pass-remarks-missed",
      "Print why these passes left operations unchanged",
      flag::CommaSeparated(), flag::ValueName{"pass,..."}};

  bool isEnabled() const override { return !Missed.empty(); }
};

class PassRemarks final : public Instrumentation {
public:
  using Options = PassRemarkOptions;
  static constexpr StringLiteral Name = "pass-remarks";

  PassRemarks(const Options &Opts, const InstrumentationSetup &) : Opts(Opts) {}

  /// Returns an error if a name is unknown to \p Registry.
  llvm::Error prepare(const PassRegistry &Registry) const override;
  void registerCallbacks(PassContext &PC) override;

private:
  const Options &Opts;
  NamedPasses Passes;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PASSREMARKS_H
