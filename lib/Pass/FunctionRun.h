//===- FunctionRun.h - Function passes over a module ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a row of function passes on each function of a module, one after the
// other or on several threads. Private to room Pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PASS_FUNCTIONRUN_H
#define RELAY_LIB_PASS_FUNCTIONRUN_H

#include "relay/Pass/Pass.h"
#include "relay/Pass/PassRun.h"

namespace relay {

/// A pass of a row: run, or only announced as skipped.
struct FunctionStep {
  FunctionPass *P;
  StringRef SkippedBy = {}; ///< empty if it runs
};

/// Makes \p Run with callbacks, normalization and invalidation. \p P is its
/// pass or a clone of that.
FailureOr<PreservedAnalyses> runOnFunction(PassRun &Run, FunctionPass &P,
                                           FunctionAnalysisManager &AM);

/// Runs \p Steps on each function that passes see, until they fail on one.
FailureOr<PreservedAnalyses> runOnFunctions(ArrayRef<FunctionStep> Steps,
                                            Module &M,
                                            ModuleAnalysisManager &AM,
                                            PassContext &Ctx);

} // namespace relay

#endif // RELAY_LIB_PASS_FUNCTIONRUN_H
