//===- Verifier.h - Checks the validity of IR -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks IR between passes: operand counts and attributes against the op's
// declaration, use-lists, scope, canonical order, symbols, and types by the
// rules of inference (TypingRules.h). Reports the first error of each function
// through the Context's diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_VERIFIER_H
#define RELAY_IR_VERIFIER_H

#include "relay/IR/Module.h"

namespace relay {

/// \p AllowUndefined: functions, types and constructors that are called need
/// not be there, as in a module that is an expression, where they never need.
LogicalResult verify(Module &M, bool AllowUndefined = false);
/// Symbols are looked up in the function's module; without one they are not. Of
/// other functions only the type (Function::getType) is looked at.
LogicalResult verify(Function &F, bool AllowUndefined = false);

/// Verifies a module repeatedly while passes change it, each time only the
/// functions that Rewriters have changed or added since. All functions are
/// verified if the type or name of one has changed or one was erased, since
/// their callers may then be invalid, and if types or definitions were added to
/// the module. Changes without a Rewriter, by a pass that does not report them,
/// are not detected.
class IncrementalVerifier {
public:
  explicit IncrementalVerifier(bool AllowUndefined = false)
      : AllowUndefined(AllowUndefined) {}

  /// Takes \p M as it is for verified.
  void assumeVerified(Module &M);
  /// Verifies the changed functions of \p M.
  LogicalResult verifyChanged(Module &M);
  /// Verifies \p F if it has changed, also that its type still fits its
  /// callers, which follow with the module. Several threads may do so, each
  /// with other functions.
  LogicalResult verifyChanged(Function &F);

private:
  /// A function as it was verified.
  struct State {
    uint64_t Serial, Version;
    FuncType *Ty;
    StringRef Name;
  };

  State *lookup(const Function &F);
  bool mustVerifyAll(Module &M);

  bool AllowUndefined;
  bool IsTyped = false;
  size_t NumTypeDefs = 0;
  std::vector<State> States; // in the order of serials
};

} // namespace relay

#endif // RELAY_IR_VERIFIER_H
