//===- Printer.h - IR to Relay text -----------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints IR as TVM's parser reads it, in the order in which it stands: a
// normalized module always gives the same bytes, and reading them gives the
// same module. IR in the middle of a pass prints too.
//
// A text that is longer than RunLimits::Characters is cut off and reported
// (reportLimit()).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PRINT_PRINTER_H
#define RELAY_TEXT_PRINT_PRINTER_H

#include "relay/IR/Module.h"
#include <functional>

namespace relay {

class StableNumbers;

struct PrintOptions {
  /// Leave out the data of constants with more elements than this.
  std::optional<uint64_t> ElideConstantsLargerThan;
  /// Is told of each constant that is left out, and of the hash that the text
  /// tells in its place.
  std::function<void(StringRef Hash, const ConstantData &Data)> OnElided;
  /// Write the `#[metadata]` section. Without it, what can be is written in
  /// place, and the text reads back when undefined globals are allowed.
  bool Metadata = true;
  /// With Metadata: write the header and the `#[metadata]` section. Without
  /// them, the text is what TVM's `print(mod)` shows, whose references into the
  /// metadata lead nowhere.
  bool Frame = true;
  /// Write `/* ty=… */` after the same constructs as TVM.
  bool Types = true;
  /// Write `span=…` into these comments, and after a variable if its value has
  /// no comment. Prints the span of an operation, or its position in the input
  /// text.
  bool Spans = false;
  /// Write `// ...` for the lines of operations that this refuses and that
  /// contain no accepted one, and `...` for parameters that only these use. The
  /// text then does not read back.
  std::function<bool(const Operation &)> Shows;
  /// Is told of each parameter, variable of a pattern and operation, in the
  /// order of the text, and of the offset in the stream where its text begins.
  std::function<void(Value &V, uint64_t Offset)> OnValue;
  /// Numbers the graph nodes and constants of the one function that it belongs
  /// to; null to number in print order. Without Metadata.
  StableNumbers *Numbers = nullptr;

  /// Returns the options of dumps of single functions.
  static PrintOptions forDumps() {
    PrintOptions O;
    O.ElideConstantsLargerThan = 64;
    O.Metadata = false;
    return O;
  }
};

/// Prints \p M as a file.
void printModule(Module &M, raw_ostream &OS, const PrintOptions &O = {});

/// Prints the definition of \p F alone, numbered from %0, without a header.
void printFunction(Function &F, raw_ostream &OS,
                   const PrintOptions &O = PrintOptions::forDumps());

/// Prints what dumps of single functions leave out of \p M: its type
/// definitions, and in a comment its attributes, which text has no place for.
void printDefinitions(Module &M, raw_ostream &OS);

/// Calls \p Visit with each value of \p M that printModule() gives a name or a
/// number, and with that, without `%`; in the order of the text.
void visitPrintedNames(Module &M,
                       function_ref<void(const Value &, StringRef)> Visit);

} // namespace relay

#endif // RELAY_TEXT_PRINT_PRINTER_H
