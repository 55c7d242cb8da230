//===- StructuralEqualTest.cpp - Equality and hash of IR ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts and what does not, as measured of TVM 0.18; equal IR has equal
// hashes, and each of the differences here changes the hash.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include <functional>
#include <random>

using namespace relay;
using namespace relay::test;

namespace {

class StructuralEqualTest : public IRTest {
protected:
  StructuralEqualTest() { Bool = Ctx.getScalarType(DType::getBool()); }

  using Maker = function_ref<void(Function &)>;
  /// A function with parameter `%x`, filled in by \p Make.
  Function *build(Maker Make) {
    Function *F = createFunction(M.getUniqueName("f"));
    param(F, "x");
    Make(*F);
    F->normalize();
    return F;
  }
  /// The reason why the two differ, or "". Checks the hashes, symmetry, and
  /// that each is equal to itself and to its copy.
  std::string compare(Maker L, Maker R, const EqualOptions &O = {}) {
    return compare(*build(L), *build(R), O);
  }
  std::string compare(Function &L, Function &R, const EqualOptions &O = {});
  static Value *x(Function &F) { return F.getParams()[0]; }
  static void yield(Value *V) {
    Function *F = V->getFunction();
    F->getBody().setResultRaw(V);
  }
  /// A closure of one parameter whose body is that.
  Operation *identity(Block &B, StringRef Name, Type *T) {
    Operation *Op = fn(B);
    Op->getRegion().setResultRaw(
        Op->getRegion().addArgument(Ctx.intern(Name), T));
    return Op;
  }

