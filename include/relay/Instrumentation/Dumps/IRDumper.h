//===- IRDumper.h - Format and destination of dumps -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of all flags that dump IR: filters of passes and functions,
// headers, numbers of passes, and files. A dump begins with a Relay comment,
// `// *** IR Dump After FoldConstant on @main ***`. A function's dump is
// numbered from %0, elides constants above 64 elements, has no metadata, and
// reads back under -allow-undefined-globals.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_DUMPS_IRDUMPER_H
#define RELAY_INSTRUMENTATION_DUMPS_IRDUMPER_H

#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Support/BoundedRegex.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/ADT/StringSet.h"

namespace relay {

/// The parts of the header of each dump around its title:
/// `// *** IR Dump After FoldConstant on @main ***`.
constexpr StringLiteral DumpHeaderBegin = "// *** IR Dump ";
constexpr StringLiteral DumpHeaderEnd = " ***\n";

struct IRDumpOptions : FlagGroup {
  explicit IRDumpOptions(FlagSet &Flags) : FlagGroup(Flags, "Dumps") {}

  /// Arguments of passes; empty for all of them.
  ListFlag<std::string> Passes{*this, "-filter-passes",
                               "Dump only these passes", flag::CommaSeparated(),
                               flag::ValueName{"pass,..."}};
  /// Names of functions; empty for all of them.
  ListFlag<std::string> Functions{
      *this, "-filter-print-funcs", "Dump only these functions",
      flag::CommaSeparated(), flag::ValueName{"function,..."}};
  Flag<std::string> Layers{*this, "-filter-print-layers",
                           "Dump only operations of layers whose names match",
                           flag::ValueName{"regex"}};
  /// Dump the whole module, as text that reads back, also for function passes.
  Flag<bool> ModuleScope{*this, "-print-module-scope",
                         "Dump the whole module, metadata included"};
  /// List passes as they begin, numbered; headers show the numbers.
  Flag<bool> PassNumbers{*this, "-print-pass-numbers",
                         "List passes as they begin, with their numbers"};
  Flag<bool> PassOptions{*this, "-print-pass-options",
                         "Show the options of passes in dumps"};
  ListFlag<unsigned> BeforeNumbers{
      *this,
      "-print-before-pass-number",
      "Dump IR before the passes with these numbers",
      flag::CommaSeparated(),
      flag::ValueName{"number,..."},
      flag::Positive()};
  ListFlag<unsigned> AfterNumbers{*this,
                                  "-print-after-pass-number",
                                  "Dump IR after the passes with these numbers",
                                  flag::CommaSeparated(),
                                  flag::ValueName{"number,..."},
                                  flag::Positive()};
  /// If empty, dumps go to the stream.
  Flag<std::string> Directory{
      *this, "-ir-dump-directory",
      "Dump to files in this directory, by default after each pass",
      flag::ValueName{"directory"}, flag::NeedsTrust()};

  /// Returns true if passes are numbered, in the order in which they begin.
  bool hasNumbers() const {
    return PassNumbers || !BeforeNumbers.empty() || !AfterNumbers.empty() ||
           !Directory->empty();
  }
  /// Returns true if a single thread is needed: a whole module cannot be dumped
  /// while other functions change, and numbers need an order.
  bool needsOneThread() const { return ModuleScope || hasNumbers(); }
};

/// Prints \p Unit as text that reads back: the module, or the function with
/// everything that it names directly or indirectly.
void printReadable(IRUnit Unit, raw_ostream &OS, const PrintOptions &O);

/// Returns an error if one of \p Names, the value of \p Flag, is not a pass.
llvm::Error checkPassNames(StringRef Flag, ArrayRef<std::string> Names,
                           const PassRegistry &Registry);

/// The passes that a flag names, looked up once.
class NamedPasses {
public:
  NamedPasses() = default;
  /// \p Names must have passed checkPassNames().
  NamedPasses(ArrayRef<std::string> Names, const PassRegistry &Registry);
  bool contains(const PassInfo &Info) const {
    return Arguments.contains(Info.Argument);
  }

private:
  llvm::StringSet<> Arguments;
};

class IRDumper {
public:
  IRDumper(const IRDumpOptions &Options, const InstrumentationSetup &Setup)
      : Options(Options), Setup(Setup), OS(*Setup.Stream),
        Layers(*Options.Layers) {}

  const IRDumpOptions &getOptions() const { return Options; }
  raw_ostream &getStream() const { return OS; }

