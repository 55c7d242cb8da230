//===- ModuleEqualTest.cpp - Equality of modules --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions, names that match one to one, type definitions, attributes.
//
//===----------------------------------------------------------------------===//

#include "EqualTest.h"

using namespace relay;
using namespace relay::test;

namespace {

class ModuleEqualTest : public EqualTest {
protected:
  /// Creates a function that calls \p Callees, and one named \p Own.
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
    if (!O.MatchLiftedNames) {
      EXPECT_EQ(getStructuralHash(L) == getStructuralHash(R), Equal);
    }
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
  // Functions without callers match in order.
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

} // namespace
