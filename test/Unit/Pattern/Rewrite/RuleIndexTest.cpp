//===- RuleIndexTest.cpp - Which rules may match at an operation ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index omits no rule that matches, for any patterns and operations, but
// omits some rules.
//
//===----------------------------------------------------------------------===//

#include "../Match/ExpressionTest.h"
#include "relay/IR/Walk.h"
#include "relay/Pattern/Rewrite/RewriteRule.h"
#include <random>

using namespace relay;
using namespace relay::test;

namespace {

class RuleIndexTest : public ExpressionTest {
protected:
  static RewriteRule makeRule(unsigned I, Pattern Source) {
    return RewriteRule("rule" + std::to_string(I), "", std::move(Source));
  }
  RuleSet compile(std::vector<RewriteRule> Rules) {
    return *RuleSet::compile(Ctx, std::move(Rules));
  }
  /// Returns true if pattern \p I matches \p E. Checks that the result and the
  /// bindings are the same with an explanation, where nothing is skipped.
  static bool matches(Matcher &Match, unsigned I, ExprRef E) {
    auto GetBindings = [&] {
      std::vector<std::pair<uint32_t, uintptr_t>> Bindings;
      for (const Matcher::Binding &B : Match.getBindings())
        Bindings.push_back({B.Inst, B.Expr.getOpaque()});
      return Bindings;
    };
    bool Matches = Match.match(I, E);
    auto Bindings = GetBindings();
    MatchFailure Failure;
    EXPECT_EQ(Match.match(I, E, Failure), Matches);
    EXPECT_EQ(GetBindings(), Bindings);
    return Matches;
  }
  static Operation &getRootOp(Module &M) { return *getRoot(M).getOperation(); }
};

/// Generates random patterns and expressions of the same few operators.
class RandomMaker {
public:
  explicit RandomMaker(unsigned Seed) : Random(Seed) {}

  unsigned pick(unsigned N) { return Random() % N; }

  Pattern makeOperand() {
    switch (pick(8)) {
    case 0:
      return wildcard();
    case 1:
      return isOp(Binary[pick(4)])(makeUnary(), wildcard()) | makeUnary();
    case 2:
      return isConstant();
    case 3:
      return isVar();
    case 4:
      return anyOf({makeUnary(), isConstant(), makeUnary()});
    case 5:
      return makeUnary().hasDType(DType::getFloat(32));
    default:
      return makeUnary();
    }
  }
  Pattern makeRoot() {
    Pattern Left = makeOperand();
    Pattern Right = pick(8) ? makeOperand() : Left;
    if (pick(10) == 0)
      return makeUnary();
    Pattern Root = isOp(Binary[pick(4)])(Left, Right);
    return pick(8) ? Root : anyOf({Root, makeUnary()});
  }

  std::string makeExpression(unsigned NumOperations) {
    std::string Text;
    std::string Last = "%x";
    for (unsigned I = 0; I != NumOperations; ++I) {
      std::string Name = "%" + std::to_string(I);
      std::string Operand = pick(4) ? Last : pick(2) ? "2f" : "%y";
      Text += Name + " = ";
      if (pick(2))
        Text += getUnary().str() + "(" + Operand + ");\n";
      else if (pick(2))
        Text += (Binary[pick(5)] + "(" + Operand + ", " + Last + ");\n").str();
      else
        Text += (Binary[pick(5)] + "(" + Last + ", " + Operand + ");\n").str();
      Last = Name;
    }
    return Text + "negative(" + Last + ")";
  }

private:
  /// The last one is in no pattern.
  static constexpr StringLiteral Binary[] = {"add", "subtract", "multiply",
                                             "divide", "maximum"};

  StringRef getUnary() {
    static constexpr StringLiteral Unary[] = {"exp", "tanh", "sqrt"};
    return Unary[pick(3)];
  }
  Pattern makeUnary() { return isOp(getUnary())(wildcard()); }

  std::mt19937 Random;
};

} // namespace

