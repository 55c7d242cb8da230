//===- Extensions.h - Extensions of programs and plugins --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators, passes and instrumentations that the program and plugins add
// to a Session, in the order of their addition. A plugin stays loaded until the
// end of the process.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_SESSION_EXTENSIONS_H
#define RELAY_LIB_SESSION_EXTENSIONS_H

#include "relay/Session/Extension.h"
#include "relay/Support/Flags.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace relay {

class Extensions {
public:
  /// Declares flags of extensions with \p Flags and adds instrumentations to \p
  /// List.
  Extensions(FlagSet &Flags, InstrumentationList &List)
      : Flags(Flags), Instrumentations(List) {}

  /// Adds the extension of the program.
  void add(const Extension &E) { add({"this program", nullptr, E}); }
  /// Loads the plugin and adds its flags and instrumentations. Returns an error
  /// if it cannot be loaded, is incompatible, or declares an existing flag.
  llvm::Error loadPlugin(StringRef Path);

  /// Registers the operators and hooks of all extensions in \p Ctx. checkOps()
  /// has been called.
  void registerOps(Context &Ctx) const;
  /// Returns an error if an added operator exists already.
  llvm::Error checkOps() const;
  /// Registers passes, analyses and config options. Returns an error if one of
  /// them exists already. Errors in pipelines are printed to \p Messages.
  llvm::Error registerPasses(PassRegistry &Registry,
                             raw_ostream &Messages) const;

private:
  struct Entry {
    std::string Name; ///< the name in messages
    void *Library;    ///< null if it is not a plugin
    Extension What;
  };
  void add(Entry E);

  FlagSet &Flags;
  InstrumentationList &Instrumentations;
  std::vector<Entry> All;
};

} // namespace relay

#endif // RELAY_LIB_SESSION_EXTENSIONS_H
