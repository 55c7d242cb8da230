//===- CallStack.cpp - Frames of calls ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CallStack.h.
//
//===----------------------------------------------------------------------===//

#include "CallStack.h"

using namespace relay;

void CallStack::push(const EvaluationPlan &Code,
                     MutableArrayRef<RuntimeValue> Args, Slot Target) {
  if (Pieces.empty() ||
      Pieces.back().Size - Pieces.back().Used < Code.NumSlots) {
    if (Spare && Spare->Size >= Code.NumSlots)
      Pieces.push_back(std::move(*Spare));
    else
      Pieces.emplace_back(std::max<size_t>(PieceSize, Code.NumSlots));
    Spare.reset();
  }
  Piece &P = Pieces.back();
  CallFrame F;
  F.Code = &Code;
  F.Slots = P.Slots.get() + P.Used;
  F.Target = Target;
  P.Used += Code.NumSlots;
  std::move(Args.begin(), Args.end(), F.Slots);
  Frames.push_back(F);
  Meter.take(getMemory(Code));
}

void CallStack::pop() {
  const CallFrame &F = Frames.back();
  Piece &P = Pieces.back();
  for (unsigned I = 0; I != F.Code->NumSlots; ++I)
    F.Slots[I] = RuntimeValue();
  P.Used -= F.Code->NumSlots;
  Meter.giveBack(getMemory(*F.Code));
  Frames.pop_back();
  if (P.Used == 0 && Pieces.size() > 1) {
    Spare.emplace(std::move(P));
    Pieces.pop_back();
  }
}
