//===- Verifier.h - What has to hold of IR ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks IR between passes: operand counts and attributes against the op's
// declaration, use-lists, scope, canonical order, symbols, and types by the
// rules that inference has (TypingRules.h). Reports through the Context's
// diagnostics, the first mistake of each function.
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

} // namespace relay

#endif // RELAY_IR_VERIFIER_H
