//===- PatternQuery.h - -match and -explain-match ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -match=PATTERN prints the matches of a pattern in the result of the pipeline
// instead of the result; -explain-match explains why the pattern does not match
// a value.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_PATTERNQUERY_H
#define RELAY_LIB_DRIVER_OPT_PATTERNQUERY_H

#include "relay/Pattern/Match/MatchExplanation.h"
#include "relay/Pattern/Text/PatternText.h"
#include "relay/Support/Flags.h"

namespace relay {

class ResultNames;

struct PatternQueryFlags : FlagGroup {
  explicit PatternQueryFlags(FlagSet &Flags) : FlagGroup(Flags, "Patterns") {}

  ListFlag<std::string> Patterns{
      *this, "-match",
      "Print the matches of this pattern instead of the module",
      flag::ValueName{"pattern"}};
  ListFlag<std::string> Files{*this, "-match-file",
                              "Print the matches of the patterns of this file",
                              flag::ValueName{"file"}, flag::NeedsTrust()};
  ListFlag<std::string> Explained{
      *this, "-explain-match",
      "With -match: print why the patterns do not match these values",
      flag::CommaSeparated(),
      flag::ValueName{"%name,@function,layer:name,..."}};

  bool isEnabled() const { return !Patterns.empty() || !Files.empty(); }
};

class PatternQuery {
public:
  explicit PatternQuery(const PatternQueryFlags &Flags) : Flags(Flags) {}

  /// Reads the patterns for modules of \p Ctx. Reports errors in the patterns
  /// or in their files.
  LogicalResult prepare(Context &Ctx, const PassRegistry &Registry);
  /// Adds the matches in \p M to the report.
  llvm::Error run(Module &M);
  /// Destroys the patterns, before their Context is destroyed.
  void reset() { Program.reset(); }
  /// Returns the matches in all modules.
  StringRef getReport() const { return Report; }

private:
  LogicalResult readFile(StringRef Path, Context &Ctx,
                         const PassRegistry &Registry,
                         SmallVectorImpl<Pattern> &Read);
  bool isRefused(unsigned I, ExprRef E) const;
  llvm::Error findMatches(Module &M, raw_ostream &OS) const;
  llvm::Error explain(const ResultNames &Names, raw_ostream &OS) const;
  void explain(Matcher &Matching, unsigned I, ExprRef E, ValueNames Names,
               raw_ostream &OS) const;

  const PatternQueryFlags &Flags;
  /// The name of each pattern; empty for those of -match.
  std::vector<std::string> PatternNames;
  /// The check of each pattern, or null.
  std::vector<PatternCheckFn> Checks;
  std::optional<PatternProgram> Program;
  std::string Report;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_PATTERNQUERY_H
