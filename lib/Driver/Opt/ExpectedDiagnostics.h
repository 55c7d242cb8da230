//===- ExpectedDiagnostics.h - -verify-diagnostics --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the diagnostics of a run with the expectations in comments of the
// input, in MLIR's notation: `expected-error {{text}}` on the line itself,
// `expected-warning@+2`, `expected-note@-1`, `expected-remark@below`, `…@above`
// (the next or previous line without such a comment), `…@unknown` (no
// position), `expected-error-re {{with a {{regular [expr]+}}ession}}`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_EXPECTEDDIAGNOSTICS_H
#define RELAY_LIB_DRIVER_OPT_EXPECTEDDIAGNOSTICS_H

#include "relay/Support/BoundedRegex.h"
#include "relay/Support/Diagnostics.h"
#include <optional>

namespace relay {

/// The diagnostics that must be expected.
enum class ExpectedScope : uint8_t { All, OnlyExpected };

class ExpectedDiagnostics {
public:
  /// Takes over the diagnostics of \p Diags. Expectations are read from \p
  /// Text, which is or becomes the main buffer, starting at line \p FirstLine
  /// of its file.
  ExpectedDiagnostics(DiagnosticEngine &Diags, StringRef Text,
                      unsigned FirstLine, ExpectedScope Scope);

  /// Stops taking diagnostics and reports expectations that were not met.
  /// Succeeds if all diagnostics were as expected.
  LogicalResult finish();

private:
  struct Expectation {
    Severity Kind;
    unsigned Line; ///< 0 if there is no position
    Location Loc;  ///< of the comment
    std::string Text;
    std::optional<BoundedRegex> Pattern;
    bool Met = false;

    bool matches(StringRef Message) const;
  };

  /// A malformed comment and the reason.
  struct Malformed {
    Location Loc;
    std::string Problem;
  };

  void collect(StringRef Text, unsigned FirstLine);
  void addExpectation(ArrayRef<StringRef> Parts, unsigned Line, size_t Offset);
  void resolveBelow(unsigned Line);
  void take(const Diagnostic &D, Location Outer);
  void complain(Location Loc, const Twine &Message);

  DiagnosticEngine &Diags;
  ExpectedScope Scope;
  std::vector<Expectation> Expectations;
  std::vector<Malformed> Wrong;
  /// Expectations with `@below`, which refer to the next line without an
  /// expectation.
  SmallVector<size_t, 4> Below;
  unsigned LastPlainLine = 0;
  bool Failed = false;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_EXPECTEDDIAGNOSTICS_H
