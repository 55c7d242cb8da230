//===- CanonicalOrder.cpp - Recognizing the canonical order ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CanonicalOrder.h.
//
//===----------------------------------------------------------------------===//

#include "CanonicalOrder.h"

using namespace relay;

/// Follows the walk through the parts of \p User, which it came to when
/// \p Start numbers were given. A part with a larger number than User's is the
/// closure around User.
bool OrderChecker::visit(uint32_t User, uint32_t Start) {
  for (const uint32_t *Part = &Parts[Begin[User]]; *Part != None; ++Part) {
    if (*Part < Start || *Part >= User)
      continue;
    if (Starts[*Part] != None)
      return false;
    Starts[*Part] = Start;
    Start = getNext(*Part);
  }
  return Start == User;
}

std::optional<uint32_t> OrderChecker::findMisplaced() {
  Parts.push_back(None);
  Starts.assign(End, None);
  if (!visit(End, First))
    return End - 1;
  for (uint32_t Number = End; Number-- != First;)
    if (Begin[Number] != None &&
        (Starts[Number] == None || !visit(Number, Starts[Number])))
      return Number;
  return std::nullopt;
}

Operation *relay::getOperationToBind(const Operation *Op,
                                     function_ref<bool(Use &)> Counts) {
  if (!Op->is(OpCode::Alias) || !Op->isBound())
    return nullptr;
  auto *Named = dyn_cast_or_null<Operation>(Op->getOperand(0));
  if (!Named || Named->isBound())
    return nullptr;
  bool UsedElsewhere = llvm::any_of(
      Named->uses(), [&](Use &U) { return U.getUserOp() != Op && Counts(U); });
  return UsedElsewhere ? nullptr : Named;
}

/// Numbers the operations as they stand; none when one has regions.
static std::optional<uint32_t> numberAsListed(Function &F) {
  uint32_t Next = 0;
  for (BlockArgument *Arg : F.getParams())
    Arg->setIndex(Next++);
  for (Operation &Op : F.getBody()) {
    if (Op.getNumRegions())
      return std::nullopt;
    Op.setIndex(Next++);
  }
  return Next;
}

std::optional<uint32_t> relay::numberStraightBody(Function &F) {
  std::optional<uint32_t> End = numberAsListed(F);
  if (!End)
    return std::nullopt;
  Block &Body = F.getBody();
  OrderChecker Checker(F.getParams().size(), *End);
  SmallVector<uint32_t, 0> Bindings;
  for (Operation &Op : Body) {
    uint32_t Number = Op.getIndex();
    Checker.beginOperation(Number);
    for (Value *V : Op.operands()) {
      auto *Operand = dyn_cast_or_null<Operation>(V);
      if (!Operand)
        continue;
      if (Operand->getBlock() != &Body || Operand->getIndex() >= Number)
        return std::nullopt;
      Checker.addPart(Operand->getIndex());
    }
    if (Op.isFloating())
      continue;
    Bindings.push_back(Number);
    if (getOperationToBind(&Op, [](Use &) { return true; }))
      return std::nullopt;
  }
  Checker.beginBody();
  for (uint32_t Number : Bindings)
    Checker.addPart(Number);
  if (auto *Result = dyn_cast_or_null<Operation>(Body.getResult())) {
    if (Result->getBlock() != &Body)
      return std::nullopt;
    Checker.addPart(Result);
  }
  if (Checker.findMisplaced())
    return std::nullopt;
  return End;
}
