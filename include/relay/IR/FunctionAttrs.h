//===- FunctionAttrs.h - Attributes of functions ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The keys of the attributes of functions and closures that passes read and
// write, by TVM's names, and what combinations of them mean. A function may
// have others too, which are kept as they are.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_FUNCTIONATTRS_H
#define RELAY_IR_FUNCTIONATTRS_H

#include "relay/IR/Operation.h"

namespace relay {

/// Keys for Signature::getAttr(), Function::getAttr() and
/// Rewriter::setFunctionAttr().
struct FunctionAttrs {
  /// Integer. Nonzero: made by FuseOps, or to be treated like that.
  static constexpr StringLiteral Primitive = "Primitive";
  /// Integer, beside Primitive. Nonzero: only the shape of a tensor is
  /// computed.
  static constexpr StringLiteral ReshapeOnly = "relay.reshape_only";
  /// String: the other compiler that compiles the function.
  static constexpr StringLiteral Compiler = "Compiler";
  /// String: the pattern, of a compiler's table, that the function matches.
  static constexpr StringLiteral Composite = "Composite";
  /// String: the operators of the pattern that the function was made of.
  static constexpr StringLiteral PartitionedFromPattern =
      "PartitionedFromPattern";
  /// Integer. Nonzero: the code is elsewhere, the body only tells the type.
  static constexpr StringLiteral Extern = "Extern";
  /// Integer. Nonzero: passes over operators leave the function alone.
  static constexpr StringLiteral SkipOptimization = "SkipOptimization";
  /// Integer. Nonzero: made by LambdaLift of a closure, which it returns.
  static constexpr StringLiteral Closure = "Closure";
  /// Integer. Nonzero: calls are to be inlined.
  static constexpr StringLiteral Inline = "Inline";
  /// String: the name of the compiled function.
  static constexpr StringLiteral GlobalSymbol = "global_symbol";
  /// String: the structural hash of the lowered function.
  static constexpr StringLiteral Hash = "hash";
};

/// `Key=1`: there, and neither zero nor False.
bool hasNonzeroAttr(const Signature &S, StringRef Key);

/// Returns the text of the attribute \p Key; empty if there is none.
StringRef getStringAttr(const Signature &S, StringRef Key);

/// Made by FuseOps, or treated as such: passes leave its body alone.
bool isPrimitive(const Signature &S);

/// Returns true if \p Op is a closure that isPrimitive().
bool isPrimitiveFn(const Operation *Op);

/// Another compiler's: `Compiler="…"`.
bool hasCompiler(const Signature &S);

/// Returns true if \p Op is a closure with the attribute `Composite`.
bool isComposite(const Operation &Op);

/// Returns the name of the composite that \p Op, a closure, is; empty if it is
/// none, or null.
StringRef getComposite(const Operation *Op);

/// Compiled as a unit: primitive, or another compiler's.
bool isCompiledAsOne(const Signature &S);

/// `Extern=1`: a call executes code other than the body.
bool isExtern(const Signature &S);

/// Its code is elsewhere: another compiler's, or isExtern().
bool isExternal(const Signature &S);

} // namespace relay

#endif // RELAY_IR_FUNCTIONATTRS_H
