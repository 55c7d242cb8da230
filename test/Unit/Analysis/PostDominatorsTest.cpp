//===- PostDominatorsTest.cpp - Joins of tensor flows ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parents and kinds of steps, also on a long chain.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/PostDominators.h"
#include "AnalysisTest.h"

using namespace relay;
using namespace relay::test;

namespace {

class PostDominatorsTest : public AnalysisTest {
protected:
  uint32_t number(StringRef Name) { return op(Name)->getIndex(); }
};

TEST_F(PostDominatorsTest, Diamond) {
  read(R"(
def @main(%x: Tensor[(2, 3), float32]) {
  %0 = nn.relu(%x);
  %1 = sum(%0, axis=[1], keepdims=True);
  %2 = add(negative(%0), %1);
  exp(%2)
}
)");
  DataflowGraph G(function());
  PostDominators D(G);
  EXPECT_EQ(D.getParent(number("nn.relu")), number("add"));
  EXPECT_EQ(D.getKind(number("nn.relu")), FusionKind::CommReduce);
  EXPECT_EQ(D.getParent(number("negative")), number("add"));
  EXPECT_EQ(D.getKind(number("negative")), FusionKind::ElemWise);
  EXPECT_EQ(D.getKind(number("sum")), FusionKind::Broadcast);
  EXPECT_EQ(D.getParent(number("exp")), PostDominators::None);
}

TEST_F(PostDominatorsTest, ExternalMeetsNowhere) {
  read(R"(
def @main(%x: float32) {
  %0 = negative(%x);
  let %a = exp(%0);
  (abs(%a), %0)
}
)");
  DataflowGraph G(function());
  PostDominators D(G);
  EXPECT_EQ(D.getParent(number("a")), PostDominators::None);
  EXPECT_EQ(D.getParent(number("negative")), PostDominators::None);
  EXPECT_EQ(D.getParent(number("abs")), number("relay.tuple"));
}

/// Edges over many nodes have the kind of the least regular step among them.
TEST_F(PostDominatorsTest, LongWays) {
  std::string Text = "def @main(%x: Tensor[(4), float32]) {\n"
                     "  %0 = tanh(%x);\n  %1 = negative(%0);\n";
  for (unsigned I = 2; I != 1000; ++I)
    Text += ("  %" + llvm::Twine(I) +
             (I == 500 ? " = reverse(%" : " = negative(%") +
             llvm::Twine(I - 1) + (I == 500 ? ", axis=0);\n" : ");\n"))
                .str();
  read(Text + "  add(%0, %999)\n}\n");
  DataflowGraph G(function());
  PostDominators D(G);
  EXPECT_EQ(D.getParent(number("tanh")), number("add"));
  EXPECT_EQ(D.getKind(number("tanh")), FusionKind::Injective);
  EXPECT_EQ(D.getKind(number("negative")), FusionKind::ElemWise);
}

} // namespace
