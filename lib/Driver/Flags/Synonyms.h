//===- Synonyms.h - Flags of opt and mlir-opt -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The spellings of opt and mlir-opt that relay-opt understands: those that mean
// the same as a flag here are accepted, the others are answered with the flag
// that comes nearest in meaning.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_SYNONYMS_H
#define RELAY_LIB_DRIVER_FLAGS_SYNONYMS_H

#include "relay/Support/Flags.h"

namespace relay {

ArrayRef<FlagSynonym> getFlagSynonyms();

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_SYNONYMS_H
