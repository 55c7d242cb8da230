//===- ResultNames.h - Names of values of a result --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flags name values of the printed module: `%12` and `%x` as printed, `@f` for
// the result of a function, `layer:NAME` for all operations of a layer.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_RESULTNAMES_H
#define RELAY_INSTRUMENTATION_CHECKS_RESULTNAMES_H

#include "relay/IR/Module.h"
#include "relay/Support/PointerHash.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

class ResultNames {
public:
  /// Names the current values of \p M.
  explicit ResultNames(Module &M);

  /// Calls \p Visit with each value named \p Name, and its display name.
  /// Returns an error message if no value has the name, or "".
  std::string forEach(StringRef Name,
                      function_ref<void(const Value &, StringRef)> Visit) const;
  /// Returns `%3`; for the result of a block, which may have no name, `@f` or
  /// `result of %4`.
  std::string getName(const Operation &Op) const;
  /// Returns `%3` or `@f`; empty for values without a name.
  StringRef lookup(const Value &V) const;

private:
  std::string suggest(StringRef Name) const;
  bool forEachOfLayer(StringRef Layer,
                      function_ref<void(const Value &, StringRef)> Visit) const;

  Module &M;
  llvm::StringMap<const Value *> Values;
  PointerMap<const Value, std::string> Names;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_RESULTNAMES_H