TEST_F(RuleIndexTest, LosesNoMatch) {
  unsigned NumMatches = 0, NumCandidates = 0, NumTried = 0;
  for (unsigned Seed = 0; Seed != 20; ++Seed) {
    RandomMaker Random(Seed);
    std::vector<RewriteRule> Rules;
    for (unsigned I = 0; I != 400; ++I)
      Rules.push_back(makeRule(I, Random.makeRoot()));
    RuleSet Set = compile(std::move(Rules));
    std::shared_ptr<Module> M = read(Random.makeExpression(60), /*Typed=*/true);
    Function &F = *M->lookupFunction("main");
    Matcher Match(Set.getProgram(), F);
    walk(F, [&](Operation *Op) {
      SmallVector<uint32_t, 8> Found = Set.getCandidates(*Op);
      EXPECT_TRUE(llvm::is_sorted(Found));
      EXPECT_EQ(Set.hasCandidates(*Op), !Found.empty());
      for (unsigned I = 0; I != 400; ++I) {
        bool Matches = matches(Match, I, ExprRef::getDefinition(Op));
        EXPECT_TRUE(!Matches || llvm::is_contained(Found, I))
            << "seed " << Seed << ", rule " << I;
        NumMatches += Matches;
      }
      NumCandidates += Found.size();
      NumTried += Set.getProgram().getCandidates(*Op).size();
    });
  }
  EXPECT_GT(NumMatches, 1000u);
  // Compared with the candidates by the root's operator alone.
  EXPECT_LT(NumCandidates, NumTried / 2);
}

/// Rules beyond the first 64 of one operator, and their order.
TEST_F(RuleIndexTest, ManyOfOneOperator) {
  std::vector<RewriteRule> Rules;
  for (unsigned I = 0; I != 200; ++I) {
    StringRef Operator = I % 100 == 99 ? "tanh" : "exp";
    Rules.push_back(makeRule(I, wildcard() - op(Operator, wildcard())));
  }
  RuleSet Set = compile(std::move(Rules));
  std::shared_ptr<Module> M = read("subtract(%x, tanh(%y))");
  EXPECT_EQ(Set.getCandidates(getRootOp(*M)),
            (SmallVector<uint32_t, 8>{99, 199}));
  M = read("subtract(tanh(%y), %x)");
  EXPECT_FALSE(Set.hasCandidates(getRootOp(*M)));
}

TEST_F(RuleIndexTest, SwappedOperands) {
  RuleSet Set = compile({makeRule(0, op("exp", wildcard()) + isConstant()),
                         makeRule(1, op("exp", wildcard()) - isConstant())});
  auto HasCandidates = [&](StringRef Text) {
    return Set.hasCandidates(getRootOp(*read(Text)));
  };
  EXPECT_TRUE(HasCandidates("add(exp(%x), 1f)"));
  EXPECT_TRUE(HasCandidates("add(1f, exp(%x))"));
  EXPECT_FALSE(HasCandidates("add(exp(%x), exp(%y))"));
  EXPECT_FALSE(HasCandidates("add(1f, 2f)"));
  EXPECT_TRUE(HasCandidates("subtract(exp(%x), 1f)"));
  EXPECT_FALSE(HasCandidates("subtract(1f, exp(%x))"));
}

TEST_F(RuleIndexTest, OperandsThatAreOne) {
  Pattern X = wildcard();
  RuleSet Set = compile({makeRule(0, X + X)});
  EXPECT_TRUE(Set.hasCandidates(getRootOp(*read("add(%x, %x)"))));
  EXPECT_FALSE(Set.hasCandidates(getRootOp(*read("add(%x, %y)"))));
}

/// A variable of a `let` is not a call, whatever its value is.
TEST_F(RuleIndexTest, BoundOperands) {
  RuleSet Set = compile({makeRule(0, op("exp", op("tanh", wildcard())))});
  std::shared_ptr<Module> M = read("let %a = tanh(%x); exp(%a)");
  unsigned NumCandidates = 0;
  walk(*M->lookupFunction("main"),
       [&](Operation *Op) { NumCandidates += Set.hasCandidates(*Op); });
  EXPECT_EQ(NumCandidates, 0u);
  EXPECT_TRUE(Set.hasCandidates(getRootOp(*read("exp(tanh(%x))"))));
}
