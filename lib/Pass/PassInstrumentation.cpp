//===- PassInstrumentation.cpp - Callbacks around passes ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassInstrumentation.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassInstrumentation.h"
#include "relay/Pass/Pass.h"

using namespace relay;

template <typename CallbackT, typename... Args>
static void callAll(const std::vector<CallbackT> &Callbacks, Args &&...As) {
  for (const CallbackT &C : Callbacks)
    C(As...);
}

bool PassInstrumentation::runBefore(const Pass &P, IRUnit Unit) const {
  bool ShouldRun = true;
  if (!P.getInfo().IsRequired)
    for (const auto &C : Callbacks->ShouldRunOptionalPass)
      ShouldRun &= C(P, Unit);
  callAll(ShouldRun ? Callbacks->BeforeNonSkippedPass
                    : Callbacks->BeforeSkippedPass,
          P, Unit);
  return ShouldRun;
}

void PassInstrumentation::runBeforeSkippedPass(const Pass &P,
                                               IRUnit Unit) const {
  if (Callbacks)
    callAll(Callbacks->BeforeSkippedPass, P, Unit);
}

LogicalResult PassInstrumentation::runAfter(const Pass &P, IRUnit Unit,
                                            const PreservedAnalyses &PA) const {
  for (const auto &C : Callbacks->AfterPass)
    if (failed(C(P, Unit, PA)))
      return failure();
  return success();
}

void PassInstrumentation::runAfterPassInvalidated(
    const Pass &P, const PreservedAnalyses &PA) const {
  if (Callbacks)
    callAll(Callbacks->AfterPassInvalidated, P, PA);
}

void PassInstrumentation::runAfterPassFailed(const Pass &P, IRUnit Unit) const {
  if (Callbacks)
    for (const auto &C : llvm::reverse(Callbacks->AfterPassFailed))
      C(P, Unit);
}

void PassInstrumentation::runBeforeAnalysis(StringRef Analysis,
                                            IRUnit Unit) const {
  if (Callbacks)
    callAll(Callbacks->BeforeAnalysis, Analysis, Unit);
}

void PassInstrumentation::runAfterAnalysis(StringRef Analysis,
                                           IRUnit Unit) const {
  if (Callbacks)
    callAll(Callbacks->AfterAnalysis, Analysis, Unit);
}

void PassInstrumentation::runAnalysisInvalidated(StringRef Analysis,
                                                 IRUnit Unit) const {
  if (Callbacks)
    callAll(Callbacks->AnalysisInvalidated, Analysis, Unit);
}

void PassInstrumentation::runAnalysesCleared(StringRef UnitName) const {
  if (Callbacks)
    callAll(Callbacks->AnalysesCleared, UnitName);
}

void PassInstrumentation::runEnterPassContext(PassContext &Ctx) const {
  if (Callbacks)
    callAll(Callbacks->EnterPassContext, Ctx);
}

void PassInstrumentation::runExitPassContext(PassContext &Ctx) const {
  if (Callbacks)
    callAll(Callbacks->ExitPassContext, Ctx);
}
