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
#include "relay/IR/Walk.h"
#include "llvm/ADT/PointerIntPair.h"

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
  if (!Callee || Callee->isBound() || Callee->is(OpCode::Fn))
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
/// Numbers the operations of a function in their present order. Gives up where
/// this cannot be the canonical order, and in some rare cases where it may.
class ListNumberer : public IRVisitor {
public:
  explicit ListNumberer(Function &F)
      : F(F), First(F.getParams().size()), Checker(First, F.getNumValues()) {
    for (BlockArgument *Arg : F.getParams())
      Arg->setIndex(Arg->getArgNo());
    // Reallocation is expensive if threads share freed memory.
    Numbered.reserve(F.getNumValues());
  }

  std::optional<OrderedBody> run();

  void enterBlock(Block &B) {
    Open.push_back({&B, First + uint32_t(Numbered.size())});
  }
  void leaveBlock(Block &) { Open.pop_back(); }
  WalkResult leave(Operation *Op) {
    return number(*Op) ? WalkResult::advance() : WalkResult::interrupt();
  }

private:
  bool number(Operation &Op);
  void numberArguments(Operation &Op);
  bool addUse(Value *V, const Block &User);
  bool addRegion(Block &B);
  bool noteUse(uint32_t Number, const Operation &Op, const Block &User);
  bool isInOpenBlock(const Operation &Op, uint32_t Number) const;
  bool hasUsesInPlace() const;

  /// A block that the walk has entered and not left. Its operations have
  /// numbers from Begin on, but less than the Begin of the next open block.
  struct OpenBlock {
    const Block *B;
    uint32_t Begin;
  };

  /// How the floating operations are used.
  enum UseFlags : unsigned { Used = 1, UsedInBlock = 2 };

  Function &F;
  uint32_t First;
  OrderChecker Checker;
  /// By number, from First on: the operation, null for an argument, with its
  /// UseFlags.
  SmallVector<llvm::PointerIntPair<Operation *, 2, unsigned>, 0> Numbered;
  /// The outermost block first.
  SmallVector<OpenBlock, 8> Open;
  /// Numbers of floating operations that regions of other operations use.
  SmallVector<uint32_t, 0> UsedInRegions;
  /// The last part of the present operation.
  uint32_t LastPart = 0;
  uint32_t NumOperations = 0, NumBindings = 0, NumRegions = 0;
};
} // namespace

/// Returns true if the block of \p Op is open, and so encloses the operation
/// that the walk is at. The cost is logarithmic in the depth.
bool ListNumberer::isInOpenBlock(const Operation &Op, uint32_t Number) const {
  auto *After = llvm::upper_bound(
      Open, Number, [](uint32_t N, const OpenBlock &O) { return N < O.Begin; });
  return After != Open.begin() && std::prev(After)->B == Op.getBlock();
}

/// Records a use in \p User of the floating \p Op. Returns false if the walk
/// would have come to Op later, or if its block does not enclose the use.
bool ListNumberer::noteUse(uint32_t Number, const Operation &Op,
                           const Block &User) {
  auto &Entry = Numbered[Number - First];
  // A part that the walk comes to only now has the largest number. Without
  // regions, lists are in order too often for this to pay.
  if (NumRegions && !Entry.getInt() && Number < LastPart)
    return false;
  if (LLVM_LIKELY(Op.getBlock() == &User)) {
    Entry.setInt(Used | UsedInBlock);
    return true;
  }
  Entry.setInt(Entry.getInt() | Used);
  UsedInRegions.push_back(Number);
  return isInOpenBlock(Op, Number);
}

/// Adds a part that \p User uses. Returns false if \p V has not been numbered;
/// its number is then an older one.
bool ListNumberer::addUse(Value *V, const Block &User) {
  auto *Op = dyn_cast_or_null<Operation>(V);
  if (!Op)
    return true;
  uint32_t Number = Op->getIndex();
  if (Number - First >= Numbered.size() ||
      Numbered[Number - First].getPointer() != Op)
    return false;
  if (Op->isFloating() && !noteUse(Number, *Op, User))
    return false;
  LastPart = Number;
  Checker.addPart(Number);
  return true;
}

bool ListNumberer::addRegion(Block &B) {
  ++NumRegions;
  for (Operation &Bound : B.bindings())
    Checker.addPart(Bound.getIndex());
  return addUse(B.getResult(), B);
}

void ListNumberer::numberArguments(Operation &Op) {
  uint32_t Begin = First + Numbered.size();
  for (Block &B : Op.getRegions())
    for (BlockArgument *Arg : B.getArguments()) {
      Arg->setIndex(First + Numbered.size());
      Numbered.push_back({nullptr, 0});
    }
  Checker.addRegionArguments(Op.getIndex(), First + Numbered.size() - Begin);
}

/// Numbers \p Op after what its regions hold.
bool ListNumberer::number(Operation &Op) {
  if (Op.is(OpCode::Scope) ||
      (LLVM_UNLIKELY(Op.is(OpCode::CallValue)) && getDirectCall(Op)))
    return false;
  uint32_t Number = First + Numbered.size();
  Checker.beginOperation(Number);
  LastPart = 0;
  for (Value *V : Op.operands())
    if (!addUse(V, *Op.getBlock()))
      return false;
  for (Block &B : Op.getRegions())
    if (!addRegion(B))
      return false;
  Op.setIndex(Number);
  Numbered.push_back({&Op, 0});
  ++NumOperations;
  if (Op.getNumRegions())
    numberArguments(Op);
  if (Op.isFloating())
    return true;
  ++NumBindings;
  return !getOperationToBind(&Op, [](Use &) { return true; });
}

/// Returns true if no floating operation is used by one region alone, where it
/// would have its place.
bool ListNumberer::hasUsesInPlace() const {
  return llvm::all_of(UsedInRegions, [&](uint32_t Number) {
    return Numbered[Number - First].getInt() & UsedInBlock;
  });
}

std::optional<OrderedBody> ListNumberer::run() {
  if (traverse(F, *this).wasInterrupted())
    return std::nullopt;
  uint32_t End = First + Numbered.size();
  Checker.beginBody(End);
  LastPart = 0;
  for (Operation &Bound : F.getBody().bindings())
    Checker.addPart(Bound.getIndex());
  if (!addUse(F.getBody().getResult(), F.getBody()) || !hasUsesInPlace() ||
      Checker.findMisplaced())
    return std::nullopt;
  return OrderedBody{End, NumOperations, NumBindings, NumRegions};
}

std::optional<OrderedBody> relay::numberOrderedBody(Function &F) {
  return ListNumberer(F).run();
}
