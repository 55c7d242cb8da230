//===- LogLevels.h - The debug log of the Python package --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instrumentation of -debug-log, for passes that run in a PassContext of
// Python. Instrumentations have no type information, like Callbacks.h.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BRIDGE_LOGLEVELS_H
#define RELAY_LIB_PYTHON_BRIDGE_LOGLEVELS_H

#include "relay/Pass/PassManager.h"
#include "relay/Pass/PassRegistry.h"
#include <memory>
#include <string>

namespace relay::python {

class LogLevels {
public:
  /// Messages go to \p Stream.
  explicit LogLevels(raw_ostream &Stream);
  ~LogLevels();
  LogLevels(const LogLevels &) = delete;

  /// Sets the levels from \p Levels, in the syntax of RELAY_LOG_DEBUG.
  /// Returns an error if it is not valid.
  llvm::Error set(const std::string &Levels, Context &Ctx,
                  const PassRegistry &Registry);
  /// Logs the rewrites of passes that run in \p PC, if levels are set.
  void registerCallbacks(PassContext &PC);
  /// Called after the passes on \p M have run.
  void finish(Module &M, bool Failed);

private:
  struct Impl;
  std::unique_ptr<Impl> TheImpl;
};

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BRIDGE_LOGLEVELS_H
