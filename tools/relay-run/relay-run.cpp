//===- relay-run.cpp - Evaluates Relay text -------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main() of relay-run, which calls relayRunMain().
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Run/RelayRun.h"

int main(int Argc, char **Argv) { return relay::relayRunMain(Argc, Argv); }
