//===- AnalysisInvalidation.h - Check preserved analyses --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -verify-analysis-invalidation: recomputes cached analyses that a pass
// preserves and compares them with the cached results. Also checks that a pass
// that reports no change has changed nothing. An error names the pass, the
// analysis and the unit, and stops the pipeline.
//
// Results are compared by the text that `print<analysis>` writes, so only
// registered analyses are checked. Separate analysis managers compute both
// texts of a result, independent of results that a pass cached.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_ANALYSISINVALIDATION_H
#define RELAY_INSTRUMENTATION_CHECKS_ANALYSISINVALIDATION_H

#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Support/OrderedOutput.h"

namespace relay {

struct AnalysisInvalidationOptions : InstrumentationOptions {
  explicit AnalysisInvalidationOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Checks") {}

  Flag<bool> Enabled{
      *this, "-verify-analysis-invalidation",
      "Check that passes preserve the analyses that they claim to preserve"};

  bool isEnabled() const override { return Enabled; }
};

class AnalysisInvalidation final : public Instrumentation {
public:
  using Options = AnalysisInvalidationOptions;
  static constexpr StringLiteral Name = "verify-analysis-invalidation";

  AnalysisInvalidation(const Options &, const InstrumentationSetup &) {}

  void registerCallbacks(PassContext &PC) override;

private:
  /// The state of a unit when a pass began.
  struct State {
    uint64_t Hash;
    std::string Text;
  };
  /// The texts of the cached results of a unit, by the analysis's name.
  using Results = llvm::StringMap<std::string>;

  void registerAnalysisCallbacks(PassInstrumentationCallbacks &PIC);
  static State getState(IRUnit Unit);
  /// Returns the printed result of analysis \p Name for \p Unit; none if it
  /// cannot be computed.
  std::optional<std::string> compute(StringRef Name, IRUnit Unit) const;
  void forget(StringRef Name, IRUnit Unit);
  LogicalResult check(const PassRun &Run);
  LogicalResult checkUnchanged(const Pass &P, IRUnit Unit, const State &Before);
  LogicalResult checkResults(const Pass &P, IRUnit Unit);
  LogicalResult checkModuleResults(const Pass &P, Module &M,
                                   const PreservedAnalyses &PA);
  LogicalResult compare(const Pass &P, IRUnit Unit, StringRef Name,
                        StringRef Known);

  PassContext *PassCtx = nullptr;
  llvm::DenseMap<const void *, Results> KnownResults; // by IRUnit::getOpaque()
  StateMap<State> States;                             ///< by run
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_ANALYSISINVALIDATION_H
