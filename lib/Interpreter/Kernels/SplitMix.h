//===- SplitMix.h - Random bits from a counter ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// splitmix64: a sequence whose elements are a function of their positions, the
// same on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INTERPRETER_KERNELS_SPLITMIX_H
#define RELAY_LIB_INTERPRETER_KERNELS_SPLITMIX_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/xxhash.h"

namespace relay {

class SplitMix {
public:
  /// The sequence of \p Seed for the name \p Name.
  SplitMix(StringRef Name, uint64_t Seed)
      : State(mix(llvm::xxh3_64bits(Name) + mix(Seed + Step))) {}

  /// Returns 64 random bits.
  uint64_t next() { return mix(State += Step); }

private:
  /// 2^64 divided by the golden ratio.
  static constexpr uint64_t Step = 0x9E3779B97F4A7C15;

  static uint64_t mix(uint64_t X) {
    X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9;
    X = (X ^ (X >> 27)) * 0x94D049BB133111EB;
    return X ^ (X >> 31);
  }

  uint64_t State;
};

} // namespace relay

#endif // RELAY_LIB_INTERPRETER_KERNELS_SPLITMIX_H
