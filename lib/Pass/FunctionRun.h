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

/// Called before the first run of a pass that no callback refuses: the hooks of
/// instruments, which see one event for all functions. May be null.
using BeginFn = function_ref<LogicalResult()>;

/// A pass of a row: run, or only announced as skipped.
struct FunctionStep {
  FunctionPass *P;
  StringRef SkippedBy = {}; ///< empty if it runs
  BeginFn Begin = nullptr;
};

/// Makes \p Run with callbacks, normalization and invalidation. \p P is its
/// pass or a clone of that.
FailureOr<PreservedAnalyses> runOnFunction(PassRun &Run, FunctionPass &P,
                                           FunctionAnalysisManager &AM,
                                           BeginFn Begin = nullptr);

/// Returns true if \p Run is to be made, after \p Begin. Failure if that fails.
FailureOr<bool> askAndBegin(PassRun &Run, const PassInstrumentation &PI,
                            BeginFn Begin);

/// Runs \p Steps on each function that passes see, until they fail on one. Only
/// the first may be a pass that reads analyses of the module.
FailureOr<PreservedAnalyses> runOnFunctions(ArrayRef<FunctionStep> Steps,
                                            Module &M,
                                            ModuleAnalysisManager &AM,
                                            PassContext &Ctx);

} // namespace relay

#endif // RELAY_LIB_PASS_FUNCTIONRUN_H
