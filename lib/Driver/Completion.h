//===- Completion.h - -print-bash-completion --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Completion of the command line of relay-opt, as a script for bash that is
// made of the flags and of the registry.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_COMPLETION_H
#define RELAY_LIB_DRIVER_COMPLETION_H

#include "relay/Support/LLVM.h"

namespace relay {

class FlagSet;
class PassRegistry;

/// Writes the script. It completes the flags that -help lists, and their
/// values: the words of an enumeration, and what the name of the value says:
/// `pipeline`, `pass,...` (passes), `key=value` (config options); otherwise
/// files.
void printBashCompletion(const FlagSet &Flags, const PassRegistry &Registry,
                         raw_ostream &OS);

} // namespace relay

#endif // RELAY_LIB_DRIVER_COMPLETION_H
