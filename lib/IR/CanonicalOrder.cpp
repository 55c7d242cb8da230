//===- CanonicalOrder.cpp - Recognizing the canonical order ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When the walk comes to an operation, the operations that it has finished are
// exactly those of some first numbers. Call the number after them the
// operation's start. Then what it looks at - operands in turn, then for each
// region its bindings and its result - is either below the start, that is
// finished, or is walked now, with this very start, and moves the start behind
// itself. The order is the walk's exactly when every operation gets one start,
// and its parts move that up to its own number. Users have larger numbers than
// what they use, so one look backwards finds all starts.
//
//===----------------------------------------------------------------------===//

#include "CanonicalOrder.h"

using namespace relay;

namespace {

class OrderChecker {
public:
  OrderChecker(Function &F, ArrayRef<Operation *> ByNumber)
      : F(F), ByNumber(ByNumber), Starts(ByNumber.size(), Unknown) {}

  Operation *findMisplaced();

private:
  static constexpr uint32_t Unknown = ~0u;

  bool look(Value *V, uint32_t &Start, uint32_t User);
  bool lookInto(Block &B, uint32_t &Start, uint32_t User);

  Function &F;
  ArrayRef<Operation *> ByNumber;
  SmallVector<uint32_t, 0> Starts;
};

} // namespace

/// The number after \p Op and the arguments of its regions.
static uint32_t getNumberAfter(const Operation *Op) {
  uint32_t Next = Op->getIndex() + 1;
  for (const Block &B : Op->getRegions())
    Next += B.getNumArguments();
  return Next;
}

/// What the walk does when it meets \p V on its way to number \p User.
bool OrderChecker::look(Value *V, uint32_t &Start, uint32_t User) {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op)
    return true;
  uint32_t Number = Op->getIndex();
  if (Number < Start || Number >= User)
    return true; // finished, or a closure around User
  if (Starts[Number] != Unknown)
    return false;
  Starts[Number] = Start;
  Start = getNumberAfter(Op);
  return true;
}

bool OrderChecker::lookInto(Block &B, uint32_t &Start, uint32_t User) {
  for (Operation &Op : B.bindings())
    if (!look(&Op, Start, User))
      return false;
  return look(B.getResult(), Start, User);
}

Operation *OrderChecker::findMisplaced() {
  uint32_t First = F.getParams().size(), End = ByNumber.size();
  uint32_t Start = First;
  if (!lookInto(F.getBody(), Start, End) || Start != End)
    return Start < End ? ByNumber[Start] : ByNumber.back();
  for (uint32_t Number = End; Number-- != First;) {
    Operation *Op = ByNumber[Number];
    if (!Op)
      continue;
    Start = Starts[Number];
    if (Start == Unknown)
      return Op;
    for (Value *V : Op->operands())
      if (!look(V, Start, Number))
        return Op;
    for (Block &B : Op->getRegions())
      if (!lookInto(B, Start, Number))
        return Op;
    if (Start != Number)
      return Op;
  }
  return nullptr;
}

Operation *relay::findMisplaced(Function &F, ArrayRef<Operation *> ByNumber) {
  return OrderChecker(F, ByNumber).findMisplaced();
}
