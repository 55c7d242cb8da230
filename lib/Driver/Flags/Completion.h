//===- Completion.h - -complete and -print-completion -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Completion of command lines. The program itself finds what may stand before
// the cursor, so that plugins that the line names take part; the scripts of the
// shells only ask it, by `relay-opt -complete=LINE`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_COMPLETION_H
#define RELAY_LIB_DRIVER_FLAGS_COMPLETION_H

#include "relay/Support/LLVM.h"
#include <string>
#include <vector>

namespace relay {

class FlagSet;
class PassRegistry;

enum class Shell : uint8_t { Bash, Zsh, Fish };

/// Writes the script that completes command lines in \p S.
void printCompletionScript(Shell S, raw_ostream &OS);

/// The arguments of \p Line, a part of a command line, behind the name of the
/// program and without quotes. The last one is where \p Line ends, which may be
/// within quotes; it is empty behind white space.
std::vector<std::string> splitCommandLine(StringRef Line);

/// Writes what the last argument of \p Line may become, a line each: the whole
/// argument, a tab, and what it means. That are the flags that -help lists, or
/// where there is none of these synonyms, and their values: the words of an
/// enumeration, and what the name of the value says (`pipeline`, `pass,...`,
/// `key=value`, ...). Nothing is written where files are to be completed.
void printCompletions(StringRef Line, const FlagSet &Flags,
                      const PassRegistry &Registry, raw_ostream &OS);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_COMPLETION_H
