//===- ToolCommandLine.h - Command lines of all tools -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What reading argv has in common in relay-opt and its sister tools. Each tool
// declares its own options.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_TOOLCOMMANDLINE_H
#define RELAY_LIB_DRIVER_TOOLCOMMANDLINE_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace relay {

/// Takes the options that LLVM's Support registers out of the registry, but for
/// those that serve any tool: several have names of ours. Before options are
/// declared.
void removeSupportOptions();

/// The name of an option as it is written: of `-name=value`.
StringRef getOptionName(StringRef Option);

/// What stands on a command line before it is parsed.
struct CommandLineParts {
  /// `-name=value` or `-name`.
  std::vector<std::string> Options;
  std::vector<std::string> Operands;

  /// Whether there is an option \p Name.
  bool hasOption(StringRef Name) const;
};

/// The parts of \p Arguments, without the program's name. Options whose value
/// is an argument of its own are told by the registered flags.
CommandLineParts splitCommandLine(ArrayRef<const char *> Arguments);

/// Replaces `@file` in \p Arguments by what the file holds, kept in \p Texts.
llvm::Error expandResponseFiles(SmallVectorImpl<const char *> &Arguments,
                                llvm::BumpPtrAllocator &Texts);

/// Reads argv into the options that are declared. What LLVM says about mistakes
/// is rewritten to the form of all our errors: `<tool>: error: …`. An empty
/// value is a mistake but for the option \p MayBeEmpty. May be called once in a
/// process.
LogicalResult parseToolCommandLine(int Argc, const char *const *Argv,
                                   const char *Tool, const char *Overview,
                                   StringRef MayBeEmpty = "");

/// Reports an error of the program \p Tool, not of its input.
void reportToolError(const char *Tool, const Twine &Message);
/// Likewise \p E, which may be success.
LogicalResult reportToolError(const char *Tool, llvm::Error E);

} // namespace relay

#endif // RELAY_LIB_DRIVER_TOOLCOMMANDLINE_H
