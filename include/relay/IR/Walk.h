//===- Walk.h - Visiting operations without recursion -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// walk() visits every operation under a module, a function, a block or an
// operation, nested regions included, on an explicit stack, in the manner of
// MLIR:
//
//   walk(F, [&](Operation *Op) { ... });            // post-order
//   walk(F, [&](Conv2DOp Conv) { ... });            // operations of one kind
//   walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
//     return Op->is(OpCode::Fn) ? WalkResult::skip() : WalkResult::advance();
//   });
//
// In post-order an operation comes after the operations of its regions, in
// pre-order before them. traverse() is for walkers that have to know where
// operations and blocks begin and end.
//
// These follow the lists of blocks. A depth-first walk through operands, which
// some results of TVM depend on, is DepthFirstWalk.h of room Transforms.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_WALK_H
#define RELAY_IR_WALK_H

#include "relay/IR/Module.h"
#include "llvm/ADT/STLExtras.h"

namespace relay {

enum class WalkOrder { PreOrder, PostOrder };

/// How a walk continues after a callback. Converts from LogicalResult:
/// success() advances, failure() interrupts.
class WalkResult {
public:
  WalkResult(LogicalResult Result)
      : K(succeeded(Result) ? Kind::Advance : Kind::Interrupt) {}

  /// Goes on.
  static WalkResult advance() { return Kind::Advance; }
  /// Continues after the operation or block, skipping its contents. In
  /// post-order, where the contents have been visited already, the same as
  /// advance().
  static WalkResult skip() { return Kind::Skip; }
  /// Ends the whole walk.
  static WalkResult interrupt() { return Kind::Interrupt; }

