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
#include "relay/IR/Context.h"
#include "relay/IR/TypingRules.h"

using namespace relay;

/// Follows the walk through the parts of \p User, which is reached when \p
/// Start numbers have been assigned. A part with a larger number than User's is
/// the closure around User.
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

/// Returns none if the call has attributes of another class than the
/// operator's.
static std::optional<DirectCall> getOperatorCall(const Operation &Call,
                                                 StringRef Operator) {
  Context &Ctx = Call.getFunction()->getContext();
  const OpInfo *Info = Ctx.lookupOp(Operator);
  Attr Written = CallValueOp(&Call).attrs().attributes();
  if (!Info || !Info->takesOperands(Call.getNumOperands() - 1) ||
      (Written && Written.getKind() != Attr::Kind::OpAttrs))
    return std::nullopt;
  FailureOr<const Attrs *> A = typing::getPassedAttrs(Ctx, Call, *Info);
  if (failed(A) || (*A ? &(*A)->getInfo() : nullptr) != Info->Attributes)
    return std::nullopt;
  return DirectCall{Info, *A};
}

std::optional<DirectCall> relay::getDirectCall(const Operation &Op) {
  if (!Op.is(OpCode::CallValue) || !Op.getNumOperands())
    return std::nullopt;
  auto *Callee = dyn_cast_or_null<Operation>(Op.getOperand(0));
  if (!Callee || Callee->isBound())
    return std::nullopt;
  Context &Ctx = Op.getFunction()->getContext();
  Attr Written = CallValueOp(&Op).attrs().attributes();
  if (auto Ref = dyn_cast<GlobalRefOp>(Callee))
    return DirectCall{&CallGlobalOp::getInfo(),
                      CallGlobalAttrs::get(Ctx, Ref.attrs().symbol(), Written)};
  if (auto Ref = dyn_cast<ConstructorRefOp>(Callee))
    return DirectCall{
        &CallConstructorOp::getInfo(),
        CallConstructorAttrs::get(Ctx, Ref.attrs().symbol(), Written)};
  if (auto Ref = dyn_cast<OpRefOp>(Callee))
    return getOperatorCall(Op, Ref.attrs().symbol());
  return std::nullopt;
}

namespace {
/// Numbers the operations of a body in their present order.
class StraightNumberer {
public:
  explicit StraightNumberer(Function &F)
      : Body(F.getBody()), First(F.getParams().size()),
        Checker(First, F.getNumValues()) {
    for (BlockArgument *Arg : F.getParams())
      Arg->setIndex(Arg->getArgNo());
    // Reallocation is expensive if threads share freed memory.
    Numbered.reserve(F.getNumValues());
    Bindings.reserve(F.getNumValues());
  }

  std::optional<StraightBody> run();

private:
  bool number(Operation &Op);
  bool addPart(Value *V);

  Block &Body;
  uint32_t First;
  OrderChecker Checker;
  SmallVector<Operation *, 0> Numbered;
  /// Numbers of bound operations.
  SmallVector<uint32_t, 0> Bindings;
};
} // namespace

/// Returns false if \p V has not been numbered; its number is then an older
/// one.
bool StraightNumberer::addPart(Value *V) {
  auto *Op = dyn_cast_or_null<Operation>(V);
  if (!Op)
    return true;
  uint32_t I = Op->getIndex() - First;
  if (I >= Numbered.size() || Numbered[I] != Op)
    return false;
  Checker.addPart(Op->getIndex());
  return true;
}

bool StraightNumberer::number(Operation &Op) {
  if (Op.getNumRegions() ||
      (LLVM_UNLIKELY(Op.is(OpCode::CallValue)) && getDirectCall(Op)))
    return false;
  uint32_t Number = First + Numbered.size();
  Checker.beginOperation(Number);
  for (Value *V : Op.operands())
    if (!addPart(V))
      return false;
  Op.setIndex(Number);
  Numbered.push_back(&Op);
  if (Op.isFloating())
    return true;
  Bindings.push_back(Number);
  return !getOperationToBind(&Op, [](Use &) { return true; });
}

std::optional<StraightBody> StraightNumberer::run() {
  for (Operation &Op : Body)
    if (!number(Op))
      return std::nullopt;
  uint32_t End = First + Numbered.size();
  Checker.beginBody(End);
  for (uint32_t Number : Bindings)
    Checker.addPart(Number);
  if (!addPart(Body.getResult()) || Checker.findMisplaced())
    return std::nullopt;
  return StraightBody{End, uint32_t(Bindings.size())};
}

std::optional<StraightBody> relay::numberStraightBody(Function &F) {
  return StraightNumberer(F).run();
}
