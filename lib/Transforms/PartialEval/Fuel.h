//===- Fuel.h - Termination of recursive calls ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call inside the evaluation of the same body is evaluated only if an
// argument has become smaller than in all of these calls: it is a value created
// earlier, or a smaller integer. Both are natural numbers, so that recursion
// ends. The rule is TVM's.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTIALEVAL_FUEL_H
#define RELAY_LIB_TRANSFORMS_PARTIALEVAL_FUEL_H

#include "PartialValue.h"
#include <optional>

namespace relay {

/// The least of each argument of a chain of calls.
class Fuel {
public:
  /// Of one call with \p Arguments.
  explicit Fuel(ArrayRef<PartialValue *> Arguments);

  /// The fuel after a further call with \p Next, inside; none if no argument
  /// has become smaller.
  std::optional<Fuel> spend(const Fuel &Next) const;

private:
  struct Argument {
    uint64_t Time;
    /// Of an int32 or int64 scalar; 0 for others.
    uint64_t Number;
  };
  SmallVector<Argument, 3> Arguments;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTIALEVAL_FUEL_H
