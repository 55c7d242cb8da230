//===- FunctionAttrs.cpp - Attributes of functions ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FunctionAttrs.h.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/FunctionAttrs.h"

using namespace relay;

bool relay::hasNonzeroAttr(const Signature &S, StringRef Key) {
  Attr A = S.getAttr(Key);
  return A && (A.isBool() ? A.getBool() : A.isInt() && A.getInt() != 0);
}

StringRef relay::getStringAttr(const Signature &S, StringRef Key) {
  Attr A = S.getAttr(Key);
  return A && A.isString() ? A.getString() : StringRef();
}

bool relay::isPrimitive(const Signature &S) {
  return hasNonzeroAttr(S, FunctionAttrs::Primitive);
}

bool relay::isPrimitiveFn(const Operation *Op) {
  return Op->is(OpCode::Fn) && isPrimitive(Op->getSignature());
}

bool relay::hasCompiler(const Signature &S) {
  return bool(S.getAttr(FunctionAttrs::Compiler));
}

bool relay::isComposite(const Operation &Op) {
  return Op.is(OpCode::Fn) &&
         Op.getSignature().getAttr(FunctionAttrs::Composite);
}

StringRef relay::getComposite(const Operation *Op) {
  return Op && Op->is(OpCode::Fn)
             ? getStringAttr(Op->getSignature(), FunctionAttrs::Composite)
             : StringRef();
}

bool relay::isCompiledAsOne(const Signature &S) {
  return hasCompiler(S) || isPrimitive(S);
}

bool relay::isExtern(const Signature &S) {
  return hasNonzeroAttr(S, FunctionAttrs::Extern);
}

bool relay::isExternal(const Signature &S) {
  return hasCompiler(S) || isExtern(S);
}
