//===- RewriterTest.cpp - The rules for changing IR -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Insertion points, announcements, and changes of blocks, signatures and
// modules. BuilderTest.cpp covers changes of operations.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

/// A view of `test.effect`, which takes one operand.
class EffectOp : public OpView {
public:
  explicit EffectOp(Operation *Op) : OpView(Op) {}
  static EffectOp build(Builder &B, Value *V) {
    return EffectOp(
        B.createOperation(*B.getContext().lookupOp("test.effect"), V));
  }
};

/// Records notifications that are not about operations.
class UnitRecorder : public RewriteListener {
public:
  void notifyModified(Operation *Op) override {
    Text += ("op " + Op->getName() + "; ").str();
  }
  void notifyFunctionModified(Function &F) override { add("modified", F); }
  void notifyFunctionCreated(Function &F) override { add("created", F); }
  void notifyFunctionErased(Function &F) override { add("erased", F); }
  void notifyModuleModified(Module &) override { Text += "module; "; }
  std::string take() { return std::exchange(Text, ""); }

private:
  void add(StringRef Event, Function &F) {
    Text += (Event + " @" + F.getName() + "; ").str();
  }
  std::string Text;
};

class RewriterTest : public IRTest {
protected:
  RewriterTest() : F(createFunction()), B(F->getBody()), R(*F) {
    X = param(F, "x");
    B.setResultRaw(X);
    R.addListener(&Listener);
  }

  UnitRecorder Listener;
  Function *F;
  Block &B;
  Rewriter R;
  BlockArgument *X;
};

//===----------------------------------------------------------------------===//
// Insertion points
//===----------------------------------------------------------------------===//

TEST_F(RewriterTest, GuardRestoresPointAndLocation) {
  Operation *A = neg(B, X);
  R.setInsertionPoint(A);
  R.setLoc(Location::fromOffset(1));
  {
    Builder::InsertionGuard Guard(R);
    R.setInsertionPointToEnd(B);
    R.setLoc(Location::fromOffset(2));
    R.create<EffectOp>(X);
  }
  EffectOp Front = R.create<EffectOp>(X);
  EXPECT_EQ(Front->getLoc(), Location::fromOffset(1));
  EXPECT_EQ(order(B), "test.effect test.neg test.effect");
}

/// The operation at the insertion point that a guard restores may be erased.
TEST_F(RewriterTest, GuardOutlivesTheOperation) {
  Operation *A = neg(B, X), *C = neg(B, A), *D = add(B, X, X);
  R.setInsertionPoint(C);
  {
    Builder::InsertionGuard Outer(R);
    Builder::InsertionGuard Inner(R);
    R.setInsertionPointToStart(B);
    R.eraseOp(C);
  }
  R.create<EffectOp>(X);
  EXPECT_EQ(order(B), "test.neg test.effect test.add");
  R.setInsertionPoint(A);
  R.moveToEnd(A, B);
  R.create<EffectOp>(X);
  EXPECT_EQ(order(B), "test.effect test.effect test.add test.neg");
  EXPECT_EQ(&*std::prev(B.end(), 2), D);
}

TEST_F(RewriterTest, ReplacingLeavesTheInsertionPoint) {
  Operation *First = let(make(B, "test.effect", X), "e");
  Operation *Old = let(neg(B, X), "a");
  Operation *Last = add(B, Old, Old);
  R.setInsertionPoint(Last);
  R.replaceOp(Old, First); // by an alias
  R.create<EffectOp>(X);
  EXPECT_EQ(order(B), "%e %a test.effect test.add");
}

