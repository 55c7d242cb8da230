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

#ifndef RELAY_LIB_DRIVER_EXTENSIONS_H
#define RELAY_LIB_DRIVER_EXTENSIONS_H

#include "relay/Driver/RelayOptMain.h"
#include "relay/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace relay {

class Extensions {
public:
  explicit Extensions(const RelayOptExtension &Mine)
      : All({{"this program", nullptr, Mine}}) {}

  /// Loads the plugin \p Path.
  llvm::Error loadPlugin(StringRef Path);

  /// Registers in \p Ctx what is added to its ops. checkOps() has been called.
  void registerOps(Context &Ctx) const;
  /// An error if an operator that is added is there already.
  llvm::Error checkOps() const;
  /// Registers passes, analyses and config options; an error if one of them is
  /// there already.
  llvm::Error registerPasses(PassRegistry &Registry) const;
  void registerInstrumentation(PassContext &PC) const;

private:
  struct Entry {
    std::string Name; ///< as messages name it
    void *Library;    ///< null if it is no plugin
    RelayOptExtension What;
  };
  std::vector<Entry> All;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_EXTENSIONS_H
