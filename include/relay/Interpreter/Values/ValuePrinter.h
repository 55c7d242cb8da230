//===- ValuePrinter.h - Values as text --------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints results of an evaluation: tensors in nested brackets, as numpy does.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_VALUES_VALUEPRINTER_H
#define RELAY_INTERPRETER_VALUES_VALUEPRINTER_H

#include "relay/Interpreter/Values/RuntimeValue.h"

namespace relay {

/// The maximal size of tensors printed in full; of larger ones only the first
/// and last positions on each axis are printed.
constexpr int64_t MaxPrintedElements = 1000;

/// The maximal number of tuples, data, tensors and elements printed for one
/// value, followed by `...`. Shared parts count at each use.
constexpr int64_t MaxPrintedParts = 1'000'000;

/// Prints `Tensor[(2, 2), float32]`; `float32` for rank 0.
void printTensorType(raw_ostream &OS, const Tensor &T);
/// Prints element \p I, row-major: `0.5`, `True`. A float has the fewest digits
/// that read back as the same value.
void printElement(raw_ostream &OS, const Tensor &T, int64_t I);
/// Prints `[[1, 2],` and ` [3, 4]]`, one line per row.
void printElements(raw_ostream &OS, const Tensor &T);

/// Prints `Tensor[(2, 2), float32]` and the elements from the next line on;
/// tuples and data as `(…, …)` and `Cons(…, …)`, with tensors in them on one
/// line.
void printValue(raw_ostream &OS, const RuntimeValue &V);

} // namespace relay

#endif // RELAY_INTERPRETER_VALUES_VALUEPRINTER_H
