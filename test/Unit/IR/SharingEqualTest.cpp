//===- SharingEqualTest.cpp - Equality: sharing and bindings --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes with identity, and the meaning of `let`; the expectations were measured
// in TVM 0.18. Equal IR has equal hashes, and each difference here changes the
// hash.
//
//===----------------------------------------------------------------------===//

#include "EqualTest.h"
#include <functional>
#include <random>

using namespace relay;
using namespace relay::test;

namespace {

using SharingEqualTest = EqualTest;

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

TEST_F(SharingEqualTest, SharingOfCallsCounts) {
  auto Shared = [&](Function &F) {
    Operation *Op = neg(F.getBody(), x(F));
    yield(add(F.getBody(), Op, Op));
  };
  auto Twice = [&](Function &F) {
    Operation *Op = neg(F.getBody(), x(F));
    yield(add(F.getBody(), Op, neg(F.getBody(), x(F))));
  };
  EXPECT_EQ(compare(Shared, Shared), "");
  EXPECT_EQ(compare(Twice, Twice), "");
  EXPECT_EQ(compare(Shared, Twice),
            "the left reuses an expression, the right uses another one");
  EXPECT_EQ(compare(Twice, Shared),
            "the right reuses an expression, the left uses another one");
}

TEST_F(SharingEqualTest, SharingOfEachKindOfOperation) {
  struct Case {
    StringRef Name;
    std::function<Operation *(Block &, Value *)> Make;
    bool Counts;
  };
  Case Cases[] = {
      {"tuple", [&](Block &B, Value *X) { return tuple(B, {X, X}); }, true},
      {"unit", [&](Block &B, Value *) { return tuple(B, {}); }, false},
      {"constant", [&](Block &B, Value *) { return constant(B, 1); }, false},
      {"ref",
       [&](Block &B, Value *X) { return make(B, "relay.ref_create", X); },
       true},
      {"closure", [&](Block &B, Value *) { return identity(B, "y", Vector); },
       true},
      {"global",
       [&](Block &B, Value *) {
         return make(B, "relay.global", {},
                     getAttrs("relay.global", Ctx.getString("g")));
       },
       false},
      {"operator",
       [&](Block &B, Value *) {
         return make(B, "relay.op", {},
                     getAttrs("relay.op", Ctx.getString("test.neg")));
       },
       false},
      {"if",
       [&](Block &B, Value *X) {
         Operation *If = makeIf(B, constant(B, 1, DType::getBool()));
         for (Block &Region : If->getRegions())
           Region.setResultRaw(X);
         return If;
       },
       true},
      {"scope",
       [&](Block &B, Value *X) {
         Operation *Scope = scope(B);
         Scope->getRegion().setResultRaw(let(neg(Scope->getRegion(), X), "a"));
         return Scope;
       },
       true},
  };
  for (const Case &C : Cases) {
    auto Shared = [&](Function &F) {
      Operation *Op = C.Make(F.getBody(), x(F));
      yield(tuple(F.getBody(), {Op, Op}));
    };
    auto Twice = [&](Function &F) {
      Operation *Op = C.Make(F.getBody(), x(F));
      yield(tuple(F.getBody(), {Op, C.Make(F.getBody(), x(F))}));
    };
    EXPECT_EQ(compare(Shared, Twice) == "", !C.Counts) << C.Name.str();
  }
}

TEST_F(SharingEqualTest, SharingOfProjectionsDoesNotCount) {
  auto Make = [&](Function &F, bool ShareTuple, bool ShareProjection) {
    Block &B = F.getBody();
    Operation *T = tuple(B, {x(F), x(F)});
    Operation *P = project(B, T, 0);
    Operation *T2 = ShareTuple ? T : tuple(B, {x(F), x(F)});
    yield(add(B, P, ShareProjection ? P : project(B, T2, 0)));
  };
  auto One = [&](Function &F) { Make(F, true, true); };
  auto Two = [&](Function &F) { Make(F, true, false); };
  auto TwoTuples = [&](Function &F) { Make(F, false, false); };
  EXPECT_EQ(compare(One, Two), "");
  EXPECT_NE(compare(One, TwoTuples), "");
}

TEST_F(SharingEqualTest, ProjectionSharedByBranches) {
  auto Make = [&](Function &F, bool Share) {
    Block &B = F.getBody();
    Operation *T = tuple(B, {x(F), x(F)}), *P = project(B, T, 0);
    Operation *If = makeIf(B, constant(B, 1, DType::getBool()));
    If->getRegion(0).setResultRaw(neg(B, P));
    If->getRegion(1).setResultRaw(neg(B, Share ? P : project(B, T, 0)));
    yield(If);
  };
  EXPECT_EQ(compare([&](Function &F) { Make(F, true); },
                    [&](Function &F) { Make(F, false); }),
            "");
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

TEST_F(SharingEqualTest, NamesDoNotCountBindingDoes) {
  auto Let = [&](StringRef Name) {
    return
        [this, Name](Function &F) { yield(let(neg(F.getBody(), x(F)), Name)); };
  };
  auto Graph = [&](Function &F) { yield(neg(F.getBody(), x(F))); };
  EXPECT_EQ(compare(Let("a"), Let("b")), "");
  EXPECT_EQ(compare(Let("a"), Graph),
            "the left binds '%a', the right has no more bindings");
}

TEST_F(SharingEqualTest, OrderOfBindingsCounts) {
  auto Make = [&](Function &F, bool Swap) {
    Block &B = F.getBody();
    Operation *First =
        let(make(B, Swap ? "test.neg" : "test.effect", x(F)), "a");
    Operation *Second =
        let(make(B, Swap ? "test.effect" : "test.neg", x(F)), "b");
    yield(Swap ? add(B, Second, First) : add(B, First, Second));
  };
  EXPECT_EQ(compare([&](Function &F) { Make(F, false); },
                    [&](Function &F) { Make(F, true); }),
            "different operations: 'test.effect' and 'test.neg'");
}

TEST_F(SharingEqualTest, UsesOfVariables) {
  auto Make = [&](Function &F, bool Swap) {
    Block &B = F.getBody();
    Operation *L = let(neg(B, x(F)), "a"), *R = let(neg(B, x(F)), "b");
    yield(Swap ? add(B, R, L) : add(B, L, R));
  };
  EXPECT_EQ(compare([&](Function &F) { Make(F, false); },
                    [&](Function &F) { Make(F, true); }),
            "different variables: '%a' and '%b'");
  auto Parameter = [&](Function &F) {
    let(neg(F.getBody(), x(F)), "a");
    yield(x(F));
  };
  auto Bound = [&](Function &F) { yield(let(neg(F.getBody(), x(F)), "a")); };
  EXPECT_EQ(compare(Parameter, Bound), "different variables: '%x' and '%a'");
}

TEST_F(SharingEqualTest, AliasIsTheValueItNames) {
  // let %a = %x; on the right, a name for another variable.
  auto OfParameter = [&](Function &F) { yield(alias(F.getBody(), x(F), "a")); };
  auto OfBound = [&](Function &F) {
    Operation *B = let(neg(F.getBody(), x(F)), "b");
    yield(alias(F.getBody(), B, "a"));
  };
  auto Bound = [&](Function &F) { yield(let(neg(F.getBody(), x(F)), "a")); };
  EXPECT_EQ(compare(OfParameter, OfParameter), "");
  EXPECT_EQ(compare(OfBound, OfBound), "");
  EXPECT_NE(compare(OfParameter, Bound), "");
  EXPECT_NE(compare(OfBound, Bound), "");
  // `%0 = neg(%x); let %a = %0;` equals `let %a = neg(%x);` unless %0 has other
  // uses.
  auto OfFloating = [&](Function &F) {
    yield(alias(F.getBody(), neg(F.getBody(), x(F)), "a"));
  };
  EXPECT_EQ(compare(OfFloating, Bound), "");
  EXPECT_EQ(compare(Bound, OfFloating), "");
  auto UsedElsewhere = [&](Function &F) {
    Operation *Op = neg(F.getBody(), x(F));
    Operation *A = alias(F.getBody(), Op, "a");
    yield(add(F.getBody(), A, Op));
  };
  auto BoundTwice = [&](Function &F) {
    Operation *A = let(neg(F.getBody(), x(F)), "a");
    yield(add(F.getBody(), A, A));
  };
  EXPECT_EQ(compare(UsedElsewhere, UsedElsewhere), "");
  EXPECT_NE(compare(UsedElsewhere, BoundTwice), "");
  EXPECT_NE(compare(BoundTwice, UsedElsewhere), "");
  auto UsedBefore = [&](Function &F) {
    Operation *Op = neg(F.getBody(), x(F));
    let(make(F.getBody(), "test.effect", Op), "e");
    yield(alias(F.getBody(), Op, "a"));
  };
  auto Separate = [&](Function &F) {
    let(make(F.getBody(), "test.effect", neg(F.getBody(), x(F))), "e");
    yield(let(neg(F.getBody(), x(F)), "a"));
  };
  EXPECT_EQ(compare(UsedBefore, UsedBefore), "");
  EXPECT_NE(compare(UsedBefore, Separate), "");
  EXPECT_NE(compare(Separate, UsedBefore), "");
}

TEST_F(SharingEqualTest, ClosureUnderAnAlias) {
  // The closure's parameters come before or after the variable.
  auto Make = [&](Function &F, bool Alias) {
    Block &B = F.getBody();
    Operation *Closure = identity(B, "y", Vector);
    Value *V = Alias ? alias(B, Closure, "f") : let(Closure, "f");
    yield(make(B, "relay.call", {V, x(F)}, getAttrs("relay.call", Attr())));
  };
  EXPECT_EQ(compare([&](Function &F) { Make(F, false); },
                    [&](Function &F) { Make(F, true); }),
            "");
}

TEST_F(SharingEqualTest, ScopeWithoutBindingsIsItsResult) {
  auto Make = [&](Function &F, bool Scope, bool Bound) {
    Block &B = F.getBody();
    Operation *S = Scope ? scope(B) : nullptr;
    Operation *V = neg(B, x(F));
    if (S)
      S->getRegion().setResultRaw(V);
    infer(F);
    Operation *Whole = S ? S : V;
    yield(add(B, Bound ? let(Whole, "a") : Whole, x(F)));
  };
  auto Get = [&](bool Scope, bool Bound) {
    return [&Make, Scope, Bound](Function &F) { Make(F, Scope, Bound); };
  };
  auto Floating = Get(true, false), Plain = Get(false, false);
  auto BoundScope = Get(true, true), BoundPlain = Get(false, true);
  EXPECT_EQ(compare(Floating, Plain), "");
  EXPECT_EQ(compare(BoundScope, BoundPlain), "");
  EXPECT_NE(compare(BoundScope, Plain), "");
}

TEST_F(SharingEqualTest, ScopeAgainstFlatBindings) {
  auto Nested = [&](Function &F) {
    Operation *S = scope(F.getBody());
    S->getRegion().setResultRaw(let(neg(S->getRegion(), x(F)), "b"));
    yield(let(S, "a"));
  };
  auto Flat = [&](Function &F) {
    Operation *B = let(neg(F.getBody(), x(F)), "b");
    yield(alias(F.getBody(), B, "a"));
  };
  EXPECT_EQ(compare(Nested, Nested), "");
  EXPECT_NE(compare(Nested, Flat), "");
}

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

TEST_F(SharingEqualTest, LongChainsAndWideSharing) {
  auto Make = [&](unsigned N, bool Change) {
    return [=](Function &F) {
      Block &B = F.getBody();
      Value *V = Change ? make(B, "test.effect", x(F)) : neg(B, x(F));
      Operation *Pair = tuple(B, {V, V});
      for (unsigned I = 0; I != N; ++I)
        V = add(B, V, project(B, Pair, 0));
      yield(V);
    };
  };
  EXPECT_EQ(compare(Make(100000, false), Make(100000, false)), "");
  EXPECT_EQ(compare(Make(100000, false), Make(100000, true)),
            "different operations: 'test.neg' and 'test.effect'");
}

TEST_F(SharingEqualTest, ProjectionsOfProjections) {
  // A chain of projections with many uses: visited once on each side.
  auto Make = [&](bool Share) {
    return [=](Function &F) {
      Block &B = F.getBody();
      Type *T = Vector;
      for (int I = 0; I != 300; ++I)
        T = Ctx.getTupleType({T});
      Value *P = param(&F, "p", T);
      Value *Sum = x(F), *Shared = nullptr;
      for (int I = 0; I != 300; ++I) {
        Value *V = Shared ? Shared : P;
        if (!Shared)
          for (int J = 0; J != 300; ++J)
            V = project(B, V, 0);
        if (Share)
          Shared = V;
        Sum = add(B, Sum, V);
      }
      yield(Sum);
    };
  };
  EXPECT_EQ(compare(Make(true), Make(true)), "");
  EXPECT_EQ(compare(Make(true), Make(false)), "");
}

/// Random graphs: sharing or copying a constant or a projection makes no
/// difference.
TEST_F(SharingEqualTest, RandomGraphsWithAndWithoutSharing) {
  for (unsigned Seed = 0; Seed != 200; ++Seed) {
    auto Make = [&](bool Share, bool Change) {
      return [=](Function &F) {
        std::mt19937 Random(Seed);
        auto Pick = [&](size_t N) { return size_t(Random() % N); };
        Block &B = F.getBody();
        SmallVector<Value *> Values = {x(F), param(&F, "y")};
        Value *C = param(&F, "c", Bool);
        SmallVector<Operation *> Tuples = {tuple(B, {x(F), x(F)})};
        llvm::DenseMap<Operation *, Value *> Projections;
        for (int I = 0; I != 40; ++I) {
          Value *L = Values[Pick(Values.size())];
          Value *R = Values[Pick(Values.size())];
          switch (Pick(6)) {
          case 0: {
            Operation *If = makeIf(B, C);
            If->getRegion(0).setResultRaw(L);
            If->getRegion(1).setResultRaw(R);
            Values.push_back(If);
            break;
          }
          case 1: {
            Operation *T = Tuples[Pick(Tuples.size())];
            Value *&P = Projections[T];
            if (!P || !Share)
              P = project(B, T, 1);
            Values.push_back(P);
            break;
          }
          case 2:
            Tuples.push_back(tuple(B, {L, R}));
            break;
          case 3:
            Values.push_back(let(neg(B, L), "v"));
            break;
          default:
            Values.push_back(add(B, L, Change && I == 39 ? L : R));
          }
        }
        // All operations are used.
        for (Operation *T : Tuples)
          Values.push_back(project(B, T, 0));
        Operation *Result = tuple(B, Values);
        F.getSignature().ResultAnnotation = Vector;
        Result->setTypeRaw(nullptr);
        yield(Result);
      };
    };
    EXPECT_EQ(compare(Make(true, false), Make(false, false)), "") << Seed;
    compare(Make(true, false), Make(false, true));
  }
}

} // namespace
