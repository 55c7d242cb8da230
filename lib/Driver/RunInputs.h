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

#ifndef RELAY_LIB_DRIVER_RUNINPUTS_H
#define RELAY_LIB_DRIVER_RUNINPUTS_H

#include "ParamsSource.h"
#include "relay/Interpreter/RuntimeValue.h"

namespace relay {

struct RunInputFlags : FlagGroup {
  explicit RunInputFlags(FlagSet &Flags) : FlagGroup(Flags, "Inputs") {}

  /// An error if a value has the wrong form.
  llvm::Error check() const;
  /// The seed of -params=random; none if that is not given.
  std::optional<uint64_t> getSeed() const {
    return Params.isGiven() && Params->isRandom() ? std::optional(Params->Seed)
                                                  : std::nullopt;
  }

  /// The operands behind the model.
  std::vector<std::string> Files;
  ListFlag<std::string> Named{
      *this, "-input",
      "Read the input of the parameter of this name from this file",
      flag::ValueName{"name=file"}};
  Flag<ParamsSource> Params{
      *this, "-params",
      "Take what -input does not give from TVM's parameter dictionary or a "
      ".npz "
      "file, or make what no input is given for of random numbers",
      flag::ValueName{"file|random[:seed]"}};
};

/// Reads the inputs of a function.
class RunInputs {
public:
  /// What has no input is made of random numbers of the seed \p Random, if
  /// there is one. \p OnRead is told how many bytes a file has that has been
  /// opened.
  RunInputs(const RunInputFlags &Flags, Function &Main,
            std::optional<uint64_t> Random,
            std::function<void(uint64_t)> OnRead)
      : Flags(Flags), Main(Main), Random(Random), OnRead(std::move(OnRead)) {}

  /// A value for each parameter.
  llvm::Expected<std::vector<RuntimeValue>> read();
  /// The parameters that read() made random values of.
  ArrayRef<unsigned> getRandomParams() const { return RandomParams; }

private:
  using SharedBuffer = std::shared_ptr<const llvm::MemoryBuffer>;
  llvm::Expected<SharedBuffer> open(StringRef Path);
  llvm::Error setArgument(unsigned Param, Tensor Value, StringRef Path);
  llvm::Error setFromFile(unsigned Param, StringRef Path, SharedBuffer File);
  llvm::Error setNamed(StringRef Text);
  llvm::Error setFromParams(StringRef Path);
  llvm::Error setFromArchive(StringRef Path, SharedBuffer File);
  llvm::Error setInOrder();
  llvm::Error setRandom(unsigned Param);

  const RunInputFlags &Flags;
  Function &Main;
  std::optional<uint64_t> Random;
  std::function<void(uint64_t)> OnRead;
  SmallVector<unsigned, 4> RandomParams;
  std::vector<RuntimeValue> Arguments;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUNINPUTS_H