  bool wasSkipped() const { return K == Kind::Skip; }
  bool wasInterrupted() const { return K == Kind::Interrupt; }

private:
  enum class Kind : uint8_t { Advance, Skip, Interrupt };
  WalkResult(Kind K) : K(K) {}
  Kind K;
};

/// Base class of visitors for traverse(). A derived class defines the methods
/// that it needs, by the same names; each may return a WalkResult instead of
/// void.
class IRVisitor {
public:
  /// Before the first operation of the block.
  void enterBlock(Block &) {}
  /// After the last operation of the block; also when enterBlock() skipped it.
  void leaveBlock(Block &) {}
  /// Before the regions of the operation. May erase it when it then skips.
  void enter(Operation *) {}
  /// After the regions of the operation, unless enter() skipped it. May erase
  /// it.
  void leave(Operation *) {}
};

namespace detail {

/// One level of a walk: a block, where it is there, and which region of the
/// parent operation it is.
struct WalkFrame {
  Block *B;
  Block::iterator It;
  unsigned Region;
};

/// Calls \p Visit and returns its result; advance() if the result is void.
template <typename Fn> WalkResult getWalkResult(Fn &&Visit) {
  if constexpr (std::is_void_v<decltype(Visit())>) {
    Visit();
    return WalkResult::advance();
  } else {
    return Visit();
  }
}

/// The callback of a walk in one order as a visitor. \p Fn takes an Operation *
/// or the view of an operator, whose calls it is then called for.
template <WalkOrder Order, typename Fn> class CallbackVisitor {
public:
  static constexpr bool IsTyped = !std::is_invocable_v<Fn, Operation *>;

  explicit CallbackVisitor(Fn &Callback) : Callback(Callback) {}
  void enterBlock(Block &) {}
  void leaveBlock(Block &) {}
  auto enter(Operation *Op) {
    if constexpr (Order == WalkOrder::PreOrder)
      return call(Op);
  }
  auto leave(Operation *Op) {
    if constexpr (Order == WalkOrder::PostOrder)
      return call(Op);
  }

private:
  auto call(Operation *Op) {
    if constexpr (IsTyped) {
      using Traits = llvm::function_traits<std::decay_t<Fn>>;
      auto Typed = dyn_cast<typename Traits::template arg_t<0>>(Op);
      return Typed ? getWalkResult([&] { return Callback(Typed); })
                   : WalkResult::advance();
    } else {
      return Callback(Op);
    }
  }
  Fn &Callback;
};

/// The callback of walkBlocks() as a visitor.
template <typename Fn> class BlockVisitor : public IRVisitor {
public:
  explicit BlockVisitor(Fn &Callback) : Callback(Callback) {}
  auto enterBlock(Block &B) { return Callback(B); }

private:
  Fn &Callback;
};

} // namespace detail

/// Visits \p Root and all that is in it, telling \p Visitor, an IRVisitor, of
/// the beginning and the end of each block and operation. Returns interrupt()
/// if a method did.
template <typename VisitorT> WalkResult traverse(Block &Root, VisitorT &&V) {
  using detail::getWalkResult;
  SmallVector<detail::WalkFrame, 8> Stack;
  // Begins a block; whether the walk goes on.
  auto Enter = [&](Block &B, detail::WalkFrame &Frame, unsigned Region) {
    WalkResult R = getWalkResult([&] { return V.enterBlock(B); });
    Frame = {&B, R.wasSkipped() ? B.end() : B.begin(), Region};
    return !R.wasInterrupted();
  };
  detail::WalkFrame First;
  if (!Enter(Root, First, 0))
    return WalkResult::interrupt();
  Stack.push_back(First);
  while (true) {
    detail::WalkFrame &Top = Stack.back();
    if (Top.It != Top.B->end()) {
      Operation *Op = &*Top.It;
      Block::iterator Next = std::next(Top.It);
      WalkResult R = getWalkResult([&] { return V.enter(Op); });
      if (R.wasInterrupted())
        return R;
      if (R.wasSkipped()) {
        Top.It = Next;
        continue;
      }
      if (Op->getNumRegions()) {
        if (!Enter(Op->getRegion(0), First, 0))
          return WalkResult::interrupt();
        Stack.push_back(First);
        continue;
      }
      ++Top.It;
      if (getWalkResult([&] { return V.leave(Op); }).wasInterrupted())
        return WalkResult::interrupt();
      continue;
    }
    Operation *Parent = Top.B->getParentOp();
    unsigned Next = Top.Region + 1;
    if (getWalkResult([&] { return V.leaveBlock(*Top.B); }).wasInterrupted())
      return WalkResult::interrupt();
    if (Stack.size() == 1)
      return WalkResult::advance();
    if (Next < Parent->getNumRegions()) {
      if (!Enter(Parent->getRegion(Next), Top, Next))
        return WalkResult::interrupt();
      continue;
    }
    Stack.pop_back();
    ++Stack.back().It;
    if (getWalkResult([&] { return V.leave(Parent); }).wasInterrupted())
      return WalkResult::interrupt();
  }
}

template <typename VisitorT> WalkResult traverse(Function &F, VisitorT &&V) {
  return traverse(F.getBody(), V);
}

/// Visits \p Root itself too.
template <typename VisitorT>
WalkResult traverse(Operation &Root, VisitorT &&V) {
  WalkResult R = detail::getWalkResult([&] { return V.enter(&Root); });
  if (R.wasInterrupted())
    return R;
  if (R.wasSkipped())
    return WalkResult::advance();
  for (Block &Region : Root.getRegions())
    if (traverse(Region, V).wasInterrupted())
      return WalkResult::interrupt();
  R = detail::getWalkResult([&] { return V.leave(&Root); });
  return R.wasInterrupted() ? R : WalkResult::advance();
}

/// Visits the functions of \p M, in their order.
template <typename VisitorT> WalkResult traverse(Module &M, VisitorT &&V) {
  for (Function &F : M.functions())
    if (traverse(F, V).wasInterrupted())
      return WalkResult::interrupt();
  return WalkResult::advance();
}

/// Calls \p Callback for the operations of \p Root: a module, a function, a
/// block, or an operation, which is visited too. Callback takes an Operation *,
/// or the view of an operator (`ReluOp`), and returns nothing or a WalkResult;
/// a walk returns interrupt() if a callback did. The callback may erase its
/// operation: in post-order always, in pre-order if it skips.
template <WalkOrder Order = WalkOrder::PostOrder, typename RootT, typename Fn>
WalkResult walk(RootT &Root, Fn &&Callback) {
  return traverse(
      Root,
      detail::CallbackVisitor<Order, std::remove_reference_t<Fn>>(Callback));
}

/// Calls \p Callback for \p Root and every block in its operations' regions,
/// outer ones first. A block that it skips is not looked into.
template <typename Fn> WalkResult walkBlocks(Block &Root, Fn &&Callback) {
  return traverse(Root,
                  detail::BlockVisitor<std::remove_reference_t<Fn>>(Callback));
}

} // namespace relay

#endif // RELAY_IR_WALK_H
