//===- RunModel.h - A model to evaluate -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module, provides the arguments of its @main, and evaluates it; and
// the flags for these steps.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_RUNMODEL_H
#define RELAY_LIB_DRIVER_RUN_RUNMODEL_H

#include "Flags/ConstantsFile.h"
#include "Flags/Tool.h"
#include "RunInputs.h"
#include "RunProgress.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"

namespace relay {

struct RunModelFlags : FlagGroup {
  explicit RunModelFlags(FlagSet &Flags)
      : FlagGroup(Flags, "Evaluation"), Limits(Flags), Inputs(Flags) {}

  /// Returns an error if a value is invalid.
  llvm::Error check() const;
  /// Returns the limit on the memory of values, in bytes; -max-memory=0 is no
  /// limit.
  uint64_t getValueLimit() const;

  /// Ends endless recursion within seconds.
  static constexpr uint64_t DefaultSteps = 100'000'000;
  /// Sufficient for the operators of large models.
  static constexpr uint64_t DefaultWork = 1'024'000'000'000;

  /// Returns the maximum number of operations on elements: DefaultWork, or less
  /// if -max-steps is less than its default.
  uint64_t getMaxWork() const;

  LimitFlags Limits;
  RunInputFlags Inputs;
  Flag<uint64_t> Steps{
      *this,
      "-max-steps",
      "Maximum number of evaluated operations (default 100000000)",
      flag::Init{DefaultSteps},
      flag::ValueName{"number"},
      flag::NeedsTrust()};
  Flag<bool> OpaqueConstants{
      *this, "-opaque-constants",
      "Read constants without their data; evaluating one is an error"};
  Flag<std::string> ConstantsFile{*this, "-constants-file",
                                  "Read elided constants from this file",
                                  flag::ValueName{"file"}};
  Flag<std::string> TextVersion{*this, "-text-version",
                                "Read the input as text of this TVM release, "
                                "0.6 to 0.19 (default: as the input says)",
                                flag::ValueName{"0.N"}};
};

/// The memory limit of the process, which grows with the size of the files that
/// are read.
class RunMemory {
public:
  explicit RunMemory(const RunModelFlags &Flags) : Flags(Flags) {}
  /// Sets the memory limit after \p Bytes of input have been opened.
  void addInput(uint64_t Bytes);

private:
  const RunModelFlags &Flags;
  uint64_t InputSize = 0;
};

/// A module whose @main is evaluated. Errors are reported as diagnostics.
class RunModel {
public:
  /// \p Files may be shared with another model. \p Progress, unless null,
  /// displays evaluations.
  RunModel(const RunModelFlags &Flags, Session &S, Context &Ctx,
           RunMemory &Memory, RunInputFiles &Files, RunProgress *Progress)
      : Flags(Flags), S(S), Ctx(Ctx), Memory(Memory), Files(Files),
        Progress(Progress), Constants(*Flags.ConstantsFile) {}

  /// Reads the module from \p Path.
  LogicalResult read(StringRef Path);
  StringRef getPath() const { return Path; }
  Context &getContext() const { return Ctx; }
  const RunModelFlags &getFlags() const { return Flags; }
  Function &getMain() const { return *Main; }
  Module &getModule() const { return *M; }
  const ConstantsFile &getConstantsFile() const { return Constants; }

  /// Reads the arguments from the files of the flags.
  LogicalResult readInputs();
  /// Returns the parameters without an input.
  ArrayRef<unsigned> getMissingParams() const { return Missing; }
  /// Returns failure if a parameter has no input.
  LogicalResult checkInputs() const;
  /// Creates random arguments for these parameters.
  LogicalResult makeRandomInputs(uint64_t Seed);
  /// Copies the arguments for these parameters from \p Other, by name; it has
  /// an argument for each of them.
  void shareInputs(const RunModel &Other);

  /// Returns the result, which is valid until the next evaluation. Values may
  /// use \p MoreMemory in addition to the limit of the flags.
  FailureOr<RuntimeValue> evaluate(ArrayRef<EvaluationListener *> Listeners,
                                   uint64_t MoreMemory = 0);
  /// Returns the peak memory of the values of the last evaluation, without its
  /// arguments and constants.
  uint64_t getPeakMemory() const { return TheEvaluator->getMemory().getPeak(); }

private:
  LogicalResult report(llvm::Error E) const;
  const BlockArgument &getParam(unsigned I) const;

  const RunModelFlags &Flags;
  Session &S;
  Context &Ctx;
  RunMemory &Memory;
  RunInputFiles &Files;
  RunProgress *Progress;
  ConstantsFile Constants;
  std::string Path;
  std::unique_ptr<Module> M;
  Function *Main = nullptr;
  std::vector<RuntimeValue> Arguments; ///< one for each parameter
  SmallVector<unsigned, 4> Missing;    ///< indices of parameters
  /// Lives as long as the result, which may contain closures.
  std::optional<Evaluator> TheEvaluator;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNMODEL_H
