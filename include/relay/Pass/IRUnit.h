//===- IRUnit.h - A module or a function, for instrumentation ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A typed handle to the module or function that a pass or an analysis runs on,
// passed to callbacks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_IRUNIT_H
#define RELAY_PASS_IRUNIT_H

#include "relay/IR/Module.h"
#include "llvm/ADT/PointerUnion.h"

namespace relay {

struct PrintOptions;

class IRUnit {
public:
  IRUnit(Module &M) : Unit(&M) {}
  IRUnit(Function &F) : Unit(&F) {}

  /// Returns the module, or null if the unit is a function.
  Module *getAsModule() const { return dyn_cast<Module *>(Unit); }
  /// Returns the function, or null if the unit is a module.
  Function *getAsFunction() const { return dyn_cast<Function *>(Unit); }
  /// Returns the unit, or its parent module if it is a function.
  Module &getModule() const {
    Module *M = getAsModule();
    return M ? *M : *cast<Function *>(Unit)->getModule();
  }
  /// Returns the unit, which must be a \p UnitT.
  template <typename UnitT> UnitT &getAs() const {
    return *cast<UnitT *>(Unit);
  }
  const void *getOpaque() const { return Unit.getOpaqueValue(); }
  bool operator==(IRUnit O) const { return Unit == O.Unit; }

  /// The name of a module.
  static constexpr StringLiteral ModuleName = "[module]";
  /// `[module]` or `@main`.
  std::string getName() const;
  /// Prints the unit as text.
  void print(raw_ostream &OS, const PrintOptions &O) const;
  /// The structural hash.
  uint64_t getHash() const;

private:
  llvm::PointerUnion<Module *, Function *> Unit;
};

} // namespace relay

#endif // RELAY_PASS_IRUNIT_H
