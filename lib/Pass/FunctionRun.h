//===- FunctionRun.h - Function passes over a module ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs consecutive function passes on each function of a module, in sequence or
// on several threads. Private to the library Pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PASS_FUNCTIONRUN_H
#define RELAY_LIB_PASS_FUNCTIONRUN_H

#include "relay/Pass/Pass.h"
#include "relay/Pass/PassRun.h"

namespace relay {

/// Called before the first run of a pass that no callback refuses: for the
/// hooks of instruments, which see one event for all functions. May be null.
using BeginFn = function_ref<LogicalResult()>;

/// A pass to run, or to announce as skipped.
struct FunctionStep {
  FunctionPass *P;
  StringRef SkippedBy = {}; ///< empty if it runs
  BeginFn Begin = nullptr;
};

/// Calls \p RunPass, which runs the pass of \p Run, and reports a failure about
/// which this thread has reported no error.
FailureOr<PreservedAnalyses>
callPass(const PassRun &Run,
         function_ref<FailureOr<PreservedAnalyses>()> RunPass);

/// Performs \p Run with callbacks, normalization and invalidation. \p P is its
/// pass or a clone.
FailureOr<PreservedAnalyses> runOnFunction(PassRun &Run, FunctionPass &P,
                                           FunctionAnalysisManager &AM,
                                           BeginFn Begin = nullptr);

/// Returns true if \p Run is to be made, after \p Begin. Fails if Begin does.
FailureOr<bool> askAndBegin(PassRun &Run, const PassInstrumentation &PI,
                            BeginFn Begin);

/// Runs \p Steps on each function that is not skipped, until one fails. Only
/// the first pass may require analyses of the module.
FailureOr<PreservedAnalyses> runOnFunctions(ArrayRef<FunctionStep> Steps,
                                            Module &M,
                                            ModuleAnalysisManager &AM,
                                            PassContext &Ctx);

} // namespace relay

#endif // RELAY_LIB_PASS_FUNCTIONRUN_H
