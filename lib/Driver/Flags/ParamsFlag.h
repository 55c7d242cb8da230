//===- ParamsFlag.h - The value of -params ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The source of parameter values: a parameter dictionary of TVM or a `.npz`
// file, or random numbers.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_PARAMSFLAG_H
#define RELAY_LIB_DRIVER_FLAGS_PARAMSFLAG_H

#include "relay/Support/Flags.h"

namespace relay {

/// `random`, `random:7`, or a path.
struct ParamsValue {
  std::string Path; ///< empty for random numbers
  uint64_t Seed = 0;

  bool isRandom() const { return Path.empty(); }
};
llvm::Error parseFlagValue(StringRef Text, ParamsValue &Value);

/// -params, which may occur once for a file and once for random numbers. Random
/// numbers fill the parameters that the file does not contain.
class ParamsFlag : public ListFlag<ParamsValue> {
public:
  using ListFlag::ListFlag;

  /// Returns an error if the file or `random` is given twice.
  llvm::Error check() const;
  /// Returns the path of the file; empty if there is none.
  StringRef getFile() const;
  /// Returns the seed of random numbers, if they are requested.
  std::optional<uint64_t> getSeed() const;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_PARAMSFLAG_H
