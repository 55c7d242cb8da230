//===- RunLimits.cpp - What a run may make at most ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory is limited by the system: RLIMIT_DATA counts what is allocated and can
// be written, and neither mapped files nor addresses that are only reserved.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/RunLimits.h"
#include "relay/Support/CrashHandler.h"
#include "llvm/Support/ErrorHandling.h"
#include <atomic>
#include <sys/resource.h>

using namespace relay;

static std::atomic<uint64_t> MemoryLimit{0};

/// What the process was started with.
static const rlimit &getInitialLimit() {
  static const rlimit Initial = [] {
    rlimit Limit;
    return getrlimit(RLIMIT_DATA, &Limit) ? rlimit{RLIM_INFINITY, RLIM_INFINITY}
                                          : Limit;
  }();
  return Initial;
}

void relay::limitMemory(uint64_t Bytes) {
  rlimit Limit = getInitialLimit();
  bool IsOurs = Bytes < Limit.rlim_cur;
  if (IsOurs)
    Limit.rlim_cur = Bytes;
  if (!CrashHandler::isSanitized() && !setrlimit(RLIMIT_DATA, &Limit))
    MemoryLimit = IsOurs ? Bytes : 0;
}

MemoryLimitPause::MemoryLimitPause() {
  if (MemoryLimit)
    setrlimit(RLIMIT_DATA, &getInitialLimit());
}

MemoryLimitPause::~MemoryLimitPause() {
  if (MemoryLimit)
    limitMemory(MemoryLimit);
}

uint64_t relay::getMemoryLimit() { return MemoryLimit; }

void relay::reportLimit(uint64_t Limit, StringRef Unit, StringRef Flag) {
  llvm::report_fatal_error("more than " + Twine(Limit) + " " + Unit + " in " +
                               CrashActivity::describe() + "; raise " + Flag +
                               " to allow it",
                           /*gen_crash_diag=*/false);
}