TEST_F(RewriterTest, ReplaceOpWithNew) {
  Operation *Old = neg(B, X);
  Old->setLoc(Location::fromOffset(3));
  Operation *Bound = let(neg(B, Old), "a");
  Operation *Sum = add(B, Old, Bound);
  B.setResultRaw(Sum);
  R.setInsertionPointToEnd(B);
  R.setLoc(Location::fromOffset(9));
  EffectOp New = R.replaceOpWithNew<EffectOp>(Old, X);
  EXPECT_EQ(New->getLoc(), Location::fromOffset(3));
  EXPECT_EQ(Sum->getOperand(0), New.getOperation());
  EffectOp NewBound = R.replaceOpWithNew<EffectOp>(Bound, New.getOperation());
  EXPECT_TRUE(NewBound->isBound());
  EXPECT_EQ(NewBound->getVarName(), "a");
  EXPECT_EQ(order(B), "test.effect %a test.add");
  EXPECT_EQ(R.getLoc(), Location::fromOffset(9));
  R.create<EffectOp>(X);
  EXPECT_EQ(order(B), "test.effect %a test.add test.effect");
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

TEST_F(RewriterTest, NotesWhatIsNotAnnounced) {
  RewriteLog &Log = F->getRewriteLog();
  Operation *A = neg(B, X);
  EXPECT_FALSE(Log.hasMisuse());
  R.eraseOp(A);
  R.setResult(B, neg(B, X));
  EXPECT_EQ(Log.takeMisuse(),
            "changed @main without announcing a rewrite: it erased test.neg");
  EXPECT_EQ(Log.takeMisuse(), "");
  EXPECT_TRUE(R.startRewrite("rule"));
  R.setResult(B, X);
  EXPECT_FALSE(Log.hasMisuse());
  Log.startPass();
  R.setResult(B, neg(B, X));
  EXPECT_EQ(Log.takeMisuse(),
            "changed @main without announcing a rewrite: it modified a result");
  R.noteRewrite("rule");
  R.setResult(B, X);
  EXPECT_FALSE(Log.hasMisuse());
}

TEST_F(RewriterTest, NotesWhatWasRefused) {
  class Gate : public RewriteListener {
    bool shouldRewrite(const Rewrite &) override { return false; }
  } Refuses;
  R.addListener(&Refuses);
  EXPECT_FALSE(R.startRewrite("rule"));
  R.setResult(B, neg(B, X));
  EXPECT_EQ(F->getRewriteLog().takeMisuse(),
            "changed @main by a rewrite that was refused: it modified a "
            "result");
}

/// A rewrite of the module includes its functions; a rewrite of a function
/// includes its changes of the module. A function without a module has no
/// observers yet.
TEST_F(RewriterTest, AnnouncementsOfModules) {
  auto Alone = std::make_unique<Function>(Ctx, Ctx.intern("g"));
  Rewriter(*Alone).addArgument(Alone->getBody(), Ctx.intern("y"), Vector);
  EXPECT_FALSE(Alone->getRewriteLog().hasMisuse());
  EXPECT_TRUE(R.startRewrite("rule"));
  Function *G = R.addFunction(M, std::move(Alone));
  R.renameArgument(G->getParams()[0], Ctx.intern("z"));
  EXPECT_FALSE(G->getRewriteLog().hasMisuse());
  EXPECT_FALSE(M.getRewriteLog().hasMisuse());
  G->getRewriteLog().startPass();
  F->getRewriteLog().startPass();
  Rewriter OfModule(M);
  EXPECT_TRUE(OfModule.startRewrite("rule"));
  OfModule.setResult(B, neg(B, X));
  OfModule.eraseFunctions(M, G);
  EXPECT_FALSE(F->getRewriteLog().hasMisuse());
  EXPECT_FALSE(M.getRewriteLog().hasMisuse());
  M.getRewriteLog().startPass();
  OfModule.setModuleAttr(M, "key", Ctx.getInt(1));
  EXPECT_EQ(M.getRewriteLog().takeMisuse(),
            "changed the module without announcing a rewrite: it modified its "
            "attributes");
  EXPECT_EQ(M.getRewriteLog().getNumChanges(), 3u);
}

TEST_F(RewriterTest, ReplacementsHaveTheSameType) {
  (void)R.startRewrite("rule");
  Operation *Old = neg(B, X), *Pair = tuple(B, {X, X});
  Operation *User = tuple(B, Old);
  B.setResultRaw(User);
  R.replaceOpAndRetype(Old, Pair);
  EXPECT_FALSE(F->getRewriteLog().hasMisuse());
  EXPECT_EQ(User->getType(), Ctx.getTupleType(Pair->getType()));
  R.replaceOp(Pair, X);
  EXPECT_EQ(F->getRewriteLog().takeMisuse(),
            "replaced relay.tuple of type (Tensor[(3), float32], Tensor[(3), "
            "float32]) by %x of type Tensor[(3), float32], which takes "
            "replaceOpAndRetype()");
  EXPECT_EQ(User->getType(), Ctx.getTupleType(Vector));
}

/// Users and annotations keep their types until the pass calls retype().
TEST_F(RewriterTest, LessDynamicReplacements) {
  Type *Dynamic = Ctx.getTensorType({Dim::getAny()}, DType::getFloat(32));
  BlockArgument *Y = param(F, "y", Dynamic);
  (void)R.startRewrite("rule");
  Operation *Old = neg(B, Y), *Bound = neg(B, Y);
  Bound->bind(Ctx.intern("b"), Dynamic);
  Operation *User = tuple(B, {Old, Bound});
  B.setResultRaw(User);
  Type *Pair = Ctx.getTupleType({Dynamic, Dynamic});
  R.setResultAnnotation(B, Pair);
  EXPECT_TRUE(R.replaceOpByLessDynamic(Old, X));
  EXPECT_TRUE(R.replaceOpByLessDynamic(Bound, X));
  EXPECT_FALSE(F->getRewriteLog().hasMisuse());
  EXPECT_EQ(User->getOperand(0), X);
  auto *Alias = cast<Operation>(User->getOperand(1));
  EXPECT_EQ(Alias->getVarAnnotation(), Dynamic);
  EXPECT_EQ(Alias->getType(), Vector);
  EXPECT_EQ(User->getType(), Pair);
  EXPECT_EQ(F->getSignature().ResultAnnotation, Pair);
}

TEST_F(RewriterTest, MoreDynamicReplacementsAreRecorded) {
  BlockArgument *Y =
      param(F, "y", Ctx.getTensorType({Dim::getAny()}, DType::getFloat(32)));
  (void)R.startRewrite("rule");
  Operation *Old = neg(B, X);
  B.setResultRaw(tuple(B, Old));
  R.replaceOpByLessDynamic(Old, Y);
  EXPECT_EQ(F->getRewriteLog().takeMisuse(),
            "replaced test.neg of type Tensor[(3), float32] by %y of type "
            "Tensor[(?), float32], which is not less dynamic");
}

/// Independent of the insertion point.
TEST_F(RewriterTest, RewritesOfModulesAreOfModules) {
  Function *G = createFunction("g");
  BlockArgument *Y = param(G, "y");
  Rewriter OfModule(M);
  OfModule.setInsertionPointToStart(B);
  EXPECT_TRUE(OfModule.startRewrite("rule"));
  OfModule.renameArgument(Y, Ctx.intern("z"));
  EXPECT_FALSE(G->getRewriteLog().hasMisuse());
  OfModule.noteRewrite("rule");
  EXPECT_EQ(F->getRewriteLog().getState(), RewriteLog::State::None);
}

//===----------------------------------------------------------------------===//
// Types and annotations
//===----------------------------------------------------------------------===//

/// The types of parameters are written before the first change, so that it can
/// remove an annotation.
TEST_F(RewriterTest, FirstChangeMayTakeAnAnnotation) {
  BlockArgument *Y = B.addArgument(Ctx.intern("y"), nullptr);
  Y->setTypeRaw(Vector);
  R.setAnnotation(X, nullptr);
  EXPECT_EQ(X->getAnnotation(), nullptr);
  EXPECT_EQ(Y->getAnnotation(), Vector);
  R.renameArgument(X, Ctx.intern("z"));
  EXPECT_EQ(X->getAnnotation(), nullptr);
}

/// TVM cannot read types of references.
TEST_F(RewriterTest, TypesOfReferencesAreNotWritten) {
  BlockArgument *Y = B.addArgument(Ctx.intern("y"), nullptr);
  Y->setTypeRaw(Ctx.getTupleType(Ctx.getRefType(Vector)));
  R.renameArgument(X, Ctx.intern("z"));
  EXPECT_EQ(Y->getAnnotation(), nullptr);
}

TEST_F(RewriterTest, AnnotationsFollowTypes) {
  Type *Half = Ctx.getTensorType({Dim::get(3)}, DType::getFloat(16));
  R.setType(X, Half);
  EXPECT_EQ(X->getAnnotation(), Half);
  BlockArgument *Y = param(F, "y");
  Operation *Bound = neg(B, Y), *Dependent = tuple(B, Bound);
  R.bind(Bound, Ctx.intern("a"), Vector);
  R.bind(Dependent, Ctx.intern("b"), Ctx.getTupleType(Vector));
  Operation *New = neg(B, X);
  New->setTypeRaw(Half);
  R.replaceOpAndRetype(Bound, New);
  EXPECT_EQ(Dependent->getType(), Ctx.getTupleType(Half));
  EXPECT_EQ(Dependent->getVarAnnotation(), Ctx.getTupleType(Half));
  EXPECT_EQ(B.begin()->getVarName(), "a");
  EXPECT_EQ(B.begin()->getVarAnnotation(), Half);
}

//===----------------------------------------------------------------------===//
// Blocks, signatures, modules
//===----------------------------------------------------------------------===//

TEST_F(RewriterTest, ResultAnnotationsFollowTypes) {
  Type *Dynamic = Ctx.getTensorType({Dim::getAny()}, DType::getFloat(32));
  X->setTypeRaw(Dynamic);
  X->setAnnotation(Dynamic);
  // fn (%y: ?) { neg(%y) }, and the function's result is neg(neg(%x)).
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  BlockArgument *Y = Body.addArgument(Ctx.intern("y"), Dynamic);
  Body.setResultRaw(neg(Body, Y));
  Operation *Inner = neg(B, X), *Outer = neg(B, Inner);
  B.setResultRaw(Outer);
  infer(*F);
  let(Closure, "f");
  F->normalize(); // the first change looks for closures where there are regions
  (void)R.startRewrite("test");
  // The first change writes annotations for results with dynamic types.
  R.setType(X, Vector);
  EXPECT_EQ(Outer->getType(), Vector);
  EXPECT_EQ(F->getSignature().ResultAnnotation, Vector);
  EXPECT_EQ(Closure->getSignature().ResultAnnotation, Dynamic);
  Listener.take();
  R.setType(Y, Vector);
  EXPECT_EQ(Closure->getSignature().ResultAnnotation, Vector);
  EXPECT_EQ(Closure->getType(), Ctx.getFuncType({}, Vector, Vector));
  EXPECT_NE(Listener.take().find("op relay.fn; "), std::string::npos);
  // A different annotation remains.
  R.setResultAnnotation(B, Dynamic);
  R.setType(X, Ctx.getTensorType({Dim::get(5)}, DType::getFloat(32)));
  EXPECT_EQ(F->getSignature().ResultAnnotation, Dynamic);
}

TEST_F(RewriterTest, ResultAnnotationsFollowResults) {
  Type *Dynamic = Ctx.getTensorType({Dim::getAny()}, DType::getFloat(32));
  BlockArgument *Y = param(F, "y", Dynamic);
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  Body.setResultRaw(neg(Body, Y));
  infer(*F);
  let(Closure, "f");
  F->normalize();
  (void)R.startRewrite("test");
  R.setResult(Body, X); // the first change writes `?`
  EXPECT_EQ(Closure->getSignature().ResultAnnotation, Vector);
  EXPECT_EQ(Closure->getType(), Ctx.getFuncType({}, {}, Vector));
  R.setResult(B, Y);
  R.setResultAnnotation(B, Dynamic);
  R.replaceAllUses(Y, X);
  EXPECT_EQ(B.getResult(), X);
  EXPECT_EQ(F->getSignature().ResultAnnotation, Vector);
}

/// The first change of a function writes annotations and then performs the
/// change, even if that removes an annotation.
TEST_F(RewriterTest, FirstChangesOfAnnotations) {
  Type *Dynamic = Ctx.getTensorType({Dim::getAny()}, DType::getFloat(32));
  auto Change = [&](StringRef Name,
                    function_ref<void(Rewriter &, Block &)> Do) {
    Function *G = createFunction(Name);
    BlockArgument *Y = param(G, "y", Dynamic);
    Y->setAnnotation(nullptr);
    G->getBody().setResultRaw(neg(G->getBody(), Y));
    infer(*G);
    Rewriter First(*G);
    (void)First.startRewrite("test");
    Do(First, G->getBody());
    return std::pair(Y->getAnnotation(), G->getSignature().ResultAnnotation);
  };
  using Annotations = std::pair<Type *, Type *>;
  EXPECT_EQ(Change("result",
                   [](Rewriter &First, Block &Body) {
                     First.setResultAnnotation(Body, nullptr);
                   }),
            Annotations(Dynamic, nullptr));
  EXPECT_EQ(Change("signature",
                   [](Rewriter &First, Block &Body) {
                     First.setSignature(Body, Signature());
                   }),
            Annotations(Dynamic, nullptr));
  EXPECT_EQ(Change("parameter",
                   [](Rewriter &First, Block &Body) {
                     First.setAnnotation(Body.getArgument(0), nullptr);
                   }),
            Annotations(nullptr, Dynamic));
  EXPECT_EQ(Change("device",
                   [&](Rewriter &First, Block &Body) {
                     First.setResultDevice(Body, Ctx.getInt(1));
                   }),
            Annotations(Dynamic, Dynamic));
}

TEST_F(RewriterTest, ChangesOfParametersAreHeardOf) {
  BlockArgument *Y = R.addArgument(B, Ctx.intern("y"), Vector);
  EXPECT_EQ(F->getParams(), ArrayRef({X, Y}));
  R.renameArgument(Y, Ctx.intern("z"));
  EXPECT_EQ(Y->getName(), "z");
  R.setAnnotation(Y, nullptr);
  EXPECT_EQ(Y->getAnnotation(), nullptr);
  R.setVirtualDevice(Y, Ctx.getInt(1));
  EXPECT_EQ(Y->getVirtualDevice(), Ctx.getInt(1));
  R.setType(Y, Ctx.getTupleType({}));
  R.eraseArgument(B, 1);
  EXPECT_EQ(F->getParams(), ArrayRef<BlockArgument *>(X));
  std::string Text;
  for (unsigned I = 0; I != 6; ++I)
    Text += "modified @main; ";
  EXPECT_EQ(Listener.take(), Text);
  EXPECT_EQ(F->getNumChanges(), 6u);
}

/// The type of a closure is inferred again.
TEST_F(RewriterTest, ChangesOfClosures) {
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  R.setResult(Body, R.addArgument(Body, Ctx.intern("y"), Vector));
  EXPECT_EQ(Closure->getType(), Ctx.getFuncType({}, {Vector}, Vector));
  R.addArgument(Body, Ctx.intern("z"), Ctx.getTupleType({}));
  EXPECT_EQ(Closure->getType(),
            Ctx.getFuncType({}, {Vector, Ctx.getTupleType({})}, Vector));
  R.setFunctionAttr(Body, "Primitive", Ctx.getInt(1));
  EXPECT_EQ(Rewriter::getSignature(Body).getAttr("Primitive"), Ctx.getInt(1));
  EXPECT_EQ(Listener.take().find("@main"), std::string::npos);
}

TEST_F(RewriterTest, ChangesOfOperands) {
  BlockArgument *Y = param(F, "y");
  Operation *Op = neg(B, X);
  B.setResultRaw(Op);
  Listener.take();
  R.setOperand(Op, 0, X); // no change
  EXPECT_EQ(Listener.take(), "");
  R.setOperand(Op, 0, Y);
  EXPECT_EQ(Listener.take(), "op test.neg; ");
  EXPECT_EQ(Op->getOperand(0), Y);
}

TEST_F(RewriterTest, InlinesBeforeAnOperationOrAtTheEnd) {
  auto MakeClosure = [&] {
    Operation *Closure = fn(B);
    Block &Body = Closure->getRegion();
    Value *Y = Body.addArgument(Ctx.intern("y"), Vector);
    Body.setResultRaw(neg(Body, neg(Body, Y)));
    return Closure;
  };
  Operation *First = MakeClosure(), *Second = MakeClosure();
  Operation *Last = add(B, X, X);
  B.setResultRaw(Last);
  R.inlineBlock(First->getRegion(), B, Last, X);
  EXPECT_EQ(order(B), "relay.fn relay.fn test.neg test.neg test.add");
  EXPECT_TRUE(First->getRegion().empty());
  R.inlineBlock(Second->getRegion(), B, /*Before=*/nullptr, Last);
  EXPECT_EQ(order(B),
            "relay.fn relay.fn test.neg test.neg test.add test.neg test.neg");
  EXPECT_EQ(std::next(Last->getIterator())->getOperand(0), Last);
}

TEST_F(RewriterTest, AttributesOfFunctions) {
  R.setFunctionAttr(*F, "a", Ctx.getInt(1));
  R.setFunctionAttr(*F, "b", Ctx.getInt(2));
  R.setFunctionAttr(*F, "a", Ctx.getInt(3));
  EXPECT_EQ(Listener.take(),
            "modified @main; modified @main; modified @main; ");
  EXPECT_EQ(F->getSignature().Attributes,
            Ctx.getDictAttrs({{Ctx.getString("a"), Ctx.getInt(3)},
                              {Ctx.getString("b"), Ctx.getInt(2)}}));
  R.setFunctionAttr(*F, "b", Ctx.getInt(2)); // no change
  R.setFunctionAttr(*F, "c", Attr());
  EXPECT_EQ(Listener.take(), "");
  R.setFunctionAttr(*F, "a", Attr());
  R.setFunctionAttr(*F, "b", Attr());
  EXPECT_EQ(F->getSignature().Attributes, nullptr);
}

TEST_F(RewriterTest, Signatures) {
  Signature S = F->getSignature();
  S.VirtualDevice = Ctx.getInt(1);
  R.setSignature(B, S);
  EXPECT_EQ(F->getSignature().VirtualDevice, Ctx.getInt(1));
  R.setResultAnnotation(B, Vector);
  EXPECT_EQ(F->getSignature().ResultAnnotation, Vector);
  EXPECT_EQ(Listener.take(), "modified @main; modified @main; ");
}

TEST_F(RewriterTest, Modules) {
  R.setModuleAttr(M, "key", Ctx.getInt(1));
  EXPECT_EQ(M.getAttributes(),
            Ctx.getDictAttrs(NamedAttr{Ctx.getString("key"), Ctx.getInt(1)}));
  Function *G =
      R.addFunction(M, std::make_unique<Function>(Ctx, Ctx.intern("g")));
  R.renameFunction(*G, "h");
  EXPECT_EQ(M.lookupFunction("h"), G);
  R.eraseFunctions(M, G);
  EXPECT_EQ(M.getNumFunctions(), 1u);
  EXPECT_EQ(Listener.take(), "module; created @g; modified @h; erased @h; ");
}

//===----------------------------------------------------------------------===//
// Propagation of types
//===----------------------------------------------------------------------===//

/// Types of operations that depend on themselves would grow forever.
TEST_F(RewriterTest, CircularUsesEnd) {
  Operation *First = make(B, "test.longer", X);
  Operation *Second = make(B, "test.longer", First);
  B.setResultRaw(Second);
  ASSERT_TRUE(R.startRewrite("make-circular"));
  R.setOperand(First, 0, Second);
  EXPECT_EQ(verifyText(*F), "'test.longer' depends on itself");
  R.setOperand(First, 0, First);
  EXPECT_EQ(verifyText(*F), "'test.longer' depends on itself");
}

/// Many successive changes of a value are all propagated.
TEST_F(RewriterTest, ManyChangesAreFollowed) {
  SmallVector<Value *> Fields = {X};
  for (unsigned I = 0; I != 200; ++I)
    Fields.push_back(neg(B, Fields.back()));
  Operation *All = tuple(B, Fields);
  Operation *User = neg(B, All);
  B.setResultRaw(User);
  TensorType *Shorter =
      Ctx.getTensorType(ArrayRef<int64_t>{2}, DType::getFloat(32));
  ASSERT_TRUE(R.startRewrite("shorten"));
  R.setType(X, Shorter);
  SmallVector<Type *> Types(Fields.size(), Shorter);
  EXPECT_EQ(User->getType(), Ctx.getTupleType(Types));
}

TEST_F(RewriterTest, AddedRegionsKeepTheirAddresses) {
  for (unsigned NumFirst = 0; NumFirst != 10; ++NumFirst) {
    Operation *Match = make(B, "relay.match", X, nullptr, NumFirst);
    std::vector<Block *> Regions;
    for (Block &Region : Match->getRegions())
      Regions.push_back(&Region);
    for (unsigned I = 0; I != 40; ++I)
      Regions.push_back(&R.addRegion(Match));
    for (Block *Region : Regions)
      R.setResult(*Region, X);
    EXPECT_EQ(Match->getType(), nullptr) << "the patterns are missing";
    ASSERT_EQ(Match->getNumRegions(), Regions.size());
    for (auto [I, Region] : llvm::enumerate(Regions)) {
      EXPECT_EQ(&Match->getRegion(I), Region);
      EXPECT_EQ(Region->getRegionNumber(), I);
    }
    MatchPattern Wildcard;
    R.setPatterns(Match,
                  SmallVector<MatchPattern *>(Regions.size(), &Wildcard));
    EXPECT_EQ(Match->getType(), Vector);
    R.eraseOp(Match);
  }
}

TEST_F(RewriterTest, AddsRegions) {
  Operation *Match = make(B, "relay.match", X, nullptr, 1);
  neg(Match->getRegion(), X);
  Match->getRegion().setResultRaw(&*Match->getRegion().begin());
  Block *First = &Match->getRegion();
  Block &Second = R.addRegion(Match);
  Block &Third = R.addRegion(Match);
  EXPECT_EQ(Match->getNumRegions(), 3u);
  EXPECT_EQ(&Match->getRegion(0), First);
  EXPECT_EQ(&Match->getRegion(1), &Second);
  EXPECT_EQ(Third.getParentOp(), Match);
  EXPECT_EQ(Third.getFunction(), F);
  EXPECT_EQ(Third.getRegionNumber(), 2u);
  R.setResult(Second, X);
  R.setResult(Third, neg(Third, X));
  MatchPattern Wildcard;
  R.setPatterns(Match, {&Wildcard, &Wildcard, &Wildcard});
  EXPECT_EQ(Match->getPatterns().size(), 3u);
  EXPECT_EQ(Match->getType(), Vector);
  Operation *Scope = make(B, "relay.scope", {});
  R.setResult(R.addRegion(Scope), X);
  EXPECT_EQ(Scope->getRegion().getRegionNumber(), 0u);
  R.eraseOp(Match);
  R.eraseOp(Scope);
  EXPECT_TRUE(B.empty());
}

/// The contents of a new closure are reported once, and are one change.
TEST_F(RewriterTest, CreatesClosures) {
  Operation *Inner = neg(B, X), *Outer = neg(B, Inner);
  B.setResultRaw(Outer);
  ASSERT_TRUE(R.startRewrite("outline", Outer));
  R.setInsertionPoint(Outer);
  uint64_t Before = R.getNumRewrites();
  Listener.take();
  Operation *Fn = R.createClosure([&](Operation *Fn) {
    Block &Body = Fn->getRegion();
    BlockArgument *P = Body.addArgument(Ctx.intern("p"), Vector);
    R.moveToEndRaw(Outer, Body);
    Outer->setOperandRaw(0, P);
    Body.setResultRaw(Outer);
  });
  EXPECT_EQ(R.getNumRewrites(), Before + 1);
  EXPECT_EQ(Listener.take(), "op test.neg; op relay.fn; ");
  EXPECT_EQ(Fn->getType(), Ctx.getFuncType({}, Vector, Vector));
  EXPECT_EQ(order(B), "test.neg relay.fn");
  EXPECT_EQ(order(Fn->getRegion()), "test.neg");
  // The insertion point was at the operation that has moved.
  CallValueOp Call = R.create<CallValueOp>(Fn, Inner);
  R.setResult(B, Call);
  EXPECT_EQ(Call->getType(), Vector);
  EXPECT_EQ(order(B), "test.neg relay.fn relay.call");
  F->normalize();
  EXPECT_EQ(verifyText(*F), "");
  EXPECT_FALSE(F->getRewriteLog().hasMisuse());
}

} // namespace
