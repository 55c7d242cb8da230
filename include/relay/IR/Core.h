//===- Core.h - The constructs of the language ------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed views of the core operations of Core.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_CORE_H
#define RELAY_IR_CORE_H

#include "relay/IR/Builder.h"
#include "relay/IR/Constant.h"
#include "relay/IR/TypeRelation.h"

#include "relay/IR/Core.h.inc"

namespace relay {

/// The data of \p V, which may be opaque, if it is a constant; null otherwise.
inline const ConstantData *getConstantData(const Value *V) {
  auto Constant = dyn_cast_or_null<ConstantOp>(V);
  return Constant ? Constant.attrs().value().getConstant() : nullptr;
}

/// The data of \p V if it is a constant whose elements are known; null
/// otherwise.
inline const ConstantData *getKnownData(const Value *V) {
  const ConstantData *Data = getConstantData(V);
  return Data && !Data->isOpaque() ? Data : nullptr;
}

/// The global function that \p Op calls or refers to; empty if it does neither.
inline StringRef getNamedGlobal(const Operation &Op) {
  if (auto Call = dyn_cast<CallGlobalOp>(&Op))
    return Call.attrs().callee();
  if (auto Ref = dyn_cast<GlobalRefOp>(&Op))
    return Ref.attrs().symbol();
  return {};
}

/// Returns true if \p Op refers to a function, an operator or a constructor.
inline bool isSymbolRef(const Operation &Op) {
  return Op.is(OpCode::GlobalRef) || Op.is(OpCode::OpRef) ||
         Op.is(OpCode::ConstructorRef);
}

/// Returns the value that \p V is an alias of, through any number of aliases;
/// \p V itself if it is no alias.
inline const Value *skipAliases(const Value *V) {
  while (auto Alias = dyn_cast<AliasOp>(V))
    V = Alias.getOperation()->getOperand(0);
  return V;
}

} // namespace relay

#endif // RELAY_IR_CORE_H
