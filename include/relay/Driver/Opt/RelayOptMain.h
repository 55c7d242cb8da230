//===- RelayOptMain.h - relay-opt as a function -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole of relay-opt but its main(), so that a project can build its own
// with further ops and passes in ten lines:
//
//   int main(int Argc, char **Argv) {
//     relay::RelayOptExtension Mine;
//     Mine.RegisterOps = registerMyOps;
//     Mine.RegisterPasses = registerMyPasses;
//     return relay::relayOptMain(Argc, Argv, Mine);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_DRIVER_OPT_RELAYOPTMAIN_H
#define RELAY_DRIVER_OPT_RELAYOPTMAIN_H

namespace relay {

class Context;
class FlagSet;
class InstrumentationList;
class PassRegistry;

/// What a project adds to this one; a plugin (Plugin.h) says it too.
struct RelayOptExtension {
  void (*RegisterOps)(Context &) = nullptr;
  /// Adds passes, analyses and config options.
  void (*RegisterPasses)(PassRegistry &) = nullptr;
  /// Adds instrumentations (relay/Instrumentation/Instrumentation.h) and their
  /// flags. Called once, before the command line is parsed.
  void (*RegisterInstrumentations)(InstrumentationList &) = nullptr;
  /// Declares flags (relay/Support/Flags.h) that live to the end of the
  /// program. Called once, before the command line is parsed, and so before all
  /// others.
  void (*RegisterFlags)(FlagSet &) = nullptr;
};

/// Reads the command line, runs it, and returns the exit status: 0; 2 for an
/// unknown flag, a bad value of a flag or a missing operand; 1 for whatever
/// else is wrong.
int relayOptMain(int Argc, char **Argv, const RelayOptExtension &Mine = {});

} // namespace relay

#endif // RELAY_DRIVER_OPT_RELAYOPTMAIN_H
