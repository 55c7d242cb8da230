//===- OperationPrinter.h - Single operations as text -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints operations of a function one by one: for logs and messages.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PRINT_OPERATIONPRINTER_H
#define RELAY_TEXT_PRINT_OPERATIONPRINTER_H

#include "relay/IR/RewriteListener.h"
#include "relay/Text/Print/Printer.h"

namespace relay {

class Printer;

/// Prints operations with the names of printFunction(). Values of the function
/// are named once, when a name is first needed, and keep their names: each
/// further line costs only its operation. During its lifetime, the function may
/// change through a Rewriter with this object as a listener; new values then
/// get unused numbers.
class OperationPrinter final : public RewriteListener {
public:
  explicit OperationPrinter(Function &F,
                            PrintOptions Options = PrintOptions::forDumps());
  ~OperationPrinter() override;

  /// Prints what \p Op computes on one line, `nn.relu(%3)`. Regions are left
  /// out.
  void print(const Operation &Op, raw_ostream &OS);
  /// The same as a string.
  std::string getText(const Operation &Op);
  /// Operations that have been visited so far, to name values or to print.
  uint64_t getNumVisited() const { return NumVisited; }

  void notifyErased(Operation *Op) override;

private:
  void nameValues();

  Function &F;
  PrintOptions Options;
  llvm::raw_null_ostream Nowhere;
  std::unique_ptr<Printer> Impl;
  bool HasNames = false;
  uint64_t NumVisited = 0;
};

/// Prints \p Op, which may be in no function, alone. Where several operations
/// of a function are printed, an OperationPrinter names values once.
void printOperation(const Operation &Op, raw_ostream &OS,
                    const PrintOptions &O = PrintOptions::forDumps());

} // namespace relay

#endif // RELAY_TEXT_PRINT_OPERATIONPRINTER_H
