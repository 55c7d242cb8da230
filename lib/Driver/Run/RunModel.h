//===- RunModel.h - A model that is evaluated -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module, gives its @main arguments and evaluates that; and the flags
// that say how.
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

  /// An error if a value has the wrong form.
  llvm::Error check() const;
  /// What values may hold, in bytes; -max-memory=0 is no limit.
  uint64_t getValueLimit() const;

  /// Endless recursion ends within seconds.
  static constexpr uint64_t DefaultSteps = 100'000'000;
  /// What operators of large models may do.
  static constexpr uint64_t DefaultWork = 1'024'000'000'000;

  /// How many operations on elements may be done: DefaultWork, less only where
  /// -max-steps is less than its default.
  uint64_t getMaxWork() const;

  LimitFlags Limits;
  RunInputFlags Inputs;
  Flag<uint64_t> Steps{*this,
                       "-max-steps",
                       "Operations that may be evaluated (default 100000000)",
                       flag::Init{DefaultSteps},
                       flag::ValueName{"number"},
                       flag::NeedsTrust()};
  Flag<std::string> ConstantsFile{
      *this, "-constants-file",
      "Where the data that the text leaves out is read from",
      flag::ValueName{"file"}};
  Flag<std::string> TextVersion{
      *this, "-text-version",
      "Take the file for one of this release of TVM, 0.6 to 0.19 (default: "
      "what it tells)",
      flag::ValueName{"0.N"}};
};

/// The memory of the process, which grows with the files that are read.
class RunMemory {
public:
  explicit RunMemory(const RunModelFlags &Flags) : Flags(Flags) {}
  /// Limits the memory of the process; \p Bytes of input have been opened.
  void addInput(uint64_t Bytes);

private:
  const RunModelFlags &Flags;
  uint64_t InputSize = 0;
};

/// A module whose @main is evaluated. Errors are reported.
class RunModel {
public:
  /// \p Files may be those of another model, too. \p Progress, unless null,
  /// shows evaluations.
  RunModel(const RunModelFlags &Flags, Session &S, Context &Ctx,
           RunMemory &Memory, RunInputFiles &Files, RunProgress *Progress)
      : Flags(Flags), S(S), Ctx(Ctx), Memory(Memory), Files(Files),
        Progress(Progress), Constants(*Flags.ConstantsFile) {}

  /// Reads the module \p Path.
  LogicalResult read(StringRef Path);
  StringRef getPath() const { return Path; }
  Context &getContext() const { return Ctx; }
  const RunModelFlags &getFlags() const { return Flags; }
  Function &getMain() const { return *Main; }
  Module &getModule() const { return *M; }
  const ConstantsFile &getConstantsFile() const { return Constants; }

  /// Reads the arguments that the flags give.
  LogicalResult readInputs();
  /// The parameters that the flags give no input for.
  ArrayRef<unsigned> getMissingParams() const { return Missing; }
  /// An error if there is one.
  LogicalResult checkInputs() const;
  /// Makes random arguments for these parameters.
  LogicalResult makeRandomInputs(uint64_t Seed);
  /// Takes the arguments for these parameters from \p Other, by name; it has
  /// arguments for all of these names.
  void shareInputs(const RunModel &Other);

  /// The result for the arguments, which is valid until the next evaluation.
  /// Values may hold \p MoreMemory besides what the flags allow.
  FailureOr<RuntimeValue> evaluate(ArrayRef<EvaluationListener *> Listeners,
                                   uint64_t MoreMemory = 0);
  /// The most bytes that values of the last evaluation took at a time, but for
  /// its arguments and constants.
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
  std::vector<RuntimeValue> Arguments; ///< by parameter
  SmallVector<unsigned, 4> Missing;    ///< parameters
  /// Lives as long as the result, which may hold closures.
  std::optional<Evaluator> TheEvaluator;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNMODEL_H
