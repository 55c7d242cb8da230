//===- relay-diff.cpp - Compares Relay text structurally ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main() of relay-diff, which calls relayDiffMain().
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Diff/RelayDiff.h"

int main(int Argc, char **Argv) { return relay::relayDiffMain(Argc, Argv); }
