//===- RunLimits.h - Limits of a run ----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small input can produce a result of any size: functions that each call the
// previous one twice, types that double. These limits make such a run fail with
// a diagnostic. The Context holds the limits; a tool also limits the memory of
// its process by limitMemory(). docs/Limits.md lists them with the fixed limits
// of other libraries.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_RUNLIMITS_H
#define RELAY_SUPPORT_RUNLIMITS_H

#include "relay/Support/LLVM.h"

namespace relay {

class DiagnosticEngine;

struct RunLimits {
  static constexpr uint64_t DefaultOperations = 3'000'000;
  static constexpr uint64_t DefaultCharacters = uint64_t(1) << 29;
  static constexpr uint64_t DefaultMemory = uint64_t(4) << 30;

  /// The maximal number of copies of operations in one run of a pass. A pass
  /// counts copies before it makes them, and fails with its own error.
  uint64_t Operations = DefaultOperations;
  /// The maximal number of characters of one printed text, without its metadata
  /// section. The printer drops the rest and calls reportLimit().
  uint64_t Characters = DefaultCharacters;
  /// The maximal number of bytes that the Context holds, checked after reading
  /// and after each pass; UINT64_MAX for no limit. Evaluations in passes may
  /// take fixed parts of it.
  uint64_t Memory = DefaultMemory;
};

/// Limits the allocations of this process to \p Bytes, without mapped files,
/// and to the limit with which it began. Only tools call this. Does nothing
/// under sanitizers, which reserve more than the available memory.
void limitMemory(uint64_t Bytes);
/// Returns the last argument of limitMemory(); 0 if it was not called, or if
/// the process began with a lower limit.
uint64_t getMemoryLimit();

/// Raises the limit during its lifetime by memory that the process reserves
/// without using it: stacks of threads.
class MemoryAllowance {
public:
  explicit MemoryAllowance(uint64_t Bytes);
  ~MemoryAllowance();
  MemoryAllowance(const MemoryAllowance &) = delete;
  MemoryAllowance &operator=(const MemoryAllowance &) = delete;

private:
  uint64_t Bytes;
};

/// Restores the initial limit of the process during its lifetime, for programs
/// started in that time, which inherit it.
class MemoryLimitPause {
public:
  MemoryLimitPause();
  ~MemoryLimitPause();
  MemoryLimitPause(const MemoryLimitPause &) = delete;
  MemoryLimitPause &operator=(const MemoryLimitPause &) = delete;
};

/// The common text of errors about limits that a flag raises: `more than 10
/// operations; raise -max-operations to allow it`.
std::string describeLimit(uint64_t Limit, const Twine &Unit, StringRef Flag);
/// Emits the error `more than 10 characters in FuseOps on @main; raise ...` and
/// notes it in the current activity (CrashActivity::hasExceededLimit()). For
/// functions that cannot return failure.
void reportLimit(DiagnosticEngine &Diags, uint64_t Limit, StringRef Unit,
                 StringRef Flag);

} // namespace relay

#endif // RELAY_SUPPORT_RUNLIMITS_H
