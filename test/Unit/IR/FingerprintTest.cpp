//===- FingerprintTest.cpp - Detection of changed functions ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// getFingerprint(): the same for clones, different for each change that the
// text of a function shows.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Fingerprint.h"
#include "TestIR.h"
#include <array>

using namespace relay;
using namespace relay::test;

namespace {

class FingerprintTest : public IRTest {
protected:
  /// `let %v = neg(%x); if (%c) { neg(%v) } else { let %u = neg(%v); %u }`
  Function *createSample() {
    Function *F = createFunction();
    Block &B = F->getBody();
    X = param(F, "x");
    Value *C = param(F, "c");
    Bound = let(neg(B, X), "v");
    If = makeIf(B, C);
    Block &Then = If->getRegion(0), &Else = If->getRegion(1);
    Then.setResultRaw(neg(Then, Bound));
    Else.setResultRaw(let(neg(Else, Bound), "u"));
    B.setResultRaw(If);
    F->normalize();
    return F;
  }

  BlockArgument *X;
  Operation *Bound, *If;
};

TEST_F(FingerprintTest, Clone) {
  Function *F = createSample();
  Function *Copy = createFunction("copy");
  Copy->cloneFrom(*F);
  Copy->normalize();
  EXPECT_EQ(getFingerprint(*F), getFingerprint(*Copy));
}

TEST_F(FingerprintTest, Changes) {
  Function *F = createSample();
  uint64_t Last = getFingerprint(*F);
  auto ExpectChanged = [&](StringRef What) {
    F->normalize();
    EXPECT_NE(getFingerprint(*F), Last) << What.str();
    Last = getFingerprint(*F);
  };
  X->setName(Ctx.intern("y"));
  ExpectChanged("name of a parameter");
  Bound->bind(Ctx.intern("w"));
  ExpectChanged("name of a variable");
  If->setTypeRaw(Vector);
  ExpectChanged("type");
  Bound->setOperandRaw(0, F->getParams()[1]);
  ExpectChanged("operand");
  Block &Then = If->getRegion(0), &Else = If->getRegion(1);
  Then.setResultRaw(neg(Then, neg(Then, Bound)));
  ExpectChanged("operation of a region");
  Else.setResultRaw(Bound);
  ExpectChanged("result of a region");
  F->getSignature().ResultAnnotation = Vector;
  ExpectChanged("signature");
  F->getBody().setResultRaw(X);
  ExpectChanged("result");
}

/// Each property of an operation, of an argument and of a signature.
TEST_F(FingerprintTest, Properties) {
  Function *F = createSample();
  uint64_t Last = getFingerprint(*F);
  auto ExpectChanged = [&](StringRef What) {
    EXPECT_NE(getFingerprint(*F), Last) << What.str();
    Last = getFingerprint(*F);
  };
  Type *Bool = Ctx.getScalarType(DType::getBool());
  Attr Device = Ctx.getString("device");
  X->setTypeRaw(Bool);
  ExpectChanged("type of a parameter");
  X->setAnnotation(Bool);
  ExpectChanged("annotation of a parameter");
  X->setVirtualDevice(Device);
  ExpectChanged("device of a parameter");
  Bound->bind(Bound->getVarName(), Vector);
  ExpectChanged("annotation of a variable");
  Bound->bind(Bound->getVarName(), Vector, Device);
  ExpectChanged("device of a variable");
  Bound->setAttrsRaw(Ctx.getDictAttrs({}));
  ExpectChanged("attributes");
  Bound->setTypeArgs(*F, {Bool});
  ExpectChanged("type arguments");
  Bound->setTypeArgs(*F, {Vector});
  ExpectChanged("a type argument");
  Bound->unbind();
  ExpectChanged("binding");
  for (Signature *S :
       {&F->getSignature(), &(If = fn(F->getBody()))->getSignature()}) {
    if (S != &F->getSignature()) {
      If->getRegion().setResultRaw(X);
      F->getBody().setResultRaw(If);
      ExpectChanged("closure");
    }
    TypeVarType *A = Ctx.createTypeVar("A");
    S->TypeParams = {A};
    ExpectChanged("number of type parameters");
    S->TypeParams = {Ctx.createTypeVar("A")};
    ExpectChanged("type parameter");
    S->ResultAnnotation = Bool;
    ExpectChanged("result annotation");
    S->Attributes = Ctx.getDictAttrs({});
    ExpectChanged("attributes of a function");
    S->VirtualDevice = Device;
    ExpectChanged("device of the result");
  }
}

/// Positions are not part of a function's text, but Rewriters announce their
/// changes.
TEST_F(FingerprintTest, PositionsOfParts) {
  Function *F = createSample();
  uint64_t Text = getFingerprint(*F);
  PartFingerprint OfFunction = getPartFingerprint(*F),
                  OfOperation = getPartFingerprint(*Bound);
  X->setLoc(Location::fromOffset(7));
  EXPECT_NE(getPartFingerprint(*F).Structure, OfFunction.Structure);
  EXPECT_EQ(getPartFingerprint(*F).Types, OfFunction.Types);
  EXPECT_EQ(getPartFingerprint(*Bound), OfOperation);
  Bound->setLoc(Location::fromOffset(8));
  EXPECT_NE(getPartFingerprint(*Bound).Structure, OfOperation.Structure);
  EXPECT_EQ(getPartFingerprint(*Bound).Types, OfOperation.Types);
  EXPECT_EQ(getFingerprint(*F), Text);
}

/// Each property of an operation, of a function and of a closure is part of its
/// structure or of its types, but not of both.
TEST_F(FingerprintTest, PropertiesOfParts) {
  Function *F = createSample();
  Operation *Closure = fn(F->getBody());
  Closure->getRegion().setResultRaw(X);
  auto Get = [&] {
    return std::array{getPartFingerprint(*Bound), getPartFingerprint(*Closure),
                      getPartFingerprint(*F)};
  };
  auto Last = Get();
  enum { OfOperation, OfClosure, OfFunction };
  auto Expect = [&](StringRef What, int Part, bool IsType) {
    auto Now = Get();
    for (int I : {OfOperation, OfClosure, OfFunction}) {
      EXPECT_EQ(Now[I].Structure != Last[I].Structure, I == Part && !IsType)
          << What.str();
      EXPECT_EQ(Now[I].Types != Last[I].Types, I == Part && IsType)
          << What.str();
    }
    Last = Now;
  };
  Type *Bool = Ctx.getScalarType(DType::getBool());
  Attr Device = Ctx.getString("device");
  Bound->setOperandRaw(0, F->getParams()[1]);
  Expect("operand", OfOperation, false);
  Bound->setAttrsRaw(Ctx.getDictAttrs({}));
  Expect("attributes", OfOperation, false);
  Bound->setTypeRaw(Bool);
  Expect("type", OfOperation, true);
  Bound->setTypeArgs(*F, {Bool});
  Expect("type arguments", OfOperation, true);
  Bound->bind(Ctx.intern("w"));
  Expect("name of a variable", OfOperation, false);
  Bound->bind(Bound->getVarName(), Vector);
  Expect("annotation of a variable", OfOperation, true);
  Bound->bind(Bound->getVarName(), Vector, Device);
  Expect("device of a variable", OfOperation, false);
  X->setTypeRaw(Bool);
  Expect("type of a parameter", OfFunction, true);
  X->setAnnotation(Bool);
  Expect("annotation of a parameter", OfFunction, true);
  X->setName(Ctx.intern("y"));
  Expect("name of a parameter", OfFunction, false);
  X->setVirtualDevice(Device);
  Expect("device of a parameter", OfFunction, false);
  F->getBody().setResultRaw(X);
  Expect("result", OfFunction, false);
  F->setForm(Function::Form::FnExpression);
  Expect("form", OfFunction, false);
  Closure->getRegion().setResultRaw(Bound);
  Expect("result of a closure", OfClosure, false);
  for (int Part : {OfClosure, OfFunction}) {
    Signature &S =
        Part == OfClosure ? Closure->getSignature() : F->getSignature();
    S.Attributes = Ctx.getDictAttrs({});
    Expect("attributes of a function", Part, false);
    S.VirtualDevice = Device;
    Expect("device of the result", Part, false);
    S.ResultAnnotation = Bool;
    Expect("result annotation", Part, true);
    S.TypeParams = {Ctx.createTypeVar("A")};
    Expect("type parameters", Part, true);
  }
}

/// Each property of a pattern.
TEST_F(FingerprintTest, Patterns) {
  Function *F = createFunction();
  X = param(F, "x");
  Operation *Match =
      make(F->getBody(), "relay.match", X, nullptr, /*NumRegions=*/1);
  BlockArgument *First = Match->getRegion().addArgument(Ctx.intern("a"), {}),
                *Second = Match->getRegion().addArgument(Ctx.intern("b"), {});
  First->setIndex(2);
  Second->setIndex(3);
  Match->getRegion().setResultRaw(X);
  F->getBody().setResultRaw(Match);
  auto Create = [&](MatchPattern::Kind K) {
    auto *P = new (F->getArena().allocate(sizeof(MatchPattern))) MatchPattern();
    P->K = K;
    return P;
  };
  MatchPattern *Child = Create(MatchPattern::Kind::Wildcard),
               *Root = Create(MatchPattern::Kind::Tuple);
  auto SetChildren = [&](ArrayRef<MatchPattern *> Children) {
    Root->Children = F->getArena().copy(Children);
  };
  SetChildren({Child, Child});
  Match->setPatterns({Root});
  uint64_t Last = getFingerprint(*F);
  auto ExpectChanged = [&](StringRef What) {
    EXPECT_NE(getFingerprint(*F), Last) << What.str();
    Last = getFingerprint(*F);
  };
  Match->setCompleteMatch(!Match->isCompleteMatch());
  ExpectChanged("completeness");
  Root->K = MatchPattern::Kind::Constructor;
  ExpectChanged("kind");
  Root->Constructor = Ctx.intern("C");
  ExpectChanged("constructor");
  Child->K = MatchPattern::Kind::Var;
  ExpectChanged("kind of a part");
  Child->Variable = First;
  ExpectChanged("variable");
  Child->Variable = Second;
  ExpectChanged("another variable");
  SetChildren({Child});
  ExpectChanged("number of parts");
}

/// A binding moves from one region to the next.
TEST_F(FingerprintTest, Regions) {
  auto Make = [&](StringRef Name, unsigned Place) {
    Function *F = createFunction(Name);
    Value *V = param(F, "x");
    Operation *Branch = makeIf(F->getBody(), V);
    Block &Where = Branch->getRegion(Place);
    let(neg(Where, V), "v");
    Branch->getRegion(0).setResultRaw(V);
    Branch->getRegion(1).setResultRaw(V);
    F->getBody().setResultRaw(Branch);
    F->normalize();
    return getFingerprint(*F);
  };
  EXPECT_NE(Make("first", 0), Make("second", 1));
}

} // namespace
