//===- AnnouncementCheck.h - Check that changes are announced ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of -verify-each: stops the pipeline at a pass that changes IR against
// the rules of Rewriter, with a diagnostic that names the pass, the function
// and the first such change, or that reports no change although it made one.
// Builds with assertions always check, with three exceptions:
//
// - changes that bypass Rewriters, which only fingerprints detect;
// - changes that were not reported to listeners;
// - false reports of the pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_ANNOUNCEMENTCHECK_H
#define RELAY_INSTRUMENTATION_CHECKS_ANNOUNCEMENTCHECK_H

#include "relay/Instrumentation/Checks/ChangeAudit.h"
#include "relay/Pass/PassInstrumentation.h"
#include <map>
#include <mutex>

namespace relay {

class AnnouncementCheck {
public:
#ifdef NDEBUG
  static constexpr bool HasAssertions = false;
#else
  static constexpr bool HasAssertions = true;
#endif

  /// Checks after each pass. With \p Fingerprints, also checks for changes that
  /// no Rewriter counted or that were not reported to listeners. Function
  /// passes may run in parallel.
  void registerCallbacks(PassInstrumentationCallbacks &PIC, bool Fingerprints);

private:
  /// The state of a function before a pass.
  struct FunctionState {
    uint64_t NumChanges = 0, Fingerprint = 0;
  };
  /// The state of a module before a pass, without its functions.
  struct ModuleState {
    uint64_t NumChanges = 0;
    const Attrs *Attributes = nullptr;
    size_t NumTypeDefs = 0;
    std::vector<std::pair<Function *, StringRef>> Functions;
  };

  /// State of a pass that is suspended while a nested pass runs.
  struct Suspended {
    RewriteLog::PassState OfModuleLog;
    std::vector<std::pair<uint64_t, RewriteLog::PassState>> OfFunctions;
    ModuleState ModuleBefore;
    llvm::DenseMap<uint64_t, FunctionState> Functions;
  };

  void suspend(const PassRun &Inner);
  void resume(const PassRun &Inner);
  void begin(IRUnit Unit);
  void beginFunction(Function &F);
  LogicalResult check(const PassRun &Run);
  LogicalResult checkFunction(const PassRun &Run, Function &F);
  LogicalResult checkModule(const PassRun &Run, Module &M);

  bool Fingerprints = false;
  ChangeAudit Audit;
  std::mutex Lock;
  /// By Function::getSerial(). The entry of a function is kept while passes
  /// leave it unchanged, so that its fingerprint is not recomputed before each
  /// pass.
  llvm::DenseMap<uint64_t, FunctionState> Functions;
  ModuleState ModuleBefore;
  /// By the nested run.
  std::map<const PassRun *, Suspended> Outer;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_ANNOUNCEMENTCHECK_H
