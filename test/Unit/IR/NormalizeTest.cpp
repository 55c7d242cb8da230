//===- NormalizeTest.cpp - Canonical order --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Function::normalize(): order, positions, numbers, and dropped operations.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include "llvm/ADT/SmallSet.h"
#include <random>

using namespace relay;
using namespace relay::test;

namespace {

class NormalizeTest : public IRTest {
protected:
  /// Expects that the numbers of all values of \p F are dense, in the order of
  /// its lists, with the arguments of a region after its operation.
  void expectNumbered(Function &F);
};

void NormalizeTest::expectNumbered(Function &F) {
  llvm::SmallSet<uint32_t, 16> Seen;
  size_t NumOps = 0;
  auto Number = [&](Value *V) {
    EXPECT_LT(V->getIndex(), F.getNumValues());
    EXPECT_TRUE(Seen.insert(V->getIndex()).second);
  };
  for (BlockArgument *Arg : F.getParams())
    Number(Arg);
  walk(F, [&](Operation *Op) {
    Number(Op);
    ++NumOps;
    for (Block &B : Op->getRegions())
      for (BlockArgument *Arg : B.getArguments())
        Number(Arg);
    for (Block &B : Op->getRegions())
      for (Operation &Inner : B)
        EXPECT_LT(Inner.getIndex(), Op->getIndex());
  });
  EXPECT_EQ(Seen.size(), F.getNumValues());
  EXPECT_EQ(NumOps, F.getNumOperations());
}

TEST_F(NormalizeTest, OrdersByDepthFirstPostOrder) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  // add(add(neg x, x), effect x), created in another order.
  Operation *Effect = make(B, "test.effect", X);
  Operation *Neg = neg(B, X);
  Operation *Inner = add(B, Neg, X);
  B.setResultRaw(add(B, Inner, Effect));
  EXPECT_FALSE(F->isNormalized());
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "test.neg test.add test.effect test.add");
  EXPECT_TRUE(F->isNormalized());
  EXPECT_FALSE(F->normalize());
  EXPECT_EQ(X->getIndex(), 0u);
  EXPECT_EQ(Neg->getIndex(), 1u);
  EXPECT_EQ(Effect->getIndex(), 3u);
  expectNumbered(*F);
}

TEST_F(NormalizeTest, DropsWhatIsNotReached) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  Operation *Dead = neg(B, X);
  make(B, "test.effect", Dead); // floating: nothing keeps it, effect or not
  Operation *DeadIf = makeIf(B, X);
  DeadIf->getRegion(0).setResultRaw(neg(DeadIf->getRegion(0), Dead));
  DeadIf->getRegion(1).setResultRaw(X);
  let(make(B, "test.effect", X), "kept");
  B.setResultRaw(X);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "%kept");
  EXPECT_EQ(X->getNumUses(), 2u);
  EXPECT_EQ(F->getNumOperations(), 1u);
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, KeepsTheSequenceOfBindings) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  Operation *Late = neg(B, X);
  Operation *First = let(neg(B, X), "a");
  let(neg(B, X), "b");
  Operation *UsedByB = neg(B, First);
  let(add(B, UsedByB, X), "c");
  B.setResultRaw(Late);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "%a %b test.neg %c test.neg");
  EXPECT_EQ(&*std::prev(B.end()), Late);
}

