//===- RunInputs.h - The arguments of an evaluation -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the values of @main's parameters come from: files by name, a dictionary
// of parameters, archives of arrays, files in order, random numbers; in this
// order.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_RUNINPUTS_H
#define RELAY_LIB_DRIVER_RUN_RUNINPUTS_H

#include "Flags/ParamsFlag.h"
#include "relay/Interpreter/Values/RuntimeValue.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace relay {

struct RunInputFlags : FlagGroup {
  explicit RunInputFlags(FlagSet &Flags) : FlagGroup(Flags, "Inputs") {}

  /// An error if a value has the wrong form.
  llvm::Error check() const;
  /// The seed of -params=random; none if that is not given.
  std::optional<uint64_t> getSeed() const { return Params.getSeed(); }

  /// The operands behind the model.
  std::vector<std::string> Files;
  ListFlag<std::string> Named{
      *this, "-input",
      "Read the input of the parameter of this name from this file",
      flag::ValueName{"name=file"}};
  ParamsFlag Params{
      *this, "-params",
      "Take what -input does not give from TVM's parameter dictionary or a "
      ".npz file, or make what no input is given for of random numbers; given "
      "twice, both",
      flag::ValueName{"file|random[:seed]"}};
};

/// The files that inputs are read from. Each is opened once, however many
/// models read it: standard input and pipes give their contents no second time.
class RunInputFiles {
public:
  using SharedBuffer = std::shared_ptr<const llvm::MemoryBuffer>;

  /// \p OnOpen is told how many bytes a file has that has been opened.
  explicit RunInputFiles(std::function<void(uint64_t)> OnOpen)
      : OnOpen(std::move(OnOpen)) {}
  /// The contents of the file \p Path, as openInput() reads them.
  llvm::Expected<SharedBuffer> open(StringRef Path);

private:
  std::function<void(uint64_t)> OnOpen;
  llvm::StringMap<SharedBuffer> Files; ///< by path
};

/// Reads the inputs of a function.
class RunInputs {
public:
  RunInputs(const RunInputFlags &Flags, Function &Main, RunInputFiles &Files)
      : Flags(Flags), Main(Main), Files(Files) {}

  /// A value for each parameter that has an input, and none for the others.
  llvm::Expected<std::vector<RuntimeValue>> read();

private:
  using SharedBuffer = RunInputFiles::SharedBuffer;
  llvm::Error setArgument(unsigned Param, Tensor Value, StringRef Path);
  llvm::Error setFromFile(unsigned Param, StringRef Path, SharedBuffer File);
  llvm::Error setNamed(StringRef Text);
  llvm::Error setFromParams(StringRef Path);
  llvm::Error setFromArchive(StringRef Path, SharedBuffer File);
  llvm::Error setInOrder();
  llvm::Error setAll();
  void noteName(StringRef Path, StringRef Name);
  void warnOfSurplus() const;

  const RunInputFlags &Flags;
  Function &Main;
  RunInputFiles &Files;
  std::vector<RuntimeValue> Arguments;
  llvm::StringSet<> Names; ///< of the parameters
  /// The arrays that no parameter has the name of, by file.
  llvm::MapVector<StringRef, std::vector<std::string>> Surplus;
};

/// A random value of \p Param; an error if values of its type cannot be made.
llvm::Expected<RuntimeValue> makeRandomInput(const BlockArgument &Param,
                                             uint64_t Seed);

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNINPUTS_H
