//===- RewriteTest.cpp - Rewrites by callbacks ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounds of rewrites, compared with TVM 0.18.
//
//===----------------------------------------------------------------------===//

#include "../Match/ExpressionTest.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Algebra.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Pattern/Rewrite/PatternRewrite.h"
#include "relay/Text/Parse/Parser.h"

using namespace relay;
using namespace relay::test;

namespace {

class PatternRewriteTest : public ExpressionTest {
protected:
  using Rewrites = std::vector<PatternRewrite>;

  testing::AssertionResult gives(const Rewrites &Rs, StringRef Text,
                                 StringRef Expected = "") {
    if (Expected.empty())
      Expected = Text;
    std::shared_ptr<Module> M = read(Text, false, Expected);
    EXPECT_TRUE(succeeded(run(Rs, *M))) << Errors;
    return isEqual(*M, Expected, Text);
  }
  FailureOr<unsigned> run(const Rewrites &Rs, Module &M) {
    auto All = PatternRewrites::get(Ctx, Rs);
    EXPECT_TRUE(succeeded(All));
    return All->run(*M.lookupFunction("main"));
  }

  /// Returns a rewrite of \p P to a call of \p Name on the matches of \p
  /// Arguments.
  PatternRewrite toCall(const Pattern &P, StringRef Name,
                        std::vector<Pattern> Arguments) {
    const OpInfo *Info = Ctx.lookupOp(Name);
    auto Apply = [=](const PatternMatch &M, Rewriter &R) -> Value * {
      SmallVector<Value *, 4> Operands;
      for (const Pattern &Argument : Arguments)
        Operands.push_back(M.lookup(Argument));
      const Attrs *A = nullptr;
      if (Info->Attributes)
        A = R.getContext().getDefaultAttrs(*Info->Attributes);
      return R.createOperation(*Info, Operands, A);
    };
    return {("to-" + Name).str(), P, Apply};
  }
  PatternRewrite toValue(const Pattern &P, const Pattern &Node) {
    auto Apply = [=](const PatternMatch &M, Rewriter &) {
      return M.lookup(Node);
    };
    return {"to-value", P, Apply};
  }
  static PatternRewrite once(PatternRewrite Rewrite) {
    Rewrite.Once = true;
    return Rewrite;
  }
  /// Returns a rewrite that drops the last field of a concatenation of several.
  static PatternRewrite drop() {
    auto Apply = [](const PatternMatch &M, Rewriter &R) -> Value * {
      auto Fields = cast<TupleOp>(M.getRoot()->getOperand(0));
      SmallVector<Value *, 4> Kept = Fields->getOperandVector();
      Kept.pop_back();
      if (Kept.size() == 1)
        return Kept[0];
      return R.createOperation(M.getRoot()->getInfo(),
                               R.create<TupleOp>(Kept).getOperation(),
                               M.getRoot()->getAttrs());
    };
    return {"drop", isOp("concatenate")(AnyNumber), Apply};
  }
  /// Returns a rewrite that replaces the root by its `nn.relu`.
  static PatternRewrite wrap(const Pattern &P) {
    auto Apply = [](const PatternMatch &M, Rewriter &R) -> Value * {
      return R.create<ReluOp>(M.getRoot());
    };
    return {"wrap", P, Apply};
  }

