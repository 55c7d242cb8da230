//===- LexicalDevices.h - Where expressions are evaluated -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device of an expression is that of the innermost `on_device` around it
// that fixes one for its body and its result, or else of the function that it
// is in. Passes that take an expression out of there write its device down.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_DEVICES_LEXICALDEVICES_H
#define RELAY_LIB_TRANSFORMS_DEVICES_LEXICALDEVICES_H

#include "relay/IR/Rewriter.h"

namespace relay {

/// The device of \p Op, when that is an `on_device` which fixes it for its body
/// and its result; none otherwise.
Attr getFixedDevice(const Operation *Op);

/// Returns \p V, evaluated on \p Device, with an `on_device` if its device is
/// not known from elsewhere (parameters, functions, constructors). A new
/// `on_device` is created at \p R's insertion point. It replaces V if that is
/// an `on_device`, unless they contradict each other.
Value *fixOnDevice(Rewriter &R, Value *V, Attr Device);

/// Removes each `on_device` of \p F that fixes a device if its body has the
/// device itself, or is an `on_device` that can replace it. Returns the number
/// of removed ones.
unsigned dropImpliedDevices(Function &F);

/// Follows a depth-first walk.
class LexicalDevices {
public:
  void enter(const Operation *Op) {
    if (Attr Device = getFixedDevice(Op))
      Devices.push_back(Device);
  }
  void leave(const Operation *Op) {
    if (getFixedDevice(Op))
      Devices.pop_back();
  }
  void enterBlock(const Block &B);
  void leaveBlock(const Block &B);

  /// The device here; null if absent.
  Attr get() const { return Devices.empty() ? Attr() : Devices.back(); }

private:
  SmallVector<Attr, 4> Devices;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_DEVICES_LEXICALDEVICES_H
