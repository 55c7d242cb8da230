//===- SameBody.cpp - Comparison of a new body ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SameBody.h.
//
//===----------------------------------------------------------------------===//

#include "SameBody.h"
#include "llvm/ADT/DenseMap.h"

using namespace relay;

namespace {

class BodyComparison {
public:
  bool run(Block &Old, Block &New, Value *NewResult);

private:
  bool compareBlocks(Block &Old, Block &New);
  bool compareOperations(Operation &Old, Operation &New);
  bool compareArguments(Block &Old, Block &New);
  bool comparePatterns(Operation &Old, Operation &New);
  void expect(Value *Old, Value *New) { Uses.push_back({Old, New}); }

  /// Maps values of the new body to those of the old one. Values without an
  /// entry are shared.
  llvm::DenseMap<const Value *, Value *> Twins;
  /// Pairs that must be twins: compared at the end, since a closure may use
  /// itself.
  SmallVector<std::pair<Value *, Value *>, 0> Uses;
  SmallVector<std::pair<Block *, Block *>, 8> Blocks;
};

} // namespace

static bool isSameSignature(const Signature &Old, const Signature &New) {
  return Old.TypeParams.empty() && New.TypeParams.empty() &&
         Old.ResultAnnotation == New.ResultAnnotation &&
         Old.Attributes == New.Attributes &&
         Old.VirtualDevice == New.VirtualDevice;
}

bool BodyComparison::compareArguments(Block &Old, Block &New) {
  if (Old.getNumArguments() != New.getNumArguments())
    return false;
  for (auto [L, R] : llvm::zip(Old.getArguments(), New.getArguments())) {
    if (L->getName() != R->getName() || L->getType() != R->getType() ||
        L->getAnnotation() != R->getAnnotation() ||
        L->getVirtualDevice() != R->getVirtualDevice())
      return false;
    Twins[R] = L;
  }
  return true;
}

bool BodyComparison::comparePatterns(Operation &Old, Operation &New) {
  SmallVector<std::pair<const MatchPattern *, const MatchPattern *>, 8> Stack;
  for (auto [L, R] : llvm::zip(Old.getPatterns(), New.getPatterns()))
    Stack.push_back({L, R});
  while (!Stack.empty()) {
    auto [L, R] = Stack.pop_back_val();
    if (L->K != R->K || L->Constructor != R->Constructor ||
        L->Children.size() != R->Children.size() ||
        (L->Variable && Twins.lookup(R->Variable) != L->Variable))
      return false;
    for (auto [LeftChild, RightChild] : llvm::zip(L->Children, R->Children))
      Stack.push_back({LeftChild, RightChild});
  }
  return Old.isCompleteMatch() == New.isCompleteMatch();
}

bool BodyComparison::compareOperations(Operation &Old, Operation &New) {
  if (&Old.getInfo() != &New.getInfo() || Old.getAttrs() != New.getAttrs() ||
      Old.getType() != New.getType() || Old.isBound() != New.isBound() ||
      Old.getTypeArgs() != New.getTypeArgs() ||
      Old.getNumOperands() != New.getNumOperands() ||
      Old.getNumRegions() != New.getNumRegions())
    return false;
  if (Old.isBound() && (Old.getVarName() != New.getVarName() ||
                        Old.getVarAnnotation() != New.getVarAnnotation() ||
                        Old.getVarVirtualDevice() != New.getVarVirtualDevice()))
    return false;
  if (Old.is(OpCode::Fn) &&
      !isSameSignature(Old.getSignature(), New.getSignature()))
    return false;
  Twins[&New] = &Old;
  for (auto [L, R] : llvm::zip(Old.operands(), New.operands()))
    expect(L, R);
  for (auto [L, R] : llvm::zip(Old.getRegions(), New.getRegions())) {
    if (!compareArguments(L, R))
      return false;
    Blocks.push_back({&L, &R});
  }
  return !Old.is(OpCode::Match) || comparePatterns(Old, New);
}

bool BodyComparison::compareBlocks(Block &Old, Block &New) {
  auto L = Old.begin(), R = New.begin();
  for (; L != Old.end() && R != New.end(); ++L, ++R)
    if (!compareOperations(*L, *R))
      return false;
  return L == Old.end() && R == New.end();
}

bool BodyComparison::run(Block &Old, Block &New, Value *NewResult) {
  expect(Old.getResult(), NewResult);
  if (!compareBlocks(Old, New))
    return false;
  while (!Blocks.empty()) {
    auto [L, R] = Blocks.pop_back_val();
    expect(L->getResult(), R->getResult());
    if (!compareBlocks(*L, *R))
      return false;
  }
  return llvm::all_of(Uses, [&](std::pair<Value *, Value *> Pair) {
    Value *Twin = Twins.lookup(Pair.second);
    return (Twin ? Twin : Pair.second) == Pair.first;
  });
}

bool relay::isSameBody(Block &Old, Block &New, Value *NewResult) {
  return BodyComparison().run(Old, New, NewResult);
}
