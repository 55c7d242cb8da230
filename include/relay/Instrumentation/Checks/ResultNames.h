//===- ResultNames.h - What the user calls the values of a result -*- C++ -*-=//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flags name values of the module that is written: `%12` and `%x` as they stand
// there, `@f` for what a function yields, `layer:NAME` for all that comes from
// a layer.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_CHECKS_RESULTNAMES_H
#define RELAY_INSTRUMENTATION_CHECKS_RESULTNAMES_H

#include "relay/IR/Module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

class ResultNames {
public:
  /// Names the values of \p M as they are now.
  explicit ResultNames(Module &M);

  /// Calls \p Visit with each value that \p Name stands for, and what it is
  /// called. Returns what is wrong with the name if there is none, or "".
  std::string forEach(StringRef Name,
                      function_ref<void(const Value &, StringRef)> Visit) const;
  /// `%3`, or of the result of a block, which may have no name, `@f` or `result
  /// of %4`.
  std::string getName(const Operation &Op) const;
  /// `%3`, `@f`; empty for what has no name.
  StringRef lookup(const Value &V) const;

private:
  std::string suggest(StringRef Name) const;
  bool forEachOfLayer(StringRef Layer,
                      function_ref<void(const Value &, StringRef)> Visit) const;

  Module &M;
  llvm::StringMap<const Value *> Values;
  llvm::DenseMap<const Value *, std::string> Names;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_CHECKS_RESULTNAMES_H
