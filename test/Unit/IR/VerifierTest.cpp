//===- VerifierTest.cpp - Invariants of IR --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Violates each rule of the Verifier once.
//
//===----------------------------------------------------------------------===//

#include "TestIR.h"

using namespace relay;
using namespace relay::test;

namespace {

class VerifierTest : public IRTest {
protected:
  VerifierTest() : F(createFunction()), B(F->getBody()) {
    X = param(F, "x");
    C = param(F, "c", Ctx.getScalarType(DType::getBool()));
    M.setTyped(true);
  }

  /// Makes \p V the result, normalizes, and returns the Verifier's diagnostics.
  std::string check(Value *V) {
    B.setResultRaw(V);
    F->normalize();
    return verifyText(*F);
  }
  const Attrs *testAttrs(Attr Axis, Attr Shape = {}) {
    return getAttrs("test.attrs",
                    {Axis, Shape, Ctx.getFloat(1, DType::getFloat(64)),
                     Ctx.getString("A")});
  }
  /// `if (%c) { neg(%x) } else { %x }`
  Operation *branch() {
    Operation *If = makeIf(B, C);
    If->getRegion(0).setResultRaw(neg(If->getRegion(0), X));
    If->getRegion(1).setResultRaw(X);
    If->setTypeRaw(Vector);
    return If;
  }
  MatchPattern *pattern(MatchPattern::Kind K, BlockArgument *V = nullptr) {
    auto *P = new (F->getArena().allocate(sizeof(MatchPattern))) MatchPattern();
    P->K = K;
    P->Variable = V;
    return P;
  }
  void addList() {
    auto D = std::make_unique<TypeDef>();
    D->Name = Ctx.intern("List");
    TypeVarType *A = Ctx.createTypeVar("A");
    D->TypeParams = {A};
    auto Cons = std::make_unique<Constructor>();
    Cons->Name = Ctx.intern("Cons");
    Cons->Fields = {A, Ctx.getTypeCall("List", {A})};
    D->Constructors.push_back(std::move(Cons));
    M.addTypeDef(std::move(D));
  }

