//===- BoundedRegex.h - User-supplied regular expressions -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::Regex copies the operand of `{m,n}`, recurses into groups, and may take
// exponential time for back references. Expressions of users are therefore
// measured before they are compiled. Only this class passes the text of a user
// to llvm::Regex.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_BOUNDEDREGEX_H
#define RELAY_SUPPORT_BOUNDEDREGEX_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Regex.h"
#include <optional>
#include <string>

namespace relay {

/// A POSIX extended regular expression of bounded size without back references.
class BoundedRegex {
public:
  /// Approximate maximal number of states of the compiled expression.
  static constexpr uint64_t MaxSize = 1 << 16;
  /// Maximal nesting of groups.
  static constexpr size_t MaxDepth = 200;

  explicit BoundedRegex(StringRef Text);

  /// Returns true if the expression was compiled; otherwise sets \p Problem.
  bool isValid(std::string &Problem) const;
  /// Returns true if some part of \p Text matches. An invalid expression
  /// matches nothing.
  bool match(StringRef Text) const;

private:
  std::string Error;
  std::optional<llvm::Regex> Compiled;
};

} // namespace relay

#endif // RELAY_SUPPORT_BOUNDEDREGEX_H
