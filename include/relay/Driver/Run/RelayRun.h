//===- RelayRun.h - relay-run as a function ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point of relay-run, for projects with additional operators.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_DRIVER_RUN_RELAYRUN_H
#define RELAY_DRIVER_RUN_RELAYRUN_H

namespace relay {

class Context;

/// `relay-run model.relay [a.npy …] [-o DIR]`: evaluates `@main`. \p
/// RegisterOps adds further operators. Returns the exit status: 0 on success, 2
/// for invalid flags, 1 for any other error.
int relayRunMain(int Argc, char **Argv,
                 void (*RegisterOps)(Context &) = nullptr);

} // namespace relay

#endif // RELAY_DRIVER_RUN_RELAYRUN_H
