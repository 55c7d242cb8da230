//===- Nesting.cpp - The nesting limit of printed text --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Nesting.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Parse/Nesting.h"
#include "relay/IR/Context.h"
#include "relay/IR/Walk.h"
#include "relay/Text/Parse/Parser.h"

using namespace relay;

/// Returns the first operation of \p F whose regions are nested too deep, or
/// null. The body of a function is a level of the text, too.
static Operation *findTooDeep(Function &F) {
  const unsigned Limit = ParserOptions().NestingLimit;
  if (F.getNumRegions() < Limit)
    return nullptr;
  llvm::DenseMap<const Block *, unsigned> Levels = {{&F.getBody(), 1}};
  Operation *Found = nullptr;
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (!Op->getNumRegions())
      return WalkResult::advance();
    unsigned Level = Levels.lookup(Op->getBlock()) + 1;
    if (Level > Limit) {
      Found = Op;
      return WalkResult::interrupt();
    }
    for (Block &Region : Op->getRegions())
      Levels[&Region] = Level;
    return WalkResult::advance();
  });
  return Found;
}

LogicalResult relay::checkNesting(Module &M) {
  bool Failed = false;
  for (Function &F : M.functions()) {
    Operation *Op = findTooDeep(F);
    if (!Op)
      continue;
    Failed = true;
    M.getContext().emitError(
        Op->getLoc(), "'@" + F.getName() + "' nests more than " +
                          Twine(ParserOptions().NestingLimit) +
                          " levels deep, so that its text could not be read");
  }
  return success(!Failed);
}
