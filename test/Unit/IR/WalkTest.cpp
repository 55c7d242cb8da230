//===- WalkTest.cpp - Visiting operations ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// walk() and walkBlocks(): orders, nesting, erasure during the walk.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

class WalkTest : public IRTest {
protected:
  /// `neg, if (x) { scope { %a } } else { }, add`
  WalkTest() : F(createFunction()) {
    Block &B = F->getBody();
    Value *X = param(F, "x");
    neg(B, X);
    Operation *If = makeIf(B, X);
    Operation *Scope = scope(If->getRegion(0));
    Scope->getRegion().setResultRaw(let(neg(Scope->getRegion(), X), "a"));
    If->getRegion(0).setResultRaw(Scope);
    If->getRegion(1).setResultRaw(X);
    B.setResultRaw(add(B, X, If));
  }

  Function *F;
};

TEST_F(WalkTest, Orders) {
  auto Visit = [&](auto Tag) {
    std::string Text;
    walk<decltype(Tag)::value>(
        *F, [&](Operation *Op) { Text += Op->getName().str() + " "; });
    return Text;
  };
  EXPECT_EQ(Visit(std::integral_constant<WalkOrder, WalkOrder::PostOrder>()),
            "test.neg test.neg relay.scope relay.if test.add ");
  EXPECT_EQ(Visit(std::integral_constant<WalkOrder, WalkOrder::PreOrder>()),
            "test.neg relay.if relay.scope test.neg test.add ");
}

TEST_F(WalkTest, MayErase) {
  walk(*F, [](Operation *Op) {
    Op->replaceAllUsesWith(Op->getFunction()->getParams()[0]);
    Op->erase();
  });
  EXPECT_TRUE(F->getBody().empty());
  EXPECT_EQ(F->getBody().getResult(), F->getParams()[0]);
}

TEST_F(WalkTest, Blocks) {
  SmallVector<const Operation *> Parents;
  walkBlocks(F->getBody(),
             [&](Block &B) { Parents.push_back(B.getParentOp()); });
  Operation *If = &*std::next(F->getBody().begin());
  Operation *Scope = &*If->getRegion(0).begin();
  EXPECT_EQ(ArrayRef(Parents),
            ArrayRef<const Operation *>({nullptr, If, Scope, If}));
}

TEST_F(WalkTest, SingleBlock) {
  Operation *If = &*std::next(F->getBody().begin());
  unsigned Count = 0;
  walk(If->getRegion(0), [&](Operation *) { ++Count; });
  EXPECT_EQ(Count, 2u);
  Count = 0;
  walk(If->getRegion(1), [&](Operation *) { ++Count; });
  EXPECT_EQ(Count, 0u);
}

/// Records the events of a walk as text: `[` and `]` for blocks, `(name` and
/// `)` for operations.
class EventVisitor : public IRVisitor {
public:
  void enterBlock(Block &) { Text += '['; }
  void leaveBlock(Block &) { Text += ']'; }
  void enter(Operation *Op) {
    Text += ("(" + Op->getName().substr(Op->getName().find('.') + 1)).str();
  }
  void leave(Operation *) { Text += ')'; }
  std::string Text;
};

TEST_F(WalkTest, Traverses) {
  EventVisitor V;
  EXPECT_FALSE(traverse(*F, V).wasInterrupted());
  EXPECT_EQ(V.Text, "[(neg)(if[(scope[(neg)])][])(add)]");
  V.Text.clear();
  traverse(*std::next(F->getBody().begin()), V);
  EXPECT_EQ(V.Text, "(if[(scope[(neg)])][])");
  createFunction("g");
  V.Text.clear();
  traverse(M, V);
  EXPECT_EQ(V.Text, "[(neg)(if[(scope[(neg)])][])(add)][]");
}

