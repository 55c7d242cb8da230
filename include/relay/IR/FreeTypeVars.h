//===- FreeTypeVars.h - Type variables declared outside ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the type variables that types and operations mention and do not
// declare. If a global function is created from the operations, these variables
// become its type parameters.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_FREETYPEVARS_H
#define RELAY_IR_FREETYPEVARS_H

#include "relay/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace relay {

class FreeTypeVars {
public:
  /// Returns the free variables in the order of their first occurrences.
  SmallVector<TypeVarType *, 2> get() const;

  /// Adds the free variables of \p T; nothing if it is null.
  void add(Type *T);
  /// Adds the type variables in the types of \p Op itself and in its signature.
  void add(const Operation *Op);
  /// Adds the type variables of \p Op, of the operations in its regions, and of
  /// the operands of these operations.
  void addAll(Operation *Op);

private:
  llvm::SmallSetVector<TypeVarType *, 2> Mentioned;
  /// By closures among the operations.
  llvm::DenseSet<TypeVarType *> Declared;
};

} // namespace relay

#endif // RELAY_IR_FREETYPEVARS_H
