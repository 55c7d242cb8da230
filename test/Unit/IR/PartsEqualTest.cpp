//===- PartsEqualTest.cpp - Equality: parts of operations -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Annotations, types, attributes, calls, closures and patterns; the
// expectations were measured in TVM 0.18. Equal IR has equal hashes, and each
// difference here changes the hash.
//
//===----------------------------------------------------------------------===//

#include "EqualTest.h"
#include <limits>

using namespace relay;
using namespace relay::test;

namespace {

using PartsEqualTest = EqualTest;

//===----------------------------------------------------------------------===//
// Annotations, types, attributes
//===----------------------------------------------------------------------===//

TEST_F(PartsEqualTest, InferredTypesStandForAnnotations) {
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
  // TVM's InferType replaces annotations by the types.
  EXPECT_EQ(compare(Bare, OtherVar), "");
  EXPECT_EQ(compare(Bare, OtherResult), "");
}

TEST_F(PartsEqualTest, AnnotationsStandForUnknownTypes) {
  auto Get = [&](Type *Annotation, Type *Result) {
    return [=](Function &F) {
      Operation *Op = let(neg(F.getBody(), x(F)), "a");
      Op->bind(Ctx.intern("a"), Annotation);
      Op->setTypeRaw(nullptr);
      F.getSignature().ResultAnnotation = Result;
      yield(Op);
    };
  };
  Type *Dynamic = Ctx.getTensorType(Dim::getAny(), DType::getFloat(32));
  EXPECT_EQ(compare(Get(Vector, Vector), Get(Vector, Vector)), "");
  EXPECT_EQ(compare(Get(Vector, Vector), Get(Dynamic, Vector)),
            "different types: 'Tensor[(3), float32]' and 'Tensor[(?), "
            "float32]'");
  EXPECT_EQ(compare(Get(Vector, Vector), Get(Vector, Dynamic)),
            "different result types: 'Tensor[(3), float32]' and 'Tensor[(?), "
            "float32]'");
}

TEST_F(PartsEqualTest, Parameters) {
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

TEST_F(PartsEqualTest, TypeParametersMatchOneToOne) {
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

TEST_F(PartsEqualTest, SymbolicDimensionsMatchOneToOne) {
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

TEST_F(PartsEqualTest, OwnParametersOfFunctionTypes) {
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

TEST_F(PartsEqualTest, VirtualDevices) {
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

TEST_F(PartsEqualTest, AttributesOfCalls) {
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

TEST_F(PartsEqualTest, SymbolicDimensionsInAttributes) {
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

TEST_F(PartsEqualTest, FunctionAttributesInAnyOrder) {
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

TEST_F(PartsEqualTest, ObjectsOfUnknownKind) {
  // Nodes 0 to 2: null, the table, its only list. Node 3 refers to node 4 or,
  // after an unreferenced node, to 5.
  auto Document = [&](bool Shift, StringRef Text, StringRef Number,
                      StringRef More = "") {
    std::vector<MetaNode> Nodes;
    auto Add = [&](StringRef Key, const Twine &Rest) {
      Nodes.push_back(
          {Key.str(), ("{\"type_key\": \"" + Key + "\", " + Rest + "}").str()});
    };
    Add("", "\"data\": []");
    Add("Map", "\"keys\": [\"Foo\"], \"data\": [2]");
    Add("Array", "\"data\": [3]");
    Add("Foo", "\"attrs\": {\"text\": \"" + Twine(Shift ? "5" : "4") +
                   "\", \"number\": \"" + Number + "\", \"span\": \"" +
                   Twine(Shift ? "0" : "4") + "\"" + More + "}");
    if (Shift)
      Add("Unused", "\"repr_str\": \"\"");
    Add("runtime.String", "\"repr_str\": \"" + Text + "\"");
    auto D = MetaDocument::create(Ctx, std::move(Nodes), {});
    D->Values.resize(D->Nodes.size());
    Attr Result = Ctx.getRaw(*D, 3);
    M.keep(std::move(D));
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
  // One of them has an additional field.
  Attr Larger = Document(false, "a", "1", ", \"more\": \"1\"");
  EXPECT_FALSE(Same(A, Larger));
  EXPECT_FALSE(Same(Larger, A));
  // Lists of nodes: of different lengths, of different nodes.
  auto List = [&](StringRef Data, StringRef Text = "a") {
    return Document(false, Text, "1", (", \"list\": \"" + Data + "\"").str());
  };
  EXPECT_TRUE(Same(List("2"), List("2")));
  EXPECT_FALSE(Same(List("2"), List("4")));
  EXPECT_EQ(getStructuralHash(*build(Make(A))),
            getStructuralHash(*build(Make(Document(true, "a", "1")))));
}

TEST_F(PartsEqualTest, ConstantsByContent) {
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

TEST_F(PartsEqualTest, OperandsAndTheirNumber) {
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

TEST_F(PartsEqualTest, TypeArgumentsOfCallsOfNonOperators) {
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

TEST_F(PartsEqualTest, Closures) {
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

TEST_F(PartsEqualTest, RecursiveClosures) {
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

TEST_F(PartsEqualTest, Patterns) {
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

} // namespace