TEST_F(WalkTest, TraversesBehindWhatIsSkipped) {
  class Visitor : public EventVisitor {
  public:
    WalkResult enter(Operation *Op) {
      EventVisitor::enter(Op);
      return Op->is(Skipped) ? WalkResult::skip() : WalkResult::advance();
    }
    OpCode Skipped;
  };
  Visitor V;
  V.Skipped = OpCode::Scope;
  traverse(*F, V);
  EXPECT_EQ(V.Text, "[(neg)(if[(scope][])(add)]");
  V.Text.clear();
  V.Skipped = OpCode::If;
  traverse(*F, V);
  EXPECT_EQ(V.Text, "[(neg)(if(add)]");
}

TEST_F(WalkTest, Skips) {
  std::string Text;
  auto Visit = [&](Operation *Op) {
    Text += Op->getName().str() + " ";
    return Op->is(OpCode::Scope) ? WalkResult::skip() : WalkResult::advance();
  };
  EXPECT_FALSE(walk<WalkOrder::PreOrder>(*F, Visit).wasInterrupted());
  EXPECT_EQ(Text, "test.neg relay.if relay.scope test.add ");
  Text.clear();
  walk(*F, Visit);
  EXPECT_EQ(Text, "test.neg test.neg relay.scope relay.if test.add ");
  Text.clear();
  Operation *If = &*std::next(F->getBody().begin());
  walk<WalkOrder::PreOrder>(*If, Visit);
  EXPECT_EQ(Text, "relay.if relay.scope ");
}

TEST_F(WalkTest, Interrupts) {
  std::string Text;
  auto Visit = [&](Operation *Op) -> LogicalResult {
    Text += Op->getName().str() + " ";
    return failure(Op->is(OpCode::Scope));
  };
  EXPECT_TRUE(walk<WalkOrder::PreOrder>(*F, Visit).wasInterrupted());
  EXPECT_EQ(Text, "test.neg relay.if relay.scope ");
  Text.clear();
  EXPECT_TRUE(walk(*F, Visit).wasInterrupted());
  EXPECT_EQ(Text, "test.neg test.neg relay.scope ");
  Text.clear();
  createFunction("g");
  EXPECT_TRUE(walk(M, Visit).wasInterrupted());
  EXPECT_EQ(Text, "test.neg test.neg relay.scope ");
}

/// In pre-order the callback may erase operations that it skips.
TEST_F(WalkTest, MayEraseWhatItSkips) {
  walk<WalkOrder::PreOrder>(*F, [](Operation *Op) {
    Op->replaceAllUsesWith(Op->getFunction()->getParams()[0]);
    Op->erase();
    return WalkResult::skip();
  });
  EXPECT_TRUE(F->getBody().empty());
}

class NegOp : public OpView {
public:
  static const OpInfo &getInfo() { return *Info; }
  explicit NegOp(Operation *Op) : OpView(Op) {}
  NegOp() = default;
  inline static const OpInfo *Info = nullptr;
};

/// A callback for one kind of operation is called for that kind only.
TEST_F(WalkTest, OfOneKind) {
  NegOp::Info = Ctx.lookupOp("test.neg");
  unsigned Count = 0;
  walk(*F, [&](NegOp Op) { Count += Op->getName() == "test.neg"; });
  EXPECT_EQ(Count, 2u);
  EXPECT_TRUE(walk(*F, [&](NegOp) {
                return WalkResult::interrupt();
              }).wasInterrupted());
}

TEST_F(WalkTest, SkipsBlocks) {
  Operation *If = &*std::next(F->getBody().begin());
  SmallVector<Block *> Seen;
  walkBlocks(F->getBody(), [&](Block &B) {
    Seen.push_back(&B);
    return B.getParentOp() == If ? WalkResult::skip() : WalkResult::advance();
  });
  EXPECT_EQ(Seen, (SmallVector<Block *>{&F->getBody(), &If->getRegion(0),
                                        &If->getRegion(1)}));
}

} // namespace
