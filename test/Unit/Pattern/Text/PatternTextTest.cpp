//===- PatternTextTest.cpp - Patterns as text -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns are printed as they were written, or in the canonical form if there
// are several; errors have line and column.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Text/PatternText.h"
#include "relay/IR/Context.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PassRegistry.h"
#include "gtest/gtest.h"
#include <random>

using namespace relay;

namespace {

class PatternTextTest : public testing::Test {
protected:
  PatternTextTest() {
    registerAllOps(Ctx);
    Ctx.getDiagnostics().pushHandler([this](const Diagnostic &D) {
      auto [Line, Column] = Ctx.getDiagnostics().getLineAndColumn(D.Loc);
      Messages += std::to_string(Line) + ":" + std::to_string(Column) + ": " +
                  D.Message + "\n";
      return true;
    });
  }

  std::string print(const Pattern &P) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    OS << P;
    return Text;
  }
  /// Returns the printed form of \p Text, or the diagnostics.
  std::string roundTrip(StringRef Text) {
    Messages.clear();
    FailureOr<Pattern> P = parsePattern(Text, "pattern", Ctx);
    return failed(P) ? Messages : print(*P);
  }

  Context Ctx;
  std::string Messages;
};

TEST_F(PatternTextTest, PrintsWhatItReads) {
  for (StringRef Text :
       {"*",
        "const",
        "var",
        "var(\"x\")",
        "add",
        "add(*, const)",
        "zeros(...)",
        "*()",
        "*(...)",
        "(*,)",
        "()",
        "(...)",
        "(*, const)",
        "*.0",
        "*.0.1",
        "*.*",
        "nn.relu(*) | tanh(*)",
        "nn.relu(*) | tanh(*) | const",
        "nn.relu(* | const)",
        "nn.relu(*) | (tanh(*) | const)",
        "(add | multiply)(*, *)",
        "*{TOpPattern=0}(*)",
        "*{}",
        "nn.conv2d(*, *){groups=1, kernel_size=[3, 3], data_layout=\"NCHW\"}",
        "nn.leaky_relu(*){alpha=0.1f}",
        "sum(*){keepdims=True}",
        "*{a=[[0, -1], []], b=3i64}",
        "nn.relu(*): Tensor[(1, ?), float32]",
        "*: shape(1, 3i64, ?)",
        "*: shape()",
        "*: dtype(float16)",
        "(*: dtype(int8)): shape(2)",
        "is(1f)",
        "add(is(1), is(-0.5f16))",
        "is(True)",
        "fn(...) { * }",
        "fn(%a, %b) { add(%a, %b) }",
        "if(*, nn.relu(*), tanh(*))",
        "let(%v, nn.conv2d(*, *), nn.relu(%v))",
        "dominates(nn.conv2d(*, *), *{TOpPattern=0}(*), add(*, *))",
        "add(%x, %x)",
        "add(%x@nn.relu(*), %x)",
        "%0@(add | subtract)(%0)",
        "%p@cast(%p | nn.dense(*, *))",
        "%w@(cast(%w) | nn.dense(*, *))",
        "(%f@fn(...) { * })(%f)",
        "(%t@(*, *)).0",
        "(%t@*(...)){}",
        "(%op@add)(*, nn.relu(%op))",
        "(const).0",
        "(add).*",
        "(var)(...)",
        "var(\"x\").1",
        "%a@nn.relu(*): shape(2)"})
    EXPECT_EQ(roundTrip(Text), Text.str());
}

TEST_F(PatternTextTest, PrintsOneForm) {
  std::pair<StringRef, StringRef> Cases[] = {
      {"((*))", "*"},
      {"add( * ,\n// the weights\nconst /* twice */)", "add(*, const)"},
      {"1", "is(1)"},
      {"add(*, -1f)", "add(*, is(-1f))"},
      {"power(*, 2f) : Tensor[(), float32]", "power(*, is(2f)): float32"},
      {"is(add(1, 2))", "is(add(1, 2))"},
      {"(*, *,)", "(*, *)"}};
  for (auto [Text, Printed] : Cases) {
    EXPECT_EQ(roundTrip(Text), Printed.str());
    EXPECT_EQ(roundTrip(Printed), Printed.str());
  }
}

