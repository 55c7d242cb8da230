//===- Synonyms.h - Flags of opt and mlir-opt -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spellings of opt and mlir-opt that relay-opt recognizes: those with the
// meaning of a flag here are accepted; for the others, the error names the most
// similar flag.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_SYNONYMS_H
#define RELAY_LIB_DRIVER_FLAGS_SYNONYMS_H

#include "relay/Support/Flags.h"

namespace relay {

ArrayRef<FlagSynonym> getFlagSynonyms();

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_SYNONYMS_H
