//===- DebugLogging.h - Enable the debug log --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -debug-only=TYPE,..., as in LLVM: enables all messages of these passes, by
// argument. -debug-log=FILE=LEVEL,... and the environment's RELAY_LOG_DEBUG, as
// in TVM: enable messages of files up to a level. FILE is the name of a pass
// (FuseOps), which is the name of its source file; a path that ends in it, also
// in TVM's spelling (relay/transforms/fuse_ops.cc); or DEFAULT for all others.
// The command line takes precedence over the environment.
//
// Level 1 of every pass includes its rewrites: the first hundred announced
// rewrites of each rule are logged here.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_DEBUGLOGGING_H
#define RELAY_INSTRUMENTATION_REPORTS_DEBUGLOGGING_H

#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Support/DebugLog.h"
#include <map>

namespace relay {

struct DebugLoggingOptions : InstrumentationOptions {
  explicit DebugLoggingOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Debugging") {}

  /// Arguments of passes.
  ListFlag<std::string> Only{
      *this, "-debug-only", "Print log messages of these passes",
      flag::CommaSeparated(), flag::ValueName{"pass,..."}};
  /// `FuseOps=2`.
  ListFlag<std::string> Files{
      *this, "-debug-log",
      "Print log messages of these source files up to a level",
      flag::CommaSeparated(), flag::ValueName{"file=level,..."}};

  bool isEnabled() const override { return !Only.empty() || !Files.empty(); }
  bool isEnabled(const InstrumentationSetup &Setup) const override {
    return isEnabled() || !Setup.LogLevels.empty();
  }
};

class DebugLogging final : public Instrumentation, public RewriteListener {
public:
  using Options = DebugLoggingOptions;
  static constexpr StringLiteral Name = "debug-logging";

  DebugLogging(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts), LogLevels(Setup.LogLevels), OS(*Setup.Stream) {}

  /// Returns an error for a name unknown to \p Registry and for an invalid
  /// level.
  llvm::Error prepare(const PassRegistry &Registry) const override;
  /// Sets the levels in the log of \p Ctx.
  void configure(Context &Ctx, const PassRegistry &Registry) override;
  void registerCallbacks(PassContext &PC) override;
  /// Logs the number of applications that were omitted.
  llvm::Error finish(Module &M, bool Failed) override;

private:
  llvm::Error setLevels(DebugLog &Log, const PassRegistry &Registry) const;
  void notifyRewrite(const Rewrite &R) override;

  const Options &Opts;
  std::string LogLevels; ///< of the program
  raw_ostream &OS;
  DebugLog *Log = nullptr;
  /// Announced rewrites of a module, by the name of the pass and the rule.
  std::map<std::pair<StringRef, std::string>, uint64_t> NumRewrites;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_DEBUGLOGGING_H