  /// Continues with the numbers and the names of \p Previous.
  void takeOver(IRDumper &Previous) {
    NumPasses = Previous.NumPasses;
    NumModules = Previous.NumModules;
    SeenFunctions = std::move(Previous.SeenFunctions);
    SeenLayers = std::move(Previous.SeenLayers);
  }
  /// Returns an error if -filter-passes names an unknown pass, if
  /// -filter-print-layers is not a regular expression, or if the directory
  /// cannot be created or written.
  llvm::Error prepare(const PassRegistry &Registry) const;
  /// Looks up the passes of -filter-passes; must be called before a run.
  void lookUpPasses(const PassRegistry &Registry) {
    Passes = NamedPasses(Options.Passes, Registry);
  }
  /// Records the names in the final module \p M that filters may match.
  void noteModule(const Module &M);
  /// After all modules: returns an error if -filter-print-funcs names a
  /// function that no module had, if -filter-print-layers matches no layer, or
  /// if a flag has a number larger than the number of passes that ran.
  llvm::Error checkAll() const;

  /// Lists passes. Must be called before the callbacks of dumps are registered.
  void registerCallbacks(PassInstrumentationCallbacks &PIC);

  /// Returns true if -filter-passes excludes the pass.
  bool isFilteredOut(const PassInfo &Info) const {
    return !Options.Passes.empty() && !Passes.contains(Info);
  }
  /// Returns true if flags that dump all passes dump this one: each pass except
  /// groups, or, with -filter-passes, each pass that it names.
  bool isOneOfAll(const PassInfo &Info) const {
    return Options.Passes.empty() ? !Info.IsGroup : Passes.contains(Info);
  }
  /// Returns true unless -filter-print-funcs excludes the function named \p
  /// Function.
  bool isWanted(StringRef Function) const;
  /// Returns true unless -filter-print-funcs excludes all functions so far.
  bool hasSeenWanted() const;
  /// Returns true if \p F has an operation that -filter-print-layers accepts.
  bool hasWantedLayer(Function &F) const;
  bool isWanted(Function &F) const {
    return isWanted(F.getName()) && hasWantedLayer(F);
  }

  /// Writes `// *** IR Dump After FoldConstant on @main ***`, with \p Note
  /// before the last asterisks.
  void printHeader(StringRef When, const PassRun &Run, StringRef Note = "") {
    OS << makeHeader(When, Run, Note);
  }
  /// Writes the functions of a module that filters accept, a function, or, in
  /// module scope, the whole module.
  void printUnit(IRUnit Unit);
  void printFunction(Function &F) { printFunction(F, OS); }
  void printFunction(Function &F, raw_ostream &To) const;
  /// Returns true if a dump is one text and not divided by function: files, and
  /// the whole module.
  bool dumpsOneText() const {
    return Options.ModuleScope || !Options.Directory->empty();
  }
  /// Writes \p Unit as one text.
  void printText(IRUnit Unit, raw_ostream &To) const;
  /// Dumps header and IR to the stream or to a file; nothing for a function
  /// that filters exclude.
  void dump(StringRef When, const PassRun &Run, StringRef Note = "");
  /// As above, for \p Text, an earlier state of the IR.
  void dumpText(StringRef When, const PassRun &Run, StringRef Text);
  /// As above, for a diff that \p Print writes; its file ends in `.diff`.
  void dumpDiff(StringRef When, const PassRun &Run,
                function_ref<void(raw_ostream &)> Print);
  /// Dumps the module before the first pass.
  void dumpStart(Module &M);
  /// Returns failure if a file could not be written, which has been reported.
  LogicalResult getResult() const { return success(!Failed); }

private:
  void noteFunctions(const Module &M);
  bool isWanted(const Operation &Op) const;
  llvm::Error checkFunctions() const;
  llvm::Error checkLayers() const;
  llvm::Error checkNumbers() const;
  void start(const PassRun &Run);
  std::string getLabel(const PassRun &Run) const;
  std::string makeHeader(StringRef When, const PassRun &Run,
                         StringRef Note) const;
  std::string getStartFileName() const;
  std::string getFileName(StringRef When, const PassRun &Run,
                          StringRef Extension) const;
  void writeFile(StringRef Name, const Module &M,
                 function_ref<void(raw_ostream &)> Print);
  void writeUnit(StringRef Name, StringRef Header, IRUnit Unit);
  /// Returns the options for modules and for text that reads back.
  PrintOptions getModuleOptions() const;

  const IRDumpOptions &Options;
  const InstrumentationSetup Setup;
  raw_ostream &OS;
  BoundedRegex Layers;
  NamedPasses Passes; ///< of -filter-passes
  /// Names of functions in modules so far, if there is a filter.
  llvm::StringSet<> SeenFunctions;
  llvm::StringSet<> SeenLayers;
  unsigned NumPasses = 0;  ///< begun so far
  unsigned NumModules = 0; ///< whose start has been dumped
  bool Failed = false;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_DUMPS_IRDUMPER_H
