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

} // namespace relay

#endif // RELAY_IR_FINGERPRINT_H
