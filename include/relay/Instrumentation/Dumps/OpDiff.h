//===- OpDiff.h - Operators that passes add and remove ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -print-op-diff: prints a line for each pass that changed the number of calls
// of an operator in the module, or of closures and their calls, with its
// nesting depth:
//
//   (1, CanonicalizeOps, {add: 1, nn.bias_add: -1})
//   (1, FuseOps, {call: 3, fn: 3})
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_OPDIFF_H
#define RELAY_INSTRUMENTATION_DUMPS_OPDIFF_H

#include "relay/Analysis/OpCounts.h"
#include "relay/Instrumentation/Dumps/IRDumper.h"
#include "relay/Support/Flags.h"

namespace relay {

struct OpDiffOptions : FlagGroup {
  explicit OpDiffOptions(FlagSet &Flags) : FlagGroup(Flags, "Dumps") {}

  Flag<bool> Enabled{*this, "-print-op-diff",
                     "Print the operators that each pass adds and removes"};
};

/// An instrument without callbacks: a function pass counts as one over the
/// whole module.
class OpDiff final : public PassInstrument {
public:
  explicit OpDiff(const IRDumper &Dumper)
      : PassInstrument("OpDiff"), Dumper(Dumper) {}

  bool allowsThreads() const override { return true; }
  llvm::Error enterPassContext() override;
  llvm::Error runBeforePass(Module &M, const PassInfo &Info) override;
  llvm::Error runAfterPass(Module &M, const PassInfo &Info) override;
  void runAfterFailedPass(Module &M, const PassInfo &Info) override;

private:
  const IRDumper &Dumper;
  /// The counts before each running pass, innermost last.
  std::vector<OpCounts> Counts;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_OPDIFF_H
