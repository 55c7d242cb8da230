//===- BuilderTest.cpp - Creating and changing IR -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builder and Rewriter: insertion, types, listeners.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

class BuilderTest : public IRTest {
protected:
  BuilderTest() : F(createFunction()), B(F->getBody()) { X = param(F, "x"); }

  Function *F;
  Block &B;
  Value *X;
};

/// Records notifications.
class Recorder : public RewriteListener {
public:
  void notifyCreated(Operation *Op) override { add("created", Op); }
  void notifyModified(Operation *Op) override { add("modified", Op); }
  void notifyReplaced(Operation *Op, Value *New) override {
    EXPECT_NE(New, nullptr);
    add("replaced", Op);
  }
  void notifyErased(Operation *Op) override { add("erased", Op); }
  std::string take() { return std::exchange(Text, ""); }

private:
  void add(StringRef Event, Operation *Op) {
    Text +=
        (Text.empty() ? "" : ", ") +
        (Event + " " + Op->getName().substr(Op->getName().find('.') + 1)).str();
  }
  std::string Text;
};

TEST_F(BuilderTest, InsertsWhereItIsTold) {
  Builder Build(B);
  const OpInfo &Neg = *Ctx.lookupOp("test.neg");
  const OpInfo &Effect = *Ctx.lookupOp("test.effect");
  Operation *A = Build.createOperation(Neg, X);
  Build.setInsertionPoint(A);
  Operation *Front = Build.createOperation(Effect, X);
  Build.setInsertionPointAfter(Front);
  Build.createOperation(Neg, X);
  Build.setInsertionPointToStart(B);
  Build.createOperation(Neg, X);
  Build.setInsertionPointToEnd(B);
  Operation *Last = Build.createOperation(Effect, X);
  EXPECT_EQ(order(B), "test.neg test.effect test.neg test.neg test.effect");
  EXPECT_EQ(&*std::prev(B.end()), Last);
}

TEST_F(BuilderTest, TypesAndLocates) {
  Builder Build(B);
  Build.setLoc(Location::fromOffset(7));
  Operation *A = Build.createOperation(*Ctx.lookupOp("test.neg"), X);
  EXPECT_EQ(A->getType(), Vector);
  EXPECT_EQ(A->getLoc(), Location::fromOffset(7));
  Value *Unknown = B.addArgument(Ctx.intern("u"), nullptr);
  EXPECT_EQ(neg(B, Unknown)->getType(), nullptr);
  EXPECT_EQ(tuple(B, {X, X})->getType(), Ctx.getTupleType({Vector, Vector}));
  Build.bind(A, Ctx.intern("a"), Vector);
  Operation *Other = neg(B, X);
  Build.bindLike(Other, A);
  EXPECT_EQ(Other->getVarName(), "a");
  EXPECT_EQ(Other->getVarAnnotation(), Vector);
}

TEST_F(BuilderTest, TypesOfConstructs) {
  Operation *Pair = tuple(B, {X, constant(B, 1)});
  EXPECT_EQ(project(B, Pair, 1)->getType(),
            Ctx.getScalarType(DType::getFloat(32)));
  EXPECT_EQ(make(B, "relay.ref_create", X)->getType(), Ctx.getRefType(Vector));
  Operation *Ref = make(B, "relay.ref_create", X);
  EXPECT_EQ(make(B, "relay.ref_read", Ref)->getType(), Vector);
  EXPECT_EQ(make(B, "relay.ref_write", {Ref, X})->getType(),
            Ctx.getTupleType({}));
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  Body.setResultRaw(Body.addArgument(Ctx.intern("y"), Vector));
  Type *T = inferOperationType(*Closure);
  EXPECT_EQ(T, Ctx.getFuncType({}, {Vector}, Vector));
  Closure->setTypeRaw(T);
  EXPECT_EQ(make(B, "relay.call", {Closure, X}, getAttrs("relay.call", Attr()))
                ->getType(),
            Vector);
  Function *G = createFunction("g");
  G->getBody().setResultRaw(param(G, "y"));
  EXPECT_EQ(call(B, "g", X)->getType(), Vector);
  EXPECT_EQ(call(B, "nowhere", X)->getType(), nullptr);
}

