//===- Extension.h - Extensions of a Session --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators, passes, instrumentations and flags that a project adds to
// Relay: by Session::add(), by relayOptMain(), or in a plugin (Plugin.h).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SESSION_EXTENSION_H
#define RELAY_SESSION_EXTENSION_H

namespace relay {

class Context;
class FlagSet;
class InstrumentationList;
class PassRegistry;

/// Registration functions. Members may be null.
struct Extension {
  /// Adds operators and hooks; called for each Context.
  void (*RegisterOps)(Context &) = nullptr;
  /// Adds passes, analyses and config options.
  void (*RegisterPasses)(PassRegistry &) = nullptr;
  /// Adds instrumentations (relay/Instrumentation/Instrumentation.h) and their
  /// flags. Called once, before the command line is parsed.
  void (*RegisterInstrumentations)(InstrumentationList &) = nullptr;
  /// Declares flags (relay/Support/Flags.h), which must live until the end of
  /// the program. Called once, before the command line is parsed and before the
  /// other functions.
  void (*RegisterFlags)(FlagSet &) = nullptr;
};

} // namespace relay

#endif // RELAY_SESSION_EXTENSION_H
