//===- FunctionValues.h - Functions that are values -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the closures that are used as values, the values that they capture, and
// the functions of a module with such values.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FUNCTIONAL_FUNCTIONVALUES_H
#define RELAY_LIB_TRANSFORMS_FUNCTIONAL_FUNCTIONVALUES_H

#include "relay/Analysis/CallGraph.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// Returns true if \p V is a closure, a function or a constructor with type
/// parameters.
bool isPolymorphic(const Value *V);

/// Returns true if a part of \p T is a function.
bool holdsFunction(Type *T);

/// The captured values of closures.
using CaptureMap = llvm::DenseMap<const Operation *, SmallVector<Value *, 4>>;

/// The closures of a function.
class FunctionValues {
public:
  explicit FunctionValues(Function &F);

  /// Returns true if \p Fn is used as a value, or is captured by such a
  /// closure. Other closures are only called.
  bool isValue(const Operation *Fn) const { return Values.contains(Fn); }
  /// The values that \p Fn, a closure that is used as a value, captures, in the
  /// order of their first uses. Constants without names and references to
  /// functions are not among them: each use creates its own.
  ArrayRef<Value *> getCaptures(const Operation *Fn) const {
    return Captures.find(Fn)->second;
  }
  /// Returns true if the function has functions as values.
  bool hasValues() const { return HasValues; }

private:
  void addValue(Operation *Fn, SmallVectorImpl<Operation *> &Worklist);

  llvm::DenseSet<const Operation *> Values;
  CaptureMap Captures; ///< of all closures; empty if none is a value
  bool HasValues = false;
};

/// Returns true if \p Op is a constant or a reference to a function or to a
/// constructor, without a name.
bool isAtom(const Operation *Op);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FUNCTIONAL_FUNCTIONVALUES_H
