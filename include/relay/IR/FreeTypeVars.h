//===- FreeTypeVars.h - Type variables of the surroundings ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the type variables that types and operations mention and do not
// declare: the type parameters of a global function that is made of operations.
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
  /// The variables in the order in which they were met.
  SmallVector<TypeVarType *, 2> get() const;

  /// Adds the free variables of \p T; nothing if it is null.
  void add(Type *T);
  /// Adds the type parameters in the types of \p Op itself and in its
  /// signature.
  void add(const Operation *Op);
  /// Adds those of \p Op, of the operations in its regions, and of all
  /// operands.
  void addAll(Operation *Op);

private:
  llvm::SmallSetVector<TypeVarType *, 2> Mentioned;
  /// By closures among the operations.
  llvm::DenseSet<TypeVarType *> Declared;
};

} // namespace relay

#endif // RELAY_IR_FREETYPEVARS_H
