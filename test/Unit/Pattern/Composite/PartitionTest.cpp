//===- PartitionTest.cpp - Outlining of matches to closures ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results of partitions, compared with TVM 0.18.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Composite/Partition.h"
#include "../Match/ExpressionTest.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Conv.h"

using namespace relay;
using namespace relay::test;

namespace {

class PartitionTest : public ExpressionTest {
protected:
  /// Returns success if partitioning \p Text by \p P gives \p Expected, or
  /// makes no change if that is empty.
  testing::AssertionResult gives(const Pattern &P, StringRef Text,
                                 StringRef Expected = "") {
    if (Expected.empty())
      Expected = Text;
    std::shared_ptr<Module> M = read(Text, false, Expected);
    unsigned Number = partition(P, *M);
    testing::AssertionResult Result = isEqual(*M, Expected, Text);
    if (Result && (Number != 0) != (Expected != Text))
      return testing::AssertionFailure() << "reports " << Number;
    return Result;
  }
  unsigned partition(const Pattern &P, Module &M,
                     const PartitionOptions &Options = {}) {
    Function &F = *M.lookupFunction("main");
    auto Program = PatternProgram::compile(Ctx, P);
    Matcher Match(*Program, F);
    Rewriter R(F);
    FailureOr<unsigned> Number = partitionPattern(R, Match, 0, Options);
    EXPECT_TRUE(succeeded(Number));
    M.normalize();
    return *Number;
  }
  static Pattern any() { return wildcard(); }
  static Pattern add(const Pattern &L, const Pattern &R) {
    return op("add", {L, R});
  }
  static Pattern biasAdd(const Pattern &P) {
    return op("nn.bias_add", {P, any()});
  }
  static Pattern batchNorm() {
    return op("divide",
              {op("multiply", {any(), op("subtract", {any(), any()})}),
               op("sqrt", add(any(), isConstant()))}) +
           any();
  }
};

//===----------------------------------------------------------------------===//
// Choice of matches
//===----------------------------------------------------------------------===//

TEST_F(PartitionTest, OutsideUses) {
  Pattern P = relu(conv());
  EXPECT_TRUE(gives(P, "K; nn.relu(%0)",
                    "%1 = fn (%p0, %p1, PFP=\"nn.conv2d_nn.relu_\") { "
                    "nn.relu(nn.conv2d(%p0, %p1)) }; %1(%x, %w)"));
  EXPECT_TRUE(gives(P, "K; %1 = nn.relu(%0); (%1, %0)"));
  EXPECT_TRUE(gives(P, "K; add(nn.relu(%0), nn.relu(%0))"));
  EXPECT_TRUE(gives(P, "K; %1 = nn.relu(%0); (%1, %1)",
                    "%2 = fn (%p0, %p1, PFP=\"nn.conv2d_nn.relu_\") { "
                    "nn.relu(nn.conv2d(%p0, %p1)) }; %3 = %2(%x, %w); "
                    "(%3, %3)"));
  EXPECT_TRUE(gives(P, "K; let %d = tanh(%0); nn.relu(%0)"));
  EXPECT_TRUE(gives(P, "K; add(nn.relu(%0), %0)"));
  Pattern Dom = add(any(), any()).dominates(conv(), relu(any()));
  EXPECT_TRUE(gives(Dom, "K; %1 = nn.relu(%0); (add(%1, %0), tanh(%1))"));
}

TEST_F(PartitionTest, Scopes) {
  EXPECT_TRUE(
      gives(relu(conv()), "K; if (%c) { nn.relu(%0) } else { %x }",
            "if (%c) { %1 = fn (%p0, %p1, PFP=\"nn.conv2d_nn.relu_\") { "
            "nn.relu(nn.conv2d(%p0, %p1)) }; %1(%x, %w) } else { %x }"));
  EXPECT_TRUE(gives(relu(conv()),
                    "%1 = fn (%a, %b, PFP=\"q_\") { nn.relu(nn.conv2d(%a, "
                    "%b)) }; %1(%x, %w)"));
  EXPECT_TRUE(gives(isIf(any(), relu(any()), tanh(any())),
                    "if (%c) { nn.relu(exp(%x)) } else { tanh(%x) }",
                    "%1 = fn (%p0, %p1, %p2, PFP=\"nn.relu_tanh_If_\") { if "
                    "(%p0) { nn.relu(%p1) } else { tanh(%p2) } }; "
                    "%1(%c, exp(%x), %x)"));
  EXPECT_TRUE(gives(isIf(any(), relu(any()), tanh(any())),
                    "if (%c) { nn.relu(%x) } else { tanh(%x) }",
                    "%1 = fn (%p0, %p1, PFP=\"nn.relu_tanh_If_\") { if (%p0) { "
                    "nn.relu(%p1) } else { tanh(%p1) } }; %1(%c, %x)"));
}

TEST_F(PartitionTest, Overlaps) {
  EXPECT_TRUE(gives(add(add(any(), any()), any()),
                    "add(add(add(%x, %y), %z), %w)",
                    "%1 = fn (%p0, %p1, %p2, PFP=\"add_add_\") { add(add(%p0, "
                    "%p1), %p2) }; %1(add(%x, %y), %z, %w)"));
  EXPECT_TRUE(gives(conv() | relu(conv()), "K; nn.relu(%0)",
                    "%1 = fn (%p0, %p1, PFP=\"nn.conv2d_nn.relu_\") { "
                    "nn.relu(nn.conv2d(%p0, %p1)) }; %1(%x, %w)"));
  EXPECT_TRUE(gives(relu(conv()) | conv(), "K; %1 = nn.relu(%0); add(%1, %0)",
                    "%2 = fn (%p0, %p1, PFP=\"nn.conv2d_\") { nn.conv2d(%p0, "
                    "%p1) }; %3 = %2(%x, %w); add(nn.relu(%3), %3)"));
  EXPECT_TRUE(gives(op("multiply", {add(any(), any()), any()}),
                    "%0 = add(%x, %y); multiply(%0, tanh(%0))",
                    "%0 = add(%x, %y); %1 = fn (%p0, %p1, %p2, "
                    "PFP=\"add_multiply_\") { multiply(add(%p0, %p1), %p2) }; "
                    "%1(%x, %y, tanh(%0))"));
  EXPECT_TRUE(
      gives(add(op("multiply", {any(), any()}), add(any(), any())),
            "K; add(multiply(%l, %0), add(%0, %r))",
            "K; %9 = fn (%p0, %p1, %p2, PFP=\"multiply_add_add_\") { "
            "add(multiply(%p0, %p1), add(%p1, %p2)) }; %9(%l, %0, %r)"));
  EXPECT_TRUE(
      gives(isTupleGetItem(
                op("nn.batch_norm", {any(), any(), any(), any(), any()}), 0),
            "%0 = nn.batch_norm(%x, %g, %b, %m, %v); add(%0.0, %0.0)"));
}

TEST_F(PartitionTest, BoundRoots) {
  EXPECT_TRUE(gives(
      relu(any()), "let %a = nn.relu(%x); nn.relu(%a)",
      "let %a = (%1 = fn (%p0, PFP=\"nn.relu_\") { nn.relu(%p0) }; %1(%x)); "
      "%2 = fn (%q0, PFP=\"nn.relu_\") { nn.relu(%q0) }; %2(%a)"));
}

/// A match around a scope whose first `let` binds another match.
TEST_F(PartitionTest, ScopeOfBoundRoot) {
  EXPECT_TRUE(gives(
      tanh(any()), "tanh((let %a = tanh(%x); add(%a, %x)))",
      "%0 = (let %a = (%1 = fn (%p0, PFP=\"tanh_\") { tanh(%p0) }; %1(%x)); "
      "add(%a, %x)); %2 = fn (%q0, PFP=\"tanh_\") { tanh(%q0) }; %2(%0)"));
}

/// A closure captures the outer values that its body uses.
TEST_F(PartitionTest, Captures) {
  EXPECT_TRUE(gives(
      tanh(any()), "%0 = tanh(%x); %1 = fn (%a, PFP=\"add_\") { add(%a, %0) }; "
                   "(%1(%x), %0)"));
  Pattern Call = isFn(any(), any())(any());
  EXPECT_TRUE(gives(Call, "%0 = fn (%a) { add(%a, %x) }; (%0(%x), %x)"));
}

TEST_F(PartitionTest, MatchedOutsideButDominated) {
  EXPECT_TRUE(gives(
      op("multiply", {add(conv(), any()), any()}),
      "K; %1 = add(%0, %b); multiply(%1, sigmoid(%1))",
      "K; %1 = add(%0, %b); %9 = fn (%p0, %p1, %p2, %p3, "
      "PFP=\"nn.conv2d_add_multiply_\") { multiply(add(nn.conv2d(%p0, %p1), "
      "%p2), %p3) }; %9(%x, %w, %b, sigmoid(%1))"));
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

TEST_F(PartitionTest, OrderOfThePattern) {
  EXPECT_TRUE(gives(add(relu(any()), any()), "add(%y, nn.relu(%x))",
                    "%1 = fn (%p0, %p1, PFP=\"nn.relu_add_\") { add(%p1, "
                    "nn.relu(%p0)) }; %1(%x, %y)"));
  EXPECT_TRUE(gives(add(relu(any()), any()), "%0 = nn.relu(%x); add(%0, %0)",
                    "%0 = nn.relu(%x); %1 = fn (%p0, %p1, PFP=\"add_\") { "
                    "add(%p1, %p1) }; %1(%x, %0)"));
}

TEST_F(PartitionTest, Constants) {
  StringRef Two = "%1 = fn (%p0, %p1, PFP=\"add_\") { add(%p0, %p1) }; "
                  "%1(%x, 1f)";
  EXPECT_TRUE(gives(add(any(), any()), "add(%x, 1f)", Two));
  EXPECT_TRUE(gives(add(any(), isConstant()), "add(%x, 1f)",
                    "%1 = fn (%p0, PFP=\"add_\") { add(%p0, 1f) }; %1(%x)"));
  EXPECT_TRUE(gives(isOp("add")(AnyNumber), "add(%x, 1f)", Two));
  EXPECT_TRUE(gives(add(any(), any() | isConstant()), "add(%x, 1f)", Two));
}

TEST_F(PartitionTest, ConstantEmbedding) {
  StringRef Bias = "K; nn.relu(nn.bias_add(%0, %b))";
  StringRef Three =
      "%9 = fn (%p0, %p1, %p2, PFP=\"nn.conv2d_nn.bias_add_nn.relu_\") { "
      "nn.relu(nn.bias_add(nn.conv2d(%p0, %p1), %p2)) }; %9(%x, %w, %b)";
  StringRef One = "nn.relu(nn.bias_add(nn.conv2d(%x, 1), %b))";
  StringRef Embedded =
      "%9 = fn (%p0, %p1, PFP=\"nn.conv2d_nn.bias_add_nn.relu_\") { "
      "nn.relu(nn.bias_add(nn.conv2d(%p0, 1), %p1)) }; %9(%x, %b)";
  auto With = [](Pattern L) {
    return relu(biasAdd(op("nn.conv2d", {any(), L})));
  };
  for (const Pattern &L :
       {any(), isVar(), isVar() | isConstant(), isConstant() | isVar()})
    EXPECT_TRUE(gives(With(L), Bias, Three));
  for (const Pattern &L : {isConstant(), is("1")})
    EXPECT_TRUE(gives(With(L), Bias));
  EXPECT_TRUE(gives(With(isVar()), One));
  for (const Pattern &L :
       {isConstant(), is("1"), isVar() | isConstant(), isConstant() | isVar()})
    EXPECT_TRUE(gives(With(L), One, Embedded));
}

TEST_F(PartitionTest, Tuples) {
  Pattern P = op("concatenate", isTuple(AnyNumber));
  EXPECT_TRUE(gives(P, "concatenate((%x,))",
                    "%9 = fn (%p0, PFP=\"Tuple_concatenate_\") { "
                    "concatenate((%p0,)) }; %9(%x)"));
  EXPECT_TRUE(gives(P, "concatenate((%x, %y, add(%x, %y)))",
                    "%9 = fn (%p0, %p1, %p2, PFP=\"Tuple_concatenate_\") { "
                    "concatenate((%p0, %p1, %p2)) }; %9(%x, %y, add(%x, %y))"));
  EXPECT_TRUE(gives(relu(isTupleGetItem(isOp("nn.batch_norm")(AnyNumber), 0)),
                    "%0 = nn.batch_norm(%x, %g, %b, %m, %v); nn.relu(%0.0)",
                    "%1 = fn (%p0, %p1, %p2, %p3, %p4, "
                    "PFP=\"nn.batch_norm_TupleGetItem0_nn.relu_\") { %0 = "
                    "nn.batch_norm(%p0, %p1, %p2, %p3, %p4); nn.relu(%0.0) }; "
                    "%1(%x, %g, %b, %m, %v)"));
}

TEST_F(PartitionTest, Callees) {
  EXPECT_TRUE(gives(relu(any()(any())), "nn.relu(%f(%x))",
                    "%1 = fn (%p0, %p1, PFP=\"Call_nn.relu_\") { "
                    "nn.relu(%p0(%p1)) }; %1(%f, %x)"));
  EXPECT_TRUE(gives(
      isFn({any(), any()}, conv())(any(), relu(any())),
      "%0 = fn (%p, %q) { nn.conv2d(%p, %q) }; %0(%x, nn.relu(%y))",
      "%1 = fn (%p0, %p1, PFP=\"nn.conv2d_Functionnn.relu_Call_\") { %0 = fn "
      "(%p, %q) { nn.conv2d(%p, %q) }; %0(%p0, nn.relu(%p1)) }; %1(%x, %y)"));
  Pattern P = add(isFn(AnyNumber, add(any(), any()))(AnyNumber), any());
  EXPECT_TRUE(gives(
      P,
      "%0 = fn (%a, %c, %d) { add(add(%a, %c), %d) }; add(%0(%x, %y, %z), "
      "%b)",
      "%9 = fn (%p0, %p1, %p2, %p3, PFP=\"add_add_FunctionCall_add_\") { %0 = "
      "fn (%a, %c, %d) { add(add(%a, %c), %d) }; add(%0(%p0, %p1, %p2), %p3) "
      "}; %9(%x, %y, %z, %b)"));
  Pattern A = any(), B = any(), C = any(), D = any();
  for (const Pattern &Body : {op("nn.conv2d", {A, B}), any()})
    EXPECT_TRUE(gives(
        add(isFn({A, B}, Body)(any(), any()), any()),
        "%0 = fn (%a, %c) { nn.conv2d(%a, %c) }; add(add(%0(%x, %w), %b), %b)",
        "%9 = fn (%p0, %p1, %p2, PFP=\"nn.conv2d_FunctionCall_add_\") { %0 = "
        "fn (%a, %c) { nn.conv2d(%a, %c) }; add(%0(%p0, %p1), %p2) }; "
        "add(%9(%x, %w, %b), %b)"));
  EXPECT_TRUE(gives(
      isFn({A, B}, op("sigmoid", op("nn.conv2d", {A, B})))(C, D) |
          isFn({A, B}, relu(op("nn.conv2d", {A, B})))(C, D),
      "%0 = fn (%a, %c) { nn.relu(nn.conv2d(%a, %c)) }; add(%0(%x, %w), %b)",
      "%9 = fn (%p0, %p1, PFP=\"nn.conv2d_nn.relu_FunctionCall_\") { %0 = fn "
      "(%a, %c) { nn.relu(nn.conv2d(%a, %c)) }; %0(%p0, %p1) }; "
      "add(%9(%x, %w), %b)"));
}

/// A global function that a wildcard matches is a parameter.
TEST_F(PartitionTest, GlobalCallee) {
  StringRef Header = "def @f(%a: float32) -> float32 { %a }\n"
                     "def @main(%x: float32) -> float32 {";
  std::shared_ptr<Module> M = read((Header + " exp(@f(%x)) }").str(), true);
  EXPECT_EQ(partition(op("exp", any()(any())), *M), 1u);
  Function &F = *M->lookupFunction("main");
  auto Call = cast<CallValueOp>(F.getBody().getResult());
  EXPECT_TRUE(isa<GlobalRefOp>(Call.getOperation()->getOperand(1)));
  Block &Body =
      Call.getOperation()->getOperand(0)->getDefiningOp()->getRegion();
  EXPECT_TRUE(
      isa<CallValueOp>(Body.getResult()->getDefiningOp()->getOperand(0)));
  EXPECT_TRUE(Call->getType());
}

//===----------------------------------------------------------------------===//
// Dominators and larger patterns
//===----------------------------------------------------------------------===//

TEST_F(PartitionTest, Dominators) {
  EXPECT_TRUE(gives(
      wildcard().hasAttr("TOpPattern", 2)(any()).dominates(
          conv(), elementwise() | biasAdd(any())),
      "K; reshape(nn.relu(nn.bias_add(%0, %b)), newshape=[-1])",
      "%1 = fn (%p0, %p1, %p2, "
      "PFP=\"nn.conv2d_nn.bias_add_nn.relu_reshape_\") { "
      "reshape(nn.relu(nn.bias_add(nn.conv2d(%p0, %p1), %p2)), newshape=[-1]) "
      "}; %1(%x, %w, %b)"));
  EXPECT_TRUE(gives(add(any(), any()).dominates(conv(), relu(any())),
                    "K; add(nn.relu(%0), %y)",
                    "%1 = fn (%p0, %p1, %p2, PFP=\"nn.conv2d_nn.relu_add_\") { "
                    "add(nn.relu(nn.conv2d(%p0, %p1)), %p2) }; %1(%x, %w, "
                    "%y)"));
  EXPECT_TRUE(gives(
      add(any(), any()).dominates(conv(), elementwise()),
      "%0 = nn.conv2d(multiply(%x, %x), multiply(%w, %w)); "
      "add(nn.relu(nn.relu(%0)), nn.leaky_relu(%0))",
      "%9 = fn (%p0, %p1, "
      "PFP=\"nn.conv2d_nn.relu_nn.relu_nn.leaky_relu_add_\") { %0 = "
      "nn.conv2d(%p0, %p1); add(nn.relu(nn.relu(%0)), nn.leaky_relu(%0)) }; "
      "%9(multiply(%x, %x), multiply(%w, %w))"));
}

/// Four nested diamonds become four calls.
TEST_F(PartitionTest, QuadrupleDominator) {
  Pattern P =
      add(any(), any()).dominates(conv(), elementwise() | add(any(), any()));
  StringRef Labels[] = {"nn.conv2d_nn.relu_nn.relu_nn.leaky_relu_add_",
                        "nn.conv2d_nn.relu_nn.relu_tanh_nn.leaky_relu_add_",
                        "nn.conv2d_nn.relu_nn.relu_tanh_add_",
                        "nn.conv2d_nn.relu_add_tanh_nn.leaky_relu_add_"};
  std::shared_ptr<Module> M = read(
      "K; %1 = add(nn.relu(nn.relu(%0)), nn.leaky_relu(%0)); %2 = "
      "nn.conv2d(%1, %w); %3 = add(tanh(nn.relu(nn.relu(%2))), "
      "nn.leaky_relu(%2)); %4 = nn.conv2d(%3, %w); %5 = "
      "nn.relu(nn.relu(%4)); %6 = add(%5, tanh(%5)); %7 = nn.conv2d(%6, %w); "
      "%8 = nn.relu(%7); add(tanh(add(%8, %8)), nn.leaky_relu(%7))");
  EXPECT_EQ(partition(P, *M), 4u);
  Value *V = getRoot(*M).getValue();
  for (StringRef Label : llvm::reverse(Labels)) {
    Operation *Call = V->getDefiningOp();
    ASSERT_TRUE(Call && Call->is(OpCode::CallValue));
    EXPECT_EQ(Call->getOperand(0)
                  ->getDefiningOp()
                  ->getSignature()
                  .getAttr("PartitionedFromPattern")
                  .getString(),
              Label);
    V = Call->getOperand(1);
  }
}

TEST_F(PartitionTest, BatchNorms) {
  auto BN = [](StringRef T) {
    return ("add(divide(multiply(%gamma, subtract(" + T +
            ", %mean)), sqrt(add(%var, 1e-05f))), %beta)")
        .str();
  };
  StringRef Body = "PFP=\"subtract_multiply_add_sqrt_divide_add_\") { "
                   "add(divide(multiply(%p0, subtract(%p1, %p2)), "
                   "sqrt(add(%p3, 1e-05f))), %p4) }";
  std::string Fn = ("fn (%p0, %p1, %p2, %p3, %p4, " + Body).str();
  EXPECT_TRUE(gives(batchNorm(), BN("%x"),
                    "%9 = " + Fn + "; %9(%gamma, %x, %mean, %var, %beta)"));
  EXPECT_TRUE(gives(batchNorm(), "%1 = " + BN("%x") + "; " + BN("%1"),
                    "%9 = " + Fn + "; %8 = " + Fn +
                        "; %8(%gamma, %9(%gamma, %x, %mean, %var, %beta), "
                        "%mean, %var, %beta)"));
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

TEST_F(PartitionTest, Twice) {
  PartitionOptions First, Second;
  auto Composite = [&](StringRef Name) {
    return NamedAttr(Ctx.getString("Composite"), Ctx.getString(Name));
  };
  First.Attributes = {Composite("conv_bias_relu")};
  Second.Attributes = {Composite("conv_bias")};
  StringRef Text = "nn.bias_add(nn.conv2d(nn.relu(nn.bias_add(nn.conv2d(%x, "
                   "%w), %b)), %u), %c)";
  std::shared_ptr<Module> M = read(Text);
  EXPECT_EQ(partition(relu(biasAdd(conv())), *M, First), 1u);
  EXPECT_EQ(partition(biasAdd(conv()), *M, Second), 1u);
  EXPECT_TRUE(isEqual(
      *M,
      "%1 = fn (%p0, %p1, %p2, PFP=\"nn.conv2d_nn.bias_add_nn.relu_\", "
      "Composite=\"conv_bias_relu\") { nn.relu(nn.bias_add(nn.conv2d(%p0, "
      "%p1), %p2)) }; %2 = fn (%q0, %q1, %q2, PFP=\"nn.conv2d_nn.bias_add_\", "
      "Composite=\"conv_bias\") { nn.bias_add(nn.conv2d(%q0, %q1), %q2) }; "
      "%2(%1(%x, %w, %b), %u, %c)",
      Text));
}

/// Matching that exceeds the limit of steps is an error.
TEST_F(PartitionTest, TooManySteps) {
  std::shared_ptr<Module> M =
      read("add(nn.relu(nn.relu(%x)), nn.relu(nn.relu(%y)))");
  Function &F = *M->lookupFunction("main");
  auto Program = PatternProgram::compile(Ctx, relu(relu(any())));
  Matcher Match(*Program, F);
  Match.limitSteps(1);
  Rewriter R(F);
  EXPECT_TRUE(failed(partitionPattern(R, Match, 0, {})));
  EXPECT_EQ(Errors, "matching 'partition' takes too many steps in @main\n");
  Match.reset();
  EXPECT_FALSE(Match.isExhausted());
  EXPECT_TRUE(succeeded(partitionPattern(R, Match, 0, {})));
}

TEST_F(PartitionTest, Check) {
  PartitionOptions Options;
  Options.Check = [](Operation *Root) {
    auto Conv = cast<Conv2DOp>(Root->getOperand(0));
    return Conv.attrs().dataLayout() == "NCHW";
  };
  Pattern P = relu(op("nn.conv2d", {isVar("x"), any()}));
  EXPECT_EQ(partition(P, *read("K; nn.relu(%0)"), Options), 1u);
  EXPECT_EQ(partition(P,
                      *read("nn.relu(nn.conv2d(%x, %w, data_layout=\"NHWC\"))"),
                      Options),
            0u);
}

TEST_F(PartitionTest, CheckTypes) {
  PartitionOptions Options;
  Options.Check = [](Operation *Root) {
    auto Conv = cast<Conv2DOp>(Root->getOperand(0));
    return Conv.attrs().dataLayout() == "NCHW" &&
           cast<TensorType>(Conv->getType())->getShape()[0] == Dim::get(1);
  };
  auto Partition = [&](StringRef Data, StringRef Weight, StringRef Layouts) {
    std::string Text =
        ("free_var %x: Tensor[" + Data + ", float32]; free_var %w: Tensor[" +
         Weight +
         ", float32]; "
         "nn.relu(nn.conv2d(%x, %w, channels=10, kernel_size=[3, 3]" +
         Layouts + "))")
            .str();
    return partition(relu(conv()), *read(Text, /*Typed=*/true), Options);
  };
  EXPECT_EQ(Partition("(1, 10, 10, 10)", "(10, 10, 3, 3)", ""), 1u);
  EXPECT_EQ(Partition("(2, 10, 10, 10)", "(10, 10, 3, 3)", ""), 0u);
  EXPECT_EQ(Partition("(1, 10, 10, 10)", "(10, 3, 3, 10)",
                      ", data_layout=\"NHWC\", kernel_layout=\"OHWI\""),
            0u);
}

} // namespace
