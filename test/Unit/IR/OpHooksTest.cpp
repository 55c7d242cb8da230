//===- OpHooksTest.cpp - Unit tests of hooks of operators -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/IR/OpHooks.h"
#include "TestIR.h"
#include "relay/IR/Constant.h"
#include "relay/IR/Core.h"
#include <climits>

using namespace relay;
using namespace relay::test;

namespace {

int getOne() { return 1; }
int getTwo() { return 2; }

// Kinds and entries as relay-tblgen writes them.

struct Count {
  using Fn = int();
  using Result = int;
  static constexpr bool MayHaveNoOpinion = false;
  static const OpHookKind Kind;
};
const OpHookEntry CountEntries[] = {
    {nullptr, &TupleOp::getInfo, "", 10, "getOne", "Count.td",
     reinterpret_cast<AnyHookFn>(&getOne)},
    {nullptr, &TupleOp::getInfo, "gpu", 10, "getTwo", "Count.td",
     reinterpret_cast<AnyHookFn>(&getTwo)},
};
const OpHookKind Count::Kind = {"Count", CountEntries};

/// Fails for a negative number, and has no opinion on an odd one.
struct Half {
  using Fn = FailureOr<int>(const int &Number);
  using Result = FailureOr<int>;
  static constexpr bool MayHaveNoOpinion = true;
  static bool hasNoOpinion(const Result &Answer) { return *Answer == -1; }
  static bool hasFailed(const Result &Answer) { return failed(Answer); }
  static const OpHookKind Kind;
};
FailureOr<int> halve(const int &Number) {
  if (Number < 0)
    return failure();
  return Number % 2 ? -1 : Number / 2;
}
FailureOr<int> roundDown(const int &Number) { return Number / 2; }
const OpHookEntry HalfEntries[] = {
    {nullptr, &TupleOp::getInfo, "", 10, "roundDown", "Half.td",
     reinterpret_cast<AnyHookFn>(&roundDown)},
    {nullptr, &TupleOp::getInfo, "", 20, "halve", "Half.td",
     reinterpret_cast<AnyHookFn>(&halve)},
    {nullptr, &FnOp::getInfo, "", 20, "halve", "Half.td",
     reinterpret_cast<AnyHookFn>(&halve)},
};
const OpHookKind Half::Kind = {"Half", HalfEntries};

enum class SpeedValue : uint8_t { Slow, VeryFast };
struct Speed {
  using Value = SpeedValue;
  static const OpHookKind Kind;
};
const OpHookEntry SpeedEntries[] = {{nullptr,
                                     &TupleOp::getInfo,
                                     "",
                                     10,
                                     "very-fast",
                                     "Speed.td",
                                     nullptr,
                                     {1, {}}}};
const StringRef SpeedNames[] = {"slow", "very-fast"};
const OpHookKind Speed::Kind = {"Speed", SpeedEntries, OpFactType::Enum,
                                SpeedNames};

struct Flag {
  using Value = bool;
  static const OpHookKind Kind;
};
const OpHookKind Flag::Kind = {"Flag", {}, OpFactType::Bool};
struct Number {
  using Value = int64_t;
  static const OpHookKind Kind;
};
const OpHookKind Number::Kind = {"Number", {}, OpFactType::Int};
struct Text {
  using Value = StringRef;
  static const OpHookKind Kind;
};
const OpHookKind Text::Kind = {"Text", {}, OpFactType::String};

class OpHooksTest : public IRTest {
protected:
  const OpInfo &Tuple = TupleOp::getInfo();
  const OpInfo &Neg = *Ctx.lookupOp("test.neg");