TEST_F(NormalizeTest, PlacesInTheInnermostBlock) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Value *C = param(F, "c", Ctx.getScalarType(DType::getBool()));
  Block &B = F->getBody();
  Operation *OnlyThen = neg(B, X), *Shared = neg(B, X);
  // Only used by Shared: moves to Shared's block.
  Operation *Operand = neg(B, X);
  Shared->setOperandRaw(0, Operand);
  Operation *If = makeIf(B, C);
  Block &Then = If->getRegion(0), &Else = If->getRegion(1);
  Then.setResultRaw(add(Then, OnlyThen, Shared));
  Else.setResultRaw(Shared);
  B.setResultRaw(If);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "test.neg test.neg relay.if");
  EXPECT_EQ(order(Then), "test.neg test.add");
  EXPECT_EQ(order(Else), "");
  EXPECT_EQ(OnlyThen->getBlock(), &Then);
  EXPECT_EQ(Operand->getBlock(), &B);
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, MovesOutOfARegion) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Value *C = param(F, "c", Ctx.getScalarType(DType::getBool()));
  Block &B = F->getBody();
  Operation *If = makeIf(B, C);
  Block &Then = If->getRegion(0);
  // Defined in the first branch and used in the second, as text allows.
  Operation *Shared = neg(Then, X);
  Then.setResultRaw(Shared);
  If->getRegion(1).setResultRaw(neg(If->getRegion(1), Shared));
  B.setResultRaw(add(B, If, X));
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "test.neg relay.if test.add");
  EXPECT_EQ(order(Then), "");
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, NestedRegions) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Value *C = param(F, "c", Ctx.getScalarType(DType::getBool()));
  Block &B = F->getBody();
  Operation *Deep = neg(B, X);
  Operation *Outer = makeIf(B, C);
  Operation *Inner = makeIf(B, C);
  Inner->getRegion(0).setResultRaw(Deep);
  Inner->getRegion(1).setResultRaw(neg(B, Deep));
  Outer->getRegion(0).setResultRaw(Inner);
  Outer->getRegion(1).setResultRaw(X);
  B.setResultRaw(Outer);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "relay.if");
  EXPECT_EQ(order(Outer->getRegion(0)), "test.neg relay.if");
  EXPECT_EQ(order(Inner->getRegion(1)), "test.neg");
  EXPECT_EQ(order(Inner->getRegion(0)), "");
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, RecursiveClosure) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  Operation *Closure = let(fn(B), "f");
  Block &Body = Closure->getRegion();
  Value *Y = Body.addArgument(Ctx.intern("y"), Vector);
  Operation *Call =
      make(Body, "relay.call", {Closure, Y}, getAttrs("relay.call", Attr()));
  Body.setResultRaw(Call);
  B.setResultRaw(
      make(B, "relay.call", {Closure, X}, getAttrs("relay.call", Attr())));
  F->normalize();
  EXPECT_EQ(order(B), "%f relay.call");
  EXPECT_EQ(Call->getBlock(), &Body);
  EXPECT_EQ(Y->getIndex(), Closure->getIndex() + 1);
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

/// Bound calls come after their closures already; only numbers change.
TEST_F(NormalizeTest, ClosuresInOrder) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  for (int I = 0; I != 2; ++I) {
    Operation *Closure = fn(B);
    Block &Body = Closure->getRegion();
    Body.setResultRaw(neg(Body, Body.addArgument(Ctx.intern("y"), Vector)));
    X = let(make(B, "relay.call", {Closure, X}, getAttrs("relay.call", Attr())),
            "v");
  }
  B.setResultRaw(X);
  EXPECT_FALSE(F->normalize());
  EXPECT_EQ(order(B), "relay.fn %v relay.fn %v");
  EXPECT_EQ(F->getNumRegions(), 2u);
  EXPECT_EQ(F->getNumBindings(), 2u);
  expectNumbered(*F);
  EXPECT_TRUE(F->isNormalized());
  EXPECT_EQ(verifyText(*F), "");
}