TEST_F(PatternTextTest, SharesNamedNodes) {
  FailureOr<Pattern> P = parsePattern("add(%x@nn.relu(*), %x)", "p", Ctx);
  ASSERT_TRUE(succeeded(P));
  EXPECT_EQ((*P)->getList()[0], (*P)->getList()[1]);
  EXPECT_EQ((*P)->getList()[0]->getLabel(), "x");
  EXPECT_EQ(Ctx.getDiagnostics().getLineAndColumn((*P)->getList()[0]->getLoc()),
            std::make_pair(1u, 15u));
}

TEST_F(PatternTextTest, ClosesRecursion) {
  FailureOr<Pattern> P = parsePattern("%c@cast(%c | const)", "p", Ctx);
  ASSERT_TRUE(succeeded(P));
  EXPECT_EQ((*P)->getLabel(), "c");
  const PatternNode &Inner = (*P)->getList()[0]->getChild(0);
  EXPECT_TRUE(Inner.is(PatternKind::Wildcard));
  EXPECT_EQ(&Inner.getChild(0), &P->getNode());
}

/// Names the shared nodes of patterns that were not read from text.
TEST_F(PatternTextTest, NamesSharedNodes) {
  Pattern X = wildcard();
  Pattern Sum = X + X;
  EXPECT_EQ(print(Sum * Sum), "multiply(%0@add(%1, %1), %0)");
}

/// Each name is printed once; names of the user take precedence.
TEST_F(PatternTextTest, NamesAreTold) {
  Pattern X = wildcard();
  EXPECT_EQ(print(X.hasAttrs({})(X, isVar().as("0"))), "%1{}(%1, %0@var)");
  EXPECT_EQ(print(wildcard().as("x") + isConstant().as("x")),
            "add(%x, %_x_1@const)");
  EXPECT_EQ(print(wildcard().as("a b") + wildcard().as("1x")),
            "add(%_a_b, %_1x)");
  EXPECT_EQ(print(isConstant().as("c")(X)), "(%c@const)(*)");
}

//===----------------------------------------------------------------------===//
// Random patterns
//===----------------------------------------------------------------------===//

/// Generates patterns of all kinds, with shared nodes.
class RandomPatterns {
public:
  explicit RandomPatterns(unsigned Seed) : Random(Seed) {}

  Pattern make(unsigned Depth) {
    if (!Made.empty() && below(6) == 0)
      return Made[below(Made.size())];
    Pattern P = Depth == 0 ? makeLeaf() : makeInner(Depth - 1);
    if (P->getLabel().empty() && below(8) == 0)
      P.as(Labels[below(std::size(Labels))]);
    Made.push_back(P);
    return P;
  }

private:
  static constexpr StringLiteral Labels[] = {"x", "0", "1", "a1", "odd name"};

  unsigned below(unsigned End) { return Random() % End; }

  Pattern makeLeaf() {
    switch (below(7)) {
    case 0:
      return isConstant();
    case 1:
      return isVar();
    case 2:
      return isVar("v");
    case 3:
      return isOp("add");
    case 4:
      return isTuple(AnyNumber);
    default:
      return wildcard();
    }
  }

  Pattern makeInner(unsigned Depth) {
    auto Make = [&] { return make(Depth); };
    switch (below(15)) {
    case 0:
      return Make() + Make();
    case 1:
      return makeCall(Depth);
    case 2:
      return Make()(AnyNumber);
    case 3:
      return isTuple({Make()});
    case 4:
      return makeProjection(Depth);
    case 5:
      return isTupleGetItem(Make());
    case 6:
      return Make() | Make();
    case 7:
      return makeAttributes(Depth);
    case 8:
      return Make().hasShape({1, 2});
    case 9:
      return Make().hasDType(DType::getInt(8));
    case 10:
      return isFn({Make()}, Make());
    case 11:
      return isIf(Make(), Make(), Make());
    case 12:
      return isLet(Make(), Make(), Make());
    case 13:
      return Make().dominates(Make(), Make());
    default:
      return makeRecursive(Depth);
    }
  }

