//===- Extensions.h - What programs and plugins add -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops, passes and instrumentation that are not of this project: those of
// the program that calls relayOptMain(), then those of plugins, in the order in
// which they were loaded. A plugin stays loaded to the end.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_EXTENSIONS_H
#define RELAY_LIB_DRIVER_OPT_EXTENSIONS_H

#include "relay/Driver/Opt/RelayOptMain.h"
#include "relay/Support/Flags.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace relay {

class Extensions {
public:
  /// Flags of what is added are declared with \p Flags, instrumentations are
  /// added to \p List.
  Extensions(const RelayOptExtension &Mine, FlagSet &Flags,
             InstrumentationList &List)
      : Flags(Flags), Instrumentations(List) {
    add({"this program", nullptr, Mine});
  }

  /// Loads the plugins that \p Line names by \p PluginFlag, and adds their
  /// flags and instrumentations. An empty name is left to who reads the flag.
  llvm::Error loadPlugins(const ParsedCommandLine &Line,
                          const FlagBase &PluginFlag);

  /// Registers in \p Ctx what is added to its ops. checkOps() has been called.
  void registerOps(Context &Ctx) const;
  /// An error if an operator that is added is there already.
  llvm::Error checkOps() const;
  /// Registers passes, analyses and config options; an error if one of them is
  /// there already.
  llvm::Error registerPasses(PassRegistry &Registry) const;

private:
  struct Entry {
    std::string Name; ///< as messages name it
    void *Library;    ///< null if it is no plugin
    RelayOptExtension What;
  };
  void add(Entry E);
  llvm::Error loadPlugin(StringRef Path);

  FlagSet &Flags;
  InstrumentationList &Instrumentations;
  std::vector<Entry> All;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_EXTENSIONS_H