/// The callee of a call comes before its arguments.
TEST_F(NormalizeTest, ClosuresBeforeArguments) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  Operation *Closure = nullptr;
  for (int I = 0; I != 2; ++I) {
    Closure = fn(B);
    Block &Body = Closure->getRegion();
    Body.setResultRaw(neg(Body, Body.addArgument(Ctx.intern("y"), Vector)));
    X = make(B, "relay.call", {Closure, X}, getAttrs("relay.call", Attr()));
  }
  B.setResultRaw(X);
  EXPECT_FALSE(F->isNormalized());
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "relay.fn relay.fn relay.call relay.call");
  EXPECT_EQ(&*B.begin(), Closure);
  expectNumbered(*F);
  EXPECT_FALSE(F->normalize());
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, ScopeHoldsItsBindings) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  Operation *Scope = scope(B);
  Block &Inner = Scope->getRegion();
  Operation *Operand = neg(B, X);
  Operation *A = let(neg(Inner, Operand), "a");
  Inner.setResultRaw(A);
  B.setResultRaw(add(B, Scope, Scope));
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "relay.scope test.add");
  EXPECT_EQ(order(Inner), "test.neg %a");
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, BindsWhatOnlyAnAliasUses) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  let(make(B, "test.effect", X), "e");
  Operation *Only = neg(B, X), *Shared = neg(B, X);
  neg(B, Only); // unreachable; the use does not count
  Operation *A = alias(B, Only, "a");
  A->bind(Ctx.intern("a"), Vector, Ctx.getString("cpu"));
  Operation *OfShared = alias(B, Shared, "b");
  Operation *OfBound = alias(B, A, "c");
  Operation *OfArgument = alias(B, X, "d");
  B.setResultRaw(tuple(B, {A, OfShared, Shared, OfBound, OfArgument}));
  EXPECT_FALSE(F->isNormalized());
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "%e %a test.neg %b %c %d relay.tuple");
  EXPECT_TRUE(Only->isBound());
  EXPECT_EQ(Only->getVarName(), "a");
  EXPECT_EQ(Only->getVarAnnotation(), Vector);
  EXPECT_EQ(Only->getVarVirtualDevice(), Ctx.getString("cpu"));
  EXPECT_EQ(OfBound->getOperand(0), Only);
  EXPECT_FALSE(F->normalize());
  EXPECT_TRUE(F->isNormalized());
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, BindsClosureOfAnAlias) {
  Function *F = createFunction();
  Block &B = F->getBody();
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  Body.setResultRaw(neg(Body, Body.addArgument(Ctx.intern("y"), Vector)));
  Operation *If = makeIf(B, param(F, "c", Ctx.getScalarType(DType::getBool())));
  Block &Then = If->getRegion(0);
  Then.setResultRaw(alias(Then, Closure, "f"));
  If->getRegion(1).setResultRaw(tuple(If->getRegion(1), {}));
  B.setResultRaw(If);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(Then), "%f");
  EXPECT_EQ(&*Then.begin(), Closure);
  EXPECT_FALSE(F->normalize());
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, DissolvesScopesWithoutBindings) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  // %0 = (neg(%x)); let %a = (%0); let %b = ((%x)); (%0, %a, %b)
  Operation *Floating = scope(B);
  Floating->getRegion().setResultRaw(neg(Floating->getRegion(), X));
  Operation *A = let(scope(B), "a");
  A->getRegion().setResultRaw(Floating);
  Operation *Outer = let(scope(B), "b");
  Operation *Inner = scope(Outer->getRegion());
  Inner->getRegion().setResultRaw(X);
  Outer->getRegion().setResultRaw(Inner);
  Operation *Kept = scope(B);
  Kept->getRegion().setResultRaw(let(neg(Kept->getRegion(), X), "k"));
  B.setResultRaw(tuple(B, {Floating, A, Outer, Kept}));
  infer(*F);
  EXPECT_FALSE(F->isNormalized());
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "test.neg %a %b relay.scope relay.tuple");
  Operation *AliasOfNeg = &*std::next(B.begin());
  EXPECT_TRUE(AliasOfNeg->is(OpCode::Alias));
  EXPECT_EQ(AliasOfNeg->getOperand(0), &*B.begin());
  EXPECT_EQ(AliasOfNeg->getType(), Vector);
  EXPECT_FALSE(F->normalize());
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

/// A scope that is a block's result becomes the rest of the block, even if
/// unreachable operations use it.
TEST_F(NormalizeTest, DissolvesScopesAtTheEndOfBlocks) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  // The scopes come before the first operation.
  Operation *Outer = scope(B);
  Block &Middle = Outer->getRegion();
  Operation *Inner = scope(Middle);
  let(neg(Middle, X), "b");
  Block &Last = Inner->getRegion();
  Operation *C = let(neg(Last, X), "c");
  Last.setResultRaw(add(Last, C, X));
  Middle.setResultRaw(Inner);
  let(neg(B, X), "a");
  neg(B, Outer); // not reached
  B.setResultRaw(Outer);
  infer(*F);
  EXPECT_FALSE(F->isNormalized());
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "%a %b %c test.add");
  EXPECT_TRUE(F->isNormalized());
  EXPECT_FALSE(F->normalize());
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(NormalizeTest, DissolvesScopesAtTheEndOfRegions) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  auto AddTail = [&](Block &Region, StringRef Name) {
    Operation *Scope = scope(B); // floats outside of the region
    Scope->getRegion().setResultRaw(let(neg(Scope->getRegion(), X), Name));
    Region.setResultRaw(Scope);
    return Scope;
  };
  Operation *If = makeIf(B, param(F, "c", Ctx.getScalarType(DType::getBool())));
  AddTail(If->getRegion(0), "a");
  AddTail(If->getRegion(1), "b");
  Operation *Closure = fn(B);
  AddTail(Closure->getRegion(), "d");
  Operation *Bound = let(scope(B), "s");
  let(neg(Bound->getRegion(), X), "p");
  AddTail(Bound->getRegion(), "e");
  // Used twice: this one and its `let` remain.
  Operation *Shared = scope(B);
  Shared->getRegion().setResultRaw(let(neg(Shared->getRegion(), X), "k"));
  B.setResultRaw(tuple(B, {If, Closure, Shared, Shared}));
  infer(*F);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "%s relay.if relay.fn relay.scope relay.tuple");
  EXPECT_EQ(order(If->getRegion(0)), "%a");
  EXPECT_EQ(order(If->getRegion(1)), "%b");
  EXPECT_EQ(order(Closure->getRegion()), "%d");
  EXPECT_EQ(order(Bound->getRegion()), "%p %e");
  EXPECT_FALSE(F->normalize());
  expectNumbered(*F);
  EXPECT_EQ(verifyText(*F), "");
}

