//===- LifetimesTest.cpp - Owners of attributes and variables -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes outlive their module while there are other owners. A Context that
// creates and destroys modules does not grow.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"
#include "relay/IR/AttrRef.h"

using namespace relay;
using namespace relay::test;

namespace {

class LifetimesTest : public IRTest {
protected:
  std::shared_ptr<MetaDocument> makeDocument(StringRef Text) {
    return MetaDocument::create(
        Ctx, {{"Foo", ("{\"repr_str\": \"" + Text + "\"}").str()}}, {"QQ=="});
  }
  Attr getConstant(float Value) {
    return Ctx.getScalarConstant(DType::getFloat(32), double(Value));
  }
};

//===----------------------------------------------------------------------===//
// Raw metadata
//===----------------------------------------------------------------------===//

TEST_F(LifetimesTest, RawAttributeOfAModuleThatHasGone) {
  AttrRef Held, InDict, InOther;
  {
    Module Other(Ctx);
    auto D = makeDocument("a");
    Attr Raw = Ctx.getRaw(*D, 0);
    Held = AttrRef(Raw);
    InDict = AttrRef(
        Ctx.getArray(ArrayRef<Attr>{Ctx.getDict({{Ctx.getString("k"), Raw}})}));
    Other.keep(std::move(D));
  }
  const MetaDocument *D = Held.get().getRawDocument();
  EXPECT_EQ(D->Nodes[Held->getRawNode()].TypeKey, "Foo");
  EXPECT_EQ(D->Arrays, std::vector<std::string>{"QQ=="});
  Held = AttrRef();
  Attr Inner = InDict->getArray()[0].lookup("k");
  EXPECT_EQ(Inner.getRawDocument(), D);
  AttrRef Copy = InDict;
  InDict = AttrRef();
  EXPECT_EQ(Inner.getRawDocument(), D);
}

/// Two documents have different identities while both exist, even with equal
/// contents. A destroyed document is not confused with one of other contents.
TEST_F(LifetimesTest, IdentityOfDocuments) {
  auto A = makeDocument("a"), Same = makeDocument("a");
  Attr OfA = Ctx.getRaw(*A, 0);
  EXPECT_EQ(OfA, Ctx.getRaw(*A, 0));
  EXPECT_NE(OfA, Ctx.getRaw(*A, 1));
  EXPECT_NE(OfA, Ctx.getRaw(*Same, 0));
  A.reset();
  auto B = makeDocument("b");
  EXPECT_NE(OfA, Ctx.getRaw(*B, 0));
  auto Again = makeDocument("a");
  EXPECT_EQ(OfA, Ctx.getRaw(*Again, 0));
  EXPECT_EQ(OfA.getRawDocument(), Again.get());
}

TEST_F(LifetimesTest, ClonesShareWhatAModuleKeeps) {
  auto Original = std::make_unique<Module>(Ctx);
  auto D = makeDocument("a");
  std::weak_ptr<MetaDocument> Weak = D;
  Original->keep(std::move(D));
  std::unique_ptr<Module> Clone = Original->clone();
  Original.reset();
  EXPECT_FALSE(Weak.expired());
  Clone.reset();
  EXPECT_TRUE(Weak.expired());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TEST_F(LifetimesTest, ConstantAfterItsModule) {
  Attr Value = getConstant(2.5f);
  AttrRef Held;
  {
    Module Other(Ctx);
    Block &B = Other.createFunction("main")->getBody();
    B.setResultRaw(constant(B, 2.5));
    Held = AttrRef(Value);
  }
  Ctx.releaseUnusedConstants();
  EXPECT_EQ(Held->getConstant()->getScalar<float>(), 2.5f);
  Held = AttrRef();
  Ctx.releaseUnusedConstants();
  EXPECT_TRUE(Value.getConstant()->isReleased());
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

TEST_F(LifetimesTest, VariablesOfModules) {
  DType T = DType::getInt(32);
  auto First = std::make_unique<Module>(Ctx);
  Dim N = First->createDimVar("n", T, false);
  Dim Other = First->createDimVar("n", T, false);
  EXPECT_NE(N, Other);
  Module Second(Ctx);
  EXPECT_NE(Second.createDimVar("n", T, false), N);
  std::unique_ptr<Module> Clone = First->clone();
  First.reset();
  EXPECT_NE(Second.createDimVar("n", T, false), N); // the clone has it
  Clone.reset();
  EXPECT_NE(Second.createDimVar("m", T, false), N);
  EXPECT_NE(Second.createDimVar("n", T, true), N);
  EXPECT_NE(Second.createDimVar("n", DType::getInt(64), false), N);
  EXPECT_EQ(Second.createDimVar("n", T, false), N);
  EXPECT_EQ(Second.createDimVar("n", T, false), Other);
}

TEST_F(LifetimesTest, AContextThatDropsModulesDoesNotGrow) {
  auto MakeModule = [&] {
    Module Other(Ctx);
    Dim N = Other.createDimVar("n", DType::getInt(32), false);
    Function *F = Other.createFunction("main");
    F->getBody().addArgument(
        "x",
        Ctx.getTensorType({N, Ctx.getDimExpr(DimOp::Add, N, Ctx.getDim(1))},
                          DType::getFloat(32)));
    auto D = makeDocument("a");
    F->getSignature().Attributes =
        Ctx.getDictAttrs({{Ctx.getString("raw"), Ctx.getRaw(*D, 0)}});
    Other.keep(std::move(D));
  };
  MakeModule();
  size_t Before = Ctx.getUniquedMemory();
  for (unsigned I = 0; I != 1000; ++I)
    MakeModule();
  EXPECT_EQ(Ctx.getUniquedMemory(), Before);
}

//===----------------------------------------------------------------------===//
// The end of a Context
//===----------------------------------------------------------------------===//

TEST(ContextEndTest, ActionsWithATokenAreRun) {
  std::string Done;
  std::shared_ptr<const void> Held;
  {
    Context Ctx;
    Held = Ctx.atEnd([&] { Done += "held "; });
    (void)Ctx.atEnd([&] { Done += "dropped "; });
    EXPECT_EQ(Done, "");
  }
  EXPECT_EQ(Done, "held ");
}

/// Actions without a token are dropped.
TEST(ContextEndTest, ActionsGoWithTheirTokens) {
  Context Ctx;
  auto Used = std::make_shared<int>();
  for (unsigned I = 0; I != 10000; ++I)
    (void)Ctx.atEnd([Used] {});
  EXPECT_LE(Used.use_count(), 2);
}

} // namespace
