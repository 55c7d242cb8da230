//===- BisectGate.h - Run a pipeline up to one rewrite ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a candidate of -bisect: a pipeline stops changing the IR after a number
// of passes, and, in the last of them, after a number of rewrites. Counts
// passes as -opt-bisect-limit does, and rewrites as -debug-counter does.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CONTROL_BISECTGATE_H
#define RELAY_INSTRUMENTATION_CONTROL_BISECTGATE_H

#include "relay/Pass/PassInstrumentation.h"
#include <limits>

namespace relay {

/// The point up to which a pipeline is run.
struct BisectLimit {
  static constexpr uint64_t None = std::numeric_limits<uint64_t>::max();
  /// The number of passes that run, in addition to required ones.
  uint64_t Passes = None;
  /// The number of rewrites that the last of the passes applies.
  uint64_t Rewrites = None;
};

/// The progress of a run. Plain memory, so that it can be shared with a process
/// that may crash.
struct BisectProgress {
  /// The number of passes up to the limit, and of rewrites that the last of
  /// them announced.
  uint64_t NumPasses = 0, NumRewrites = 0;
  /// The last pass: `FuseOps on @main`. The last rewrite made: `fuse of nn.relu
  /// at in.relay:7:3`. Longer texts are truncated.
  char Pass[256] = "", Rewrite[256] = "";
};

class BisectGate final : public RewriteListener {
public:
  /// Records progress in \p Progress, which must be in its initial state.
  BisectGate(BisectLimit Limit, BisectProgress &Progress)
      : Limit(Limit), Progress(Progress) {}

  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  bool shouldRun(const PassRun &Run);
  void count(const PassRun &Run);
  bool shouldRewrite(const Rewrite &R) override;

  BisectLimit Limit;
  BisectProgress &Progress;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CONTROL_BISECTGATE_H
