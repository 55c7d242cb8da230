//===- WalkTest.cpp - Visiting operations ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// walk() and walkBlocks(): orders, nesting, erasure on the way.
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
            ArrayRef<const Operation *>({nullptr, If, If, Scope}));
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

} // namespace
