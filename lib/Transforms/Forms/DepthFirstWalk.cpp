//===- DepthFirstWalk.cpp - Walks the reachable operations ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DepthFirstWalk.h.
//
//===----------------------------------------------------------------------===//

#include "DepthFirstWalk.h"

using namespace relay;

void DepthFirstWalk::walk(Block &Root) {
  push(Root);
  run();
}

void DepthFirstWalk::walk(Operation *Root) {
  push(Root);
  run();
}

DepthFirstWalk::Part DepthFirstWalk::getPart(Operation *Op, unsigned N) {
  if (N < Op->getNumOperands())
    return {Op->getOperand(N), nullptr};
  N -= Op->getNumOperands();
  if (N < Op->getNumRegions())
    return {nullptr, &Op->getRegion(N)};
  return {};
}

void DepthFirstWalk::push(Block &B) {
  enterBlock(B);
  Stack.push_back({nullptr, &B, B.begin(), 0});
}

void DepthFirstWalk::run() {
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    if (Top.Op)
      stepOperation(Top);
    else
      stepBlock(Top);
  }
}

void DepthFirstWalk::stepOperation(Frame &Top) {
  Operation *Op = Top.Op;
  while (true) {
    Part P = getPart(Op, Top.Next++);
    if (P.Region)
      return push(*P.Region);
    if (!P.Operand)
      break;
    if (enterUse(P.Operand, Op, nullptr))
      return push(cast<Operation>(P.Operand));
  }
  Stack.pop_back();
  leave(Op);
}

void DepthFirstWalk::stepBlock(Frame &Top) {
  Block *B = Top.B;
  while (Top.It != B->end()) {
    Operation &Op = *Top.It++;
    if (!Op.isBound())
      continue;
    if (Operation *Inner = enterBinding(&Op))
      return push(Inner);
  }
  if (!Top.Next++ && enterUse(B->getResult(), nullptr, B))
    return push(cast<Operation>(B->getResult()));
  Stack.pop_back();
  leaveBlock(*B);
}
