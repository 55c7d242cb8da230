//===- PairNesting.cpp - Nesting of functions of pairs --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits users before their operands. The `let` of a call without a name is in
// the innermost region that encloses all its uses.
//
//===----------------------------------------------------------------------===//

#include "PairNesting.h"
#include "relay/Text/Parse/Parser.h"

using namespace relay;

namespace {

class PairNesting {
public:
  explicit PairNesting(Function &F) : F(F) {}
  LogicalResult run();

private:
  /// A region of the new function.
  struct Level {
    uint32_t Parent;
    uint32_t Depth;
  };
  /// A block and its level. The operations before Next have not been visited.
  struct Frame {
    Block *Body;
    Block::iterator Next;
    uint32_t Number;
  };

  uint32_t addLevel(uint32_t Parent) {
    Levels.push_back({Parent, Levels[Parent].Depth + 1});
    return Levels.size() - 1;
  }
  uint32_t join(uint32_t A, uint32_t B) const;
  void addUse(const Value *V, uint32_t Level);
  void push(Block &Body, uint32_t Level);
  bool visit(Operation &Op, uint32_t Around);

  Function &F;
  const unsigned Limit = ParserOptions().NestingLimit;
  SmallVector<Level, 0> Levels;
  SmallVector<Frame, 8> Frames;
  /// The innermost level around the visited uses of operations without names.
  llvm::DenseMap<const Operation *, uint32_t> LevelOfUses;
};

} // namespace

/// The innermost level around \p A and \p B.
uint32_t PairNesting::join(uint32_t A, uint32_t B) const {
  while (A != B) {
    uint32_t &Deeper = Levels[A].Depth < Levels[B].Depth ? B : A;
    Deeper = Levels[Deeper].Parent;
  }
  return A;
}

void PairNesting::addUse(const Value *V, uint32_t Level) {
  const Operation *Op = V->getDefiningOp();
  if (!Op || !Op->isFloating())
    return;
  auto [It, IsFirst] = LevelOfUses.try_emplace(Op, Level);
  if (!IsFirst)
    It->second = join(It->second, Level);
}

void PairNesting::push(Block &Body, uint32_t Level) {
  addUse(Body.getResult(), Level);
  Frames.push_back({&Body, Body.end(), Level});
}

/// Returns true if \p Op becomes a nested `let`. At the end of a block it
/// continues the chain of that block instead.
static bool becomesNestedLet(Operation &Op) {
  if (!Op.is(OpCode::Operator) && !Op.is(OpCode::Constant))
    return false;
  bool IsOnlyResult = Op.getBlock()->getResult() == &Op && Op.hasOneUse();
  return Op.isBound() || !IsOnlyResult;
}

/// Visits \p Op of a block of the level \p Around. Returns false if it nests
/// too deeply.
bool PairNesting::visit(Operation &Op, uint32_t Around) {
  uint32_t Level = Op.isBound() ? Around : LevelOfUses.lookup(&Op);
  uint32_t Own = becomesNestedLet(Op) ? addLevel(Level) : Level;
  for (const Value *Operand : Op.operands())
    addUse(Operand, Own);
  for (Block &Region : Op.getRegions())
    push(Region, addLevel(Level));
  // Next to a call, there is the closure that propagates its gradient.
  unsigned OwnDepth = Levels[Own].Depth + (Op.is(OpCode::Operator) ? 1 : 0);
  return Levels.back().Depth <= Limit && OwnDepth <= Limit;
}

LogicalResult PairNesting::run() {
  if (F.getNumOperations() < Limit / 2)
    return success();
  Levels.push_back({0, 1}); // the function
  push(F.getBody(), addLevel(0));
  while (!Frames.empty()) {
    Frame &Top = Frames.back();
    if (Top.Next == Top.Body->begin()) {
      Frames.pop_back();
      continue;
    }
    Operation &Op = *--Top.Next;
    if (!visit(Op, Top.Number))
      return F.getContext().emitError(
          Op.getLoc(), "the gradient of @" + F.getName() + " nests more than " +
                           Twine(Limit) +
                           " levels deep in mode higher_order; run "
                           "'to-a-normal-form' first");
  }
  return success();
}

LogicalResult relay::checkPairNesting(Function &F) {
  return PairNesting(F).run();
}