TEST_F(BuilderTest, ReplaceFloating) {
  Operation *Old = neg(B, X);
  Old->setLoc(Location::fromOffset(3));
  Operation *User = add(B, Old, Old);
  B.setResultRaw(User);
  Rewriter R(*F);
  Recorder Listener;
  R.addListener(&Listener);
  R.setInsertionPoint(Old);
  Operation *New = R.createOperation(*Ctx.lookupOp("test.effect"), X);
  R.replaceOp(Old, New);
  EXPECT_EQ(Listener.take(),
            "created effect, replaced neg, modified effect, modified add, "
            "modified add, "
            "erased neg");
  EXPECT_EQ(User->getOperand(0), New);
  EXPECT_EQ(User->getOperand(1), New);
  EXPECT_EQ(New->getLoc(), Location::fromOffset(3));
  EXPECT_EQ(order(B), "test.effect test.add");
  EXPECT_EQ(R.getNumRewrites(), 5u);
  R.removeListener(&Listener);
  R.createOperation(*Ctx.lookupOp("test.neg"), X);
  EXPECT_EQ(Listener.take(), "");
}

TEST_F(BuilderTest, ReplaceBoundByANewOperation) {
  Operation *Old = let(neg(B, X), "a");
  let(make(B, "test.effect", X), "e");
  B.setResultRaw(add(B, Old, Old));
  Rewriter R(*F);
  R.setInsertionPointToEnd(B);
  Operation *New = R.createOperation(*Ctx.lookupOp("test.effect"), X);
  R.replaceOp(Old, New);
  EXPECT_EQ(order(B), "%a %e test.add");
  EXPECT_EQ(&*B.begin(), New);
  EXPECT_TRUE(New->isBound());
}

TEST_F(BuilderTest, ReplaceBoundByWhatHasAPlace) {
  Operation *First = let(make(B, "test.effect", X), "e");
  Operation *Old = let(neg(B, X), "a");
  Operation *User = add(B, Old, First);
  B.setResultRaw(User);
  Rewriter R(*F);
  R.replaceOp(Old, First);
  EXPECT_EQ(order(B), "%e %a test.add");
  auto *Alias = cast<Operation>(User->getOperand(0));
  EXPECT_TRUE(Alias->is(OpCode::Alias));
  EXPECT_EQ(Alias->getOperand(0), First);
  EXPECT_EQ(Alias->getVarName(), "a");
  EXPECT_EQ(Alias->getType(), Vector);
  R.replaceOp(Alias, X);
  EXPECT_EQ(cast<Operation>(User->getOperand(0))->getOperand(0), X);
}

TEST_F(BuilderTest, WrapsAFloatingOperation) {
  Operation *Old = neg(B, X);
  Operation *User = add(B, Old, X);
  B.setResultRaw(User);
  Rewriter R(*F);
  R.setInsertionPointAfter(Old);
  Operation *New = R.createOperation(*Ctx.lookupOp("test.effect"), Old);
  R.replaceOp(Old, New);
  EXPECT_EQ(New->getOperand(0), Old);
  EXPECT_EQ(User->getOperand(0), New);
  EXPECT_EQ(order(B), "test.neg test.effect test.add");
}

TEST_F(BuilderTest, WrapsABoundOperation) {
  Operation *Old = let(neg(B, X), "a");
  Operation *User = add(B, Old, X);
  B.setResultRaw(User);
  Rewriter R(*F);
  Recorder Listener;
  R.addListener(&Listener);
  Operation *New = R.createOperation(*Ctx.lookupOp("test.effect"), Old);
  R.replaceOp(Old, New);
  EXPECT_EQ(New->getOperand(0), Old);
  EXPECT_EQ(User->getOperand(0), New);
  EXPECT_TRUE(Old->isFloating());
  EXPECT_EQ(order(B), "test.neg %a test.add");
  EXPECT_EQ(New->getVarName(), "a");
  EXPECT_EQ(Listener.take().find("erased"), std::string::npos);
  EXPECT_FALSE(F->normalize());
}

/// The wrapped operation is used in a region of its replacement.
TEST_F(BuilderTest, WrapsByAClosure) {
  Operation *Old = neg(B, X);
  Operation *Closure = fn(B);
  Closure->getRegion().setResultRaw(Old);
  B.setResultRaw(tuple(B, Old));
  Rewriter R(*F);
  R.replaceOp(Old, Closure);
  EXPECT_EQ(Closure->getRegion().getResult(), Old);
  EXPECT_EQ(cast<Operation>(B.getResult())->getOperand(0), Closure);
}

