//===- Completion.h - -complete and -print-completion -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Completion of command lines. The program itself computes the completions at
// the cursor, which include those of plugins named in the line; the scripts of
// the shells only call it with `relay-opt -complete=LINE`. relay-run and
// relay-diff have the same flag.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_COMPLETION_H
#define RELAY_LIB_DRIVER_FLAGS_COMPLETION_H

#include "relay/Support/Flags.h"
#include <string>
#include <vector>

namespace relay {

class PassRegistry;

enum class Shell : uint8_t { Bash, Zsh, Fish };

/// The flags for completion, which all tools have.
struct CompletionFlags : FlagGroup {
  explicit CompletionFlags(FlagSet &Flags)
      : FlagGroup(Flags, "Lists, instead of a run"), All(Flags) {}

  Flag<Shell> Script{
      *this, "-print-completion", "Print the completion script of this shell",
      flag::OneOf<Shell>{
          {"bash", Shell::Bash, "source <(TOOL -print-completion=bash)"},
          {"zsh", Shell::Zsh, "source <(TOOL -print-completion=zsh)"},
          {"fish", Shell::Fish, "TOOL -print-completion=fish | source"}}};
  Flag<std::string> Line{*this,
                         "-complete",
                         "Print completions of the end of this command line",
                         flag::Hidden(),
                         flag::MayBeEmpty(),
                         flag::ValueName{"line"}};

  bool areGiven() const { return Script.isGiven() || Line.isGiven(); }
  /// Prints the requested script or completions for the program \p Tool.
  void print(StringRef Tool, const PassRegistry &Registry,
             raw_ostream &OS) const;
  /// As above, to standard output, for \p Tool, which runs no passes. Returns
  /// the exit status, \p FailureStatus if writing fails; none if no flag
  /// requests completion.
  std::optional<int> apply(StringRef Tool, int FailureStatus) const;

private:
  FlagSet &All;
};

/// Writes the script that completes command lines of \p Tool in \p S.
void printCompletionScript(Shell S, StringRef Tool, raw_ostream &OS);

/// Returns the arguments of \p Line, a part of a command line, without the name
/// of the program and without quotes. The last argument is at the end of \p
/// Line, which may be within quotes; it is empty after white space.
std::vector<std::string> splitCommandLine(StringRef Line);

/// Prints the completions of the last argument of \p Line, one per line: the
/// complete argument, a tab, and its meaning. Completions are the flags that
/// -help lists, or synonyms if no flag matches, and their values: the words of
/// an enumeration, and values by the name of the value (`pipeline`, `pass,...`,
/// `key=value`, ...). Nothing is printed if files are to be completed.
void printCompletions(StringRef Line, const FlagSet &Flags,
                      const PassRegistry &Registry, raw_ostream &OS);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_COMPLETION_H
