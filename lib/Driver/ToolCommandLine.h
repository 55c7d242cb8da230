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
#include "llvm/Support/Error.h"

namespace relay {

/// Takes the options that LLVM's Support registers out of the registry, but for
/// those that serve any tool: several have names of ours. Before options are
/// declared.
void removeSupportOptions();

/// Reads argv into the options that are declared. What LLVM says about mistakes
/// is rewritten to the form of all our errors: `<tool>: error: …`. May be
/// called once in a process.
LogicalResult parseToolCommandLine(int Argc, const char *const *Argv,
                                   const char *Tool, const char *Overview);

/// Reports an error of the program \p Tool, not of its input.
void reportToolError(const char *Tool, const Twine &Message);
/// Likewise \p E, which may be success.
LogicalResult reportToolError(const char *Tool, llvm::Error E);

} // namespace relay

#endif // RELAY_LIB_DRIVER_TOOLCOMMANDLINE_H
