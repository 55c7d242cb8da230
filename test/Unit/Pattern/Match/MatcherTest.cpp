//===- MatcherTest.cpp - Matches of patterns ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of matching, compared with TVM 0.18. Where TVM aborts, the match
// fails.
//
//===----------------------------------------------------------------------===//

#include "ExpressionTest.h"
#include "relay/Pattern/Match/MatchExplanation.h"

using namespace relay;
using namespace relay::test;

namespace {

class MatcherTest : public ExpressionTest {
protected:
  Pattern W = wildcard(), Add = isOp("add"), Mul = isOp("multiply"),
          Sub = isOp("subtract"), Div = isOp("divide");
  Pattern X = isVar("x"), Y = isVar("y"), A = isVar("a"), B = isVar("b"),
          C = isVar("c");
};

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

TEST_F(MatcherTest, SharedNodes) {
  Pattern S = wildcard(), One = is("1");
  EXPECT_TRUE(matches(Add(S, S), "add(%x, %x)"));
  EXPECT_TRUE(matches(Add(S, S), "%0 = nn.relu(%x); add(%0, %0)"));
  EXPECT_FALSE(matches(Add(S, S), "add(%x, %y)"));
  EXPECT_FALSE(matches(Add(S, S), "add(1, 1)"));
  EXPECT_FALSE(matches(Add(S, S), "add(nn.relu(%x), nn.relu(%x))"));
  EXPECT_TRUE(matches(Add(is("1"), is("1")), "add(1, 1)"));
  EXPECT_FALSE(matches(Add(One, One), "add(1, 1)"));
  EXPECT_TRUE(matches(Sub(Add(S, W), S), "subtract(add(%x, %y), %x)"));
  EXPECT_FALSE(matches(Sub(Add(S, W), S), "subtract(add(%x, %y), %y)"));
  EXPECT_TRUE(matches(Add(relu(S), S), "add(%x, nn.relu(%x))"));
}

TEST_F(MatcherTest, NoSearch) {
  Pattern S = wildcard(), T = wildcard(), P = wildcard();
  EXPECT_FALSE(
      matches(isTuple({S | relu(W), tanh(S)}), "(nn.relu(%x), tanh(%y))"));
  EXPECT_TRUE(
      matches(isTuple({relu(W) | T, tanh(T)}), "(nn.relu(%x), tanh(%y))"));
  EXPECT_TRUE(matches(relu(P | tanh(P)), "nn.relu(tanh(%x))"));
}

TEST_F(MatcherTest, LetIsOpaque) {
  StringRef Text = "let %a = nn.conv2d(%x, %w); nn.relu(%a)";
  Pattern V = wildcard();
  EXPECT_FALSE(matches(relu(conv()), Text));
  EXPECT_TRUE(matches(isLet(V, conv(), relu(V)), Text));
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

TEST_F(MatcherTest, CallsAndOperators) {
  EXPECT_FALSE(matches(Add, "add(%x, %y)"));
  EXPECT_TRUE(matches(W(), "zeros(shape=[2], dtype=\"float32\")"));
  EXPECT_FALSE(matches(W(), "add(%x, %y)"));
  EXPECT_FALSE(matches(W(AnyNumber), "fn (%x) { %x }"));
  EXPECT_TRUE(matches(Add(W, wildcard()), "add(%x, %y)"));
  EXPECT_FALSE(matches(Add(W, wildcard()), "subtract(%x, %y)"));
  EXPECT_TRUE(matches(W(AnyNumber), "nn.relu(%x)"));
  EXPECT_TRUE(matches(W(AnyNumber), "%f(%x, %y)"));
  EXPECT_TRUE(matches((Add | Sub)(W, wildcard()), "subtract(%x, %y)"));
  EXPECT_TRUE(matches(isTuple({Add | Sub}), "(add,)"));
  EXPECT_FALSE(matches(isTuple({Add}), "(subtract,)"));
}

TEST_F(MatcherTest, Functions) {
  Pattern P = wildcard(), V = isVar();
  EXPECT_TRUE(matches(isFn(P, P), "fn (%x) { %x }"));
  EXPECT_FALSE(matches(isFn(V, relu(V)), "fn (%x) { nn.relu(%y) }"));
  EXPECT_TRUE(matches(isFn({W, wildcard()}, Add(wildcard(), wildcard())),
                      "fn (%x, %y) { add(multiply(%x, %x), %y) }"));
  EXPECT_FALSE(matches(isFn(W, wildcard()), "fn (%x, %y) { %x }"));
  EXPECT_TRUE(matches(isFn(AnyNumber, W), "fn (%x) { %x }"));
  EXPECT_TRUE(matches(isFn(AnyNumber, W), "fn (%x, %y) { add(%x, %y) }"));
  Pattern Q = wildcard();
  EXPECT_TRUE(matches(isFn({P, Q}, Add(P, Q)), "fn (%x, %y) { add(%x, %y) }"));
  EXPECT_FALSE(
      matches(isFn({P, Q}, Add(P, Q)), "fn (%x, %y) { subtract(%x, %y) }"));
}

TEST_F(MatcherTest, Tuples) {
  Pattern T = isTuple({X, W, Add});
  EXPECT_TRUE(matches(T, "(%x, %y, add)"));
  EXPECT_TRUE(matches(isTupleGetItem(T, 1), "%0 = (%x, %y, add); %0.1"));
  EXPECT_FALSE(matches(isTupleGetItem(T, 1), "%0 = (%x, %y, add); %0.2"));
  for (StringRef Index : {"0", "1", "2"})
    EXPECT_TRUE(
        matches(isTupleGetItem(T), ("%0 = (%x, %y, add); %0." + Index).str()));
  EXPECT_FALSE(matches(isTuple({X, W, Add, wildcard()}), "(%x, %y, add)"));
  EXPECT_TRUE(matches(isTupleGetItem(W, 1), "%x.1"));
  Pattern Concatenation = op("concatenate", isTuple(AnyNumber));
  EXPECT_TRUE(matches(Concatenation, "concatenate((%x,))"));
  EXPECT_TRUE(matches(Concatenation, "concatenate((%x, %y, %z))"));
  EXPECT_TRUE(matches(isTuple(ArrayRef<Pattern>()), "()"));
  EXPECT_FALSE(matches(isTuple(ArrayRef<Pattern>()), "(%x,)"));
}

TEST_F(MatcherTest, IfAndLet) {
  Pattern If = isIf(op("less", {X, Y}), X, Y);
  EXPECT_TRUE(matches(If, "if (less(%x, %y)) { %x } else { %y }"));
  EXPECT_FALSE(matches(If, "if (greater(%x, %y)) { %x } else { %y }"));
  EXPECT_FALSE(matches(If, "if (less(%x, %y)) { %y } else { %x }"));
  Pattern L = isVar("l"), Let = isLet(L, op("less", {X, Y}), L);
  EXPECT_TRUE(matches(Let, "let %l = less(%x, %y); %l"));
  EXPECT_FALSE(matches(Let, "let %l = greater(%x, %y); %l"));
  EXPECT_FALSE(matches(Let, "let %l = less(%x, %y); multiply(%l, %x)"));
}

TEST_F(MatcherTest, Leaves) {
  EXPECT_FALSE(matches(X, "%y"));
  EXPECT_TRUE(matches(X, "%x"));
  EXPECT_TRUE(matches(isVar(), "%y"));
  EXPECT_TRUE(matches(is("1"), "1"));
  for (StringRef Other : {"1f", "1i64", "2"})
    EXPECT_FALSE(matches(is("1"), Other));
  EXPECT_FALSE(matches(is("0f"), "-0f"));
  EXPECT_TRUE(matches(is("0") | is("0f"), "0f"));
  Pattern Bias = op("nn.bias_add", {op("nn.conv2d", {W, isConstant()}), W});
  EXPECT_FALSE(matches(Bias, "nn.bias_add(nn.conv2d(%x, 1f), %b)")); // W twice
  Bias = op("nn.bias_add", {op("nn.conv2d", {W, isConstant()}), wildcard()});
  EXPECT_TRUE(matches(Bias, "nn.bias_add(nn.conv2d(%x, 1f), %b)"));
  EXPECT_FALSE(matches(Bias, "K; nn.bias_add(%0, %b)"));
}

TEST_F(MatcherTest, EqualExpressions) {
  Pattern P = is("add(1, nn.relu(2f))");
  EXPECT_TRUE(matches(P, "add(1, nn.relu(2f))"));
  EXPECT_FALSE(matches(P, "add(1, nn.relu(3f))"));
  EXPECT_FALSE(matches(P, "add(nn.relu(2f), 1)"));
  P = is("%0 = fn (%a) { %1 = tanh(%a); add(%1, %1) }; %0(1)");
  EXPECT_TRUE(matches(P, "%0 = fn (%b) { %1 = tanh(%b); add(%1, %1) }; %0(1)"));
  EXPECT_FALSE(matches(P, "%0 = fn (%b) { add(tanh(%b), tanh(%b)) }; %0(1)"));
  // Free variables equal only themselves.
  EXPECT_FALSE(matches(is("nn.relu(%x)"), "nn.relu(%x)"));
  std::shared_ptr<Module> M = read("(nn.relu(%x), nn.relu(%x), nn.relu(%y))");
  Operation *Tuple = getRoot(*M).getOperation();
  auto Program = PatternProgram::compile(Ctx, isExpr(Tuple->getOperand(0)));
  Matcher Match(*Program, *M->lookupFunction("main"));
  EXPECT_TRUE(Match.match(0, ExprRef::getUse(Tuple->getOperand(1))));
  EXPECT_FALSE(Match.match(0, ExprRef::getUse(Tuple->getOperand(2))));
}

TEST_F(MatcherTest, Optional) {
  Pattern Conv = conv();
  Pattern P = relu(Conv.optional(
      [](Pattern Q) { return op("nn.bias_add", {Q, wildcard()}); }));
  EXPECT_TRUE(matches(P, "K; nn.relu(%0)"));
  EXPECT_TRUE(matches(P, "K; nn.relu(nn.bias_add(%0, %b))"));
  for (StringRef Text :
       {"K; tanh(%0)", "tanh(nn.dense(%x, %w, units=None))",
        "nn.relu(nn.bias_add(nn.dense(%x, %w, units=None), %b))",
        "K; nn.relu(add(%0, %w))"})
    EXPECT_FALSE(matches(P, Text)) << Text.str();
  P = Conv.optional(relu).optional(tanh);
  EXPECT_TRUE(matches(P, "%0 = nn.conv2d(%x, %w); %0"));
  EXPECT_TRUE(matches(P, "K; nn.relu(%0)"));
  EXPECT_TRUE(matches(P, "K; tanh(%0)"));
  EXPECT_TRUE(matches(P, "K; tanh(nn.relu(%0))"));
  EXPECT_FALSE(matches(P, "K; nn.relu(tanh(%0))"));
}

//===----------------------------------------------------------------------===//
// Calls that match in another form
//===----------------------------------------------------------------------===//

TEST_F(MatcherTest, Commutes) {
  EXPECT_TRUE(matches(Add(X, Y), "add(%x, %y)"));
  EXPECT_TRUE(matches(Add(X, Y), "add(%y, %x)"));
  EXPECT_TRUE(matches(Mul(X, Y), "multiply(%y, %x)"));
  EXPECT_FALSE(matches(Sub(X, Y), "subtract(%y, %x)"));
  EXPECT_FALSE(matches(Div(X, Y), "divide(%y, %x)"));
  EXPECT_FALSE(matches(op("maximum", {X, Y}), "maximum(%y, %x)"));
  EXPECT_FALSE(matches(Add.hasAttr("TOpPattern", 1)(X, Y), "add(%y, %x)"));
  EXPECT_FALSE(matches((Add | Mul)(X, Y), "add(%y, %x)"));
  EXPECT_TRUE(matches(Add(X, Y).hasAttrs({}), "add(%y, %x)"));
}

TEST_F(MatcherTest, Regroups) {
  Pattern P = Div(Mul(A, B), C);
  EXPECT_TRUE(matches(P, "divide(multiply(%a, %b), %c)"));
  EXPECT_TRUE(matches(P, "multiply(%a, divide(%b, %c))"));
  EXPECT_TRUE(matches(P, "multiply(divide(%a, %c), %b)"));
  EXPECT_FALSE(matches(P, "divide(multiply(%a, %c), %b)"));
  EXPECT_TRUE(matches(Mul(A, Div(B, C)), "divide(multiply(%a, %b), %c)"));
  EXPECT_FALSE(matches(Mul(Div(B, C), A), "divide(%b, multiply(%a, %c))"));
  Pattern Q = isVar("p"), R = isVar("q"), S = isVar("r"), T = isVar("s");
  P = Mul(Div(Q, R), Div(S, T));
  EXPECT_TRUE(matches(P, "divide(multiply(divide(%r, %s), %p), %q)"));
  EXPECT_FALSE(matches(P, "divide(multiply(divide(%p, %q), %r), %s)"));
  EXPECT_TRUE(matches(Div(AnyNumber), "divide(%x, %y)"));
  EXPECT_FALSE(matches(Div(AnyNumber), "add(%x, %y)"));
}

/// The inner call of a regrouped pattern is not bound, the others are.
TEST_F(MatcherTest, BindingsOfRegroupedCalls) {
  Pattern Product = Mul(A, B), P = Div(Product, C);
  std::shared_ptr<Module> M = read("multiply(%a, divide(%b, %c))");
  auto Program = PatternProgram::compile(Ctx, P);
  Matcher Match(*Program, *M->lookupFunction("main"));
  ASSERT_TRUE(Match.match(0, getRoot(*M)));
  EXPECT_EQ(Match.lookup(P), getRoot(*M));
  EXPECT_FALSE(Match.lookup(Product));
  EXPECT_EQ(Match.lookup(B).getVariableName(), "b");
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

TEST_F(MatcherTest, AttributesOfOperators) {
  EXPECT_TRUE(matches(isTuple({Add.hasAttr("TOpPattern", 1)}), "(add,)"));
  EXPECT_FALSE(matches(isTuple({Add.hasAttr("NoSuchThing", 1)}), "(add,)"));
  EXPECT_FALSE(matches(conv().hasAttr("TOpPattern", 4), "K; %0"));
  EXPECT_FALSE(matches(elementwise(), "%f(%x)"));
  Pattern P = Add.hasAttr("TOpPattern", 1)(W, wildcard());
  EXPECT_TRUE(matches(P, "add(%x, %y)"));
  EXPECT_FALSE(matches(P, "subtract(%x, %y)"));
  EXPECT_FALSE(matches(P, "let %z = add(%x, %y); %z"));
  EXPECT_FALSE(matches(isOp("nn.dense").hasAttr("TOpPattern", 0)(W, wildcard()),
                       "nn.dense(%x, %y, units=None)"));
}

TEST_F(MatcherTest, AttributesOfFunctions) {
  EXPECT_TRUE(matches(W.hasAttrs({}), "fn (%x) { %x }"));
  EXPECT_FALSE(matches(W.hasAttrs({}), "%x"));
  EXPECT_TRUE(matches(W.hasAttr("A", 1), "fn (%x, A=1, B=\"b\") { %x }"));
  EXPECT_FALSE(matches(W.hasAttr("A", 1), "fn (%x, A=1i64) { %x }"));
  StringRef Call = "%0 = fn (%a, Composite=\"c\") { %a }; %0(%x)";
  EXPECT_TRUE(matches(W.hasAttr("Composite", "c")(wildcard()), Call));
  EXPECT_FALSE(matches(W(wildcard()).hasAttr("Composite", "c"), Call));
}

TEST_F(MatcherTest, AttributesOfCalls) {
  StringRef Conv = "%0 = nn.conv2d(%x, %w, groups=2, kernel_size=[3, 3]); %0";
  EXPECT_TRUE(
      matches(conv().hasAttrs({{"groups", 2}, {"kernel_size", {3, 3}}}), Conv));
  EXPECT_FALSE(matches(conv().hasAttr("kernel_size", {3}), Conv));
  EXPECT_FALSE(matches(conv().hasAttr("kernel_size", 3), Conv));
  EXPECT_FALSE(matches(conv().hasAttr("groups", AttrLiteral::List{2}), Conv));
  StringRef Plain = "%0 = nn.conv2d(%x, %w); %0";
  EXPECT_TRUE(matches(conv().hasAttr("out_dtype", ""), Plain));
  EXPECT_TRUE(matches(conv().hasAttr("data_layout", "NCHW"), Plain));
  EXPECT_FALSE(matches(conv().hasAttr("channels", 8), Plain));
  EXPECT_FALSE(matches(conv().hasAttr("kernel_size", {3, 3}), Plain));
  EXPECT_FALSE(matches(conv().hasAttr("RandomAttr", "NCHW"), Plain));
  Pattern Leaky = op("nn.leaky_relu", W);
  EXPECT_FALSE(
      matches(Leaky.hasAttr("alpha", 0), "nn.leaky_relu(%x, alpha=0f)"));
  EXPECT_TRUE(
      matches(Leaky.hasAttr("alpha", 0.1), "nn.leaky_relu(%x, alpha=0.1f)"));
  EXPECT_TRUE(matches(op("sum", W).hasAttr("keepdims", 1),
                      "sum(%x, axis=[1], keepdims=True)"));
  Pattern Pad = op("nn.pad", {W, wildcard()});
  StringRef Padded = "nn.pad(%x, 0f, pad_width=[[0, 0], [1, 1]])";
  EXPECT_FALSE(matches(Pad.hasAttr("pad_width", {{0, 0}, {1, 2}}), Padded));
  EXPECT_TRUE(matches(Pad.hasAttr("pad_width", {{0, 0}, {1, 1}}), Padded));
}

TEST_F(MatcherTest, Types) {
  StringRef X23 = "free_var %x: Tensor[(2, 3), float32]; ";
  DType F32 = DType::getFloat(32);
  auto Text = [&](StringRef Rest) { return (X23 + Rest).str(); };
  EXPECT_TRUE(matchesTyped(W.hasDType(F32), Text("nn.relu(%x)")));
  EXPECT_FALSE(matchesTyped(W.hasDType(F32), Text("(%x, %x)")));
  EXPECT_TRUE(matchesTyped(W.hasShape({2, 3}), Text("nn.relu(%x)")));
  EXPECT_FALSE(matchesTyped(W.hasShape({2, 4}), Text("nn.relu(%x)")));
  EXPECT_FALSE(
      matchesTyped(W.hasShape({2, 3}),
                   "free_var %x: Tensor[(2i64, 3i64), float32]; nn.relu(%x)"));
  EXPECT_FALSE(matchesTyped(
      W.hasShape({2, 3}), "free_var %x: Tensor[(?, 3), float32]; nn.relu(%x)"));
  EXPECT_TRUE(matchesTyped(W.hasShape(ArrayRef<Dim>()),
                           "free_var %x: float32; nn.relu(%x)"));
  EXPECT_FALSE(matchesTyped(relu(W).hasDType(F32), Text("tanh(%x)")));
  Type *T = Ctx.getTensorType({2, 3}, F32);
  EXPECT_TRUE(matchesTyped(W.hasType(T), Text("%x")));
  EXPECT_FALSE(
      matchesTyped(W.hasType(T), "free_var %x: Tensor[(2, 3), int32]; %x"));
  EXPECT_TRUE(
      matchesTyped(isTuple({isFn(W, wildcard().hasDType(F32))}),
                   "(fn (%x: Tensor[(2, 3), float32]) { nn.relu(%x) },)"));
}

//===----------------------------------------------------------------------===//
// Patterns that refer to themselves
//===----------------------------------------------------------------------===//

TEST_F(MatcherTest, Recursion) {
  Pattern Chain = wildcard();
  Chain.redirectTo(relu(Chain) | op("nn.dense", {W, wildcard()}));
  StringRef Dense = "%0 = nn.dense(%x, %w, units=None); ";
  EXPECT_TRUE(matches(Chain, (Dense + "nn.relu(nn.relu(%0))").str()));
  EXPECT_TRUE(matches(Chain, (Dense + "%0").str()));
  EXPECT_FALSE(matches(Chain, (Dense + "nn.relu(tanh(%0))").str()));

  Pattern Loop = wildcard(), P = Sub(Loop, wildcard());
  Loop.redirectTo(P | relu(wildcard()));
  EXPECT_TRUE(matches(P, "subtract(subtract(nn.relu(%x), %y), %y)"));
  EXPECT_FALSE(matches(P, "subtract(subtract(nn.relu(%x), %y), %z)"));
}

TEST_F(MatcherTest, RefusesLoopsWithoutAStep) {
  Pattern Loop = wildcard();
  Loop.redirectTo(relu(W) | Loop.hasAttrs({}));
  EXPECT_TRUE(failed(PatternProgram::compile(Ctx, Loop)));
}

TEST_F(MatcherTest, RefusesUnknownOperators) {
  EXPECT_TRUE(failed(PatternProgram::compile(Ctx, isOp("nn.rel")(W))));
}

/// A chain with a wrong end is walked once, rather than once for each of its
/// roots, and each expression is visited once for branching patterns.
//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

/// The text that a pass logs, where only variables have names.
TEST_F(MatcherTest, ExplainsInLogs) {
  auto Explain = [&](const Pattern &P, StringRef Text) {
    std::shared_ptr<Module> M = read(Text);
    FailureOr<PatternProgram> Program = PatternProgram::compile(Ctx, P);
    EXPECT_TRUE(succeeded(Program));
    Matcher Match(*Program, *M->lookupFunction("main"));
    return explainMatch(Match, 0, getRoot(*M).getOperation());
  };
  EXPECT_EQ(Explain(relu(W), "nn.relu(%x)"), "it matches");
  EXPECT_EQ(Explain(relu(conv()), "nn.relu(tanh(nn.relu(%x)))"),
            "expected a call of `nn.conv2d`, found `tanh(nn.relu(...))` at "
            "test:3:9");
  EXPECT_EQ(Explain(relu(isConstant()), "%0 = (%x, 1f); nn.relu(%0.1)"),
            "expected a constant, found `(...).1` at test:3:24");
  EXPECT_EQ(Explain(tanh(X), "tanh(1f)"),
            "expected the variable `%x`, found `constant` at test:3:6");
  Pattern S = wildcard();
  EXPECT_EQ(Explain(Sub(S.as("s"), S), "subtract(%x, %y)"),
            "expected the same value as at the other place of `%s`, `%s` is "
            "`%x` there, found `%y` at test:2:9");
}

TEST_F(MatcherTest, RecursionIsLinear) {
  std::string Text = "%0 = tanh(%x);\n", Diamonds = Text;
  for (unsigned I = 1; I != 4000; ++I) {
    llvm::Twine N(I), Before(I - 1);
    Text += ("%" + N + " = nn.relu(%" + Before + ");\n").str();
    Diamonds += ("%" + N + " = add(%" + Before + ", %" + Before + ");\n").str();
  }
  Pattern Chain = wildcard(), Tree = wildcard();
  Chain.redirectTo(relu(Chain) | op("nn.dense", {W, wildcard()}));
  Tree.redirectTo(Add(Tree, isConstant()) | tanh(isConstant()));
  Pattern Way = relu(wildcard()).dominates(conv(), relu(wildcard()));
  Pattern Sum = relu(wildcard()).dominates(tanh(wildcard()));
  auto Program = PatternProgram::compile(Ctx, {Chain, Tree, Way, Sum});
  unsigned NumMatches = 0;
  for (const std::string &T : {Text + "%3999", Diamonds + "nn.relu(%3999)"}) {
    std::shared_ptr<Module> M = read(T);
    Function &F = *M->lookupFunction("main");
    Matcher Match(*Program, F);
    for (Operation &Op : F.getBody()) {
      ExprRef E = ExprRef::getDefinition(&Op);
      NumMatches += Match.match(0, E) + Match.match(1, E) + Match.match(2, E);
    }
    NumMatches += Match.match(3, getRoot(*M));
    EXPECT_FALSE(Match.isExhausted());
  }
  EXPECT_EQ(NumMatches, 2u);
}

} // namespace
