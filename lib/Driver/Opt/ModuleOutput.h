//===- ModuleOutput.h - The output of relay-opt -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the results of a run and writes them: first the results of -bisect
// and -match, then the modules. A single module is printed when it is written.
// The parts of a file are printed and destroyed when they are added.
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

  /// Expects parts of a file.
  void expectParts() { HasParts = true; }
  /// Adds \p M. Fails if it is printed now and cannot be.
  LogicalResult add(OwnedModule M);
  /// Adds a part without a module, in which an error was expected.
  void addEmptyPart();
  /// Writes \p Heading and the modules to -o, and elided constants to the
  /// constants file. The text is written after that file, so that no text
  /// exists without its constants. Fails if a module cannot be printed, which
  /// has been reported, or after \p Report reported an error.
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
  unsigned NumParts = 0; ///< number of added parts
  std::string PartsText;
  Module *Single = nullptr; ///< not destroyed at exit
  /// Parts with elided constants, kept until the constants file is written.
  std::vector<OwnedModule> Kept;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_MODULEOUTPUT_H
