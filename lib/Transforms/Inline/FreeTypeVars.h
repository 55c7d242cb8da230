//===- FreeTypeVars.h - Type variables of the surroundings ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the type variables that types mention and that no function type or
// closure among them declares: what becomes type parameters where operations
// become a global function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_INLINE_FREETYPEVARS_H
#define RELAY_LIB_TRANSFORMS_INLINE_FREETYPEVARS_H

#include "relay/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace relay {

class FreeTypeVars {
public:
  /// The variables in the order in which they were met.
  SmallVector<TypeVarType *, 2> get() const;

  /// Adds what \p T mentions; nothing if it is null.
  void add(Type *T);
  /// Adds the type parameters in the types of \p Op itself and in its
  /// signature.
  void add(const Operation *Op);
  /// Adds those of \p Op, of the operations in its regions, and of all
  /// operands.
  void addAll(Operation *Op);

private:
  llvm::SmallSetVector<TypeVarType *, 2> Mentioned;
  llvm::DenseSet<TypeVarType *> Declared;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_INLINE_FREETYPEVARS_H
