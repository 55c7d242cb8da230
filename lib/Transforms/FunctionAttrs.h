//===- FunctionAttrs.h - Attributes of functions ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of functions and closures that passes look at.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FUNCTIONATTRS_H
#define RELAY_LIB_TRANSFORMS_FUNCTIONATTRS_H

#include "relay/IR/Operation.h"

namespace relay {

/// `Key=1`: there, and neither zero nor False.
inline bool hasNonzeroAttr(const Signature &S, StringRef Key) {
  Attr A = S.getAttr(Key);
  return A && (A.isBool() ? A.getBool() : A.isInt() && A.getInt() != 0);
}

/// Made by FuseOps, or to be treated like that: passes leave its body alone.
inline bool isPrimitive(const Signature &S) {
  return hasNonzeroAttr(S, "Primitive");
}

/// Whether \p Op is a closure that isPrimitive().
inline bool isPrimitiveFn(const Operation *Op) {
  return Op->is(OpCode::Fn) && isPrimitive(Op->getSignature());
}

/// Its code is elsewhere: another compiler's (`Compiler="…"`), or `Extern=1`.
inline bool isExternal(const Signature &S) {
  return S.getAttr("Compiler") || hasNonzeroAttr(S, "Extern");
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FUNCTIONATTRS_H
