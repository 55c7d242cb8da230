//===- Walk.h - Visiting operations without recursion -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// walk() visits every operation under a function, a block or an operation,
// nested regions included, on an explicit stack. In post-order an operation
// comes after the operations of its regions, in pre-order before them. The
// callback may erase the operation that it is given (post-order only).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_WALK_H
#define RELAY_IR_WALK_H

#include "relay/IR/Function.h"

namespace relay {

enum class WalkOrder { PreOrder, PostOrder };

namespace detail {
/// One level of a walk: a block, where it is there, and which region of the
/// parent operation it is.
struct WalkFrame {
  Block *B;
  Block::iterator It;
  unsigned Region;
};
} // namespace detail

template <WalkOrder Order = WalkOrder::PostOrder, typename Fn>
void walk(Block &Root, Fn &&Callback) {
  SmallVector<detail::WalkFrame, 8> Stack;
  Stack.push_back({&Root, Root.begin(), 0});
  while (!Stack.empty()) {
    detail::WalkFrame &Top = Stack.back();
    if (Top.It != Top.B->end()) {
      Operation *Op = &*Top.It;
      if constexpr (Order == WalkOrder::PreOrder)
        Callback(Op);
      if (Op->getNumRegions()) {
        Block &First = Op->getRegion(0);
        Stack.push_back({&First, First.begin(), 0});
        continue;
      }
      ++Top.It;
      if constexpr (Order == WalkOrder::PostOrder)
        Callback(Op);
      continue;
    }
    Operation *Parent = Top.B->getParentOp();
    unsigned Next = Top.Region + 1;
    if (Stack.size() == 1)
      return;
    if (Next < Parent->getNumRegions()) {
      Block &Region = Parent->getRegion(Next);
      Top = {&Region, Region.begin(), Next};
      continue;
    }
    Stack.pop_back();
    ++Stack.back().It;
    if constexpr (Order == WalkOrder::PostOrder)
      Callback(Parent);
  }
}

template <WalkOrder Order = WalkOrder::PostOrder, typename Fn>
void walk(Function &F, Fn &&Callback) {
  walk<Order>(F.getBody(), std::forward<Fn>(Callback));
}

/// Visits \p Root and every block in its operations' regions, outer first.
template <typename Fn> void walkBlocks(Block &Root, Fn &&Callback) {
  Callback(Root);
  walk<WalkOrder::PreOrder>(Root, [&](Operation *Op) {
    for (Block &B : Op->getRegions())
      Callback(B);
  });
}

} // namespace relay

#endif // RELAY_IR_WALK_H
