//===- Fingerprint.h - Whether a function changed ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash of everything that the text of a function shows, including names and
// inferred types, which the structural hash ignores. It hashes addresses of
// uniqued objects, so that each operation is visited once; it is meaningful
// within its process only, and ignores locations.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_FINGERPRINT_H
#define RELAY_IR_FINGERPRINT_H

#include "relay/IR/Function.h"

namespace relay {

/// Returns the fingerprint of \p F, which is normalized. A function and its
/// clone have the same fingerprint. Functions that print differently, their own
/// names apart, have different ones.
uint64_t getFingerprint(const Function &F);

/// A number for the state of an operation, or of a function without its
/// operations, to compare within one run: different numbers mean a change. Uses
/// are compared by identity; positions and the contents of regions are ignored.
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
