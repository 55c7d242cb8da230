//===- ParamsFlag.h - The value of -params ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the values of parameters come from: a parameter dictionary of TVM's, or
// random numbers.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_PARAMSFLAG_H
#define RELAY_LIB_DRIVER_FLAGS_PARAMSFLAG_H

#include "relay/Support/Flags.h"

namespace relay {

/// `random`, `random:7`, or a path.
struct ParamsValue {
  std::string Path; ///< empty: random
  uint64_t Seed = 0;

  bool isRandom() const { return Path.empty(); }
};
llvm::Error parseFlagValue(StringRef Text, ParamsValue &Value);

/// -params, which may be given for a file, and once more for random numbers,
/// which are for what the file does not have.
class ParamsFlag : public ListFlag<ParamsValue> {
public:
  using ListFlag::ListFlag;

  /// An error if it is given twice for one of them.
  llvm::Error check() const;
  /// The path of the file; empty if there is none.
  StringRef getFile() const;
  /// Of the random numbers, if there are to be some.
  std::optional<uint64_t> getSeed() const;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_PARAMSFLAG_H
