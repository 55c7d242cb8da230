//===- JoinedTypes.cpp - Types that must stay dynamic ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See JoinedTypes.h. Goes backwards from the values whose types are unified,
// and stops at values of static types.
//
//===----------------------------------------------------------------------===//

#include "JoinedTypes.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"

using namespace relay;

JoinedTypes::JoinedTypes(Function &F) {
  walk(F, [&](Operation *Op) { addJoins(*Op); });
  while (!Worklist.empty())
    addSources(*Worklist.pop_back_val());
}

/// Returns true if \p Call, of a polymorphic function, may unify the type of an
/// argument with another one: with that of a second argument, or of a part.
static bool unifiesArguments(const Operation &Call) {
  return Call.getNumOperands() > 1 ||
         llvm::any_of(Call.operands(),
                      [](Value *V) { return !isa<TensorType>(V->getType()); });
}

/// Adds the values whose types \p Op unifies with other types.
void JoinedTypes::addJoins(const Operation &Op) {
  switch (Op.getCode()) {
  case OpCode::If:
  case OpCode::Match:
    for (Block &B : Op.getRegions())
      add(B.getResult());
    return;
  case OpCode::CallGlobal:
    if (Op.getTypeArgs().empty() || !unifiesArguments(Op))
      return;
    [[fallthrough]];
  case OpCode::CallValue:
  case OpCode::CallConstructor:
  case OpCode::RefCreate:
  case OpCode::RefWrite:
    for (Value *V : Op.operands())
      add(V);
    return;
  default:
    return;
  }
}

void JoinedTypes::add(Value *V) {
  auto *Op = dyn_cast_or_null<Operation>(V);
  if (Op && isDynamic(Op->getType()) && Joined.insert(Op).second)
    Worklist.push_back(Op);
}

/// Adds the values on whose types the type of \p Op may depend.
void JoinedTypes::addSources(const Operation &Op) {
  for (Value *V : Op.operands())
    add(V);
  for (Block &B : Op.getRegions())
    add(B.getResult());
}
