//===- DebugLogging.h - Switch the debug log on -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -debug-only=TYPE,..., as in LLVM: everything that these passes log, by
// argument. -debug-log=FILE=LEVEL,... and the environment's RELAY_LOG_DEBUG, as
// in TVM: files up to a level; FILE is a pass's name (FuseOps), which is its
// source file's, or a path that ends in it, in TVM's spelling too
// (relay/transforms/fuse_ops.cc), or DEFAULT for all others. The command line
// counts for more than the environment.
//
// A pass's level 1 begins with its rewrites: each that it announces is logged
// here, so that every pass has that.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DEBUGLOGGING_H
#define RELAY_INSTRUMENTATION_DEBUGLOGGING_H

#include "relay/Pass/PassContext.h"
#include "relay/Support/DebugLog.h"
#include "relay/Support/Flags.h"

namespace relay {

struct DebugLoggingOptions : FlagGroup {
  explicit DebugLoggingOptions(FlagSet &Flags)
      : FlagGroup(Flags, "Debugging") {}

  /// Arguments of passes.
  ListFlag<std::string> Only{*this, "-debug-only", "Log what these passes do",
                             flag::CommaSeparated(),
                             flag::ValueName{"pass,..."}};
  /// `FuseOps=2`.
  ListFlag<std::string> Files{
      *this, "-debug-log", "Log what these source files do, up to a level",
      flag::CommaSeparated(), flag::ValueName{"file=level,..."}};
  std::string Environment; ///< as Files, separated by commas

  bool any() const {
    return !Only.empty() || !Files.empty() || !Environment.empty();
  }
};

class DebugLogging final : public RewriteListener {
public:
  explicit DebugLogging(const DebugLoggingOptions &Options)
      : Options(Options) {}

  /// Sets the levels in \p Log. An error for a name that \p Registry does not
  /// know and for what is no level.
  llvm::Error configure(DebugLog &Log, const PassRegistry &Registry) const;
  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  void notifyRewrite(const Rewrite &R) override;

  const DebugLoggingOptions &Options;
  DebugLog *Log = nullptr;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DEBUGLOGGING_H
