//===- OpInfo.h - The declaration of an operator ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpInfo is the static record that relay-tblgen generates for each op of a .td
// file: name, operands, attributes, traits, fusion kind, type relation and
// verifier. Rooms above bind functions to operators by hooks; see OpHooks.h.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_OPINFO_H
#define RELAY_IR_OPINFO_H

#include "relay/IR/Attrs.h"
#include <atomic>

namespace relay {

class Operation;
class TypeRelation;

/// Which construct of the language an operation is. Everything but Operator
/// belongs to the core language (Core.td).
enum class OpCode : uint8_t {
  Operator,        ///< call of a declared (or unregistered) operator
  CallGlobal,      ///< `@f(…)`; attribute: callee
  CallValue,       ///< `%f(…)`: operand 0 is the closure
  CallConstructor, ///< `Cons(…)`
  Tuple,
  TupleGetItem,   ///< attribute: index
  Constant,       ///< attribute: value
  If,             ///< operand: condition; regions: then, else
  Match,          ///< operand: data; one region a clause, patterns beside
  Fn,             ///< closure; one region with the parameters as arguments
  Scope,          ///< a nested `let`; one region
  Alias,          ///< bound name of a value that has a place of its own
  GlobalRef,      ///< `@f` as a value
  OpRef,          ///< `nn.relu` as a value
  ConstructorRef, ///< `Cons` as a value
  RefCreate,
  RefRead,
  RefWrite
};

/// TVM's TOpPattern, in its order: larger is harder to fuse.
enum class FusionKind : uint8_t {
  ElemWise = 0,
  Broadcast = 1,
  Injective = 2,
  CommReduce = 3,
  OutEWiseFusable = 4,
  Tuple = 7,
  Opaque = 8
};

/// Bits of OpInfo::Traits.
enum class OpTrait : uint32_t {
  /// No effect: may be dropped, duplicated and merged.
  Pure = 1 << 0,
  Commutative = 1 << 1,
  /// TVM's TOpIsStateful: e.g. random numbers, memory.
  Stateful = 1 << 2,
  /// TVM's TNonComputational: a marker without a computation.
  NonComputational = 1 << 3,
  /// TVM's TReshapeOp.
  ReshapeLike = 1 << 4,
  /// The attributes print as one object, `meta[relay.attrs.X][0]`.
  AttrsAsMeta = 1 << 5,
  /// Not declared: kept under -allow-unregistered-ops.
  Unregistered = 1 << 6,
  /// The number of operands is not fixed.
  Variadic = 1 << 7
};

enum class RelationResult : uint8_t {
  Solved,     ///< the result type, and whatever follows from it, is known
  Unresolved, ///< come back when more is known of the operands
  Failed      ///< a diagnostic has been emitted
};

/// A type relation: computes the result type of an operation from the types of
/// its operands and its attributes, and, like TVM's, may infer operand types.
using TypeRelationFn = RelationResult (*)(TypeRelation &);
/// Checks what holds beyond operand counts and attribute kinds.
using OpVerifierFn = LogicalResult (*)(const Operation &);

/// The dense number of an operator, the index of tables of hooks. It is
/// assigned once, when a Context declares the operator or a hook is bound to
/// it, and is the same in every Context. It depends on the order of these
/// events: do not print it or sort by it.
class OpNumber {
public:
  constexpr OpNumber() = default;
  /// A copy of an OpInfo is another operator.
  constexpr OpNumber(const OpNumber &) {}
  OpNumber &operator=(const OpNumber &) = delete;

  /// From 1; 0 while there is none, and for unregistered operators.
  unsigned get() const { return Value.load(std::memory_order_relaxed); }
  /// Returns the number; assigns one if there is none. Thread-safe.
  unsigned getOrAssign() const;

private:
  mutable std::atomic<unsigned> Value{0};
};

/// The texts of an operator's record, for -print-ops=NAME.
struct OpDoc {
  const char *Summary, *Description;
  /// Names, as the record has them: `Pure, Commutative`.
  const char *Traits;
  /// Describes each operand: `a tensor`.
  ArrayRef<const char *> Operands;
};

struct OpInfo {
  StringRef Name; ///< TVM's, `nn.conv2d`; core ops: `relay.tuple`, …
  OpCode Code = OpCode::Operator;
  FusionKind Fusion = FusionKind::Opaque;
  uint32_t Traits = 0;
  int32_t NumOperands = 0; ///< the least, when Variadic
  ArrayRef<StringLiteral> OperandNames;
  const AttrsInfo *Attributes = nullptr; ///< null: takes none
  TypeRelationFn InferType = nullptr;
  OpVerifierFn Verify = nullptr;
  /// TVM's TShapeDataDependent, a flag an operand; empty when not registered.
  ArrayRef<bool> ShapeDataDependent;
  const OpDoc *Doc = nullptr; ///< null for operators that have no record
  OpNumber Number = {};

  bool hasTrait(OpTrait T) const { return Traits & uint32_t(T); }
  bool isOperator() const { return Code == OpCode::Operator; }
  bool isRegistered() const { return !hasTrait(OpTrait::Unregistered); }
  /// Returns true if evaluating an operation may have an effect, unless more is
  /// known of its callee.
  bool mayHaveEffect() const {
    switch (Code) {
    case OpCode::CallGlobal:
    case OpCode::CallValue:
    case OpCode::RefCreate:
    case OpCode::RefRead:
    case OpCode::RefWrite:
      return true;
    case OpCode::Operator:
      return !isRegistered() || hasTrait(OpTrait::Stateful);
    default:
      return false;
    }
  }
  /// Returns true if there may be \p Count operands.
  bool takesOperands(unsigned Count) const {
    return hasTrait(OpTrait::Variadic) ? Count >= unsigned(NumOperands)
                                       : Count == unsigned(NumOperands);
  }
  /// Returns true if an attribute mirrors operand \p I, so that the result type
  /// may depend on its value.
  bool mirrorsOperand(unsigned I) const {
    return Attributes && llvm::any_of(Attributes->Fields, [&](auto &Field) {
             return Field.MirroredOperand == int(I);
           });
  }
};

} // namespace relay

#endif // RELAY_IR_OPINFO_H
