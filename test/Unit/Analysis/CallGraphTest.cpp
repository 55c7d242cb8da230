//===- CallGraphTest.cpp - Calls between functions ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callees, uses, cycles, order and reachable functions.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/CallGraph.h"
#include "AnalysisTest.h"

using namespace relay;
using namespace relay::test;

namespace {

class CallGraphTest : public AnalysisTest {
protected:
  /// main -> a -> b <-> c, b -> d; e alone.
  CallGraphTest() {
    read(R"(
def @main(%x: float32) { let %f = @a; %f(@a(%x)) }
def @a(%x: float32) -> float32 { @b(%x) }
def @b(%x: float32) -> float32 { @c(@d(%x)) }
def @c(%x: float32) -> float32 { @b(%x) }
def @d(%x: float32) -> float32 { %x }
def @e(%x: float32) -> float32 { @e(%x) }
)");
  }
  unsigned number(const CallGraph &G, StringRef Name) {
    return G.getNumber(&function(Name));
  }
  std::string names(const CallGraph &G, ArrayRef<unsigned> Numbers) {
    std::string Text;
    for (unsigned N : Numbers)
      Text += G.getFunction(N).getName().str() + " ";
    return Text;
  }
};

TEST_F(CallGraphTest, Edges) {
  CallGraph G(*M);
  ASSERT_EQ(G.size(), 6u);
  EXPECT_EQ(names(G, G.getCallees(number(G, "main"))), "a ");
  EXPECT_EQ(G.getNumUses(number(G, "a")), 2u);
  EXPECT_EQ(names(G, G.getCallees(number(G, "b"))), "d c ");
  EXPECT_EQ(G.getNumUses(number(G, "e")), 1u);
  EXPECT_EQ(G.getNumUses(number(G, "main")), 0u);
}

TEST_F(CallGraphTest, Circles) {
  CallGraph G(*M);
  for (StringRef Name : {"b", "c", "e"})
    EXPECT_TRUE(G.isRecursive(number(G, Name))) << Name.str();
  for (StringRef Name : {"main", "a", "d"})
    EXPECT_FALSE(G.isRecursive(number(G, Name))) << Name.str();
}

TEST_F(CallGraphTest, CalleesComeFirst) {
  CallGraph G(*M);
  EXPECT_EQ(names(G, G.getPostOrder()), "d c b a main e ");
}

TEST_F(CallGraphTest, Components) {
  CallGraph G(*M);
  std::string Text;
  for (unsigned I = 0; I != G.getNumComponents(); ++I)
    Text += "(" + names(G, G.getComponent(I)) + ")";
  EXPECT_EQ(Text, "(d )(c b )(a )(main )(e )");
}

TEST_F(CallGraphTest, WantedEdges) {
  CallGraph G(*M, [](const Function &F) { return F.getName() != "c"; });
  EXPECT_EQ(names(G, G.getCallees(number(G, "b"))), "d ");
  EXPECT_EQ(G.getNumUses(number(G, "c")), 0u);
  EXPECT_EQ(G.getNumComponents(), 6u);
  EXPECT_FALSE(G.isRecursive(number(G, "b")));
  EXPECT_TRUE(G.isRecursive(number(G, "e")));
}

TEST_F(CallGraphTest, Reachable) {
  CallGraph G(*M);
  llvm::BitVector FromB = G.getReachable({number(G, "b")});
  EXPECT_EQ(FromB.count(), 3u);
  EXPECT_TRUE(FromB[number(G, "d")]);
  EXPECT_FALSE(FromB[number(G, "a")]);
  EXPECT_TRUE(G.getReachable({}).none());
}

TEST_F(CallGraphTest, NamedFunction) {
  EXPECT_EQ(getNamedFunction(*op("relay.global")), &function("a"));
  EXPECT_EQ(getNamedFunction(*op("relay.call_global")), &function("a"));
  EXPECT_EQ(getNamedFunction(*op("relay.call")), nullptr);
}

} // namespace
