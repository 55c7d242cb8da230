//===- Plugin.h - Interface of -load-pass-plugin ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of a plugin of relay-opt: a shared library that defines one
// function, which returns the extension:
//
//   extern "C" const relay::PluginInfo *relayGetPluginInfo() {
//     static const relay::PluginInfo Info("my-plugin", getMyExtension());
//     return &Info;
//   }
//
// getMyExtension() returns an Extension (Extension.h), whose members are, in
// this order, RegisterOps, RegisterPasses, RegisterInstrumentations and
// RegisterFlags; each may be null.
//
// The library is built with relay_add_plugin(), which links neither Relay nor
// LLVM: relay-opt provides their symbols. It is compiled with the headers of
// LLVM 19.1.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SESSION_PLUGIN_H
#define RELAY_SESSION_PLUGIN_H

#include "relay/IR/Rewriter.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Pass/PassManager.h"
#include "relay/Session/Extension.h"
#include "relay/Support/Flags.h"
#include "relay/Support/Version.h"

namespace relay {

/// Returns a number computed from the sizes of classes that a plugin shares
/// with the program. It differs if one of them was compiled with other headers,
/// other flags or another standard library.
constexpr uint64_t getLayoutNumber() {
  uint64_t Number = 0;
  for (uint64_t Size :
       {sizeof(std::string), sizeof(Context), sizeof(Module), sizeof(Function),
        sizeof(Operation), sizeof(Rewriter), sizeof(Pass), sizeof(PassInfo),
        sizeof(PassContext), sizeof(PassRegistry), sizeof(PassInstrument),
        sizeof(PassInstrumentationCallbacks), sizeof(PassRun),
        sizeof(InstrumentationList), sizeof(FlagBase),
        sizeof(Flag<std::string>)})
    Number = Number * 1099511628211u + Size;
  return Number;
}

struct PluginInfo {
  /// The version of this struct and of the interface of its functions, which is
  /// always the first member. It is incremented with each change of either.
  static constexpr unsigned CurrentInterface = 2;

  PluginInfo(const char *Name, const relay::Extension &Extension)
      : Name(Name), Extension(Extension) {}

  unsigned Interface = CurrentInterface;
  /// The release whose headers the plugin was built with; classes differ
  /// between releases.
  const char *Version = RELAY_VERSION_STRING;
  uint64_t Layout = getLayoutNumber();
  const char *Name;
  relay::Extension Extension;
};

} // namespace relay

/// The entry point of a plugin.
extern "C" const relay::PluginInfo *relayGetPluginInfo();

#endif // RELAY_SESSION_PLUGIN_H
