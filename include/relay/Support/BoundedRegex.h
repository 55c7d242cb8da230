//===- BoundedRegex.h - Regular expressions of users ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::Regex copies what `{m,n}` repeats, recurses into groups, and may take
// exponential time for back references. Expressions that come from a user are
// therefore measured before they are compiled: this is the only place that
// hands the text of a user to llvm::Regex.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_BOUNDEDREGEX_H
#define RELAY_SUPPORT_BOUNDEDREGEX_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Regex.h"
#include <optional>
#include <string>

namespace relay {

/// An extended regular expression of POSIX, of bounded size and without back
/// references.
class BoundedRegex {
public:
  /// Largest number of states of the compiled expression, about.
  static constexpr uint64_t MaxSize = 1 << 16;
  /// Deepest nesting of groups.
  static constexpr size_t MaxDepth = 200;

  explicit BoundedRegex(StringRef Text);

  /// Returns true if the expression was compiled; if not, \p Problem says why.
  bool isValid(std::string &Problem) const;
  /// Returns true if some part of \p Text matches. Nothing matches an
  /// expression that is not valid.
  bool match(StringRef Text) const;

private:
  std::string Error;
  std::optional<llvm::Regex> Compiled;
};

} // namespace relay

#endif // RELAY_SUPPORT_BOUNDEDREGEX_H
