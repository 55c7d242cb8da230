//===- Fingerprint.h - Whether a function changed ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash of all that a function's text shows, names and inferred types
// included, which the structural hash leaves out. It is made of addresses of
// what is unique in the Context, so that it takes one look at each operation;
// it says nothing outside of its process, and locations do not count.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_FINGERPRINT_H
#define RELAY_IR_FINGERPRINT_H

#include "relay/IR/Function.h"

namespace relay {

/// Of \p F, which is normalized. A function and its clone have the same; those
/// that print differently, their own names apart, have different ones.
uint64_t getFingerprint(const Function &F);

/// What can be compared of an operation, or of what a function has besides its
/// operations, at two times of one run: different numbers mean a change. Uses
/// are compared by identity; places and what is in regions do not count.
struct PartFingerprint {
  uint64_t Structure = 0;
  uint64_t Types = 0; ///< types, annotations and type arguments
  bool operator==(const PartFingerprint &O) const {
    return Structure == O.Structure && Types == O.Types;
  }
};
PartFingerprint getPartFingerprint(const Operation &Op);
PartFingerprint getPartFingerprint(const Function &F);

} // namespace relay

#endif // RELAY_IR_FINGERPRINT_H
