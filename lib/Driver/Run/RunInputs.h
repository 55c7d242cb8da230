//===- RunInputs.h - The arguments of an evaluation -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sources of the values of @main's parameters, in order of precedence:
// files by name, a parameter dictionary, archives of arrays, files in order,
// random numbers.
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

  /// Returns an error if a value is invalid.
  llvm::Error check() const;
  /// Returns the seed of -params=random; none if the flag is absent.
  std::optional<uint64_t> getSeed() const { return Params.getSeed(); }

  /// The operands after the model.
  std::vector<std::string> Files;
  ListFlag<std::string> Named{
      *this, "-input", "Read the value of the named parameter from this file",
      flag::ValueName{"name=file"}};
  ParamsFlag Params{*this, "-params",
                    "Values for parameters without input: a parameter "
                    "dictionary of TVM, a .npz file, random ones, or both",
                    flag::ValueName{"file|random[:seed]"}};
};

/// The input files. Each is opened once, even if several models read it, since
/// standard input and pipes can be read only once.
class RunInputFiles {
public:
  using SharedBuffer = std::shared_ptr<const llvm::MemoryBuffer>;

  /// Calls \p OnOpen with the size of each opened file.
  explicit RunInputFiles(std::function<void(uint64_t)> OnOpen)
      : OnOpen(std::move(OnOpen)) {}
  /// Returns the contents of the file \p Path, as read by openInput().
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

  /// Returns a value for each parameter with an input; the others are empty.
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
  /// Arrays that have no parameter, by file.
  llvm::MapVector<StringRef, std::vector<std::string>> Surplus;
};

/// Returns a random value for \p Param, or an error if its type has no random
/// values.
llvm::Expected<RuntimeValue> makeRandomInput(const BlockArgument &Param,
                                             uint64_t Seed);

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNINPUTS_H
