//===- DominatorTest.cpp - Dominator patterns -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Paths from a child to a parent, compared with TVM 0.18, and the graph that
// contains them.
//
//===----------------------------------------------------------------------===//

#include "ExpressionTest.h"
#include "relay/IR/Walk.h"

using namespace relay;
using namespace relay::test;

namespace {

class DominatorTest : public ExpressionTest {
protected:
  static Pattern add() { return op("add", {wildcard(), wildcard()}); }
  static Pattern any() { return wildcard(); }
};

TEST_F(DominatorTest, Ways) {
  Pattern P = add().dominates(conv(), elementwise());
  EXPECT_TRUE(matches(P, "K; add(%0, %0)"));
  EXPECT_TRUE(matches(P, "K; add(nn.relu(%0), %0)"));
  EXPECT_TRUE(matches(P, "K; add(nn.relu(%0), %y)"));
  EXPECT_FALSE(matches(P, "K; add(nn.relu(%0), nn.relu(%y))"));
  EXPECT_FALSE(matches(P, "add(%x, %y)"));
  EXPECT_TRUE(matches(P, "K; add(nn.relu(nn.relu(%0)), nn.leaky_relu(%0))"));
}

TEST_F(DominatorTest, SideInputs) {
  Pattern P = op("concatenate", any()).dominates(conv());
  EXPECT_TRUE(matches(P, "K; concatenate((nn.relu(%0), tanh(%0)))"));
  EXPECT_FALSE(matches(P, "K; concatenate((nn.relu(%0), %y))"));
  Pattern Broadcast = any().hasAttr("TOpPattern", 1)(AnyNumber);
  P = relu(any()).dominates(conv(), Broadcast);
  EXPECT_TRUE(matches(P, "K; nn.relu(nn.bias_add(%0, %b))"));
  EXPECT_FALSE(matches(P, "K; nn.relu(nn.bias_add(%0, tanh(%b)))"));
}

TEST_F(DominatorTest, ParentComesFirst) {
  Pattern P = add().dominates(relu(any()), relu(any()));
  EXPECT_TRUE(matches(P, "%0 = nn.relu(%x); add(%0, nn.relu(%0))"));
  EXPECT_FALSE(matches(P, "%0 = nn.relu(%x); add(nn.relu(%0), %0)"));
}

TEST_F(DominatorTest, ParentFlowsElsewhere) {
  Pattern Parent = conv();
  Pattern P = op("add", {add().dominates(Parent, relu(any())), Parent});
  EXPECT_FALSE(matches(P, "K; add(add(nn.relu(%0), nn.relu(%0)), %0)"));
  P = tanh(relu(any()).dominates(conv()));
  EXPECT_TRUE(matches(P, "K; tanh(nn.relu(tanh(%0)))"));
}

TEST_F(DominatorTest, SharedNodes) {
  Pattern A = wildcard();
  Pattern P = op("add", {any(), A}).dominates(conv(), relu(A));
  EXPECT_TRUE(matches(P, "K; add(nn.relu(%0), nn.relu(nn.relu(%0)))"));
  P = relu(any()).dominates(op("nn.conv2d", {A, any()}), relu(A));
  EXPECT_FALSE(matches(P, "K; nn.relu(nn.relu(nn.relu(%0)))"));
}

TEST_F(DominatorTest, Branches) {
  Pattern If = isIf(any(), any(), any()), Less = op("less", {any(), any()});
  EXPECT_TRUE(
      matches(relu(any()).dominates(conv(), If | tanh(any()) | Less),
              "K; nn.relu(if (less(%0, 1f)) { tanh(%0) } else { %0 })"));
  EXPECT_FALSE(matches(relu(any()).dominates(conv(), If | tanh(any())),
                       "K; nn.relu(if (%c) { tanh(%0) } else { %0 })"));
}

/// A path that fails for an inner child, which takes another parent, may
/// succeed for the outer one.
TEST_F(DominatorTest, FailuresOfOtherChildren) {
  Pattern Maximum = op("maximum", {any(), any()});
  Pattern P = Maximum.dominates(add(), any()(AnyNumber));
  std::shared_ptr<Module> M =
      read("%0 = add(%x, %y); maximum(nn.relu(%0), maximum(add(%0, %z), %0))");
  auto Program = PatternProgram::compile(Ctx, P);
  Matcher Match(*Program, *M->lookupFunction("main"));
  ExprRef Root = getRoot(*M);
  EXPECT_FALSE(Match.match(0, Root.getArgument(1)));
  EXPECT_TRUE(Match.match(0, Root));
}

/// The bindings of nodes on the paths are listed, depth first.
TEST_F(DominatorTest, BindingsOfThePath) {
  Pattern Path = elementwise(), P = add().dominates(conv(), Path);
  std::shared_ptr<Module> M =
      read("K; add(nn.relu(tanh(%0)), nn.leaky_relu(%0))");
  auto Program = PatternProgram::compile(Ctx, P);
  Matcher Match(*Program, *M->lookupFunction("main"));
  ASSERT_TRUE(Match.match(0, getRoot(*M)));
  std::string Names;
  for (ExprRef E : Match.lookupAll(Path))
    Names += (E.getOperation()->getName() + " ").str();
  EXPECT_EQ(Names, "nn.relu tanh nn.leaky_relu ");
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

class ExprGraphTest : public ExpressionTest {
protected:
  /// Returns the immediate post-dominator of \p E, or none.
  static ExprRef parent(const ExprGraph &G, ExprRef E) {
    for (uint32_t N = G.getNumber(E) + 1; N < G.size(); ++N)
      if (G.strictlyPostDominates(G.getExpr(N), E))
        return G.getExpr(N);
    return {};
  }
};

/// The inputs of a recursive call are only its arguments.
TEST_F(ExprGraphTest, RecursiveLoop) {
  std::shared_ptr<Module> M =
      read("let %f = fn (%i) {\n"
           "  %0 = add(%i, 1);\n"
           "  if (less(%0, 5)) { %f(add(%0, %0)) } else { %0 }\n"
           "};\n%f(%n)");
  Function &F = *M->lookupFunction("main");
  ExprGraph G(F);
  Operation *If = nullptr, *Fn = nullptr, *Less = nullptr;
  walk(F, [&](Operation *Op) {
    If = Op->is(OpCode::If) ? Op : If;
    Fn = Op->is(OpCode::Fn) ? Op : Fn;
    Less = Op->getName() == "less" ? Op : Less;
  });
  ExprRef Sum = ExprRef::getUse(Less->getOperand(0));
  EXPECT_EQ(parent(G, Sum), ExprRef::getUse(If));
  EXPECT_EQ(parent(G, ExprRef::getUse(If)), ExprRef::getDefinition(Fn));
  EXPECT_EQ(parent(G, ExprRef::getDefinition(Fn)), ExprRef::getUse(Fn));
}

TEST_F(ExprGraphTest, UnusedLet) {
  std::shared_ptr<Module> M =
      read("let %f = fn (%y) { add(%x, %y) };\n"
           "if (less(%x, 5i64)) { add(%x, 3i64) } else { %x }");
  ExprGraph G(*M->lookupFunction("main"));
  ExprRef Add = ExprRef::getOperator(*Ctx.lookupOp("add"));
  EXPECT_EQ(G.getUsers(G.getNumber(Add)).size(), 2u);
  EXPECT_FALSE(parent(G, Add));
}

} // namespace