/// Each operation moves once.
TEST_F(NormalizeTest, DissolvesDeepScopes) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block *B = &F->getBody();
  for (int I = 0; I != 20000; ++I) {
    Operation *Scope = scope(*B);
    B->setResultRaw(Scope);
    B = &Scope->getRegion();
    X = let(neg(*B, X), "a");
  }
  B->setResultRaw(X);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(F->getNumOperations(), 20000u);
  EXPECT_EQ(F->getNumRegions(), 0u);
}

TEST_F(NormalizeTest, CallsOfWhatIsNamedAreDirect) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  const Attrs *Plain = getAttrs("relay.call", Attr());
  auto Symbol = [&](StringRef Op, StringRef Name) {
    return make(B, Op, {}, getAttrs(Op, Ctx.getString(Name)));
  };
  Operation *Global = Symbol("relay.global", "main"),
            *Neg = Symbol("relay.op", "test.neg"),
            *Add = Symbol("relay.op", "test.add"),
            *Cons = Symbol("relay.constructor", "Some");
  Operation *Named = let(Symbol("relay.global", "main"), "g");
  Operation *ByGlobal = make(B, "relay.call", {Global, X}, Plain);
  ByGlobal->setTypeArgs(*F, Vector);
  Operation *Bound =
      let(make(B, "relay.call", {Neg, ByGlobal}, Plain), "bound");
  Bound->setTypeRaw(Vector);
  Operation *ByCons = make(B, "relay.call", {Cons, X}, Plain);
  Operation *ByName = make(B, "relay.call", {Named, X}, Plain);
  Operation *TooFew = make(B, "relay.call", {Add, X}, Plain);
  B.setResultRaw(tuple(B, {Bound, ByCons, ByName, TooFew, Neg}));
  EXPECT_FALSE(F->isNormalized());
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "%g relay.call_global %bound relay.call_constructor "
                      "relay.call relay.op relay.call relay.op relay.tuple");
  Operation *Direct = &*std::next(B.begin());
  EXPECT_EQ(Direct->getAttr("callee"), Ctx.getString("main"));
  EXPECT_EQ(Direct->getTypeArgs(), ArrayRef<Type *>(Vector));
  Operation *Result = cast<Operation>(B.getResult());
  EXPECT_EQ(Result->getOperand(0)->getDefiningOp()->getName(), "test.neg");
  EXPECT_EQ(Result->getOperand(0)->getType(), Vector);
  EXPECT_EQ(Result->getOperand(2), ByName);
  EXPECT_EQ(Result->getOperand(3), TooFew);
  EXPECT_TRUE(F->isNormalized());
  EXPECT_FALSE(F->normalize());
  expectNumbered(*F);
}

/// Also without regions, a body with a call of a symbol is not in order.
TEST_F(NormalizeTest, StraightBodyWithCallOfSymbol) {
  Function *F = createFunction();
  Value *X = param(F, "x");
  Block &B = F->getBody();
  Operation *Ref = make(B, "relay.global", {},
                        getAttrs("relay.global", Ctx.getString("main")));
  B.setResultRaw(
      make(B, "relay.call", {Ref, X}, getAttrs("relay.call", Attr())));
  EXPECT_FALSE(F->isNormalized());
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(B), "relay.call_global");
  EXPECT_FALSE(F->normalize());
}

TEST_F(NormalizeTest, LongChainAndDeepNest) {
  constexpr int N = 200000;
  Function *F = createFunction();
  Value *V = param(F, "x");
  Value *C = param(F, "c", Ctx.getScalarType(DType::getBool()));
  Block *B = &F->getBody();
  for (int I = 0; I != N; ++I)
    V = neg(*B, V);
  Value *Chain = V;
  // 20,000 levels of branches below each other.
  for (int I = 0; I != 20000; ++I) {
    Operation *If = makeIf(*B, C);
    If->getRegion(1).setResultRaw(C);
    B->setResultRaw(If);
    B = &If->getRegion(0);
  }
  B->setResultRaw(Chain);
  EXPECT_TRUE(F->normalize());
  EXPECT_EQ(order(F->getBody()), "relay.if");
  EXPECT_EQ(size_t(std::distance(B->begin(), B->end())), size_t(N));
  EXPECT_TRUE(F->isNormalized());
  EXPECT_TRUE(succeeded(verify(*F)));
}