  /// An entry of \p Op that a test adds.
  static OpHookEntry makeEntry(const OpInfo &Op, StringRef Key = "",
                               int Level = OpHookEntry::DefaultLevel) {
    OpHookEntry E;
    E.Op = &Op;
    E.Key = Key;
    E.Level = Level;
    E.Name = "added";
    E.Source = "a test";
    return E;
  }
  int count(const OpInfo &Op, ArrayRef<StringRef> Keys = {}) {
    OpHook<Count> Hook = OpHooks<Count>(Ctx, Keys).lookup(Op);
    return Hook ? Hook() : 0;
  }
};

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

TEST_F(OpHooksTest, HooksOfTheKindNeedNoRegistration) {
  EXPECT_EQ(count(Tuple), 1);
  EXPECT_FALSE(OpHooks<Count>(Ctx).lookup(FnOp::getInfo()));
}

TEST_F(OpHooksTest, KeysComeInTheirOrderBeforeTheEmptyOne) {
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Tuple, "cpu", 5), []() { return 5; }));
  EXPECT_EQ(count(Tuple, {"gpu"}), 2);
  EXPECT_EQ(count(Tuple, {"cpu"}), 5);
  EXPECT_EQ(count(Tuple, {"cpu", "gpu"}), 5);
  EXPECT_EQ(count(Tuple, {"gpu", "cpu"}), 2);
  EXPECT_EQ(count(Tuple, {"fpga"}), 1);
  EXPECT_EQ(count(Tuple), 1);
}

TEST_F(OpHooksTest, AKeyComesBeforeAHigherLevelOfTheEmptyOne) {
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Tuple, "", 90), []() { return 90; }));
  EXPECT_EQ(count(Tuple), 90);
  EXPECT_EQ(count(Tuple, {"gpu"}), 2);
}

TEST_F(OpHooksTest, TheHighestLevelOfAKeyWins) {
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Tuple, "", 11), []() { return 11; }));
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Tuple, "", 9), []() { return 9; }));
  EXPECT_EQ(count(Tuple), 11);
}

TEST_F(OpHooksTest, TheLeastLevelComesLast) {
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Tuple, "", INT_MIN), []() { return 5; }));
  EXPECT_EQ(count(Tuple), 1);
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Tuple, "", INT_MAX), []() { return 6; }));
  EXPECT_EQ(count(Tuple), 6);
}

TEST_F(OpHooksTest, FurtherHooksAreOfOneContext) {
  llvm::cantFail(addOpHook<Count>(Ctx, makeEntry(Neg), []() { return 7; }));
  EXPECT_EQ(count(Neg), 7);
  Context Other;
  EXPECT_FALSE(OpHooks<Count>(Other).lookup(Neg));
}

TEST_F(OpHooksTest, ViewsFollowLaterEntries) {
  OpHooks<Count> All(Ctx);
  StringRef Keys[] = {"gpu"};
  OpHooks<Count> OfGPU(Ctx, Keys);
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Neg, "gpu"), []() { return 3; }));
  EXPECT_FALSE(All.lookup(Neg));
  EXPECT_EQ(OfGPU.lookup(Neg)(), 3);
  EXPECT_EQ(OfGPU.lookup(Tuple)(), 2);
}

TEST_F(OpHooksTest, ClosuresHaveState) {
  auto Calls = std::make_shared<int>(0);
  llvm::cantFail(
      addOpHook<Count>(Ctx, makeEntry(Neg), [Calls]() { return ++*Calls; }));
  EXPECT_EQ(count(Neg), 1);
  EXPECT_EQ(count(Neg), 2);
  EXPECT_EQ(*Calls, 2);
}

TEST_F(OpHooksTest, ClosuresEndWithTheirContext) {
  std::weak_ptr<int> State;
  {
    Context Other;
    auto Held = std::make_shared<int>(4);
    State = Held;
    llvm::cantFail(
        addOpHook<Count>(Other, makeEntry(Neg), [Held]() { return *Held; }));
    Held.reset();
    EXPECT_EQ(OpHooks<Count>(Other).lookup(Neg)(), 4);
  }
  EXPECT_TRUE(State.expired());
}

/// Holds a constant, and reads it at its end.
struct ConstantHolder {
  ConstantRef Held;
  double &Seen;
  ConstantHolder(Attr A, double &Seen) : Held(A), Seen(Seen) {}
  ConstantHolder(const ConstantHolder &) = delete;
  ~ConstantHolder() { Seen = Held->getDouble(); }
};