  Pattern A = wildcard(), B = wildcard(), C = wildcard();
};

//===----------------------------------------------------------------------===//
// Passes and rounds
//===----------------------------------------------------------------------===//

TEST_F(PatternRewriteTest, AllMatchesOfAPass) {
  EXPECT_TRUE(gives({toCall(A + B, "subtract", {A, B})},
                    "add(add(%x, %y), add(%z, %w))",
                    "subtract(subtract(%x, %y), subtract(%z, %w))"));
  EXPECT_TRUE(gives({toCall(relu(relu(A)), "tanh", {A})},
                    "nn.relu(nn.relu(nn.relu(%x)))", "tanh(nn.relu(%x))"));
  Pattern Conv = conv();
  EXPECT_TRUE(
      gives({toCall(relu(Conv), "tanh", {Conv})}, "K; add(nn.relu(%0), %0)"));
  EXPECT_TRUE(gives({toCall(relu(A), "tanh", {A})},
                    "let %a = nn.relu(%x); nn.relu(%a)",
                    "let %a = tanh(%x); tanh(%a)"));
  EXPECT_TRUE(gives({toCall(relu(A), "tanh", {A})},
                    "%1 = fn (%a, PFP=\"q_\") { nn.relu(%a) }; %1(nn.relu(%x))",
                    "%1 = fn (%a, PFP=\"q_\") { nn.relu(%a) }; %1(tanh(%x))"));
}

TEST_F(PatternRewriteTest, UntilNothingChanges) {
  PatternRewrite Fold = toCall(relu(relu(A)), "nn.relu", {A});
  StringRef Five = "nn.relu(nn.relu(nn.relu(nn.relu(nn.relu(%x)))))";
  EXPECT_TRUE(gives({Fold}, Five, "nn.relu(%x)"));
  EXPECT_TRUE(gives({once(Fold)}, Five, "nn.relu(nn.relu(nn.relu(%x)))"));
  EXPECT_TRUE(gives({toCall(relu(A), "tanh", {A}), toCall(tanh(B), "abs", {B})},
                    "nn.relu(nn.relu(%x))", "abs(abs(%x))"));
}

/// A round with rewrites that undo each other is the last one.
TEST_F(PatternRewriteTest, UndoneInARound) {
  EXPECT_TRUE(
      gives({toCall(relu(A), "tanh", {A}), toCall(tanh(B), "nn.relu", {B})},
            "nn.relu(%x)"));
}

/// Inputs with effects that a replacement reorders or drops come first, in
/// their order; a root that keeps their order is unchanged.
TEST_F(PatternRewriteTest, KeepsEffects) {
  PatternRewrite Swap = toCall(A - op("negative", {B}), "add", {B, A});
  EXPECT_TRUE(gives({Swap}, "subtract(ref_read(%r), negative(ref_read(%s)))",
                    "%0 = ref_read(%r); %1 = ref_read(%s); "
                    "(%0, %1, add(%1, %0)).2"));
  EXPECT_TRUE(gives({Swap}, "subtract(%x, negative(ref_read(%s)))",
                    "add(ref_read(%s), %x)"));
  PatternRewrite First = toValue(isTupleGetItem(isTuple({A, B}), 0), A);
  EXPECT_TRUE(gives({First}, "(%x, ref_read(%r)).0", "(ref_read(%r), %x).1"));
  EXPECT_TRUE(gives({First}, "(ref_read(%r), %x).0", "ref_read(%r)"));
  PatternRewrite Second = toValue(isTupleGetItem(isTuple({A, B}), 1), B);
  EXPECT_TRUE(gives({Second}, "(ref_read(%r), %x).1"));
  EXPECT_TRUE(gives({once(wrap(isTupleGetItem(A, 2))), Second},
                    "let %a = (ref_write(%r, %x), %y, %z).2; (%x, %a).1",
                    "let %a = nn.relu((ref_write(%r, %x), %y, %z).2); %a"));
}

TEST_F(PatternRewriteTest, Once) {
  StringRef Three = "concatenate((%x, %y, %z))";
  EXPECT_TRUE(gives({drop()}, Three, "%x"));
  EXPECT_TRUE(gives({once(drop())}, Three, "concatenate((%x, %y))"));
  StringRef Soft = "nn.softmax(concatenate((%x, %y, %z)))";
  PatternRewrite Wrap = once(wrap(isOp("nn.softmax")(AnyNumber)));
  EXPECT_TRUE(gives({Wrap, once(drop())}, Soft,
                    "nn.relu(nn.softmax(concatenate((%x, %y))))"));
  EXPECT_TRUE(gives({Wrap, drop()}, Soft, "nn.relu(nn.softmax(%x))"));
}

TEST_F(PatternRewriteTest, RegroupedMatch) {
  auto Apply = [=](const PatternMatch &M, Rewriter &R) -> Value * {
    SmallVector<Value *, 2> Fields = {M.lookup(A), M.lookup(B)};
    Fields = {R.create<TupleOp>(Fields), M.lookup(C)};
    return R.create<TupleOp>(Fields);
  };
  EXPECT_TRUE(gives({{"tuple", A * B / C, Apply}},
                    "multiply(%a, divide(%b, %c))", "((%b, %a), %c)"));
}

/// The replacement may use the root, at any depth, even if the root is bound.
TEST_F(PatternRewriteTest, UsesOfTheRoot) {
  auto Apply = [](const PatternMatch &M, Rewriter &R) -> Value * {
    Value *Inner = R.create<TanhOp>(M.getRoot());
    return R.create<AddOp>(Inner, M.getRoot());
  };
  Rewrites Rs = {once({"grow", isOp("exp")(A), Apply})};
  EXPECT_TRUE(
      gives(Rs, "abs(exp(%x))", "%0 = exp(%x); abs(add(tanh(%0), %0))"));
  EXPECT_TRUE(gives(Rs, "let %a = exp(%x); abs(%a)",
                    "let %a = (%0 = exp(%x); add(tanh(%0), %0)); abs(%a)"));
}

//===----------------------------------------------------------------------===//
// TVM's examples
//===----------------------------------------------------------------------===//

TEST_F(PatternRewriteTest, AlgebraicSimplification) {
  Pattern Zero = is("0") | is("0f"), One = is("1") | is("1f");
  Rewrites Rs = {toValue(A + Zero, A),    toValue(A - Zero, A),
                 toValue(A * One, A),     toValue(A / One, A),
                 toValue(Zero * A, Zero), toValue(Zero / A, Zero)};
  for (StringRef Text :
       {"add(%x, 0)", "add(0f, %x)", "subtract(%x, 0)", "multiply(%x, 1)",
        "multiply(1f, %x)", "divide(%x, 1)"})
    EXPECT_TRUE(gives(Rs, Text, "%x")) << Text.str();
  EXPECT_TRUE(gives(Rs, "multiply(%x, 0)", "0"));
  EXPECT_TRUE(gives(Rs, "divide(0f, %x)", "0f"));
  EXPECT_TRUE(gives(Rs,
                    "subtract(add(divide(add(%x, multiply(0, %y)), 1), "
                    "multiply(%y, 1)), divide(0, %x))",
                    "add(%x, %y)"));
}

TEST_F(PatternRewriteTest, Dominators) {
  Pattern I = wildcard(), W = wildcard();
  Pattern P = (wildcard() + wildcard())
                  .dominates(op("nn.conv2d", {I, W}),
                             elementwise() | (wildcard() + wildcard()));
  EXPECT_TRUE(gives(
      {toCall(P, "nn.conv2d", {I, W})},
      "K; %1 = add(nn.relu(nn.relu(%0)), nn.leaky_relu(%0)); %2 = "
      "nn.conv2d(%1, %w); %3 = add(tanh(nn.relu(nn.relu(%2))), "
      "nn.leaky_relu(%2)); %4 = nn.conv2d(%3, %w); %5 = "
      "nn.relu(nn.relu(%4)); %6 = add(%5, tanh(%5)); %7 = nn.conv2d(%6, %w); "
      "%8 = nn.relu(%7); add(tanh(add(%8, %8)), nn.leaky_relu(%7))",
      "nn.conv2d(nn.conv2d(nn.conv2d(nn.conv2d(%x, %w), %w), %w), %w)"));
}

TEST_F(PatternRewriteTest, FunctionWithFuzzyBody) {
  Pattern P = isFn({wildcard(), wildcard()}, wildcard())(A, B) + C;
  EXPECT_TRUE(gives({toCall(P, "add", {A, B})},
                    "%0 = fn (%p, %q) { nn.conv2d(%p, %q) }; "
                    "add(add(%0(%x, %w), %b), %b)",
                    "add(add(%x, %w), %b)"));
}

/// Calls of closures: in an operand, by an attribute of the closure.
TEST_F(PatternRewriteTest, Functions) {
  EXPECT_TRUE(gives({toCall(A + B, "subtract", {A, B})},
                    "%0 = fn (%i, %j) { nn.relu(nn.conv2d(%i, %j)) }; "
                    "add(%0(%x, %w), %y)",
                    "%0 = fn (%i, %j) { nn.relu(nn.conv2d(%i, %j)) }; "
                    "subtract(%0(%x, %w), %y)"));
  Pattern Sum = wildcard().hasAttr("Composite", "add")(A, B);
  EXPECT_TRUE(gives({toCall(Sum, "add", {A, B})},
                    "%0 = fn (%x, %y, Composite=\"add\") { add(%x, %y) }; "
                    "abs(%0(%a, %b))",
                    "abs(add(%a, %b))"));
}

/// The operands of both upper additions are swapped; the callback leaves the
/// root unchanged.
TEST_F(PatternRewriteTest, NestedMatch) {
  Pattern N = A + B;
  unsigned NumCalls = 0;
  auto Leave = [&](const PatternMatch &M, Rewriter &) {
    ++NumCalls;
    return M.getRoot();
  };
  EXPECT_TRUE(gives({{"leave", N + (N + A), Leave}},
                    "%0 = add(%x, add(%y, %y)); add(add(%x, %0), %0)"));
  EXPECT_EQ(NumCalls, 1u);
}

/// Results of clauses of a `match` are visited.
TEST_F(PatternRewriteTest, Match) {
  std::string Begin = "type Pair { One(float32), Two(float32, float32) }\n"
                      "def @main(%x: Pair) -> float32 {\n"
                      "  match (%x) {\n"
                      "    One(%a) => %a,\n"
                      "    Two(%a, %b) => ";
  std::string End = "(%a, %b)\n  }\n}\n";
  PatternRewrite Subtract = toCall(A + B, "subtract", {A, B});
  auto Run = [&](StringRef Op) {
    std::shared_ptr<Module> M =
        parseModule(llvm::MemoryBuffer::getMemBufferCopy(
                        "#[version = \"0.0.5\"]\n" + Begin + Op.str() + End),
                    Ctx);
    EXPECT_TRUE(M) << Errors;
    FailureOr<unsigned> Count = run({Subtract}, *M);
    return succeeded(Count) ? int(*Count) : -1;
  };
  EXPECT_EQ(Run("multiply"), 0);
  EXPECT_EQ(Run("add"), 1);
}

TEST_F(PatternRewriteTest, BatchNorms) {
  Pattern X = wildcard(), Mean = wildcard(), Var = wildcard(),
          Epsilon = isConstant();
  Pattern Root =
      isOp("sqrt")(Var + Epsilon); // below the division, or beside it
  Pattern P = A * (X - Mean) / Root + B;
  auto Apply = [=](const PatternMatch &M, Rewriter &R) -> Value * {
    auto Norm = R.create<BatchNormOp>(M.lookup(X), M.lookup(A), M.lookup(B),
                                      M.lookup(Mean), M.lookup(Var));
    return R.create<TupleGetItemOp>(Norm, 0);
  };
  PatternRewrite Fuse = {"fuse", P, Apply};
  auto BN = [](StringRef T) {
    return ("add(divide(multiply(%gamma, subtract(" + T +
            ", %mean)), sqrt(add(%var, 1e-05f))), %beta)")
        .str();
  };
  StringRef Fused = "%0 = nn.batch_norm(%x, %gamma, %beta, %mean, %var); %0.0";
  EXPECT_TRUE(gives({Fuse}, BN("%x"), Fused));
  EXPECT_TRUE(gives({Fuse},
                    "add(%beta, divide(multiply(%gamma, subtract(%x, %mean)), "
                    "sqrt(add(%var, 1e-05f))))",
                    Fused));
  EXPECT_TRUE(gives({Fuse},
                    "add(multiply(%gamma, divide(subtract(%x, %mean), "
                    "sqrt(add(%var, 1e-05f)))), %beta)",
                    Fused));
  StringRef Difference = "subtract(divide(multiply(%gamma, subtract(%x, "
                         "%mean)), sqrt(add(%var, 1e-05f))), %beta)";
  EXPECT_TRUE(gives({Fuse}, Difference));
  EXPECT_TRUE(gives({Fuse}, "%1 = " + BN("%x") + "; " + BN("%1"),
                    "%1 = nn.batch_norm(%x, %gamma, %beta, %mean, %var); %2 = "
                    "nn.batch_norm(%1.0, %gamma, %beta, %mean, %var); %2.0"));
  EXPECT_TRUE(
      gives({Fuse}, ("%1 = " + Difference + "; " + BN("%1")).str(),
            ("%1 = " + Difference +
             "; %2 = nn.batch_norm(%1, %gamma, %beta, %mean, %var); %2.0")
                .str()));
}

/// One group contains a whole chain that a recursive pattern matches.
TEST_F(PatternRewriteTest, RecursivePattern) {
  Pattern Dense = op("nn.dense", {wildcard(), wildcard()}), W = wildcard();
  auto Cast = [](Pattern P) { return op("cast", P); };
  Pattern P = Cast(W), Second = wildcard(), Third = wildcard();
  W.redirectTo(P | Dense);
  Pattern Q = Cast(Second | Dense), T = Cast(Dense | Third);
  Second.redirectTo(Q);
  Third.redirectTo(T);
  std::string Text = "nn.dense(%x, %w, units=None)";
  for (unsigned I = 0; I != 6; ++I)
    Text = "cast(" + Text + ", dtype=\"float32\")";
  for (const Pattern &Whole : {P, Q, T})
    EXPECT_TRUE(gives({once(wrap(Whole))}, Text, "nn.relu(" + Text + ")"));
}

//===----------------------------------------------------------------------===//
// Limits and types
//===----------------------------------------------------------------------===//

TEST_F(PatternRewriteTest, NeverEnds) {
  std::shared_ptr<Module> M = read("exp(%x)");
  EXPECT_TRUE(failed(run({wrap(isOp("exp")(A))}, *M)));
  EXPECT_EQ(Errors, "rewriting @main does not end: after 100 rounds 'wrap' "
                    "still applies\n");
}

TEST_F(PatternRewriteTest, GrowsWithoutEnd) {
  RunLimits Limits;
  Limits.Operations = 1000;
  Ctx.setLimits(Limits);
  auto Apply = [=](const PatternMatch &M, Rewriter &R) -> Value * {
    return R.create<AddOp>(R.create<ExpOp>(M.lookup(A)),
                           R.create<ExpOp>(M.lookup(A)));
  };
  PatternRewrite Double = {"double", isOp("exp")(A), Apply};
  std::shared_ptr<Module> M = read("exp(%x)");
  EXPECT_TRUE(failed(run({Double}, *M)));
  EXPECT_EQ(Errors,
            "rewriting @main by 'double' makes more than 1000 operations; "
            "raise -max-operations to allow it\n");
}

TEST_F(PatternRewriteTest, RequireType) {
  std::string Types;
  auto Apply = [&](const PatternMatch &M, Rewriter &) -> Value * {
    Types += M.getRoot()->getType() ? "typed " : "untyped ";
    return nullptr;
  };
  PatternRewrite Rewrite = {"ask", relu(A), Apply};
  StringRef Text = "free_var %x: Tensor[(2), float32]; nn.relu(%x)";
  EXPECT_TRUE(succeeded(run({Rewrite}, *read(Text))));
  Rewrite.RequireType = true;
  EXPECT_TRUE(succeeded(run({Rewrite}, *read(Text))));
  EXPECT_EQ(Types, "untyped typed ");
}

/// Operations that a callback creates before it declines are erased.
TEST_F(PatternRewriteTest, LeavesNothingUnused) {
  auto Apply = [&](const PatternMatch &M, Rewriter &R) -> Value * {
    R.create<ExpOp>(M.lookup(A));
    return nullptr;
  };
  std::shared_ptr<Module> M = read("nn.relu(%x)");
  EXPECT_EQ(*run({{"try", relu(A), Apply}}, *M), 0u);
  EXPECT_EQ(M->lookupFunction("main")->getNumOperations(), 1u);
}

/// The number of rounds for a long chain is logarithmic.
TEST_F(PatternRewriteTest, LongChain) {
  std::string Text = "%0 = nn.relu(%x);\n";
  for (unsigned I = 1; I != 5000; ++I)
    Text +=
        ("%" + llvm::Twine(I) + " = nn.relu(%" + llvm::Twine(I - 1) + ");\n")
            .str();
  EXPECT_TRUE(gives({toCall(relu(relu(A)), "nn.relu", {A})}, Text + "%4999",
                    "nn.relu(%x)"));
}

} // namespace