/// Random graphs with branches: the order of normalized lists equals that of a
/// recursive definition of the walk, and every position is the innermost.
class ReferenceOrder {
public:
  explicit ReferenceOrder(Function &F) { block(F.getBody()); }
  std::vector<Operation *> Order;

private:
  void value(Value *V) {
    Operation *Op = V->getDefiningOp();
    if (!Op || !Seen.insert(Op).second)
      return;
    for (Value *Operand : Op->operands())
      value(Operand);
    for (Block &B : Op->getRegions())
      block(B);
    Order.push_back(Op);
  }
  void block(Block &B) {
    for (Operation &Op : B.bindings())
      value(&Op);
    value(B.getResult());
  }
  llvm::SmallPtrSet<Operation *, 16> Seen;
};

TEST_F(NormalizeTest, RandomGraphs) {
  std::mt19937 Random(7);
  auto Pick = [&](size_t N) { return size_t(Random() % N); };
  for (int Round = 0; Round != 300; ++Round) {
    Function *F = createFunction(M.getUniqueName("f"));
    Block &B = F->getBody();
    SmallVector<Value *> Values = {param(F, "x"), param(F, "y")};
    Value *C = param(F, "c", Ctx.getScalarType(DType::getBool()));
    for (int I = 0; I != 30; ++I) {
      Value *L = Values[Pick(Values.size())], *R = Values[Pick(Values.size())];
      if (Pick(5) == 0) {
        Operation *If = makeIf(B, C);
        If->getRegion(0).setResultRaw(L);
        If->getRegion(1).setResultRaw(R);
        Values.push_back(If);
      } else if (Pick(7) == 0) {
        Values.push_back(let(neg(B, L), "v"));
      } else if (Pick(7) == 0) {
        Values.push_back(alias(B, L, "w"));
      } else if (Pick(7) == 0) {
        Operation *Scope = scope(B);
        if (Pick(2))
          L = let(neg(Scope->getRegion(), L), "s");
        Scope->getRegion().setResultRaw(L);
        Values.push_back(Scope);
        if (Pick(2))
          let(Scope, "t");
      } else {
        Values.push_back(add(B, L, R));
      }
    }
    B.setResultRaw(Values.back());
    infer(*F);
    F->normalize();
    EXPECT_FALSE(F->normalize());
    EXPECT_TRUE(F->isNormalized());
    ReferenceOrder Wanted(*F);
    EXPECT_EQ(Wanted.Order.size(), F->getNumOperations());
    llvm::DenseMap<Operation *, size_t> Position;
    for (auto [I, Op] : llvm::enumerate(Wanted.Order))
      Position[Op] = I;
    walkBlocks(B, [&](Block &Each) {
      EXPECT_TRUE(llvm::is_sorted(Each, [&](Operation &L, Operation &R) {
        return Position[&L] < Position[&R];
      }));
    });
    expectNumbered(*F);
    EXPECT_EQ(verifyText(*F), "");
  }
}

/// Invalid IR may use a value of another function with any number. The value is
/// not moved, so that the Verifier reports it.
TEST_F(NormalizeTest, UsesFromElsewhere) {
  Function *Other = createFunction("other");
  Block &There = Other->getBody();
  Operation *Foreign = neg(There, neg(There, param(Other, "y")));
  There.setResultRaw(Foreign);
  Function *F = createFunction();
  Block &B = F->getBody();
  Value *X = param(F, "x");
  Operation *Last = neg(B, X), *First = neg(B, X);
  B.setResultRaw(add(B, add(B, First, Foreign), Last));
  for (uint32_t Number : {0, 1, 3, 100}) {
    Foreign->setIndex(Number);
    F->normalize();
    EXPECT_EQ(order(B), "test.neg test.add test.neg test.add");
    EXPECT_EQ(order(There), "test.neg test.neg");
    expectNumbered(*F);
    EXPECT_NE(verifyText(*F), "");
    B.remove(Last);
    B.insert(B.begin(), Last); // out of order again
  }
}

} // namespace