TEST_F(OpHooksTest, ConstantsOutliveTheClosuresThatHoldThem) {
  double Seen = 0;
  {
    Context Other;
    auto Holder = std::make_shared<ConstantHolder>(
        Other.getScalarConstant(DType::getFloat(32), 2.5), Seen);
    llvm::cantFail(
        addOpHook<Count>(Other, makeEntry(Neg), [Holder]() { return 1; }));
  }
  EXPECT_EQ(Seen, 2.5);
}

TEST_F(OpHooksTest, UnregisteredOpsHaveNone) {
  const OpInfo &Unknown = Ctx.getOrCreateUnregisteredOp("my.op");
  EXPECT_EQ(Unknown.Number.get(), 0u);
  EXPECT_FALSE(OpHooks<Count>(Ctx).lookup(Unknown));
}

TEST_F(OpHooksTest, NumbersAreTheSameInEveryContext) {
  unsigned Number = Ctx.lookupOp("test.add")->Number.get();
  EXPECT_NE(Number, 0u);
  EXPECT_NE(Number, Ctx.lookupOp("test.neg")->Number.get());
  Context Other;
  registerTestOps(Other);
  EXPECT_EQ(Other.lookupOp("test.add")->Number.get(), Number);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

TEST_F(OpHooksTest, NoOpinionLeavesItToTheNextEntry) {
  OpHook<Half> Hook = OpHooks<Half>(Ctx).lookup(Tuple);
  EXPECT_EQ(*Hook(8), 4); // of halve
  EXPECT_EQ(*Hook(9), 4); // of roundDown
}

TEST_F(OpHooksTest, TheLastEntryMayHaveNoOpinion) {
  EXPECT_EQ(*OpHooks<Half>(Ctx).lookup(FnOp::getInfo())(9), -1);
}

TEST_F(OpHooksTest, AFailureAsksNoOther) {
  int Calls = 0;
  llvm::cantFail(addOpHook<Half>(
      Ctx, makeEntry(Tuple, "", 15),
      [&Calls](const int &) -> FailureOr<int> { return ++Calls; }));
  OpHook<Half> Hook = OpHooks<Half>(Ctx).lookup(Tuple);
  EXPECT_TRUE(failed(Hook(-2)));
  EXPECT_EQ(Calls, 0);
  EXPECT_EQ(*Hook(3), 1);
}

TEST_F(OpHooksTest, NoOpinionLeavesTheKeyForTheEmptyOne) {
  llvm::cantFail(addOpHook<Half>(Ctx, makeEntry(Tuple, "gpu"),
                                 [](const int &Number) -> FailureOr<int> {
                                   return Number == 6 ? 66 : -1;
                                 }));
  OpHook<Half> Hook = OpHooks<Half>(Ctx, {"gpu"}).lookup(Tuple);
  EXPECT_EQ(*Hook(6), 66);
  EXPECT_EQ(*Hook(8), 4);
  EXPECT_EQ(*OpHooks<Half>(Ctx).lookup(Tuple)(6), 3);
}

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

TEST_F(OpHooksTest, EqualLevelsAreAnErrorThatNamesBoth) {
  llvm::Error E =
      addOpHook<Count>(Ctx, makeEntry(Tuple, "gpu"), []() { return 3; });
  EXPECT_EQ(llvm::toString(std::move(E)),
            "cannot add hook Count of 'relay.tuple' for 'gpu' as 'added' (a "
            "test) at level 10, the level of 'getTwo' (Count.td)");
  EXPECT_EQ(count(Tuple, {"gpu"}), 2);
}

TEST_F(OpHooksTest, AddedEntriesClashToo) {
  OpHookEntry E = makeEntry(Neg);
  llvm::cantFail(addOpHook<Count>(Ctx, E, []() { return 3; }));
  E.Name = "second";
  EXPECT_EQ(llvm::toString(addOpHook<Count>(Ctx, E, []() { return 4; })),
            "cannot add hook Count of 'test.neg' as 'second' (a test) at level "
            "10, the level of 'added' (a test)");
  EXPECT_EQ(count(Neg), 3);
}

TEST_F(OpHooksTest, RegistrationKeepsItsErrors) {
  static const OpHookEntry Entries[] = {
      {nullptr, &TupleOp::getInfo, "", 10, "getTwo", "My.td",
       reinterpret_cast<AnyHookFn>(&getTwo)},
      {nullptr, &FnOp::getInfo, "", 10, "getTwo", "My.td",
       reinterpret_cast<AnyHookFn>(&getTwo)}};
  Ctx.registerOpHooks(Count::Kind, Entries);
  ASSERT_EQ(Ctx.getRefusedRegistrations().size(), 1u);
  EXPECT_EQ(Ctx.getRefusedRegistrations()[0],
            "hook Count of 'relay.tuple' as 'getTwo' (My.td) at level 10, the "
            "level of 'getOne' (Count.td)");
  EXPECT_EQ(count(Tuple), 1);
  EXPECT_EQ(count(FnOp::getInfo()), 2);
}

TEST_F(OpHooksTest, ASecondOperatorIsRefused) {
  EXPECT_FALSE(Ctx.registerOp(Neg));
  ASSERT_EQ(Ctx.getRefusedRegistrations().size(), 1u);
  EXPECT_EQ(Ctx.getRefusedRegistrations()[0],
            "operator 'test.neg', which is already registered");
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

TEST_F(OpHooksTest, FactsOfEachType) {
  llvm::cantFail(addOpFact<Flag>(Ctx, makeEntry(Neg), true));
  llvm::cantFail(addOpFact<Number>(Ctx, makeEntry(Neg), -12));
  llvm::cantFail(
      addOpFact<Text>(Ctx, makeEntry(Neg), std::string("kept by the Context")));
  EXPECT_EQ(OpFacts<Speed>(Ctx).lookup(Tuple), SpeedValue::VeryFast);
  EXPECT_EQ(OpFacts<Speed>(Ctx).lookup(Neg), std::nullopt);
  EXPECT_EQ(OpFacts<Flag>(Ctx).lookup(Neg), true);
  EXPECT_EQ(OpFacts<Number>(Ctx).lookup(Neg), -12);
  EXPECT_EQ(OpFacts<Text>(Ctx).lookup(Neg), "kept by the Context");
}

TEST_F(OpHooksTest, FactsHaveKeysAndLevels) {
  llvm::cantFail(
      addOpFact<Speed>(Ctx, makeEntry(Tuple, "gpu"), SpeedValue::Slow));
  EXPECT_EQ(OpFacts<Speed>(Ctx, {"gpu"}).lookup(Tuple), SpeedValue::Slow);
  EXPECT_EQ(OpFacts<Speed>(Ctx).lookup(Tuple), SpeedValue::VeryFast);
  llvm::cantFail(
      addOpFact<Speed>(Ctx, makeEntry(Tuple, "gpu", 11), SpeedValue::VeryFast));
  EXPECT_EQ(OpFacts<Speed>(Ctx, {"gpu"}).lookup(Tuple), SpeedValue::VeryFast);
}

TEST_F(OpHooksTest, KindsOfFactsHaveNames) {
  Ctx.registerOpFactKind(Speed::Kind);
  Ctx.registerOpFactKind(Flag::Kind);
  Ctx.registerOpFactKind(Speed::Kind); // of two plugins that share it
  EXPECT_TRUE(Ctx.getRefusedRegistrations().empty());
  EXPECT_EQ(Ctx.lookupOpFactKind("Speed"), &Speed::Kind);
  EXPECT_EQ(Ctx.lookupOpFactKind("Number"), nullptr);
  EXPECT_EQ(Ctx.getOpFactKinds(), (SmallVector<StringRef>{"Flag", "Speed"}));
  static const OpHookKind Other = {"Speed", {}, OpFactType::Int};
  Ctx.registerOpFactKind(Other);
  ASSERT_EQ(Ctx.getRefusedRegistrations().size(), 1u);
  EXPECT_EQ(Ctx.getRefusedRegistrations()[0],
            "kind of fact 'Speed', which is already registered");
  EXPECT_EQ(Ctx.lookupOpFactKind("Speed"), &Speed::Kind);
}

/// The number that \p Kind reads \p Text as, or the error.
std::string parse(const OpHookKind &Kind, StringRef Text) {
  llvm::Expected<OpFactValue> Value = parseOpFact(Kind, Text);
  return Value ? std::to_string(Value->Number) + Value->Text.str()
               : llvm::toString(Value.takeError());
}

TEST_F(OpHooksTest, ValuesAsText) {
  EXPECT_EQ(parse(Flag::Kind, "true"), "1");
  EXPECT_EQ(parse(Flag::Kind, "false"), "0");
  EXPECT_EQ(parse(Flag::Kind, "1"), "expects true or false, got '1'");
  EXPECT_EQ(parse(Number::Kind, "-8"), "-8");
  EXPECT_EQ(parse(Number::Kind, "8.5"), "expects an integer, got '8.5'");
  EXPECT_EQ(parse(Text::Kind, "any text"), "0any text");
  EXPECT_EQ(parse(Speed::Kind, "slow"), "0");
  EXPECT_EQ(parse(Speed::Kind, "very-fast"), "1");
  EXPECT_EQ(parse(Speed::Kind, "fast"),
            "expects one of slow, very-fast, got 'fast'");
}

//===----------------------------------------------------------------------===//
// Builders of attributes
//===----------------------------------------------------------------------===//

using AttrsBuilderTest = IRTest;

TEST_F(AttrsBuilderTest, SetsFieldsAndInternsOnce) {
  const CallGlobalAttrs *A = CallGlobalAttrs::Builder(Ctx).callee("f").get();
  EXPECT_EQ(A, CallGlobalAttrs::get(Ctx, "f", Attr()));
  const CallGlobalAttrs *B = A->toBuilder(Ctx).callee("g").get();
  EXPECT_EQ(B->callee(), "g");
  EXPECT_EQ(A->callee(), "f");
}

TEST_F(AttrsBuilderTest, ListsOfIntegersAndOfDimensions) {
  SmallVector<int64_t> Ints = {0, 0, 3};
  SmallVector<Dim> Dims = {Dim::get(0), Dim::get(0), Dim::get(3)};
  Attr Expected = Ctx.getIntArray({0, 0, 3});
  auto Get = [&](DimListArg List) { return List.get(Ctx); };
  EXPECT_EQ(Get({0, 0, 3}), Expected);
  EXPECT_EQ(Get(Ints), Expected);
  EXPECT_EQ(Get(ArrayRef<int64_t>(Ints)), Expected);
  EXPECT_EQ(Get(Dims), Expected);
  EXPECT_EQ(Get({0, 0}), Ctx.getIntArray({0, 0}));
  EXPECT_EQ(Get(std::nullopt), Attr());
  EXPECT_EQ(DimArg(64).get(Ctx), Ctx.getInt(64));
  EXPECT_EQ(DimArg(Dim::getAny()).get(Ctx), Dim::getAny());
}

TEST_F(AttrsBuilderTest, OpsTakeTheirFirstFields) {
  Function *F = createFunction();
  BlockArgument *X = param(F, "x");
  Builder B(F->getBody());
  auto Tuple = B.create<TupleOp>(ArrayRef<Value *>(X));
  auto Field = B.create<TupleGetItemOp>(Tuple, 0);
  EXPECT_EQ(Field.attrs().index(), 0);
  EXPECT_EQ(Field->getType(), Vector);
  auto Call = B.create<CallGlobalOp>(ArrayRef<Value *>(X), "main");
  EXPECT_EQ(Call.attrs().callee(), "main");
  EXPECT_EQ(Call.attrs().attributes(), Attr());
}

} // namespace
