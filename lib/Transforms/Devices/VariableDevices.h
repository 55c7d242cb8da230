//===- VariableDevices.h - Where variables' values are ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The devices of the parameters and `let` variables of a function, as defined
// in LexicalDevices.h. Computed by one walk.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_DEVICES_VARIABLEDEVICES_H
#define RELAY_LIB_TRANSFORMS_DEVICES_VARIABLEDEVICES_H

#include "Forms/DepthFirstWalk.h"
#include "LexicalDevices.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

class VariableDevices final : DepthFirstWalk {
public:
  /// For the normalized \p F.
  explicit VariableDevices(Function &F) : Seen(F.getNumValues()) {
    walk(F.getBody());
  }

  /// The device of \p V, a block argument or a bound operation; null if
  /// absent.
  Attr lookup(const Value *V) const;
  /// \p New replaces the bound \p Old.
  void replace(const Operation *Old, const Operation *New) {
    if (Attr Device = Bound.lookup(Old))
      Bound[New] = Device;
  }

private:
  Attr getValueDevice(const Operation *Op) const;
  Operation *enterBinding(Operation *Op) override;
  bool enterUse(Value *V, Operation *User, Block *Where) override;
  void leave(Operation *Op) override { Lexical.leave(Op); }
  void enterBlock(Block &B) override { Lexical.enterBlock(B); }
  void leaveBlock(Block &B) override { Lexical.leaveBlock(B); }

  LexicalDevices Lexical;
  llvm::BitVector Seen; // by Value::getIndex()
  llvm::DenseMap<const Operation *, Attr> Bound;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_DEVICES_VARIABLEDEVICES_H
