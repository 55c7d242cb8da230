//===- RelayDiff.h - relay-diff as a function -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole of relay-diff but its main(), for projects with ops of their own.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_DRIVER_DIFF_RELAYDIFF_H
#define RELAY_DRIVER_DIFF_RELAYDIFF_H

namespace relay {

class Context;

/// `relay-diff A B`: compares two files as TVM's structural_equal does, types
/// inferred first, and prints the first difference. \p RegisterOps adds further
/// operators. Returns the exit status: 0 equal, 1 different, 2 any error.
int relayDiffMain(int Argc, char **Argv,
                  void (*RegisterOps)(Context &) = nullptr);

} // namespace relay

#endif // RELAY_DRIVER_DIFF_RELAYDIFF_H