  Function *F;
  Block &B;
  Value *X, *C;
};

//===----------------------------------------------------------------------===//
// Repeated verification
//===----------------------------------------------------------------------===//

TEST_F(VerifierTest, OnlyWhatHasChanged) {
  Operation *Neg = neg(B, X);
  EXPECT_EQ(check(Neg), "");
  IncrementalVerifier Verifier;
  Verifier.assumeVerified(M);
  // Not by a Rewriter.
  Neg->setAttrsRaw(testAttrs(Ctx.getInt(0)));
  EXPECT_TRUE(succeeded(Verifier.verifyChanged(M)));
  EXPECT_TRUE(succeeded(Verifier.verifyChanged(*F)));
  F->getRewriteLog().addSilentChange();
  EXPECT_TRUE(failed(Verifier.verifyChanged(M)));
  EXPECT_TRUE(succeeded(Verifier.verifyChanged(M))); // was already reported
  F->getRewriteLog().addChange();
  EXPECT_TRUE(failed(Verifier.verifyChanged(*F)));
  EXPECT_TRUE(succeeded(Verifier.verifyChanged(M)));
}

TEST_F(VerifierTest, AllWhenASignatureChanges) {
  Operation *Neg = neg(B, X);
  EXPECT_EQ(check(Neg), "");
  Function *G = M.createFunction("g");
  Value *Y = param(G, "y");
  G->getBody().setResultRaw(Y);
  G->normalize();
  IncrementalVerifier Verifier;
  Verifier.assumeVerified(M);
  Neg->setAttrsRaw(testAttrs(Ctx.getInt(0)));
  // A new function has no callers yet; the new name of a function has.
  Function *H = M.createFunction("h");
  H->getBody().setResultRaw(param(H, "z"));
  H->normalize();
  EXPECT_TRUE(succeeded(Verifier.verifyChanged(M)));
  M.renameFunction(H, "i");
  EXPECT_TRUE(failed(Verifier.verifyChanged(M)));
  Y->setTypeRaw(Ctx.getScalarType(DType::getBool()));
  EXPECT_TRUE(failed(Verifier.verifyChanged(M)));
  M.eraseFunction(H);
  EXPECT_TRUE(failed(Verifier.verifyChanged(M)));
  EXPECT_TRUE(succeeded(Verifier.verifyChanged(M)));
}

//===----------------------------------------------------------------------===//
// Order and places
//===----------------------------------------------------------------------===//

TEST_F(VerifierTest, AcceptsWhatNormalizeGives) {
  Operation *If = branch();
  EXPECT_EQ(check(add(B, let(If, "a"), X)), "");
}

TEST_F(VerifierTest, Order) {
  Operation *L = neg(B, X), *R = make(B, "test.effect", X);
  EXPECT_EQ(check(add(B, L, R)), "");
  // Swapped operands: the numbers in the list differ from those of the walk.
  B.remove(L);
  B.insert(R->getIterator(), L);
  std::swap(L, R);
  B.remove(L);
  B.insert(B.begin(), L);
  for (auto [I, Op] : llvm::enumerate(B))
    Op.setIndex(2 + I);
  EXPECT_EQ(verifyText(*F), "operations of '@main' are not in canonical order");
}

TEST_F(VerifierTest, Numbers) {
  Operation *Op = neg(B, X);
  EXPECT_EQ(check(add(B, Op, Op)), "");
  Op->setIndex(3);
  EXPECT_EQ(verifyText(*F), "'test.add' is not in canonical order");
  Op->setIndex(7);
  EXPECT_EQ(verifyText(*F), "'test.neg' is not in canonical order");
  Op->setIndex(2);
  X->setIndex(1);
  EXPECT_EQ(verifyText(*F), "'%x' is not numbered");
}

TEST_F(VerifierTest, UnreachedOperation) {
  EXPECT_EQ(check(neg(B, X)), "");
  neg(B, X)->setIndex(3);
  EXPECT_EQ(verifyText(*F), "'test.neg' is not in canonical order");
}

TEST_F(VerifierTest, ArgumentsOfRegionsAreNumbered) {
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  Value *Y = Body.addArgument(Ctx.intern("y"), Vector);
  Body.setResultRaw(Y);
  Closure->setTypeRaw(inferOperationType(*Closure));
  EXPECT_EQ(check(Closure), "");
  Y->setIndex(9);
  EXPECT_EQ(verifyText(*F), "'%y' is not numbered");
}

TEST_F(VerifierTest, Place) {
  Operation *If = branch();
  EXPECT_EQ(check(If), "");
  Operation *Inner = &*If->getRegion(0).begin();
  If->getRegion(0).remove(Inner);
  B.insert(B.begin(), Inner);
  EXPECT_EQ(verifyText(*F),
            "'test.neg' is not in the innermost block of its uses");
}

TEST_F(VerifierTest, Scope) {
  Operation *If = branch();
  Operation *Inner = cast<Operation>(If->getRegion(0).getResult());
  Operation *Sum = add(B, If, X);
  EXPECT_EQ(check(Sum), "");
  Sum->setOperandRaw(1, Inner);
  EXPECT_EQ(verifyText(*F), "'test.neg' is used outside its scope");
}

TEST_F(VerifierTest, ValueOfAnotherFunction) {
  Function *G = createFunction("g");
  Value *Y = param(G, "y");
  G->getBody().setResultRaw(Y);
  EXPECT_EQ(check(neg(B, Y)), "'%y' is used outside its scope");
}

TEST_F(VerifierTest, VariableBeforeItsBinding) {
  Operation *First = let(neg(B, X), "a"), *Second = let(neg(B, X), "b");
  B.setResultRaw(Second);
  F->normalize();
  EXPECT_EQ(verifyText(*F), "");
  First->setOperandRaw(0, Second);
  EXPECT_EQ(verifyText(*F), "'test.neg' uses '%b' before its definition");
}

TEST_F(VerifierTest, OnlyClosuresUseThemselves) {
  Operation *Closure = let(fn(B), "f");
  Block &Body = Closure->getRegion();
  Body.setResultRaw(Closure);
  EXPECT_EQ(check(Closure), "");
  Closure->unbind();
  EXPECT_EQ(verifyText(*F), "'relay.fn' uses 'relay.fn' before its definition");
}

//===----------------------------------------------------------------------===//
// Use-lists and parents
//===----------------------------------------------------------------------===//

TEST_F(VerifierTest, MissingOperandAndResult) {
  Operation *Op = neg(B, X);
  EXPECT_EQ(check(Op), "");
  Op->setOperandRaw(0, nullptr);
  EXPECT_EQ(verifyText(*F), "'test.neg' lacks an operand");
  Op->setOperandRaw(0, X);
  B.setResultRaw(nullptr);
  EXPECT_EQ(verifyText(*F), "block without a result in '@main'");
}

TEST_F(VerifierTest, IncompleteRegion) {
  Operation *If = branch();
  EXPECT_EQ(check(If), "");
  If->getRegion(1).setResultRaw(nullptr);
  EXPECT_EQ(verifyText(*F), "'relay.if' has an incomplete region");
}

TEST_F(VerifierTest, BlockOfAnotherFunction) {
  Operation *If = branch();
  EXPECT_EQ(check(If), "");
  Function *G = createFunction("g");
  Operation *Other = makeIf(G->getBody(), C);
  Other->getRegion(0).setResultRaw(X);
  Other->getRegion(1).setResultRaw(X);
  Other->setTypeRaw(Vector);
  Other->setIndex(If->getIndex());
  G->getBody().remove(Other);
  B.insert(If->getIterator(), Other);
  B.remove(If);
  B.setResultRaw(Other);
  EXPECT_EQ(verifyText(*F), "block of another function in '@main'");
}

TEST_F(VerifierTest, OperationInAnotherList) {
  Operation *If = branch(), *Neg = neg(B, X);
  EXPECT_EQ(check(add(B, If, Neg)), "");
  B.getOperations().remove(*Neg);
  If->getRegion(0).getOperations().push_front(*Neg);
  EXPECT_EQ(verifyText(*F), "'test.neg' is not in the block that it records");
  If->getRegion(0).getOperations().remove(*Neg);
  B.getOperations().push_back(*Neg);
}

TEST_F(VerifierTest, ArgumentsInAnotherOrder) {
  EXPECT_EQ(check(X), "");
  auto **Arguments = const_cast<BlockArgument **>(B.getArguments().data());
  std::swap(Arguments[0], Arguments[1]);
  EXPECT_EQ(verifyText(*F), "'%c' is not at the position that it records");
}

TEST_F(VerifierTest, ArgumentsAreNumbered) {
  EXPECT_EQ(check(X), "");
  X->setIndex(1);
  EXPECT_EQ(verifyText(*F), "'%x' is not numbered");
}

/// Errors have the location of the argument or the operation.
TEST_F(VerifierTest, PlacesOfErrors) {
  Operation *If = branch(),
            *Neg = If->getRegion(0).getResult()->getDefiningOp();
  EXPECT_EQ(check(If), "");
  auto *Arg = cast<BlockArgument>(X);
  Arg->setLoc(Location::fromOffset(2));
  If->setLoc(Location::fromOffset(3));
  Neg->setLoc(Location::fromOffset(4));
  auto **Arguments = const_cast<BlockArgument **>(B.getArguments().data());
  std::swap(Arguments[0], Arguments[1]);
  EXPECT_EQ(verifyText(*F), "'%c' is not at the position that it records");
  cast<BlockArgument>(C)->setLoc(Location::fromOffset(5));
  EXPECT_EQ(verifyText(*F), "'%c' is not at the position that it records at 5");
  std::swap(Arguments[0], Arguments[1]);
  X->setIndex(1);
  EXPECT_EQ(verifyText(*F), "'%x' is not numbered at 2");
  X->setIndex(0);
  Arg->setAnnotation(Ctx.getScalarType(DType::getBool()));
  EXPECT_EQ(verifyText(*F), "'%x' has type 'Tensor[(3), float32]' where 'bool' "
                            "is written at 2");
  Arg->setAnnotation(Vector);
  Arg->setName("");
  EXPECT_EQ(verifyText(*F), "variable without a name at 2");
  Arg->setName(Ctx.intern("x"));
  Neg->setOperandRaw(0, nullptr);
  EXPECT_EQ(verifyText(*F), "'test.neg' lacks an operand at 4");
  Neg->setOperandRaw(0, X);
  If->getRegion(1).setResultRaw(nullptr);
  EXPECT_EQ(verifyText(*F), "'relay.if' has an incomplete region at 3");
  If->getRegion(1).setResultRaw(X);
  EXPECT_EQ(verifyText(*F), "");
}

/// Each link of a use-list.
TEST_F(VerifierTest, UseLists) {
  Operation *Neg = neg(B, X);
  EXPECT_EQ(check(add(B, Neg, X)), "");
  Use *First = &*X->use_begin();
  // The value, the next use, and the pointer to this one.
  for (unsigned Field : {0, 1, 2}) {
    char *At = reinterpret_cast<char *>(First) + Field * sizeof(void *);
    const void *Wrong = Field == 0 ? static_cast<void *>(C) : First, *Right;
    std::memcpy(&Right, At, sizeof(Right));
    std::memcpy(At, &Wrong, sizeof(Wrong));
    EXPECT_EQ(verifyText(*F), "use-list of '%x' is broken") << Field;
    std::memcpy(At, &Right, sizeof(Right));
  }
  EXPECT_EQ(verifyText(*F), "");
}

TEST_F(VerifierTest, UseOutsideOfTheFunction) {
  EXPECT_EQ(check(neg(B, X)), "");
  Function *G = createFunction("g");
  G->getBody().setResultRaw(X);
  EXPECT_EQ(verifyText(*F), "use-lists of '@main' hold 3 uses instead of 2");
}

//===----------------------------------------------------------------------===//
// Declared operators
//===----------------------------------------------------------------------===//

TEST_F(VerifierTest, OperandCounts) {
  EXPECT_EQ(check(make(B, "test.neg", {X, X})),
            "'test.neg' takes 1 operands, not 2");
  EXPECT_EQ(check(make(B, "relay.call", {}, getAttrs("relay.call", Attr()))),
            "'relay.call' takes at least 1 operands, not 0");
}

TEST_F(VerifierTest, Attributes) {
  EXPECT_EQ(check(make(B, "test.attrs", X, testAttrs(Ctx.getInt(2)))), "");
  EXPECT_EQ(check(make(B, "test.attrs", X)), "'test.attrs' has no attributes");
  EXPECT_EQ(check(make(B, "test.neg", X, testAttrs(Ctx.getInt(2)))),
            "'test.neg' has the attributes of another operation: "
            "'test.Attrs'");
  EXPECT_EQ(check(make(B, "test.attrs", X, testAttrs(Ctx.getString("a")))),
            "'test.attrs' has a value of the wrong kind in attribute 'axis'");
  EXPECT_EQ(check(make(B, "test.attrs", X, testAttrs(Attr()))),
            "'test.attrs' has a value of the wrong kind in attribute 'axis'");
  EXPECT_EQ(
      check(make(B, "test.attrs", X, testAttrs(Ctx.getInt(0), Ctx.getInt(3)))),
      "'test.attrs' has a value of the wrong kind in attribute 'shape'");
  Attr Names = Ctx.getArray({Ctx.getString("a")});
  EXPECT_EQ(check(make(B, "test.attrs", X, testAttrs(Ctx.getInt(0), Names))),
            "'test.attrs' has a value of the wrong kind in attribute 'shape'");
}

TEST_F(VerifierTest, HookOfTheOperator) {
  EXPECT_EQ(check(make(B, "test.attrs", X, testAttrs(Ctx.getInt(3)))),
            "axis is odd");
}

TEST_F(VerifierTest, EqualAttributesAreCheckedOnEveryUse) {
  const Attrs *Wrong = testAttrs(Ctx.getString("a"));
  Operation *Op = make(B, "test.attrs", X, Wrong);
  EXPECT_NE(check(add(B, Op, make(B, "test.attrs", X, Wrong))), "");
  EXPECT_NE(verifyText(M), "");
}

TEST_F(VerifierTest, Names) {
  Operation *Op = let(neg(B, X), "a");
  EXPECT_EQ(check(Op), "");
  Op->bind("");
  EXPECT_EQ(verifyText(*F), "variable without a name");
#ifndef NDEBUG
  std::string Own = "a";
  Op->bind(Own);
  EXPECT_EQ(verifyText(*F), "name '%a' is not interned");
#endif
  F->getParams()[0]->setName("");
  EXPECT_EQ(verifyText(*F), "variable without a name");
}

#ifdef NDEBUG // Module::addFunction() asserts it.
TEST_F(VerifierTest, DuplicateFunctions) {
  EXPECT_EQ(check(X), "");
  Function *Second =
      M.addFunction(std::make_unique<Function>(Ctx, F->getName(), Location()));
  Second->getBody().setResultRaw(param(Second, "y"));
  Second->normalize();
  EXPECT_EQ(verifyText(M), "function '@" + F->getName().str() +
                               "' is defined twice, or not under its name");
}
#endif

/// The binding of an operation is verified even if an earlier operation has the
/// same operator, attributes and types.
TEST_F(VerifierTest, BindingsOfSimilarOperations) {
  Operation *First = let(neg(B, X), "a"), *Second = let(neg(B, X), "b");
  EXPECT_EQ(check(add(B, First, Second)), "");
  Second->bind(Ctx.intern("b"), Vector);
  EXPECT_EQ(verifyText(*F), "");
  Second->bind(Ctx.intern("b"), Ctx.getScalarType(DType::getInt(8)));
  EXPECT_EQ(verifyText(*F), "value of %b does not have the declared type: int8 "
                            "and Tensor[(3), float32]");
  Second->bind("");
  EXPECT_EQ(verifyText(*F), "variable without a name");
}

/// A type that only the annotation of a variable admits is wrong for other
/// operations.
TEST_F(VerifierTest, AnnotationsOfSimilarOperations) {
  DType Float = DType::getFloat(32);
  Type *Dynamic = Ctx.getTensorType(Dim::getAny(), Float),
       *Other = Ctx.getTensorType(ArrayRef<int64_t>{5}, Float);
  Operation *First = neg(B, X), *Second = neg(B, X);
  First->bind(Ctx.intern("a"), Dynamic);
  First->setTypeRaw(Other);
  EXPECT_EQ(check(Second), "");
  Second->setTypeRaw(Other);
  EXPECT_EQ(verifyText(*F), "'test.neg' has type 'Tensor[(5), float32]', "
                            "expected 'Tensor[(3), float32]'");
}

TEST_F(VerifierTest, CountsOfValues) {
  EXPECT_EQ(check(X), "");
  B.addArgument(Ctx.intern("z"), Vector)->setIndex(2);
  EXPECT_EQ(verifyText(*F), "values of '@main' are not numbered");
}

TEST_F(VerifierTest, Signatures) {
  EXPECT_EQ(check(X), "");
  F->getSignature().Attributes = testAttrs(Ctx.getInt(2));
  EXPECT_EQ(verifyText(*F), "function with the attributes of an operation");
  F->getSignature().Attributes = Ctx.getDictAttrs({});
  EXPECT_EQ(verifyText(*F), "");
  F->getSignature().TypeParams = {nullptr};
  EXPECT_EQ(verifyText(*F), "missing type parameter");
}

//===----------------------------------------------------------------------===//
// Constructs
//===----------------------------------------------------------------------===//

TEST_F(VerifierTest, Regions) {
  Operation *If = make(B, "relay.if", C, nullptr, 1);
  If->getRegion(0).setResultRaw(X);
  EXPECT_EQ(check(If), "'relay.if' has 1 regions instead of 2");
  If = branch();
  If->getRegion(0).addArgument(Ctx.intern("a"), Vector);
  EXPECT_EQ(check(If), "'relay.if' has a region with arguments");
}

TEST_F(VerifierTest, Alias) {
  Operation *A = alias(B, X, "a");
  EXPECT_EQ(check(A), "");
  A->unbind();
  EXPECT_EQ(verifyText(*F), "'relay.alias' is not bound");
  A->bind(Ctx.intern("a"));
  Operation *Op = neg(B, X);
  B.remove(Op);
  B.insert(A->getIterator(), Op);
  A->setOperandRaw(0, Op);
  F->normalize(); // binds Op instead
  EXPECT_EQ(verifyText(*F), "");
  A = let(make(B, "relay.alias", X), "b");
  Op = cast<Operation>(B.getResult());
  B.setResultRaw(A);
  F->normalize();
  Op->unbind();
  A->setOperandRaw(0, Op);
  EXPECT_EQ(
      verifyText(*F),
      "'relay.alias' is an alias of 'test.neg', which could be bound instead");
}

TEST_F(VerifierTest, ScopeHasBindings) {
  Operation *Scope = scope(B);
  Operation *A = let(neg(Scope->getRegion(), X), "a");
  Scope->getRegion().setResultRaw(A);
  Scope->setTypeRaw(Vector);
  let(Scope, "s");
  EXPECT_EQ(check(Scope), "");
  A->unbind();
  EXPECT_EQ(verifyText(*F), "'relay.scope' has no bindings");
}

TEST_F(VerifierTest, ScopesAreNoResultsOfBlocks) {
  Operation *If = branch(), *Scope = scope(B);
  Operation *A = let(neg(Scope->getRegion(), X), "a");
  Scope->getRegion().setResultRaw(A);
  Scope->setTypeRaw(Vector);
  Block &Then = If->getRegion(0);
  Operation *User = cast<Operation>(Then.getResult());
  User->setOperandRaw(0, Scope);
  EXPECT_EQ(check(If), "");
  User->setOperandRaw(0, X);
  Then.setResultRaw(Scope);
  EXPECT_EQ(
      verifyText(*F),
      "'relay.scope' is the result of a block and must be merged into it");
}

TEST_F(VerifierTest, CallsOfSymbolsAreDirect) {
  Operation *Callee =
      make(B, "relay.op", {}, getAttrs("relay.op", Ctx.getString("test.add")));
  Operation *Call =
      make(B, "relay.call", {Callee, X}, getAttrs("relay.call", Attr()));
  M.setTyped(false);
  EXPECT_EQ(check(Call), ""); // it has too few operands
  Callee->setAttrsRaw(getAttrs("relay.op", Ctx.getString("test.neg")));
  EXPECT_EQ(verifyText(*F), "'relay.call' calls the value of 'relay.op', which "
                            "could be called directly");
}

TEST_F(VerifierTest, Types) {
  Type *Scalar = Ctx.getScalarType(DType::getInt(8));
  Operation *T = tuple(B, {X, X});
  T->setTypeRaw(Ctx.getTupleType({Vector}));
  EXPECT_EQ(check(T), "'relay.tuple' has type '(Tensor[(3), float32],)', "
                      "expected '(Tensor[(3), float32], Tensor[(3), "
                      "float32])'");
  T->setTypeRaw(Ctx.getTupleType({Vector, Scalar}));
  EXPECT_EQ(check(T),
            "'relay.tuple' has type '(Tensor[(3), float32], int8)', expected "
            "'(Tensor[(3), float32], Tensor[(3), float32])'");
  T->setTypeRaw(Ctx.getTupleType({Vector, Vector}));
  EXPECT_EQ(check(project(B, T, 2)),
            "no field 2 in (Tensor[(3), float32], Tensor[(3), float32])");
  EXPECT_EQ(check(project(B, T, -1)),
            "'relay.tuple_get_item' has a negative index: -1");
  EXPECT_EQ(
      check(project(B, X, 0)),
      "projection from a value that is not a tuple: Tensor[(3), float32]");
  Operation *K = constant(B, 1);
  K->setTypeRaw(Scalar);
  EXPECT_EQ(check(K), "'relay.constant' has type 'int8', expected 'float32'");
  Operation *If = branch();
  If->setOperandRaw(0, X);
  EXPECT_EQ(check(If),
            "condition is not a bool scalar: Tensor[(3), float32] and bool");
  If = branch();
  If->setTypeRaw(Scalar);
  EXPECT_EQ(check(If),
            "'relay.if' has type 'int8', expected 'Tensor[(3), float32]'");
  Operation *Bound = neg(B, X);
  Bound->bind(Ctx.intern("a"), Scalar);
  EXPECT_EQ(check(Bound),
            "value of %a does not have the declared type: int8 and "
            "Tensor[(3), float32]");
  F->getParams()[0]->setAnnotation(Scalar);
  EXPECT_EQ(check(X), "'%x' has type 'Tensor[(3), float32]' where 'int8' is "
                      "written");
}

TEST_F(VerifierTest, DynamicTypesAgree) {
  Operation *If = branch();
  If->setTypeRaw(Ctx.getTensorType(Dim::getAny(), DType::getFloat(32)));
  Operation *T = tuple(B, {If});
  T->setTypeRaw(Ctx.getTupleType({Vector}));
  EXPECT_EQ(check(T), "");
}

TEST_F(VerifierTest, Closures) {
  Operation *Closure = fn(B);
  Block &Body = Closure->getRegion();
  Body.setResultRaw(Body.addArgument(Ctx.intern("y"), Vector));
  Type *Scalar = Ctx.getScalarType(DType::getInt(8));
  auto Typed = [&](ArrayRef<Type *> Params, Type *Result) {
    Closure->setTypeRaw(Ctx.getFuncType({}, Params, Result));
    return check(Closure);
  };
  EXPECT_EQ(Typed(Vector, Vector), "");
  EXPECT_EQ(Typed({}, Vector),
            "'relay.fn' has type 'fn () -> Tensor[(3), float32]', expected 'fn "
            "(Tensor[(3), float32]) -> Tensor[(3), float32]'");
  EXPECT_EQ(Typed(Scalar, Vector),
            "'relay.fn' has type 'fn (int8) -> Tensor[(3), float32]', expected "
            "'fn (Tensor[(3), float32]) -> Tensor[(3), "
            "float32]'");
  EXPECT_EQ(Typed(Vector, Scalar),
            "'relay.fn' has type 'fn (Tensor[(3), float32]) -> int8', expected "
            "'fn (Tensor[(3), float32]) -> Tensor[(3), "
            "float32]'");
  Closure->setTypeRaw(Ctx.getFuncType({}, Vector, Vector));
  const Attrs *None = getAttrs("relay.call", Attr());
  EXPECT_EQ(check(make(B, "relay.call", {Closure, X}, None)), "");
  EXPECT_EQ(
      check(make(B, "relay.call", {Closure}, None)),
      "the function takes 1 argument, not 0: fn (Tensor[(3), float32]) -> "
      "Tensor[(3), float32]");
  EXPECT_EQ(
      check(make(B, "relay.call", {Closure, C}, None)),
      "argument 1 of the function does not have the type of the parameter: "
      "Tensor[(3), float32] and bool");
  EXPECT_EQ(check(make(B, "relay.call", {X}, None)),
            "%x is called but is not a function: Tensor[(3), float32]");
}

TEST_F(VerifierTest, TypeParametersAreBoundOnce) {
  TypeVarType *A = Ctx.createTypeVar("A"), *Other = Ctx.createTypeVar("A");
  F->getSignature().TypeParams = {A};
  Operation *Closure = fn(B);
  Closure->getRegion().setResultRaw(X);
  auto CheckWith = [&](TypeVarType *Var) {
    Closure->getSignature().TypeParams = {Var};
    Closure->setTypeRaw(Ctx.getFuncType({Var}, {}, Vector));
    return check(Closure);
  };
  EXPECT_EQ(CheckWith(Other), "");
  EXPECT_EQ(CheckWith(A),
            "type parameter 'A' also belongs to another function");
  // Global functions are independent.
  EXPECT_EQ(CheckWith(Other), "");
  Function *G = createFunction("g");
  G->getSignature().TypeParams = {A};
  G->getBody().setResultRaw(param(G, "y"));
  M.normalize();
  EXPECT_EQ(verifyText(M), "");
}

TEST_F(VerifierTest, References) {
  Operation *Ref = make(B, "relay.ref_create", X);
  EXPECT_EQ(check(make(B, "relay.ref_write", {Ref, X})), "");
  EXPECT_EQ(check(make(B, "relay.ref_write", {Ref, C})),
            "'ref_write' of a value whose type is not that of the reference: "
            "ref(Tensor[(3), float32]) and ref(bool)");
  EXPECT_EQ(
      check(make(B, "relay.ref_read", X)),
      "operand of 'ref_read' is not a reference: Tensor[(3), float32] and "
      "ref(?0)");
}

TEST_F(VerifierTest, Globals) {
  Function *G = createFunction("g");
  G->getBody().setResultRaw(param(G, "y"));
  G->normalize();
  EXPECT_EQ(check(call(B, "g", X)), "");
  EXPECT_EQ(check(call(B, "g", {})),
            "@g takes 1 argument, not 0: fn (Tensor[(3), float32]) -> "
            "Tensor[(3), float32]");
  EXPECT_EQ(
      check(call(B, "g", C)),
      "argument 1 of @g does not have the type of the parameter: Tensor[(3), "
      "float32] and bool");
  EXPECT_EQ(check(call(B, "h", X)),
            "'relay.call_global' names '@h', which the module does not define");
  EXPECT_EQ(verifyText(*F, /*AllowUndefined=*/true), "");
  EXPECT_EQ(verifyText(M, /*AllowUndefined=*/true), "");
  EXPECT_NE(verifyText(M), "");
  F->setForm(Function::Form::OpenExpression);
  EXPECT_EQ(verifyText(M), "");
}

TEST_F(VerifierTest, SymbolsAsValues) {
  auto Reference = [&](StringRef Op, StringRef Name) {
    return check(make(B, Op, {}, getAttrs(Op, Ctx.getString(Name))));
  };
  EXPECT_EQ(Reference("relay.op", "test.neg"), "");
  EXPECT_EQ(Reference("relay.op", "test.nothing"),
            "'relay.op' names 'test.nothing', which is not an operator");
  EXPECT_EQ(Reference("relay.op", "relay.tuple"),
            "'relay.op' names 'relay.tuple', which is not an operator");
  EXPECT_EQ(Reference("relay.global", "main"), "");
  EXPECT_EQ(
      Reference("relay.global", "nothing"),
      "'relay.global' names '@nothing', which the module does not define");
  addList();
  EXPECT_EQ(Reference("relay.constructor", "Cons"), "");
  EXPECT_EQ(Reference("relay.constructor", "Nil"),
            "'relay.constructor' names the constructor 'Nil', which the module "
            "does not define");
}

TEST_F(VerifierTest, Constructors) {
  addList();
  Value *List = param(F, "l", Ctx.getTypeCall("List", Vector));
  auto Call = [&](ArrayRef<Value *> Arguments) {
    Operation *Op =
        make(B, "relay.call_constructor", Arguments,
             getAttrs("relay.call_constructor", {Ctx.getString("Cons"), {}}));
    return check(Op);
  };
  EXPECT_EQ(Call({X, List}), "");
  EXPECT_EQ(Call({X, X}),
            "argument 2 of 'Cons' does not have the type of the parameter: "
            "List[Tensor[(3), float32]] and Tensor[(3), float32]");
  EXPECT_EQ(Call({X}),
            "'Cons' takes 2 arguments, not 1: fn [A](A, List[A]) -> List[A]");
}

TEST_F(VerifierTest, Patterns) {
  using Kind = MatchPattern::Kind;
  addList();
  Value *Data = param(F, "l", Ctx.getTypeCall("List", Vector));
  auto Match = [&](function_ref<MatchPattern *(Block &)> Make) {
    Operation *Op = make(B, "relay.match", Data, nullptr, 1);
    Op->getRegion().setResultRaw(X);
    Op->setTypeRaw(Vector);
    Op->setPatterns(Make(Op->getRegion()));
    return check(Op);
  };
  auto Arg = [&](Block &Clause, StringRef Name) {
    return Clause.addArgument(Ctx.intern(Name), nullptr);
  };
  auto Cons = [&](ArrayRef<MatchPattern *> Parts) {
    MatchPattern *P = pattern(Kind::Constructor);
    P->Constructor = Ctx.intern("Cons");
    P->Children = F->getArena().copy(Parts);
    return P;
  };
  EXPECT_EQ(Match([&](Block &Clause) {
              return Cons({pattern(Kind::Var, Arg(Clause, "h")),
                           pattern(Kind::Wildcard)});
            }),
            "");
  Value *OfList = std::exchange(Data, X);
  EXPECT_EQ(Match([&](Block &) {
              return Cons({pattern(Kind::Wildcard), pattern(Kind::Wildcard)});
            }),
            "data does not match the pattern 'Cons': Tensor[(3), float32] and "
            "List[?0]");
  Data = OfList;
  EXPECT_EQ(Match([&](Block &Clause) {
              BlockArgument *H = Arg(Clause, "h");
              H->setTypeRaw(C->getType());
              return Cons({pattern(Kind::Var, H), pattern(Kind::Wildcard)});
            }),
            "%h does not have the type of the value that it matches: bool and "
            "Tensor[(3), "
            "float32]");
  EXPECT_EQ(Match([&](Block &) { return Cons({pattern(Kind::Wildcard)}); }),
            "'relay.match' matches 'Cons' with 1 fields instead of 2");
  EXPECT_EQ(Match([&](Block &) {
              MatchPattern *P = Cons({});
              P->Constructor = Ctx.intern("Nil");
              return P;
            }),
            "'relay.match' matches the constructor 'Nil', which the module "
            "does not define");
  EXPECT_EQ(Match([&](Block &Clause) {
              Arg(Clause, "h");
              return pattern(Kind::Wildcard);
            }),
            "'relay.match' has a variable that is not in its pattern");
  EXPECT_EQ(Match([&](Block &Clause) {
              BlockArgument *H = Arg(Clause, "h");
              return Cons({pattern(Kind::Var, H), pattern(Kind::Var, H)});
            }),
            "'relay.match' has '%h' twice in a pattern");
  EXPECT_EQ(Match([&](Block &) {
              return pattern(Kind::Var, cast<BlockArgument>(X));
            }),
            "'relay.match' has a pattern with a variable of another clause");
  EXPECT_EQ(Match([&](Block &) { return pattern(Kind::Var); }),
            "'relay.match' has a malformed variable pattern");
  EXPECT_EQ(Match([&](Block &Clause) {
              MatchPattern *P = pattern(Kind::Wildcard);
              P->Variable = Arg(Clause, "h");
              return P;
            }),
            "'relay.match' has a malformed variable pattern");
  for (Kind K : {Kind::Wildcard, Kind::Var})
    EXPECT_EQ(
        Match([&](Block &Clause) {
          MatchPattern *P =
              pattern(K, K == Kind::Var ? Arg(Clause, "h") : nullptr);
          P->Children = F->getArena().copy(
              ArrayRef<MatchPattern *>(pattern(Kind::Wildcard)));
          return P;
        }),
        "'relay.match' has a pattern with subpatterns where none are allowed");
  EXPECT_EQ(Match([&](Block &) -> MatchPattern * { return nullptr; }),
            "'relay.match' lacks a pattern");
  Operation *Op = make(B, "relay.match", X, nullptr, 1);
  Op->getRegion().setResultRaw(X);
  Op->setPatterns({});
  EXPECT_EQ(check(Op), "'relay.match' has 1 regions instead of 0");
}

TEST_F(VerifierTest, TypeDefinitions) {
  addList();
  B.setResultRaw(X);
  F->normalize();
  EXPECT_EQ(verifyText(M), "");
  TypeDef &List = *M.lookupTypeDef("List");
  Constructor &Cons = *List.Constructors[0];
  auto ExpectInconsistent = [&](auto &Part, auto Wrong) {
    std::swap(Part, Wrong);
    EXPECT_EQ(verifyText(M),
              ("definition of '" + List.Name + "' is inconsistent").str());
    std::swap(Part, Wrong);
    EXPECT_EQ(verifyText(M), "");
  };
  ExpectInconsistent(Cons.Tag, decltype(Cons.Tag)(4));
  ExpectInconsistent(Cons.Name, StringRef());
  ExpectInconsistent(Cons.Parent, static_cast<TypeDef *>(nullptr));
  ExpectInconsistent(Cons.Fields[1], static_cast<Type *>(nullptr));
  ExpectInconsistent(List.Name, StringRef("Lost"));
}

TEST_F(VerifierTest, EveryFunctionOfAModule) {
  B.setResultRaw(make(B, "test.neg", {X, X}));
  F->normalize();
  Function *G = createFunction("g");
  G->getBody().setResultRaw(make(G->getBody(), "test.add", param(G, "y")));
  G->normalize();
  EXPECT_EQ(verifyText(M), "'test.neg' takes 1 operands, not 2\n"
                           "'test.add' takes 2 operands, not 1");
}

} // namespace
