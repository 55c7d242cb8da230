//===- RelayDiff.h - relay-diff as a function -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point of relay-diff, for projects with additional operators.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_DRIVER_DIFF_RELAYDIFF_H
#define RELAY_DRIVER_DIFF_RELAYDIFF_H

namespace relay {

class Context;

/// `relay-diff A B`: infers the types of two files, compares them as TVM's
/// structural_equal does, and prints the first difference. \p RegisterOps adds
/// further operators. Returns the exit status: 0 equal, 1 different, 2 any
/// error.
int relayDiffMain(int Argc, char **Argv,
                  void (*RegisterOps)(Context &) = nullptr);

} // namespace relay

#endif // RELAY_DRIVER_DIFF_RELAYDIFF_H