TEST_F(BuilderTest, AnnouncesRewrites) {
  /// Refuses the second rewrite.
  class Gate : public RewriteListener {
  public:
    bool shouldRewrite(const Rewrite &) override { return ++Asked != 2; }
    void notifyRewrite(const Rewrite &R) override {
      EXPECT_EQ(R.Rule, "rule");
      Made.push_back(R.Root);
      Of = R.F;
    }
    unsigned Asked = 0;
    SmallVector<Operation *> Made;
    Function *Of = nullptr;
  };
  Operation *A = neg(B, X), *C = neg(B, X);
  Gate First, Second;
  RewriteListener *Installed[] = {&First, &Second};
  EXPECT_TRUE(Rewriter(*F).startRewrite("rule", A));
  F->getModule()->setRewriteListeners(Installed);
  Rewriter R(*F);
  F->getModule()->setRewriteListeners({});
  EXPECT_TRUE(R.startRewrite("rule", A));
  EXPECT_FALSE(R.startRewrite("rule", C));
  EXPECT_TRUE(R.startRewrite("rule"));
  EXPECT_EQ(First.Asked, 3u);
  EXPECT_EQ(Second.Asked, 3u);
  EXPECT_EQ(Second.Made, (SmallVector<Operation *>{A, nullptr}));
  EXPECT_EQ(First.Of, F);
  EXPECT_EQ(R.getNumRewrites(), 0u);
}

TEST_F(BuilderTest, Copies) {
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  Body.setResultRaw(neg(Body, Body.addArgument(Ctx.intern("y"), Vector)));
  B.setResultRaw(Closure);
  Rewriter R(*F);
  Recorder Listener;
  R.addListener(&Listener);
  llvm::DenseMap<const Value *, Value *> Map;
  Operation *Copy = R.clone(*Closure, Map);
  EXPECT_EQ(Listener.take(), "created neg, created fn");
  EXPECT_EQ(order(B), "relay.fn relay.fn");
  R.eraseOp(Copy);
  EXPECT_EQ(Listener.take(), "erased neg, erased fn");
  Operation *Empty = fn(B);
  Map = {{Body.getArgument(0), X}};
  R.cloneInto(Body, Empty->getRegion(), Map);
  EXPECT_EQ(Listener.take(), "created neg");
}

TEST_F(BuilderTest, ErasesAClosureThatUsesItself) {
  Operation *Closure = let(fn(B), "f");
  Block &Body = Closure->getRegion();
  Body.setResultRaw(Closure);
  B.setResultRaw(X);
  Rewriter(*F).eraseOp(Closure);
  EXPECT_TRUE(B.empty());
}

TEST_F(BuilderTest, ListenersHearOfNormalization) {
  make(B, "test.effect", X); // unused
  B.setResultRaw(let(make(B, "relay.alias", neg(B, X)), "a"));
  Recorder Listener;
  RewriteListener *Installed[] = {&Listener};
  F->getModule()->setRewriteListeners(Installed);
  F->normalize();
  F->getModule()->setRewriteListeners({});
  EXPECT_EQ(order(B), "%a");
  EXPECT_EQ(Listener.take(),
            "modified neg, replaced alias, erased alias, erased effect");
}

TEST_F(BuilderTest, ChangesInPlace) {
  Value *Y = param(F, "y");
  Operation *Op =
      make(B, "test.attrs", X,
           getAttrs("test.attrs", {Ctx.getInt(0), Attr(),
                                   Ctx.getFloat(1, DType::getFloat(64)),
                                   Ctx.getString("A")}));
  Operation *Other = neg(B, X);
  B.setResultRaw(Op);
  Rewriter R(*F);
  Recorder Listener;
  R.addListener(&Listener);
  R.setOperand(Op, 0, Y);
  EXPECT_EQ(Op->getOperand(0), Y);
  SmallVector<Attr, 4> Slots(Op->getAttrs()->getSlots());
  Slots[0] = Ctx.getInt(2);
  R.setAttrs(Op, Ctx.getAttrs(Op->getAttrs()->getInfo(), Slots));
  R.moveBefore(Other, Op);
  R.moveToEnd(Other, B);
  EXPECT_EQ(order(B), "test.attrs test.neg");
  let(Other, "a");
  R.unbind(Other);
  EXPECT_TRUE(Other->isFloating());
  EXPECT_EQ(Listener.take().find("created"), std::string::npos);
  EXPECT_GE(R.getNumRewrites(), 5u);
  uint64_t Before = R.getNumRewrites();
  R.setOperand(Op, 0, Y); // no change
  R.setResult(B, Op);
  EXPECT_EQ(R.getNumRewrites(), Before);
  R.setResult(B, Other);
  EXPECT_EQ(B.getResult(), Other);
  EXPECT_EQ(R.getNumRewrites(), Before + 1);
}

