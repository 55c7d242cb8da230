//===- Callbacks.h - Relay's interfaces as closures -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass, an instrument and a stream that call closures. Classes derived from
// Relay's and LLVM's are compiled without type information, like these; the
// bindings, which need it, use these classes through their interfaces. The
// closures must not throw.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BRIDGE_CALLBACKS_H
#define RELAY_LIB_PYTHON_BRIDGE_CALLBACKS_H

#include "relay/Pass/PassManager.h"
#include <functional>
#include <memory>

namespace relay::python {

/// The hooks of an instrument; each may be empty. A hook that fails returns
/// false, and keeps the reason itself.
struct InstrumentHooks {
  std::function<bool()> Enter, Exit;
  /// Sets the result to whether the pass is to run.
  std::function<bool(Module &, const PassInfo &, bool &)> ShouldRun;
  std::function<bool(Module &, const PassInfo &)> Before, After;
};

std::unique_ptr<PassInstrument> makeInstrument(StringRef Name,
                                               InstrumentHooks Hooks);

/// A PassInfo with the texts that it refers to.
class OwnedPassInfo {
public:
  OwnedPassInfo(std::string Name, unsigned OptLevel,
                std::vector<std::string> Requires, bool IsGroup);
  OwnedPassInfo(const OwnedPassInfo &) = delete;
  const PassInfo &get() const { return Info; }

private:
  std::string Name, Argument;
  std::vector<std::string> Requires;
  std::vector<StringRef> RequiredNames;
  PassInfo Info;
};

/// Runs on a module; returns none if it fails, otherwise whether it changed
/// the module.
using PassFunction = std::function<FailureOr<bool>(Module &, PassContext &)>;

/// \p IsFunctionPass: the pass stands for a function pass, after which types
/// are inferred if the context requires it.
std::unique_ptr<Pass> makePass(std::shared_ptr<const OwnedPassInfo> Info,
                               bool IsFunctionPass, PassFunction Run);
/// A group like `sequential`, with the name, level and required passes of
/// \p Info.
std::unique_ptr<Pass> makeGroup(std::shared_ptr<const OwnedPassInfo> Info,
                                PassList Members);

/// A stream that hands its text to \p Write line by line.
std::unique_ptr<raw_ostream> makeStream(std::function<void(StringRef)> Write);

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BRIDGE_CALLBACKS_H
