//===- BoundParameters.h - -params, -inputs and -save-params ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values for parameters of @main, read from a file or random. They are passed
// to `bind-params` through the pass context.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_BOUNDPARAMETERS_H
#define RELAY_LIB_DRIVER_OPT_BOUNDPARAMETERS_H

#include "Flags/ParamsFlag.h"
#include "relay/Interpreter/Values/Tensor.h"
#include "relay/Pass/PassContext.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

struct ParameterFlags : FlagGroup {
  explicit ParameterFlags(FlagSet &Flags) : FlagGroup(Flags, "Parameters") {}

  ParamsFlag Params{*this, "-params",
                    "Values for parameters of @main: a parameter dictionary of "
                    "TVM, a .npz file, random ones, or both",
                    flag::ValueName{"file|random[:seed]"}};
  ListFlag<std::string> Inputs{*this, "-inputs",
                               "With -params=random: give these parameters no "
                               "value (default: the first)",
                               flag::CommaSeparated(),
                               flag::ValueName{"name,..."}};
  Flag<std::string> Save{*this, "-save-params",
                         "Write the values of -params to this file, as a "
                         "parameter dictionary of TVM or a .npz file",
                         flag::ValueName{"file"}, flag::NeedsTrust()};

  /// Returns an error if the values of the flags are invalid or contradictory.
  llvm::Error check() const;
};

class BoundParameters {
public:
  explicit BoundParameters(const ParameterFlags &Flags) : Flags(Flags) {}

  /// Replaces the values by those for the parameters of \p M. Values that do
  /// not fit are diagnosed; \p Report gets errors about the file and about
  /// unknown names.
  LogicalResult fill(Module &M,
                     function_ref<LogicalResult(llvm::Error)> Report);
  void addTo(PassContext &PC) const;
  /// Moves the values to \p PC, except those for -save-params, so that passes
  /// may release the memory of values that they no longer use.
  void moveTo(PassContext &PC);
  /// Releases the values, before their Context is destroyed, except those for
  /// -save-params.
  void reset() {
    if (!Flags.Save.isGiven())
      Values.clear();
  }
  /// Writes the file of -save-params, if the flag is given.
  llvm::Error save() const;

private:
  struct Parameter {
    unsigned Index; ///< of the parameter
    StringRef Name;
    Attr Value;
    ConstantRef Data; ///< the value
  };
  void add(const BlockArgument &Param, Attr Value) {
    Values.push_back(
        {Param.getArgNo(), Param.getName(), Value, ConstantRef(Value)});
  }

  llvm::Error saveArchive() const;
  llvm::Error saveDictionary() const;
  llvm::Error readFile();
  llvm::Expected<std::vector<bool>> findInputs(Function &Main) const;
  LogicalResult makeRandom(const BlockArgument &Param, MemoryMeter &Meter);
  LogicalResult fillFromFile(Function &Main,
                             function_ref<LogicalResult(llvm::Error)> Report);
  LogicalResult fillRandom(Function &Main,
                           function_ref<LogicalResult(llvm::Error)> Report);

  const ParameterFlags &Flags;
  /// The contents of the file, once it has been read.
  std::shared_ptr<const llvm::MemoryBuffer> File;
  /// The named values, in the order of the parameters.
  std::vector<Parameter> Values;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_BOUNDPARAMETERS_H
