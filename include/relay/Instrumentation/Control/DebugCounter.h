//===- DebugCounter.h - Skip and limit rewrites of a pass -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -debug-counter=pass=skip,count: skips the first `skip` rewrites that a pass
// announces (Rewriter::startRewrite), makes the next `count`, and skips the
// others; without a count, makes all others. -print-debug-counter prints the
// number of rewrites, in LLVM's layout.
//
// A rewrite is one application of a rule: one merge of
// eliminate-common-subexpr, one group of fuse-ops. The IR is valid whichever
// rewrites are skipped.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CONTROL_DEBUGCOUNTER_H
#define RELAY_INSTRUMENTATION_CONTROL_DEBUGCOUNTER_H

#include "relay/Instrumentation/Instrumentation.h"
#include "llvm/ADT/MapVector.h"

namespace relay {

/// Selects the rewrites of a pass that are made.
struct DebugCounterSetting {
  std::string Pass; ///< any name that PassInfo::isCalled() accepts
  uint64_t Skip = 0;
  std::optional<uint64_t> Count; ///< none: all others
};

/// Parses `pass=skip,count`.
llvm::Error parseFlagValue(StringRef Text, DebugCounterSetting &Setting);

struct DebugCounterOptions : InstrumentationOptions {
  explicit DebugCounterOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Debugging") {}

  ListFlag<DebugCounterSetting> Settings{
      *this, "-debug-counter", "Skip rewrites of a pass, then make this many",
      flag::ValueName{"pass=skip,count"}};
  Flag<bool> Print{*this, "-print-debug-counter",
                   "Report the number of rewrites of each pass"};

  bool isEnabled() const override { return !Settings.empty() || Print; }
};

class DebugCounter final : public Instrumentation, public RewriteListener {
public:
  using Options = DebugCounterOptions;
  static constexpr StringLiteral Name = "debug-counter";

  DebugCounter(const Options &Opts, const InstrumentationSetup &)
      : Opts(Opts) {}

  /// Returns an error if a flag names an unknown pass, or a pass twice.
  llvm::Error prepare(const PassRegistry &Registry) const override;
  /// Rewrites are counted over all modules.
  void takeOver(Instrumentation &Previous) override {
    auto &Counter = static_cast<DebugCounter &>(Previous);
    Settings = std::move(Counter.Settings);
    NumRewrites = std::move(Counter.NumRewrites);
  }
  void registerCallbacks(PassContext &PC) override;
  /// Writes the number of rewrites that each pass announced.
  llvm::Error report(raw_ostream &OS, const ModulePassManager &,
                     bool Failed) override;

private:
  bool shouldRewrite(const Rewrite &) override;

  const Options &Opts;
  /// By the argument of the pass.
  llvm::StringMap<const DebugCounterSetting *> Settings;
  llvm::MapVector<StringRef, uint64_t> NumRewrites; // by the pass's argument
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CONTROL_DEBUGCOUNTER_H
