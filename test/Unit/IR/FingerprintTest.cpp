//===- FingerprintTest.cpp - Whether a function changed -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// getFingerprint(): the same for clones, another for each change that a
// function's text shows.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Fingerprint.h"
#include "TestIR.h"

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

/// A binding moves from one region into the next.
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
