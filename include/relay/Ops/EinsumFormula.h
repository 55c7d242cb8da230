//===- EinsumFormula.h - The formula of an einsum ---------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parsed form of `ij,jk->ik`, for the type relation and the evaluation of
// einsum.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_EINSUMFORMULA_H
#define RELAY_OPS_EINSUMFORMULA_H

#include "relay/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace relay {

/// In each text a letter denotes an axis, and a dot the ellipsis.
struct EinsumFormula {
  SmallVector<std::string, 2> Inputs;
  std::string Output;

  /// Returns none if \p Text is not a formula.
  static std::optional<EinsumFormula> parse(StringRef Text);

private:
  std::string getImplicitOutput() const;
};

} // namespace relay

#endif // RELAY_OPS_EINSUMFORMULA_H