  /// Operands and attributes of operators, and fields of tuples, are checked by
  /// the parser.
  Pattern makeCall(unsigned Depth) {
    Pattern Callee = make(Depth);
    if (Callee->is(PatternKind::Operator))
      return Callee(make(Depth), make(Depth));
    return Callee(make(Depth));
  }
  Pattern makeProjection(unsigned Depth) {
    Pattern Of = make(Depth);
    bool IsOneField = Of->is(PatternKind::Tuple) && !Of->hasAnyNumber();
    return isTupleGetItem(Of, below(IsOneField ? 1 : 3));
  }
  Pattern makeAttributes(unsigned Depth) {
    Pattern Inner = make(Depth);
    if (Inner->is(PatternKind::Call) || Inner->is(PatternKind::Wildcard))
      return Inner.hasAttrs({});
    return Inner.hasAttrs({{"a", AttrLiteral({1, 2})}, {"b", "text"}});
  }
  Pattern makeRecursive(unsigned Depth) {
    Pattern Inner = wildcard();
    Made.push_back(Inner);
    Pattern Outer = isOp("cast")(Inner | make(Depth));
    Inner.redirectTo(Outer);
    return Outer;
  }

  std::mt19937 Random;
  std::vector<Pattern> Made;
};

/// The printed form reads back, and is printed unchanged.
TEST_F(PatternTextTest, RandomPatterns) {
  for (unsigned Seed = 0; Seed != 500; ++Seed) {
    std::string Text = print(RandomPatterns(Seed).make(2 + Seed % 4));
    ASSERT_EQ(roundTrip(Text), Text) << "of seed " << Seed;
  }
}

TEST_F(PatternTextTest, Errors) {
  std::pair<StringRef, StringRef> Cases[] = {
      {"", "1:1: expected a pattern, found the end\n"},
      {"add(*, *", "1:9: expected `,` or `)`, found the end\n"},
      {"add(*, *))", "1:10: expected the end of the pattern, found `)`\n"},
      {"nn.rleu(*)",
       "1:1: unknown operator `nn.rleu`; did you mean 'nn.relu'?\n"},
      {"add(*)", "1:4: `add` takes 2 operands, not 1; `(...)` is any number\n"},
      {"nn.relu()",
       "1:8: `nn.relu` takes 1 operand, not 0; `(...)` is any number\n"},
      {"add(*, ...)", "1:8: `...` cannot be mixed with patterns; write `*` for "
                      "each other part\n"},
      {"nn.conv2d(*, *){group=1}",
       "1:17: `nn.conv2d` has no attribute `group`; did you mean 'groups'?\n"},
      {"nn.relu(\n  *){a=1}", "2:6: `nn.relu` has no attribute `a`\n"},
      {"*{a}", "1:4: expected `=` after the name of an attribute, found `}`\n"},
      {"*{a=b}", "1:5: expected the value of an attribute, found `b`\n"},
      {"*{a=[1}", "1:7: expected `]` after the elements, found `}`\n"},
      {"*: Tensr", "1:4: unknown type `Tensr`\n"},
      {"*: Tensor[(1), flaot32]",
       "1:16: expected a data type, found `flaot32`\n"},
      {"*: shape(x)", "1:10: expected a dimension, found `x`\n"},
      {"*: dtype(flaot)", "1:10: expected a data type, found `flaot`\n"},
      {"*.x", "1:3: expected the index of a field, or `*`, found `x`\n"},
      {"add(%x, %x@*)", "1:9: `%x` is already defined\n"},
      {"%x@%y@*", "1:1: the pattern is already named `%y`\n"},
      {"%x@%x", "1:1: `%x` is defined as itself\n"},
      {"if(*, *)", "1:3: `if` has three parts, not 2\n"},
      {"let(...)", "1:4: `let` has three parts, not any number\n"},
      {"is(", "1:4: expected `)` after the expression, found the end\n"},
      {"is()", "1:4: expected an expression, found `)`\n"},
      {"nn.relu(is(fn (%x) { %x }))",
       "1:9: expected an expression, got a function; a function pattern is "
       "written `fn(…) { … }`\n"},
      {"nn.relu(is(frob(1)))",
       "1:12: `frob` is not a declared operator or constructor; did you mean "
       "`prod`?\n"},
      {"const const", "1:7: expected the end of the pattern, found `const`\n"},
      {"* | ", "1:4: expected a pattern, found the end\n"},
      {"add(*, ", "1:7: expected a pattern, found the end\n"},
      {"add(...", "1:8: expected `)` after `...`, found the end\n"},
      {"*: Tensor[(1), int8] |", "1:23: expected a pattern, found the end\n"},
      {"var(\"x)", "1:5: unterminated string\n"},
      {"(*, *).2", "1:8: a tuple of 2 fields has no field 2\n"},
      {"(*,).1.0", "1:6: a tuple of 1 field has no field 1\n"},
      {"*{a=1, a=2}", "1:8: attribute `a` is given twice\n"}};
  for (auto [Text, Message] : Cases)
    EXPECT_EQ(roundTrip(Text), Message.str()) << Text.str();
}

