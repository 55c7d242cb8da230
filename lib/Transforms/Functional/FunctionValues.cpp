//===- FunctionValues.cpp - Functions that are values ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FunctionValues.h.
//
//===----------------------------------------------------------------------===//

#include "FunctionValues.h"
#include "Forms/DepthFirstWalk.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

bool relay::isPolymorphic(const Value *V) {
  const Operation *Op = V->getDefiningOp();
  if (!Op || !(Op->is(OpCode::Fn) || isSymbolRef(*Op)))
    return false;
  auto *T = dyn_cast_or_null<FuncType>(Op->getType());
  return T && !T->getTypeParams().empty();
}

bool relay::holdsFunction(Type *T) {
  bool Found = false;
  walkTypes(T, [&](Type *Part) {
    Found |= isa<FuncType>(Part);
    return !Found;
  });
  return Found;
}

bool relay::isAtom(const Operation *Op) {
  return Op->isFloating() && (Op->is(OpCode::Constant) || isSymbolRef(*Op));
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

namespace {
/// Collects the values that a closure captures.
class CaptureFinder final : DepthFirstWalk {
public:
  CaptureFinder(Operation *Fn, const CaptureMap &Inner) : Fn(Fn), Inner(Inner) {
    walk(Fn->getRegion());
  }

  SmallVector<Value *, 4> get() const {
    return SmallVector<Value *, 4>(Found.begin(), Found.end());
  }

private:
  Part getPart(Operation *Op, unsigned N) override;
  Operation *enterBinding(Operation *Op) override { return Op; }
  bool enterUse(Value *V, Operation *, Block *) override;
  void leave(Operation *) override {}
  void enterBlock(Block &B) override { Inside.insert(&B); }

  Operation *Fn;
  const CaptureMap &Inner; ///< captures of the closures in Fn
  llvm::DenseSet<const Block *> Inside;
  llvm::DenseSet<const Operation *> Seen;
  llvm::SetVector<Value *> Found;
};
} // namespace

/// A closure in Fn uses its captures: its body is not walked again.
DepthFirstWalk::Part CaptureFinder::getPart(Operation *Op, unsigned N) {
  if (!Op->is(OpCode::Fn))
    return DepthFirstWalk::getPart(Op, N);
  ArrayRef<Value *> Captures = Inner.find(Op)->second;
  return N < Captures.size() ? Part{Captures[N], nullptr} : Part();
}

bool CaptureFinder::enterUse(Value *V, Operation *, Block *) {
  auto *Op = dyn_cast<Operation>(V);
  if (Inside.contains(V->getParentBlock()))
    return Op && Op->isFloating() && Seen.insert(Op).second;
  bool IsCreatedAtUse = Op && (isAtom(Op) || isSymbolRef(*Op));
  if (V != Fn && !IsCreatedAtUse)
    Found.insert(V);
  return false;
}

/// Returns true if \p Fn is only called.
static bool isOnlyCalled(const Operation *Fn) {
  return llvm::all_of(Fn->uses(), [](const Use &U) {
    return U.getUserOp() && U.getUserOp()->is(OpCode::CallValue) &&
           U.getOperandNo() == 0;
  });
}

void FunctionValues::addValue(Operation *Fn,
                              SmallVectorImpl<Operation *> &Worklist) {
  if (Values.insert(Fn).second)
    Worklist.push_back(Fn);
}

FunctionValues::FunctionValues(Function &F) {
  SmallVector<Operation *> Worklist, Closures;
  for (const BlockArgument *Param : F.getParams())
    HasValues |= holdsFunction(Param->getType());
  walk(F, [&](Operation *Op) {
    if (!Op->is(OpCode::Fn))
      HasValues |= holdsFunction(Op->getType());
    else
      Closures.push_back(Op);
    for (Block &Region : Op->getRegions())
      for (const BlockArgument *Arg : Region.getArguments())
        HasValues |= holdsFunction(Arg->getType());
  });
  for (Operation *Fn : Closures)
    if (!isOnlyCalled(Fn))
      addValue(Fn, Worklist);
  if (Worklist.empty())
    return;
  HasValues = true;
  for (Operation *Fn : Closures) // inner ones first
    Captures[Fn] = CaptureFinder(Fn, Captures).get();
  while (!Worklist.empty())
    for (Value *V : getCaptures(Worklist.pop_back_val()))
      if (auto *Op = dyn_cast<Operation>(V); Op && Op->is(OpCode::Fn))
        addValue(Op, Worklist);
}
