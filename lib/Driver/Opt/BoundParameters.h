//===- BoundParameters.h - -params, -inputs and -save-params ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values for parameters of @main, of a file or made up. They are in the pass
// context for `bind-params`.
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

  /// An error if the values make no sense, or not together.
  llvm::Error check() const;
};

class BoundParameters {
public:
  explicit BoundParameters(const ParameterFlags &Flags) : Flags(Flags) {}

  /// Takes the values for \p M, in place of those for an earlier module. What
  /// does not fit is a diagnostic; \p Report is for what is wrong with the
  /// file, and with names.
  LogicalResult fill(Module &M,
                     function_ref<LogicalResult(llvm::Error)> Report);
  void addTo(PassContext &PC) const;
  /// Likewise, and keeps only what is to be saved: passes that have no more use
  /// for a value may then release its memory.
  void moveTo(PassContext &PC);
  /// Lets go of the values, before their Context goes, but for those that are
  /// to be saved.
  void reset() {
    if (!Flags.Save.isGiven())
      Values.clear();
  }
  /// Writes the file of -save-params, if it is given.
  llvm::Error save() const;

private:
  struct Parameter {
    unsigned Index; ///< of the parameter
    StringRef Name;
    Attr Value;
    ConstantRef Data; ///< of the value
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
  /// The file, when it has been read.
  std::shared_ptr<const llvm::MemoryBuffer> File;
  /// By name, in the order of the parameters.
  std::vector<Parameter> Values;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_BOUNDPARAMETERS_H
