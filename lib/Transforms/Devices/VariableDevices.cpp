//===- VariableDevices.cpp - Where variables' values are ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VariableDevices.h.
//
//===----------------------------------------------------------------------===//

#include "VariableDevices.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Module.h"

using namespace relay;

Attr VariableDevices::lookup(const Value *V) const {
  if (auto *Arg = dyn_cast<BlockArgument>(V))
    return Arg->getVirtualDevice();
  return Bound.lookup(cast<Operation>(V));
}

/// The device of the result of \p Op at the position of the walk.
Attr VariableDevices::getValueDevice(const Operation *Op) const {
  if (Attr Fixed = getFixedDevice(Op))
    return Fixed;
  if (Op->is(OpCode::Fn) && !isPrimitive(Op->getSignature()))
    return Op->getSignature().VirtualDevice;
  if (Op->is(OpCode::Alias)) {
    const Value *Named = Op->getOperand(0);
    auto *NamedOp = dyn_cast<Operation>(Named);
    return NamedOp && NamedOp->isFloating() ? getValueDevice(NamedOp)
                                            : lookup(Named);
  }
  if (!Op->is(OpCode::GlobalRef))
    return Lexical.get();
  StringRef Name = Op->getAttrsAs<SymbolAttrs>().symbol();
  const Function *F = Op->getFunction()->getModule()->lookupFunction(Name);
  return F ? F->getSignature().VirtualDevice : Attr();
}

Operation *VariableDevices::enterBinding(Operation *Op) {
  if (Attr Device = getValueDevice(Op))
    Bound[Op] = Device;
  Lexical.enter(Op);
  return Op;
}

bool VariableDevices::enterUse(Value *V, Operation *, Block *) {
  Operation *Op = V->getDefiningOp();
  if (!Op || Op->isBound() || Seen[Op->getIndex()])
    return false;
  Seen.set(Op->getIndex());
  Lexical.enter(Op);
  return true;
}
