//===- ModuleOutput.h - What relay-opt writes to -o -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the results of a run and writes them: modules, and before them what
// -bisect and -match found. A single module is printed when it is written.
// Those of a file of parts are printed when they are added, and go.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_MODULEOUTPUT_H
#define RELAY_LIB_DRIVER_OPT_MODULEOUTPUT_H

#include "Flags/ConstantsFile.h"
#include "relay/Session/Session.h"

namespace relay {

struct RelayOptOptions;

class ModuleOutput {
public:
  ModuleOutput(Session &S, const RelayOptOptions &Options,
               ConstantsFile &Constants);

  /// The modules that are added are parts of a file.
  void expectParts() { HasParts = true; }
  /// Adds \p M. Failure if it is printed now and cannot be.
  LogicalResult add(OwnedModule M);
  /// Adds a part without a module: an error was expected there.
  void addEmptyPart();
  /// Writes \p Heading and the modules to -o, the constants that they leave out
  /// to the constants file. The text waits for that file, so that there is none
  /// without its constants. Failure if a module cannot be printed, which has
  /// been reported, or after \p Report reported an error.
  LogicalResult write(StringRef Heading,
                      function_ref<LogicalResult(llvm::Error)> Report);

private:
  LogicalResult print(Module &M, raw_ostream &OS);
  LogicalResult print(StringRef Heading, raw_ostream &OS);
  void beginPart();

  Session &S;
  const RelayOptOptions &Options;
  ConstantsFile &Constants;
  OutputOptions Printing;
  bool HasParts = false;
  unsigned NumParts = 0; ///< that were added
  std::string PartsText;
  Module *Single = nullptr; ///< left to the system at exit
  /// Parts whose constants the constants file needs.
  std::vector<OwnedModule> Kept;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_MODULEOUTPUT_H
