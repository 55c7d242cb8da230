//===- RunLimits.cpp - Limits of a run ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The system limits memory: RLIMIT_DATA counts writable allocated memory, but
// neither mapped files nor reserved addresses.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/RunLimits.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/Diagnostics.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <sys/resource.h>

using namespace relay;

/// The requested limit, 0 if none, and the additional allowance.
static std::atomic<uint64_t> MemoryLimit{0}, Allowance{0};
/// True if the limit is less than the initial one of the process.
static std::atomic<bool> IsInForce{false};

/// The initial limit of the process.
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

void relay::reportLimit(DiagnosticEngine &Diags, uint64_t Limit, StringRef Unit,
                        StringRef Flag) {
  std::string Where = CrashActivity::describe();
  Diags.emitError(Location(),
                  describeLimit(Limit, Unit + " in " + Where, Flag));
  CrashActivity::noteExceededLimit();
}
