//===- SemanticsCheck.h - Check the results of passes -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -verify-semantics: evaluates each changed function before and after a pass on
// generated inputs, and stops the pipeline with an error if the results differ
// by more than the pass's record allows. The report states the number of inputs
// for each function, and the reason for functions that were not evaluated.
// Equal results are not a proof.
//
// For nested passes, the outermost pass that is not a group is checked.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_SEMANTICSCHECK_H
#define RELAY_INSTRUMENTATION_CHECKS_SEMANTICSCHECK_H

#include "relay/Instrumentation/Checks/FunctionComparison.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

struct SemanticsCheckOptions : InstrumentationOptions {
  explicit SemanticsCheckOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Checks") {}

  Flag<unsigned> NumInputs{*this,
                           "-verify-semantics",
                           "Check on this many inputs (default 4) that each "
                           "pass keeps the results of functions",
                           flag::WithoutValue{4u},
                           flag::ValueName{"number"},
                           flag::Positive()};
  Flag<uint64_t> Seed{*this, "-semantics-seed",
                      "First seed of the inputs (default 0)",
                      flag::ValueName{"number"}};
  Flag<uint64_t> MaxElements{
      *this,
      "-semantics-max-elements",
      "Do not evaluate functions that compute more "
      "elements than this (default 268435456)",
      flag::Init{FunctionComparisonOptions().MaxElements},
      flag::ValueName{"number"},
      flag::Positive()};
  Flag<std::string> Directory{
      *this, "-counterexample-directory",
      "Write inputs on which results differ, the module before and after, and "
      "a reproducer to this directory",
      flag::ValueName{"directory"}, flag::NeedsTrust()};

  bool isEnabled() const override { return NumInputs.isGiven(); }
  llvm::Error check() const override {
    return isEnabled() ? llvm::Error::success()
                       : checkNotGiven({&Seed, &MaxElements, &Directory},
                                       NumInputs.getSpelling());
  }
};

class SemanticsCheck final : public Instrumentation {
public:
  using Options = SemanticsCheckOptions;
  static constexpr StringLiteral Name = "verify-semantics";

  SemanticsCheck(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts), AllowUndefinedGlobals(Setup.AllowUndefinedGlobals) {}

  void addFiles(SmallVectorImpl<InstrumentationFile> &Files) const override;
  llvm::Error prepare(const PassRegistry &Registry) const override;
  void takeOver(Instrumentation &Previous) override;
  std::string getReproducerPath() const override;
  void registerCallbacks(PassContext &PC) override;
  void start(Module &) override { ++NumModules; }
  llvm::Error report(raw_ostream &OS, const ModulePassManager &,
                     bool Failed) override;

private:
  /// The report on a run of a pass on a function, and on further functions with
  /// the same report.
  struct Line {
    unsigned Sweep;
    std::string Pass, Function; ///< empty: about the pass itself
    std::string Text;
    unsigned NumMore = 0;

    /// Returns `FuseOps on @main and 2 more: agreed on 4 inputs`.
    std::string getText() const;
  };
  /// Lines of the whole input. Equal lines of several modules are kept once, so
  /// that a Session does not grow with the number of modules.
  struct Report {
    void add(ArrayRef<Line> LinesOfModule);
    void print(raw_ostream &OS) const;

    /// The text, and the number of modules that have it.
    std::vector<std::pair<std::string, unsigned>> Lines;
    /// Positions in Lines, by text and number among equal lines of one module.
    llvm::StringMap<size_t> Places;
  };

  static bool isChecked(const PassRun &Run);
  void before(const PassRun &Run);
  LogicalResult after(const PassRun &Run);
  void dropCopy();
  LogicalResult checkFunction(const PassRun &Run, Function &New);
  LogicalResult reportDifference(const PassRun &Run, Function &Old,
                                 Function &New,
                                 const ComparisonOutcome &Outcome);
  void writeCounterexample(Function &Old, Function &New,
                           ArrayRef<RuntimeValue> Arguments,
                           InFlightDiagnostic &D) const;
  void addLine(const PassRun &Run, StringRef Function, const Twine &Text);

  const Options &Opts;
  bool AllowUndefinedGlobals;
  FunctionComparisonOptions ComparisonOptions;
  /// A copy of the unit of the pass and of all functions that it names, before
  /// the pass; and the unit. Kept until something changes.
  std::unique_ptr<Module> Copy;
  const void *CopiedUnit = nullptr;
  OperationTwins Twins;
  unsigned NumModules = 0; ///< parts of the input up to this one
  std::vector<Line> Lines; ///< of this module
  Report Earlier;          ///< of earlier modules
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_SEMANTICSCHECK_H
