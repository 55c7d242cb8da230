//===- Completion.h - -print-bash-completion --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Completion of the command line of relay-opt, as a script for bash that is
// made of the registered options and of the registry.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_COMPLETION_H
#define RELAY_LIB_DRIVER_COMPLETION_H

#include "relay/Support/LLVM.h"

namespace relay {

class PassRegistry;

/// Writes the script. It completes flags, and in their values what their
/// value_desc says: `pipeline`, `pass,...` (passes), `key=value` (config
/// options), `a|b` (these words); otherwise files.
void printBashCompletion(const PassRegistry &Registry, raw_ostream &OS);

} // namespace relay

#endif // RELAY_LIB_DRIVER_COMPLETION_H
