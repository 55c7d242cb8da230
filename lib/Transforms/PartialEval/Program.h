//===- Program.h - Original bodies during partial evaluation ----*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about the original functions: the number of each value in its body, the
// size of bodies, and the closures that have effects. They are computed once
// per function, when they are first needed.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTIALEVAL_PROGRAM_H
#define RELAY_LIB_TRANSFORMS_PARTIALEVAL_PROGRAM_H

#include "relay/Analysis/Purity.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

/// The body of a function or closure.
struct BodyLayout {
  /// Closures around it; 0 for a function.
  uint32_t Level = 0;
  /// Values that belong to it, and not to a nested closure.
  uint32_t NumSlots = 0;
  /// Operations, nested closures included.
  uint32_t NumOperations = 0;
  /// How deep regions nest in it.
  uint32_t Nesting = 0;
};

class ProgramFunction {
public:
  /// \p Calls is null if nothing in the module has an effect.
  ProgramFunction(Function &F, const Purity *Calls);

  /// Where a value is in an Activation.
  struct Place {
    uint32_t Level = 0, Slot = 0;
  };
  Place getPlace(const Value *V) const { return Places[V->getIndex()]; }
  const BodyLayout &getLayout(const Block &Body) const {
    return Layouts.find(&Body)->second;
  }
  /// Returns true if a call of the closure \p Fn may write to a reference.
  bool mayWrite(const Operation &Fn) const {
    return Effects && !Effects->isCallPure(&Fn);
  }

private:
  SmallVector<Place, 0> Places; ///< by Value::getIndex()
  llvm::DenseMap<const Block *, BodyLayout> Layouts;
  std::optional<ValuePurity> Effects;
};

class Program {
public:
  Program(Module &M, const Purity *Calls) : M(M), Calls(Calls) {}

  Module &getModule() const { return M; }
  ProgramFunction &get(Function &F) {
    std::unique_ptr<ProgramFunction> &Entry = Functions[&F];
    if (!Entry)
      Entry = std::make_unique<ProgramFunction>(F, Calls);
    return *Entry;
  }
  /// Returns true if something in the module has an effect.
  bool hasEffects() const { return Calls; }
  /// Returns true if a call of \p Callee may write to a reference.
  bool mayWrite(StringRef Callee) const {
    return Calls && !Calls->isCallPure(Callee);
  }

private:
  Module &M;
  const Purity *Calls;
  llvm::DenseMap<Function *, std::unique_ptr<ProgramFunction>> Functions;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTIALEVAL_PROGRAM_H
