//===- LexicalDevices.cpp - Where expressions are evaluated ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LexicalDevices.h.
//
//===----------------------------------------------------------------------===//

#include "LexicalDevices.h"
#include "relay/IR/Function.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Memory.h"

using namespace relay;

/// Returns true if \p Device, null or a VirtualDevice, leaves everything open.
static bool isUnconstrained(Attr Device) {
  if (!Device)
    return true;
  auto IsMinusOne = [](Attr A) { return A && A.isInt() && A.getInt() == -1; };
  Attr Scope = Device.lookup("memory_scope");
  return IsMinusOne(Device.lookup("device_type_int")) &&
         IsMinusOne(Device.lookup("virtual_device_id")) &&
         !Device.lookup("target") &&
         (!Scope || !Scope.isString() || Scope.getString().empty());
}

Attr relay::getFixedDevice(const Operation *Op) {
  auto OnDevice = dyn_cast<OnDeviceOp>(Op);
  if (!OnDevice)
    return {};
  const OnDeviceAttrs &A = OnDevice.attrs();
  return A.constrainResult() && A.constrainBody() ? A.virtualDevice() : Attr();
}

/// The signature with the device of \p B; null if B is not a body.
static const Signature *getSignatureOf(const Block &B) {
  Operation *Parent = B.getParentOp();
  if (!Parent)
    return &B.getFunction()->getSignature();
  return Parent->is(OpCode::Fn) ? &Parent->getSignature() : nullptr;
}

void LexicalDevices::enterBlock(const Block &B) {
  const Signature *Sig = getSignatureOf(B);
  if (!Sig)
    return;
  Attr Device = Sig->VirtualDevice;
  Devices.push_back(isUnconstrained(Device) ? Attr() : Device);
}

void LexicalDevices::leaveBlock(const Block &B) {
  if (getSignatureOf(B))
    Devices.pop_back();
}

/// A closure has its device in its signature, a parameter at its definition.
static bool hasOwnDevice(const Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return !Op || Op->is(OpCode::Fn) || Op->is(OpCode::GlobalRef) ||
         Op->is(OpCode::OpRef) || Op->is(OpCode::ConstructorRef);
}

/// The body of \p Inner, when an `on_device` around it that fixes \p Device can
/// take its place; sets whether that still constrains the body.
static Value *getMergedBody(OnDeviceOp Inner, Attr Device,
                            bool &ConstrainsBody) {
  const OnDeviceAttrs &A = Inner.attrs();
  bool Constrains = A.constrainBody() || A.constrainResult();
  if (Constrains && A.virtualDevice() != Device)
    return nullptr;
  ConstrainsBody = A.constrainBody();
  return Inner.body();
}

Value *relay::fixOnDevice(Rewriter &R, Value *V, Attr Device) {
  if (!Device || hasOwnDevice(V))
    return V;
  bool ConstrainsBody = true;
  if (auto Inner = dyn_cast<OnDeviceOp>(V))
    if (Value *Body = getMergedBody(Inner, Device, ConstrainsBody))
      V = Body;
  return R.create<OnDeviceOp>(V, OnDeviceAttrs::get(R.getContext(), Device,
                                                    /*ConstrainResult=*/true,
                                                    ConstrainsBody));
}

/// Returns true if what \p OnDevice, which fixes a device, is around makes it
/// superfluous.
static bool isImplied(Operation *OnDevice) {
  Value *Body = OnDevice->getOperand(0);
  if (hasOwnDevice(Body) || cast<Operation>(Body)->isBound())
    return true;
  auto Inner = dyn_cast<OnDeviceOp>(Body);
  bool ConstrainsBody;
  return Inner &&
         getMergedBody(Inner, getFixedDevice(OnDevice), ConstrainsBody);
}

unsigned relay::dropImpliedDevices(Function &F) {
  SmallVector<Operation *> Fixed; // inner bodies first
  walk(F, [&](Operation *Op) {
    if (getFixedDevice(Op) && isImplied(Op))
      Fixed.push_back(Op);
  });
  if (Fixed.empty())
    return 0;
  Rewriter R(F);
  unsigned NumDropped = 0;
  for (Operation *Op : Fixed) {
    if (!R.startRewrite("drop-device", Op))
      continue;
    Value *Body = Op->getOperand(0);
    Operation *BodyOp = Body->getDefiningOp();
    if (BodyOp && BodyOp->isFloating() && isa<OnDeviceOp>(BodyOp)) {
      R.setInsertionPoint(Op);
      R.setLoc(Op->getLoc());
      Body = fixOnDevice(R, Body, getFixedDevice(Op));
    }
    R.replaceOp(Op, Body);
    ++NumDropped;
  }
  return NumDropped;
}
