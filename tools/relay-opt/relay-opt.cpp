//===- relay-opt.cpp - Runs passes over Relay text ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main() of relay-opt, which calls relayOptMain().
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Opt/RelayOptMain.h"

int main(int Argc, char **Argv) { return relay::relayOptMain(Argc, Argv); }