TEST_F(PatternTextTest, DeepNesting) {
  std::string Deep(1200, '(');
  EXPECT_EQ(roundTrip(Deep),
            "1:1001: pattern nested more than 1000 levels deep\n");
  std::string Lists = "*{a=" + std::string(1200, '[');
  EXPECT_EQ(roundTrip(Lists), "1:1005: list nested too deep\n");
}

TEST_F(PatternTextTest, Files) {
  const PassRegistry Registry;
  auto Parse = [&](StringRef Text) {
    Messages.clear();
    return parsePatternFile(
        llvm::MemoryBuffer::getMemBufferCopy(Text, "patterns"), Ctx, Registry);
  };
  auto Patterns = Parse("// Two of them.\npattern \"a\" = nn.relu(%x)\n"
                        "pattern \"b.c\" = add(%x, %x)\n");
  ASSERT_TRUE(succeeded(Patterns)) << Messages;
  ASSERT_EQ(Patterns->size(), 2u);
  EXPECT_EQ((*Patterns)[0].Name, "a");
  EXPECT_EQ(print((*Patterns)[1].P), "add(%x, %x)");
  EXPECT_TRUE(succeeded(Parse("")));
  EXPECT_TRUE(failed(Parse("pattern a = *\npattern \"b\" = frob(*)\n*")));
  EXPECT_EQ(Messages,
            "1:9: expected the name of the pattern, a string, found `a`\n"
            "2:15: unknown operator `frob`; did you mean 'prod'?\n");
  EXPECT_TRUE(failed(Parse("pattern \"a\" {chek=\"f\"} = *")));
  EXPECT_EQ(Messages, "1:14: expected `check`, found `chek`\n");
  EXPECT_TRUE(failed(Parse("pattern \"a\" {check=f} = *")));
  EXPECT_EQ(Messages,
            "1:20: expected the name of a function, a string, found `f`\n");
  EXPECT_TRUE(failed(Parse("pattern \"a\" {check=\"f\"} = *")));
  EXPECT_EQ(Messages, "1:20: no pattern table has the check 'f'\n");
  std::string Wrong;
  for (unsigned I = 0; I != 1000; ++I)
    Wrong += "pattern \"p\" = frob(*)\n";
  EXPECT_TRUE(failed(Parse(Wrong)));
  EXPECT_EQ(StringRef(Messages).count('\n'), 21u);
  EXPECT_TRUE(StringRef(Messages).ends_with(
      "21:1: too many errors; the rest is not read\n"));
}

/// Each literal is parsed alone, without the text before it.
TEST_F(PatternTextTest, ManyLiterals) {
  std::string Text = "(";
  for (unsigned I = 0; I != 20000; ++I)
    Text += "1f, ";
  FailureOr<Pattern> P = parsePattern(Text + "*)", "pattern", Ctx);
  ASSERT_TRUE(succeeded(P));
  EXPECT_EQ((*P)->getList().size(), 20001u);
  EXPECT_LT(Ctx.getDiagnostics().getMainOffset(), 100u);
}

} // namespace
