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
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <sys/resource.h>

using namespace relay;

/// What was asked for, 0 if nothing was, and what comes on top.
static std::atomic<uint64_t> MemoryLimit{0}, Allowance{0};
/// The limit is less than what the process was started with.
static std::atomic<bool> IsInForce{false};

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
  uint64_t WithAllowance = llvm::SaturatingAdd(Bytes, Allowance.load());
  bool IsOurs = WithAllowance < Limit.rlim_cur;
  if (IsOurs)
    Limit.rlim_cur = WithAllowance;
  if (CrashHandler::isSanitized() || setrlimit(RLIMIT_DATA, &Limit))
    return;
  MemoryLimit = Bytes;
  IsInForce = IsOurs;
}

MemoryAllowance::MemoryAllowance(uint64_t Bytes) : Bytes(Bytes) {
  Allowance += Bytes;
  if (MemoryLimit)
    limitMemory(MemoryLimit);
}

MemoryAllowance::~MemoryAllowance() {
  Allowance -= Bytes;
  if (MemoryLimit)
    limitMemory(MemoryLimit);
}

MemoryLimitPause::MemoryLimitPause() {
  if (MemoryLimit)
    setrlimit(RLIMIT_DATA, &getInitialLimit());
}

MemoryLimitPause::~MemoryLimitPause() {
  if (MemoryLimit)
    limitMemory(MemoryLimit);
}

uint64_t relay::getMemoryLimit() { return IsInForce ? MemoryLimit.load() : 0; }

std::string relay::describeLimit(uint64_t Limit, const Twine &Unit,
                                 StringRef Flag) {
  std::string Text = ("more than " + Twine(Limit) + " " + Unit).str();
  if (!Flag.empty())
    Text += ("; raise " + Flag + " to allow it").str();
  return Text;
}

void relay::reportLimit(uint64_t Limit, StringRef Unit, StringRef Flag) {
  std::string Where = CrashActivity::describe();
  llvm::report_fatal_error(
      Twine(describeLimit(Limit, Unit + " in " + Where, Flag)),
      /*gen_crash_diag=*/false);
}
