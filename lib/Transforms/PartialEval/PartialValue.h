//===- PartialValue.h - Values of a partial evaluation ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value during partial evaluation consists of the value of the new body that
// computes it, and of a KnownValue if something is known at compile time. A
// KnownValue refers to other values of this kind, never to IR that does not
// exist yet, so that the evaluation can always fall back to the new body.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTIALEVAL_PARTIALVALUE_H
#define RELAY_LIB_TRANSFORMS_PARTIALEVAL_PARTIALVALUE_H

#include "relay/IR/Operation.h"
#include "relay/IR/TypeUtils.h"

namespace relay {

struct Activation;
struct KnownValue;
class ProgramFunction;

struct PartialValue {
  /// In the new body. Null if Known is a Symbol, which is created at each use.
  Value *Dynamic;
  /// Null if nothing is known.
  KnownValue *Known;
  /// Values created earlier have smaller numbers.
  uint64_t Time;
};

/// Knowledge about a value.
struct KnownValue {
  enum class Kind : uint8_t {
    Tensor,    ///< Elements
    Tuple,     ///< Fields
    Data,      ///< of an algebraic data type: Constructor, Fields
    Reference, ///< a reference cell: Contents, Written
    Closure,   ///< Op, an Fn of an original body, evaluated in Env
    Symbol     ///< Op refers to a function, an operator or a constructor
  };

  Kind K;
  /// Closure: it is called, but its body is not evaluated.
  bool IsOpaque = false;
  /// Closure: uses values from outside.
  bool HasCaptures = false;
  const ConstantData *Elements = nullptr;
  StringRef Constructor = {};
  ArrayRef<PartialValue *> Fields = {};
  Operation *Op = nullptr;
  Activation *Env = nullptr;
  /// See ReferenceStore.
  PartialValue *Contents = nullptr;
  uint64_t Written = 0;
};

/// One evaluation of the body of a function or closure: the values of its
/// arguments and operations, without those of nested closures.
struct Activation {
  /// That of the body around it; null for a function.
  Activation *Outer;
  ProgramFunction *Function;
  uint32_t Level; ///< see BodyLayout
  PartialValue **Slots;
  /// The types of type parameters; null if there are none.
  const TypeVarMap *Types;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTIALEVAL_PARTIALVALUE_H
