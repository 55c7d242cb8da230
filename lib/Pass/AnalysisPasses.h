//===- AnalysisPasses.h - require, invalidate and print ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that pipeline text makes of an analysis's name:
// `require<op-counts>`, `invalidate<op-counts>`, `print<op-counts>`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PASS_ANALYSISPASSES_H
#define RELAY_LIB_PASS_ANALYSISPASSES_H

#include "relay/Pass/Pass.h"
#include "relay/Pass/PassRegistry.h"

namespace relay {

/// What such a pass does with the analysis.
enum class AnalysisAction : uint8_t { Require, Invalidate, Print };

/// The action that pipeline text calls \p Name, if it is one.
std::optional<AnalysisAction> parseAnalysisAction(StringRef Name);

/// The pass that does \p Action with \p Analysis, which outlives it: a module
/// or a function pass, as the analysis.
std::unique_ptr<Pass> createAnalysisPass(AnalysisAction Action,
                                         const AnalysisInfo &Analysis);

} // namespace relay

#endif // RELAY_LIB_PASS_ANALYSISPASSES_H
