//===- RelayOptMain.h - relay-opt as a function -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// relay-opt without its main(), so that a project can build its own relay-opt
// with additional operators and passes in ten lines:
//
//   int main(int Argc, char **Argv) {
//     relay::Extension E;
//     E.RegisterOps = registerMyOps;
//     E.RegisterPasses = registerMyPasses;
//     return relay::relayOptMain(Argc, Argv, E);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_DRIVER_OPT_RELAYOPTMAIN_H
#define RELAY_DRIVER_OPT_RELAYOPTMAIN_H

#include "relay/Session/Extension.h"

namespace relay {

/// Reads the command line, runs it, and returns the exit status: 0 on success;
/// 2 for an unknown flag, an invalid flag value or a missing operand; 1 for any
/// other error.
int relayOptMain(int Argc, char **Argv, const Extension &E = {});

} // namespace relay

#endif // RELAY_DRIVER_OPT_RELAYOPTMAIN_H