  Type *Bool;
};

std::string StructuralEqualTest::compare(Function &L, Function &R,
                                         const EqualOptions &O) {
  Difference D, Back;
  bool Equal = isStructurallyEqual(L, R, O, &D);
  EXPECT_EQ(isStructurallyEqual(R, L, O, &Back), Equal);
  EXPECT_EQ(D.Reason.empty(), Equal);
  for (Function *F : {&L, &R}) {
    EXPECT_EQ(verifyText(*F, /*AllowUndefined=*/true), "");
    EXPECT_TRUE(isStructurallyEqual(*F, *F, O));
    Function Copy(Ctx, Ctx.intern("copy"));
    Copy.cloneFrom(*F);
    Copy.normalize();
    EXPECT_TRUE(isStructurallyEqual(*F, Copy, O));
    EXPECT_EQ(getStructuralHash(*F), getStructuralHash(Copy));
  }
  if (!O.RelativeTolerance && !O.AttributeTolerance && O.ResultVirtualDevices &&
      !O.MatchLiftedNames)
    EXPECT_EQ(getStructuralHash(L) == getStructuralHash(R), Equal) << D.Reason;
  if (!Equal) {
    EXPECT_EQ(D.LeftFunction, &L);
    EXPECT_EQ(D.RightFunction, &R);
  }
  return D.Reason;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

TEST_F(StructuralEqualTest, SharingOfCallsCounts) {
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
            "the left uses an expression again, the right another one");
  EXPECT_EQ(compare(Twice, Shared),
            "the right uses an expression again, the left another one");
}

TEST_F(StructuralEqualTest, SharingOfEachKindOfOperation) {
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

TEST_F(StructuralEqualTest, SharingOfProjectionsDoesNotCount) {
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

TEST_F(StructuralEqualTest, ProjectionSharedByBranches) {
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

TEST_F(StructuralEqualTest, NamesDoNotCountBindingDoes) {
  auto Let = [&](StringRef Name) {
    return
        [this, Name](Function &F) { yield(let(neg(F.getBody(), x(F)), Name)); };
  };
  auto Graph = [&](Function &F) { yield(neg(F.getBody(), x(F))); };
  EXPECT_EQ(compare(Let("a"), Let("b")), "");
  EXPECT_EQ(compare(Let("a"), Graph),
            "the left binds '%a', the right has no more bindings");
}

TEST_F(StructuralEqualTest, OrderOfBindingsCounts) {
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

TEST_F(StructuralEqualTest, UsesOfVariables) {
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

TEST_F(StructuralEqualTest, AliasIsTheValueItNames) {
  // let %a = %x; the right names another variable.
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
  // %0 = neg(%x); let %a = %0; is the same as let %a = neg(%x); unless %0 is
  // used elsewhere.
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

TEST_F(StructuralEqualTest, ClosureUnderAnAlias) {
  // The closure's parameters come before the variable, or behind it.
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

TEST_F(StructuralEqualTest, ScopeWithoutBindingsIsItsResult) {
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

TEST_F(StructuralEqualTest, ScopeAgainstFlatBindings) {
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
// Annotations, types, attributes
//===----------------------------------------------------------------------===//

TEST_F(StructuralEqualTest, InferredTypesStandForAnnotations) {
  auto Make = [&](Function &F, Type *Annotation, Type *Result) {
    Operation *Op = let(neg(F.getBody(), x(F)), "a");
    Op->bind(Ctx.intern("a"), Annotation);
    F.getSignature().ResultAnnotation = Result;
    yield(Op);
  };
  auto Get = [&](Type *Annotation, Type *Result) {
    return [&Make, Annotation, Result](Function &F) {
      Make(F, Annotation, Result);
    };
  };
  Type *Dynamic = Ctx.getTensorType(Dim::getAny(), DType::getFloat(32));
  auto Bare = Get(nullptr, nullptr), Full = Get(Vector, Vector);
  auto OtherVar = Get(Dynamic, nullptr), OtherResult = Get(nullptr, Dynamic);
  EXPECT_EQ(compare(Bare, Full), "");
  EXPECT_EQ(compare(Bare, OtherVar),
            "different types: 'Tensor[(3), float32]' and 'Tensor[(?), "
            "float32]'");
  EXPECT_EQ(compare(Bare, OtherResult),
            "different result types: 'Tensor[(3), float32]' and 'Tensor[(?), "
            "float32]'");
}

TEST_F(StructuralEqualTest, Parameters) {
  auto Make = [&](Type *T) {
    return [this, T](Function &F) {
      param(&F, "p", T);
      yield(x(F));
    };
  };
  Type *Wide =
      Ctx.getTensorType(Ctx.getDim(3, DType::getInt(64)), DType::getFloat(32));
  EXPECT_EQ(compare(Make(Vector), Make(Vector)), "");
  EXPECT_EQ(compare(Make(Vector), Make(Wide)),
            "different types: 'Tensor[(3), float32]' and 'Tensor[(3i64), "
            "float32]'");
  EXPECT_EQ(compare(Make(Vector), [&](Function &F) { yield(x(F)); }),
            "different numbers of parameters: 2 and 1");
}

TEST_F(StructuralEqualTest, TypeParametersMatchOneToOne) {
  auto Make = [&](bool Two, bool Swap) {
    return [this, Two, Swap](Function &F) {
      TypeVarType *A = Ctx.createTypeVar("A");
      TypeVarType *B = Two ? Ctx.createTypeVar("B") : A;
      F.getSignature().TypeParams = {A};
      if (Two)
        F.getSignature().TypeParams.push_back(B);
      param(&F, "a", Swap ? B : A);
      param(&F, "b", Swap ? A : B);
      yield(x(F));
    };
  };
  auto One = Make(false, false), Two = Make(true, false),
       Swapped = Make(true, true);
  EXPECT_EQ(compare(One, One), "");
  EXPECT_EQ(compare(Two, Two), "");
  EXPECT_EQ(compare(One, Two), "different type parameters");
  EXPECT_EQ(compare(Two, Swapped), "different types: 'A' and 'B'");
}

TEST_F(StructuralEqualTest, SymbolicDimensionsMatchOneToOne) {
  auto Make = [&](bool Two, bool Wide) {
    return [this, Two, Wide](Function &F) {
      DType T = DType::getInt(Wide ? 64 : 32);
      Dim N = Ctx.createDimVar("n", T, false);
      Dim O = Two ? Ctx.createDimVar("n", T, false) : N;
      Dim Sum = Ctx.getDimExpr(DimOp::Add, O, Ctx.getDim(1));
      param(&F, "a", Ctx.getTensorType({N, O}, DType::getInt(8)));
      param(&F, "b", Ctx.getTensorType({O, Sum}, DType::getInt(8)));
      yield(x(F));
    };
  };
  EXPECT_EQ(compare(Make(false, false), Make(false, false)), "");
  EXPECT_EQ(compare(Make(true, false), Make(true, false)), "");
  EXPECT_NE(compare(Make(true, false), Make(false, false)), "");
  EXPECT_NE(compare(Make(false, false), Make(true, false)), "");
  EXPECT_NE(compare(Make(false, false), Make(false, true)), "");
}

TEST_F(StructuralEqualTest, OwnParametersOfFunctionTypes) {
  auto Make = [&](bool Same) {
    return [this, Same](Function &F) {
      TypeVarType *A = Ctx.createTypeVar("A");
      TypeVarType *B = Same ? A : Ctx.createTypeVar("B");
      param(&F, "a", Ctx.getFuncType(A, A, A));
      param(&F, "b", Ctx.getFuncType(B, B, B));
      yield(x(F));
    };
  };
  EXPECT_EQ(compare(Make(true), Make(false)), "");
}

TEST_F(StructuralEqualTest, VirtualDevices) {
  auto Make = [&](StringRef Param, StringRef Var, StringRef Result) {
    auto Device = [this](StringRef S) {
      return S.empty() ? Attr() : Ctx.getString(S);
    };
    return [=](Function &F) {
      cast<BlockArgument>(x(F))->setVirtualDevice(Device(Param));
      F.getSignature().VirtualDevice = Device(Result);
      Operation *Op = neg(F.getBody(), x(F));
      Op->bind(Ctx.intern("a"), nullptr, Device(Var));
      yield(Op);
    };
  };
  EXPECT_EQ(compare(Make("cpu", "cpu", "cpu"), Make("cpu", "cpu", "cpu")), "");
  EXPECT_EQ(compare(Make("cpu", "", ""), Make("", "", "")),
            "different virtual devices");
  EXPECT_EQ(compare(Make("", "cpu", ""), Make("", "gpu", "")),
            "different virtual devices");
  EXPECT_EQ(compare(Make("", "", "cpu"), Make("", "", "")),
            "different virtual devices of the result");
  EqualOptions AsTVM;
  AsTVM.ResultVirtualDevices = false;
  EXPECT_EQ(compare(Make("", "", "cpu"), Make("", "", ""), AsTVM), "");
}

TEST_F(StructuralEqualTest, AttributesOfCalls) {
  auto Make = [&](int64_t Axis, double Alpha, Attr Shape) {
    return [this, Axis, Alpha, Shape](Function &F) {
      yield(
          make(F.getBody(), "test.attrs", x(F),
               getAttrs("test.attrs", {Ctx.getInt(Axis), Shape,
                                       Ctx.getFloat(Alpha, DType::getFloat(64)),
                                       Ctx.getString("A")})));
    };
  };
  Attr Three = Ctx.getIntArray({3});
  Attr Wide = Ctx.getArray({Attr(Ctx.getInt(3, DType::getInt(64)))});
  EXPECT_EQ(compare(Make(0, 1, Three), Make(0, 1, Three)), "");
  EXPECT_EQ(compare(Make(0, 1, Three), Make(2, 1, Three)),
            "different attribute 'axis'");
  EXPECT_EQ(compare(Make(0, 1, Three), Make(0, 1, Wide)),
            "different attribute 'shape'");
  EXPECT_EQ(compare(Make(0, 1, Three), Make(0, 1, Attr())),
            "different attribute 'shape'");
  EXPECT_EQ(compare(Make(0, 1, Three), Make(0, 1 + 1e-10, Three)),
            "different attribute 'alpha'");
  EqualOptions AsTVM;
  AsTVM.AttributeTolerance = 1e-9;
  EXPECT_EQ(compare(Make(0, 1, Three), Make(0, 1 + 1e-10, Three), AsTVM), "");
  EXPECT_NE(compare(Make(0, 1, Three), Make(0, 1 + 2e-9, Three), AsTVM), "");
}

TEST_F(StructuralEqualTest, SymbolicDimensionsInAttributes) {
  auto Make = [&](bool Same) {
    return [this, Same](Function &F) {
      Dim N = Ctx.createDimVar("n", DType::getInt(32), false);
      Dim O = Same ? N : Ctx.createDimVar("m", DType::getInt(32), false);
      param(&F, "n", Ctx.getTensorType(N, DType::getInt(8)));
      yield(make(F.getBody(), "test.attrs", x(F),
                 getAttrs("test.attrs", {Ctx.getInt(0), Ctx.getArray({Attr(O)}),
                                         Ctx.getFloat(0, DType::getFloat(64)),
                                         Ctx.getString("A")})));
    };
  };
  EXPECT_EQ(compare(Make(true), Make(true)), "");
  EXPECT_EQ(compare(Make(true), Make(false)), "different attribute 'shape'");
}

TEST_F(StructuralEqualTest, FunctionAttributesInAnyOrder) {
  auto Make = [&](ArrayRef<NamedAttr> Entries) {
    return [this, Entries](Function &F) {
      F.getSignature().Attributes = Ctx.getDictAttrs(Entries);
      yield(x(F));
    };
  };
  Attr A = Ctx.getString("a"), B = Ctx.getString("b"), One = Ctx.getInt(1);
  NamedAttr AB[] = {{A, One}, {B, A}}, BA[] = {{B, A}, {A, One}},
            OnlyA[] = {{A, One}}, Other[] = {{A, One}, {B, B}};
  EXPECT_EQ(compare(Make(AB), Make(BA)), "");
  EXPECT_EQ(compare(Make(AB), Make(OnlyA)), "different function attribute 'b'");
  EXPECT_EQ(compare(Make(OnlyA), Make(AB)), "different function attribute 'b'");
  EXPECT_EQ(compare(Make(AB), Make(Other)), "different function attribute 'b'");
  EXPECT_EQ(compare(Make({}), [&](Function &F) { yield(x(F)); }), "");
}

TEST_F(StructuralEqualTest, ObjectsOfUnknownKind) {
  // Nodes 0 to 2: null, the table, its one list. Node 3 refers to node 4 or,
  // behind a node that nobody refers to, 5.
  auto Document = [&](bool Shift, StringRef Text, StringRef Number) {
    auto D = std::make_unique<MetaDocument>();
    auto Add = [&](StringRef Key, const Twine &Rest) {
      D->Nodes.push_back(
          {Key.str(), ("{\"type_key\": \"" + Key + "\", " + Rest + "}").str()});
    };
    Add("", "\"data\": []");
    Add("Map", "\"keys\": [\"Foo\"], \"data\": [2]");
    Add("Array", "\"data\": [3]");
    Add("Foo", "\"attrs\": {\"text\": \"" + Twine(Shift ? "5" : "4") +
                   "\", \"number\": \"" + Number + "\", \"span\": \"" +
                   Twine(Shift ? "0" : "4") + "\"}");
    if (Shift)
      Add("Unused", "\"repr_str\": \"\"");
    Add("runtime.String", "\"repr_str\": \"" + Text + "\"");
    D->Values.resize(D->Nodes.size());
    Attr Result = Ctx.getRaw(D.get(), 3);
    M.addMetaDocument(std::move(D));
    return Result;
  };
  auto Make = [&](Attr Raw) {
    return [this, Raw](Function &F) {
      F.getSignature().Attributes =
          Ctx.getDictAttrs({{Ctx.getString("a"), Raw}});
      yield(x(F));
    };
  };
  auto Same = [&](Attr L, Attr R) {
    Function *FL = build(Make(L)), *FR = build(Make(R));
    return isStructurallyEqual(*FL, *FR);
  };
  Attr A = Document(false, "a", "1");
  EXPECT_TRUE(Same(A, A));
  EXPECT_TRUE(Same(A, Document(false, "a", "1")));
  EXPECT_TRUE(Same(A, Document(true, "a", "1")));
  EXPECT_FALSE(Same(A, Document(false, "b", "1")));
  EXPECT_FALSE(Same(A, Document(true, "b", "1")));
  EXPECT_FALSE(Same(A, Document(false, "a", "2")));
  EXPECT_EQ(getStructuralHash(*build(Make(A))),
            getStructuralHash(*build(Make(Document(true, "a", "1")))));
}

TEST_F(StructuralEqualTest, ConstantsByContent) {
  auto Make = [&](double Value, DType T) {
    return [this, Value, T](Function &F) {
      yield(tuple(F.getBody(), {x(F), constant(F.getBody(), Value, T)}));
      F.getSignature().ResultAnnotation = Ctx.getTupleType({});
      F.getBody().getResult()->setTypeRaw(Ctx.getTupleType({}));
      F.getBody().getResult()->setTypeRaw(nullptr);
    };
  };
  DType F32 = DType::getFloat(32);
  EXPECT_EQ(compare(Make(0.1, F32), Make(0.1, F32)), "");
  EXPECT_EQ(compare(Make(1, F32), Make(1, DType::getInt(32))),
            "different constants");
  EXPECT_EQ(compare(Make(1, F32), Make(1.000001, F32)), "different constants");
  EqualOptions Loose;
  Loose.RelativeTolerance = 1e-5;
  EXPECT_EQ(compare(Make(1, F32), Make(1.000001, F32), Loose), "");
  EXPECT_EQ(compare(Make(1e30, F32), Make(1.000001e30, F32), Loose), "");
  EXPECT_EQ(compare(Make(-1, F32), Make(1, F32), Loose), "different constants");
  EXPECT_EQ(compare(Make(1, F32), Make(1.0001, F32), Loose),
            "different constants");
  double Inf = std::numeric_limits<double>::infinity();
  double NaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare(Make(Inf, F32), Make(Inf, F32), Loose), "");
  EXPECT_EQ(compare(Make(Inf, F32), Make(3e38, F32), Loose),
            "different constants");
  EXPECT_EQ(compare(Make(NaN, F32), Make(NaN, F32), Loose), "");
  EXPECT_EQ(compare(Make(NaN, F32), Make(0, F32), Loose),
            "different constants");
  EXPECT_EQ(compare(Make(100000, DType::getInt(32)),
                    Make(100001, DType::getInt(32)), Loose),
            "different constants");
}

//===----------------------------------------------------------------------===//
// Calls, closures, match
//===----------------------------------------------------------------------===//

TEST_F(StructuralEqualTest, OperandsAndTheirNumber) {
  auto Tuple = [&](unsigned N) {
    return [this, N](Function &F) {
      yield(tuple(F.getBody(), SmallVector<Value *>(N, x(F))));
      F.getSignature().ResultAnnotation = Vector;
      F.getBody().getResult()->setTypeRaw(nullptr);
    };
  };
  EXPECT_EQ(compare(Tuple(2), Tuple(3)),
            "different numbers of operands: 2 and 3");
  EXPECT_EQ(compare(Tuple(0), Tuple(1)),
            "different numbers of operands: 0 and 1");
  EXPECT_EQ(compare([&](Function &F) { yield(neg(F.getBody(), x(F))); },
                    [&](Function &F) { yield(x(F)); }),
            "different values: 'test.neg' and '%x'");
}

TEST_F(StructuralEqualTest, TypeArgumentsOfCallsOfNonOperators) {
  auto Call = [&](StringRef Op, Type *Argument) {
    return [this, Op, Argument](Function &F) {
      Operation *Call = Op == "test.neg" ? neg(F.getBody(), x(F))
                                         : call(F.getBody(), "g", x(F));
      Call->setTypeRaw(Vector);
      Call->setTypeArgs(F, Argument);
      yield(Call);
    };
  };
  EXPECT_EQ(compare(Call("g", Vector), Call("g", Vector)), "");
  EXPECT_EQ(compare(Call("g", Vector), Call("g", Bool)),
            "different type arguments: 'Tensor[(3), float32]' and 'bool'");
  EXPECT_EQ(compare(Call("test.neg", Vector), Call("test.neg", Bool)), "");
}

TEST_F(StructuralEqualTest, Closures) {
  auto Make = [&](StringRef Name, Type *T, Attr Primitive) {
    return [this, Name, T, Primitive](Function &F) {
      Operation *Op = identity(F.getBody(), Name, T);
      Op->getSignature().Attributes =
          Ctx.getDictAttrs({{Ctx.getString("Primitive"), Primitive}});
      Op->setTypeRaw(inferOperationType(*Op));
      yield(tuple(F.getBody(), {Op}));
      F.getSignature().ResultAnnotation = Vector;
      F.getBody().getResult()->setTypeRaw(nullptr);
    };
  };
  Attr One = Ctx.getInt(1), Wide = Ctx.getInt(1, DType::getInt(64));
  EXPECT_EQ(compare(Make("y", Vector, One), Make("z", Vector, One)), "");
  EXPECT_EQ(compare(Make("y", Vector, One), Make("y", Bool, One)),
            "different types: 'Tensor[(3), float32]' and 'bool'");
  EXPECT_EQ(compare(Make("y", Vector, One), Make("y", Vector, Wide)),
            "different function attribute 'Primitive'");
}

TEST_F(StructuralEqualTest, RecursiveClosures) {
  auto Make = [&](StringRef Name, bool Recursive) {
    return [this, Name, Recursive](Function &F) {
      Operation *Other = let(identity(F.getBody(), "y", Vector), "other");
      Operation *Op = let(fn(F.getBody()), Name);
      Block &Body = Op->getRegion();
      Value *Y = Body.addArgument(Ctx.intern("y"), Vector);
      Body.setResultRaw(make(Body, "relay.call", {Recursive ? Op : Other, Y},
                             getAttrs("relay.call", Attr())));
      yield(make(F.getBody(), "relay.call", {Op, x(F)},
                 getAttrs("relay.call", Attr())));
    };
  };
  EXPECT_EQ(compare(Make("f", true), Make("g", true)), "");
  EXPECT_EQ(compare(Make("f", true), Make("f", false)),
            "different variables: '%f' and '%other'");
}

TEST_F(StructuralEqualTest, Patterns) {
  using Kind = MatchPattern::Kind;
  auto Make = [&](bool Wildcard, bool Complete, StringRef Constructor,
                  bool Swap) {
    return [=](Function &F) {
      IRArena &Arena = F.getArena();
      auto New = [&](Kind K) {
        auto *P = new (Arena.allocate(sizeof(MatchPattern))) MatchPattern();
        P->K = K;
        return P;
      };
      Operation *Op = make(F.getBody(), "relay.match", x(F), nullptr, 1);
      Block &Clause = Op->getRegion();
      BlockArgument *V = Clause.addArgument(Ctx.intern("v"), Vector);
      MatchPattern *Parts[] = {New(Kind::Var), New(Kind::Wildcard)};
      Parts[0]->Variable = V;
      if (!Wildcard) {
        Parts[1]->K = Kind::Var;
        Parts[1]->Variable = Clause.addArgument(Ctx.intern("w"), Vector);
      }
      MatchPattern *Root = New(Kind::Constructor);
      Root->Constructor = Ctx.intern(Constructor);
      Root->Children = Arena.copy(ArrayRef<MatchPattern *>(Parts));
      Op->setPatterns(Root);
      Op->setCompleteMatch(Complete);
      Clause.setResultRaw(Swap ? Clause.getArguments().back() : V);
      Op->setTypeRaw(Vector);
      yield(Op);
    };
  };
  auto Base = Make(false, true, "Cons", false);
  EXPECT_EQ(compare(Base, Base), "");
  EXPECT_EQ(compare(Base, Make(true, true, "Cons", false)),
            "different patterns");
  EXPECT_EQ(compare(Base, Make(false, false, "Cons", false)),
            "'match' and 'match?'");
  EXPECT_EQ(compare(Base, Make(false, true, "Nil", false)),
            "different patterns");
  EXPECT_EQ(compare(Base, Make(false, true, "Cons", true)),
            "different variables: '%v' and '%w'");
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

class ModuleEqualTest : public StructuralEqualTest {
protected:
  /// A function that calls the others and one named \p Own.
  void fill(Module &Mod, StringRef Own, ArrayRef<StringRef> Callees) {
    Function *F = Mod.createFunction(Own);
    Value *V = param(F, "x");
    for (StringRef Callee : Callees)
      (V = call(F->getBody(), Callee, V))->setTypeRaw(Vector);
    F->getBody().setResultRaw(V);
    F->normalize();
  }
  std::string compareModules(Module &L, Module &R, const EqualOptions &O = {}) {
    Difference D;
    bool Equal = isStructurallyEqual(L, R, O, &D);
    EXPECT_EQ(isStructurallyEqual(R, L, O), Equal);
    EXPECT_EQ(Equal, D.Reason.empty());
    if (!O.MatchLiftedNames)
      EXPECT_EQ(getStructuralHash(L) == getStructuralHash(R), Equal);
    return D.Reason;
  }
  void addList(Module &Mod, StringRef Name, StringRef Head, StringRef Var) {
    auto D = std::make_unique<TypeDef>();
    D->Name = Ctx.intern(Name);
    TypeVarType *A = Ctx.createTypeVar(Var);
    D->TypeParams = {A};
    auto Cons = std::make_unique<Constructor>();
    Cons->Name = Ctx.intern(Head);
    Cons->Fields = {A, Ctx.getTypeCall(Name, {A})};
    D->Constructors.push_back(std::move(Cons));
    Mod.addTypeDef(std::move(D));
  }

  Module L{Ctx}, R{Ctx};
};

TEST_F(ModuleEqualTest, FunctionsByNameInAnyOrder) {
  fill(L, "f", {});
  fill(L, "g", {"f"});
  fill(R, "g", {"f"});
  fill(R, "f", {});
  EXPECT_EQ(compareModules(L, R), "");
  fill(R, "h", {});
  EXPECT_EQ(compareModules(L, R), "'@h' is only on the right");
  fill(L, "i", {});
  EXPECT_EQ(compareModules(R, L), "'@i' is only on the right");
}

TEST_F(ModuleEqualTest, CalleesByName) {
  for (Module *Mod : {&L, &R}) {
    fill(*Mod, "f", {});
    fill(*Mod, "g", {});
  }
  fill(L, "main", {"f"});
  fill(R, "main", {"g"});
  EXPECT_EQ(compareModules(L, R), "different functions: '@f' and '@g'");
}

TEST_F(ModuleEqualTest, LiftedNamesMatchOneToOne) {
  EqualOptions O;
  O.MatchLiftedNames = true;
  fill(L, "lifted_name1", {});
  fill(L, "lifted_name2", {"lifted_name1"});
  fill(L, "main", {"lifted_name2"});
  fill(R, "main", {"lifted_name77"});
  fill(R, "lifted_name77", {"lifted_name5"});
  fill(R, "lifted_name5", {});
  EXPECT_EQ(compareModules(L, R, O), "");
  EXPECT_EQ(compareModules(L, R), "'@lifted_name77' is only on the right");
  // What nothing calls matches in order.
  fill(L, "lifted_name3", {"lifted_name3"});
  EXPECT_EQ(compareModules(L, R, O), "different numbers of functions: 4 and 3");
  fill(R, "lifted_name4", {"lifted_name4"});
  EXPECT_EQ(compareModules(L, R, O), "");
}

TEST_F(ModuleEqualTest, OneLiftedNameIsNotTwo) {
  EqualOptions O;
  O.MatchLiftedNames = true;
  for (Module *Mod : {&L, &R}) {
    fill(*Mod, "lifted_name1", {});
    fill(*Mod, "lifted_name2", {});
    fill(*Mod, "lifted_namex", {});
  }
  fill(L, "main", {"lifted_name1", "lifted_name1"});
  fill(R, "main", {"lifted_name2", "lifted_name1"});
  EXPECT_EQ(compareModules(L, R, O),
            "different functions: '@lifted_name1' and '@lifted_name2'");
}

TEST_F(ModuleEqualTest, LiftedFunctionsAreCompared) {
  EqualOptions O;
  O.MatchLiftedNames = true;
  fill(L, "lifted_name1", {});
  fill(R, "lifted_name2", {"lifted_name2"});
  fill(L, "main", {"lifted_name1"});
  fill(R, "main", {"lifted_name2"});
  EXPECT_NE(compareModules(L, R, O), "");
}

TEST_F(ModuleEqualTest, TypeDefinitions) {
  addList(L, "List", "Cons", "A");
  addList(R, "List", "Cons", "B");
  EXPECT_EQ(compareModules(L, R), "");
  addList(L, "Tree", "Rose", "A");
  EXPECT_EQ(compareModules(L, R), "type 'Tree' is only on the left");
  addList(R, "Tree", "Leaf", "A");
  EXPECT_EQ(compareModules(L, R), "different definitions of type 'Tree'");
}

TEST_F(ModuleEqualTest, AttributesOfTheModule) {
  L.setAttributes(Ctx.getDictAttrs({{Ctx.getString("a"), Ctx.getInt(1)}}));
  EXPECT_EQ(compareModules(L, R), "different attributes of the module");
  EqualOptions O;
  O.ModuleAttributes = false;
  EXPECT_TRUE(isStructurallyEqual(L, R, O));
}

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

TEST_F(StructuralEqualTest, LongChainsAndWideSharing) {
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

TEST_F(StructuralEqualTest, ProjectionsOfProjections) {
  // A chain of projections, used by many: looked at once on each side.
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

/// Random graphs: sharing a constant or a projection, or not, changes nothing.
TEST_F(StructuralEqualTest, RandomGraphsWithAndWithoutSharing) {
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
        // Everything counts.
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