/// Changes count for the function that contains the changed IR; if that is
/// unknown, for the Rewriter's own function.
TEST_F(BuilderTest, CountsChangesByFunction) {
  Function *G = createFunction("g");
  Operation *InG = neg(G->getBody(), param(G, "y"));
  EXPECT_EQ(F->getNumChanges(), 0u);
  Rewriter R(*F);
  R.setResult(B, X);
  EXPECT_EQ(F->getNumChanges(), 1u);
  Operation *Op = R.createOperation(*Ctx.lookupOp("test.neg"), X);
  R.eraseOp(Op);
  EXPECT_EQ(F->getNumChanges(), 3u);
  EXPECT_EQ(G->getNumChanges(), 0u);
  R.eraseOp(InG);
  EXPECT_EQ(F->getNumChanges(), 3u);
  EXPECT_EQ(G->getNumChanges(), 1u);
  EXPECT_EQ(R.getNumRewrites(), 4u);
  F->normalize();
  EXPECT_EQ(F->getNumChanges(), 3u);
}

TEST_F(BuilderTest, TypesPropagate) {
  Operation *A = neg(B, X), *Sum = add(B, A, A);
  Operation *If = makeIf(B, param(F, "c", Ctx.getScalarType(DType::getBool())));
  If->getRegion(0).setResultRaw(Sum);
  If->getRegion(1).setResultRaw(Sum);
  Operation *Pair = tuple(B, {If, X});
  B.setResultRaw(Pair);
  infer(*F);
  EXPECT_EQ(Pair->getType(), Ctx.getTupleType({Vector, Vector}));
  Type *Scalar = Ctx.getScalarType(DType::getInt(8));
  Rewriter R(*F);
  R.setType(A, Scalar);
  EXPECT_EQ(Sum->getType(), Scalar);
  EXPECT_EQ(If->getType(), Scalar);
  EXPECT_EQ(Pair->getType(), Ctx.getTupleType({Scalar, Vector}));
}

TEST_F(BuilderTest, ReplaceSomeUses) {
  Value *Y = param(F, "y");
  Operation *A = add(B, X, X);
  B.setResultRaw(X);
  Rewriter R(*F);
  R.replaceUsesIf(X, Y, [&](Use &U) {
    return U.getUserOp() == A && U.getOperandNo() == 1;
  });
  EXPECT_EQ(A->getOperand(0), X);
  EXPECT_EQ(A->getOperand(1), Y);
  EXPECT_EQ(B.getResult(), X);
  R.replaceAllUses(X, Y);
  EXPECT_EQ(B.getResult(), Y);
  EXPECT_TRUE(X->use_empty());
}

TEST_F(BuilderTest, InlinesABlock) {
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  Value *Y = Body.addArgument(Ctx.intern("y"), Vector);
  let(neg(Body, Y), "a");
  Operation *Sum = add(Body, Y, Y);
  Body.setResultRaw(Sum);
  Operation *Last = neg(B, X);
  Rewriter R(*F);
  R.inlineBlock(Body, B, Last, X);
  EXPECT_EQ(order(B), "relay.fn %a test.add test.neg");
  EXPECT_TRUE(Body.empty());
  EXPECT_EQ(Sum->getOperand(0), X);
  EXPECT_TRUE(Y->use_empty());
}

TEST_F(BuilderTest, EraseMovesTheInsertionPoint) {
  Operation *A = neg(B, X);
  neg(B, X);
  Rewriter R(*F);
  R.setInsertionPoint(A);
  R.eraseOp(A);
  R.createOperation(*Ctx.lookupOp("test.effect"), X);
  EXPECT_EQ(order(B), "test.effect test.neg");
}

} // namespace
