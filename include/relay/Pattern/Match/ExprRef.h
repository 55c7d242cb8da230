//===- ExprRef.h - Expressions that patterns match --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns match expressions. Some expressions have another form in the IR: the
// use of a value bound by a `let` is a variable, not the value; a `let` with
// its body is an expression; the callee of a call may be an operator. ExprRef
// refers to one such expression and has the size of a pointer.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_MATCH_EXPRREF_H
#define RELAY_PATTERN_MATCH_EXPRREF_H

#include "relay/IR/Module.h"

namespace relay {

class ExprRef {
public:
  enum class Kind : uintptr_t {
    Operation,  ///< the value of an operation, bound or not
    Variable,   ///< a block argument, or the use of a bound operation
    Let,        ///< a bound operation and the rest of its block
    Operator,   ///< an operator as a value
    Global,     ///< a global function as a value
    Constructor ///< a constructor as a value
  };

  ExprRef() = default;
  /// Returns the expression of an operand or a result \p V. The same value has
  /// the same expression; so have two references to one global, operator or
  /// constructor.
  static ExprRef getUse(Value *V) {
    if (auto *Op = dyn_cast<Operation>(V))
      if (LLVM_LIKELY(Op->isFloating() && Op->is(OpCode::Operator)))
        return ExprRef(Op, Kind::Operation);
    return getUseSlow(V);
  }
  /// Returns the expression of \p Op; for a bound operation, the value of the
  /// `let`.
  static ExprRef getDefinition(Operation *Op);
  /// Returns the expression that \p B evaluates to: its `let`s, or its result.
  static ExprRef getBody(Block &B);
  static ExprRef getOperator(const OpInfo &Info) {
    return ExprRef(&Info, Kind::Operator);
  }
  /// Returns the expression that begins with the `let` of \p Bound.
  static ExprRef getLet(Operation *Bound) {
    assert(Bound->isBound());
    return ExprRef(Bound, Kind::Let);
  }

  explicit operator bool() const { return Bits != 0; }
  bool operator==(ExprRef O) const { return Bits == O.Bits; }
  bool operator!=(ExprRef O) const { return Bits != O.Bits; }
  Kind getKind() const { return Kind(Bits & 7); }

  /// Returns the operation, or null if the expression is not one.
  Operation *getOperation() const {
    return is(Kind::Operation) ? pointer<Operation>() : nullptr;
  }
  /// Returns the operation if it has code \p Code, otherwise null.
  Operation *getOperation(OpCode Code) const {
    Operation *Op = getOperation();
    return Op && Op->is(Code) ? Op : nullptr;
  }
  /// Returns the block argument or the bound operation of a variable, otherwise
  /// null.
  Value *getVariable() const {
    return is(Kind::Variable) ? pointer<Value>() : nullptr;
  }
  /// Returns the name of a variable, without `%`.
  StringRef getVariableName() const;
  /// Returns the bound operation of a `let`, otherwise null.
  Operation *getLetOperation() const {
    return is(Kind::Let) ? pointer<Operation>() : nullptr;
  }
  /// Returns the body of the `let`.
  ExprRef getLetBody() const;
  const OpInfo *getOperator() const {
    return is(Kind::Operator) ? pointer<const OpInfo>() : nullptr;
  }
  /// Returns the name of a global function or a constructor.
  StringRef getSymbol() const;
  bool isVariable() const { return is(Kind::Variable); }
  bool isConstant() const { return getOperation(OpCode::Constant); }
  /// Returns true for a variable or a constant.
  bool isLeaf() const { return isVariable() || isConstant(); }

  /// Returns the inferred type; null for expressions that are not values of the
  /// IR and have no type.
  Type *getType() const;
  /// Returns the location in the text; unknown for operators and symbols.
  Location getLoc() const;
  /// Returns the value of the expression in the IR; null for operators and
  /// symbols.
  Value *getValue() const;

  //===--- Calls ----------------------------------------------------------===//
  bool isCall() const;
  /// The callee of a call.
  ExprRef getCallee() const;
  unsigned getNumArguments() const;
  ExprRef getArgument(unsigned I) const;
  /// Returns the operator that a call calls, or null.
  const OpInfo *getCalledOperator() const {
    Operation *Op = getOperation();
    return Op && Op->is(OpCode::Operator) ? &Op->getInfo() : nullptr;
  }

  //===--- Flow -----------------------------------------------------------===//
  /// The inputs of an expression: arguments (without the callee), fields, the
  /// tuple of a projection, the condition and the branches of an `if`, the
  /// bodies of a `match`, the body of a closure or a `let`.
  unsigned getNumInputs() const;
  ExprRef getInput(unsigned I) const;

  uintptr_t getOpaque() const { return Bits; }
  static ExprRef fromOpaque(uintptr_t Bits) { return ExprRef(Bits); }

private:
  explicit ExprRef(uintptr_t Bits) : Bits(Bits) {}
  ExprRef(const void *Pointer, Kind K)
      : Bits(reinterpret_cast<uintptr_t>(Pointer) | uintptr_t(K)) {
    assert(!(reinterpret_cast<uintptr_t>(Pointer) & 7));
  }
  bool is(Kind K) const { return getKind() == K && Bits; }
  template <typename T> T *pointer() const {
    return reinterpret_cast<T *>(Bits & ~uintptr_t(7));
  }
  static ExprRef getUseSlow(Value *V);
  static ExprRef getReference(Operation *Op);

  uintptr_t Bits = 0;
};

} // namespace relay

template <> struct llvm::DenseMapInfo<relay::ExprRef> {
  static relay::ExprRef getEmptyKey() {
    return relay::ExprRef::fromOpaque(~uintptr_t(0));
  }
  static relay::ExprRef getTombstoneKey() {
    return relay::ExprRef::fromOpaque(~uintptr_t(0) - 8);
  }
  static unsigned getHashValue(relay::ExprRef E) {
    return DenseMapInfo<uintptr_t>::getHashValue(E.getOpaque());
  }
  static bool isEqual(relay::ExprRef A, relay::ExprRef B) { return A == B; }
};

#endif // RELAY_PATTERN_MATCH_EXPRREF_H
