//===- PassInstrumentTest.cpp - Instruments and failing hooks -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table in PassContext.h, row by row, and the order of hooks in TVM's
// tutorial on pass instruments: A succeeds, B fails, C succeeds, around one
// InferType.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"

using namespace relay;
using namespace relay::test;
using llvm::Error;
using llvm::Expected;

namespace {

/// Logs every hook; fails in a given one.
class Recorder : public PassInstrument {
public:
  Recorder(StringRef Name, std::string &Log, StringRef BadHook = "")
      : PassInstrument(Name), Log(Log), BadHook(BadHook) {}

  Error enterPassContext() override { return hook("enter"); }
  Error exitPassContext() override { return hook("exit"); }
  Expected<bool> shouldRun(Module &, const PassInfo &Info) override {
    if (Error E = hook("should-run"))
      return Expected<bool>(std::move(E));
    return Answer && Info.Name != SkippedPass;
  }
  Error runBeforePass(Module &, const PassInfo &Info) override {
    return hook("before", BadFor.empty() || Info.Name == BadFor);
  }
  Error runAfterPass(Module &, const PassInfo &) override {
    return hook("after");
  }
  void runAfterFailedPass(Module &, const PassInfo &) override {
    llvm::cantFail(hook("after-failed"));
  }

  bool Answer = true;
  StringRef SkippedPass;
  /// The pass before which it fails; empty for any.
  StringRef BadFor;

private:
  Error hook(StringRef Hook, bool MayBeBad = true) {
    bool Bad = MayBeBad && Hook == BadHook;
    Log += (getName() + (Bad ? " bad " : " ") + Hook + "\n").str();
    return Bad ? llvm::createStringError(getName() + " failed in " + Hook)
               : Error::success();
  }

  std::string &Log;
  StringRef BadHook;
};

class PassInstrumentTest : public PassTest {
protected:
  /// Installs A, B, which fails in \p BadHook, and C.
  void makeInstruments(StringRef BadHook) {
    A = std::make_unique<Recorder>("A", Log);
    B = std::make_unique<Recorder>("B", Log, BadHook);
    C = std::make_unique<Recorder>("C", Log);
    All = {A.get(), B.get(), C.get()};
  }
  void installBad(StringRef BadHook) {
    makeInstruments(BadHook);
    PC.setInstruments(All);
  }

  /// Runs a pass of \p Info, named Needed, and expects that A, B and C are
  /// notified of it but not asked.
  void expectRunsUnasked(const PassInfo &Info) {
    ModulePassManager PM;
    PM.addPass(modulePass(Info));
    EXPECT_TRUE(succeeded(run(PM)));
    EXPECT_EQ(takeLog(), "A before\nB before\nC before\n"
                         "run Needed\n"
                         "A after\nB after\nC after\n");
  }

  /// Runs InferType, and returns the error of an instrument.
  Error runInferType() {
    ModulePassManager PM;
    PM.addPass(modulePass("InferType"));
    LogicalResult Result = run(PM);
    Error E = PC.takeInstrumentError();
    EXPECT_EQ(succeeded(Result), !E);
    return E;
  }

  /// Expects that the scope has been left: A, B and C can be entered once more,
  /// and exit when they are overridden.
  void expectStillInstalled() {
    ASSERT_EQ(PC.getInstruments(), ArrayRef(All));
    auto Scope = PassContext::Scope::enter(PC);
    ASSERT_TRUE(bool(Scope));
    EXPECT_EQ(text(Scope->exit()), "");
    EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\nA exit\nB exit\nC exit\n");
    EXPECT_EQ(text(PC.overrideInstruments({})), "");
    EXPECT_EQ(takeLog(), "A exit\nB exit\nC exit\n");
  }

  static std::string text(Error E) {
    return E ? llvm::toString(std::move(E)) : "";
  }

  std::unique_ptr<Recorder> A, B, C;
  std::vector<PassInstrument *> All;
};

TEST_F(PassInstrumentTest, AllFine) {
  installBad("");
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  EXPECT_EQ(text(runInferType()), "");
  EXPECT_EQ(text(Scope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB should-run\nC should-run\n"
                       "A before\nB before\nC before\n"
                       "run InferType\n"
                       "A after\nB after\nC after\n"
                       "A exit\nB exit\nC exit\n");
}

TEST_F(PassInstrumentTest, BadEnter) {
  installBad("enter");
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_FALSE(bool(Scope));
  EXPECT_EQ(text(Scope.takeError()), "B failed in enter");
  EXPECT_EQ(takeLog(), "A enter\nB bad enter\nA exit\n");
  EXPECT_TRUE(PC.getInstruments().empty());
  // They were dropped: no hook is called when others are installed.
  EXPECT_EQ(text(PC.overrideInstruments({})), "");
  EXPECT_EQ(takeLog(), "");
}

TEST_F(PassInstrumentTest, ThoseThatEnteredExitInReverse) {
  makeInstruments("enter");
  PC.setInstruments({A.get(), C.get(), B.get()});
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_FALSE(bool(Scope));
  EXPECT_EQ(text(Scope.takeError()), "B failed in enter");
  EXPECT_EQ(takeLog(), "A enter\nC enter\nB bad enter\nC exit\nA exit\n");
  EXPECT_TRUE(PC.getInstruments().empty());
}

TEST_F(PassInstrumentTest, BadEnterAndBadExit) {
  makeInstruments("enter");
  Recorder BadExit("X", Log, "exit");
  PC.setInstruments({A.get(), &BadExit, B.get()});
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_FALSE(bool(Scope));
  EXPECT_EQ(text(Scope.takeError()), "B failed in enter\nX failed in exit");
  EXPECT_EQ(takeLog(), "A enter\nX enter\nB bad enter\nX bad exit\nA exit\n");
}

TEST_F(PassInstrumentTest, BadExit) {
  installBad("exit");
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  EXPECT_EQ(text(runInferType()), "");
  EXPECT_EQ(text(Scope->exit()), "B failed in exit");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB should-run\nC should-run\n"
                       "A before\nB before\nC before\n"
                       "run InferType\n"
                       "A after\nB after\nC after\n"
                       "A exit\nB bad exit\n");
  EXPECT_TRUE(PC.getInstruments().empty());
  EXPECT_EQ(text(PC.overrideInstruments({})), "");
  EXPECT_EQ(takeLog(), "");
  // The scope has been left: another one can be entered.
  auto Next = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Next));
  EXPECT_EQ(text(Next->exit()), "");
}

TEST_F(PassInstrumentTest, BadShouldRun) {
  installBad("should-run");
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  EXPECT_EQ(text(runInferType()), "B failed in should-run");
  EXPECT_EQ(text(Scope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB bad should-run\n"
                       "A exit\nB exit\nC exit\n");
  expectStillInstalled();
}

TEST_F(PassInstrumentTest, BadBeforeInScope) {
  installBad("before");
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  EXPECT_EQ(text(runInferType()), "B failed in before");
  EXPECT_EQ(text(Scope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB should-run\nC should-run\n"
                       "A before\nB bad before\n"
                       "A exit\nB exit\nC exit\n");
  expectStillInstalled();
}

TEST_F(PassInstrumentTest, BadBeforeOutsideOfScope) {
  makeInstruments("before");
  EXPECT_EQ(text(PC.overrideInstruments(All)), "");
  EXPECT_EQ(text(runInferType()), "B failed in before");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB should-run\nC should-run\n"
                       "A before\nB bad before\n");
  EXPECT_EQ(text(PC.overrideInstruments({})), "");
  EXPECT_EQ(takeLog(), "A exit\nB exit\nC exit\n");
}

TEST_F(PassInstrumentTest, BadShouldRunOutsideOfScope) {
  makeInstruments("should-run");
  EXPECT_EQ(text(PC.overrideInstruments(All)), "");
  EXPECT_EQ(text(runInferType()), "B failed in should-run");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB bad should-run\n");
  EXPECT_EQ(text(PC.overrideInstruments({})), "");
  EXPECT_EQ(takeLog(), "A exit\nB exit\nC exit\n");
}

TEST_F(PassInstrumentTest, BadAfterOutsideOfScope) {
  makeInstruments("after");
  EXPECT_EQ(text(PC.overrideInstruments(All)), "");
  EXPECT_EQ(text(runInferType()), "B failed in after");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB should-run\nC should-run\n"
                       "A before\nB before\nC before\n"
                       "run InferType\n"
                       "A after\nB bad after\n");
  EXPECT_EQ(text(PC.overrideInstruments({})), "");
  EXPECT_EQ(takeLog(), "A exit\nB exit\nC exit\n");
}

TEST_F(PassInstrumentTest, BadBeforeAndBadExit) {
  makeInstruments("before");
  Recorder BadExit("X", Log, "exit");
  PC.setInstruments({A.get(), B.get(), &BadExit, C.get()});
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  // Both errors are reported.
  EXPECT_EQ(text(runInferType()), "B failed in before");
  EXPECT_EQ(text(Scope->exit()), "X failed in exit");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nX enter\nC enter\n"
                       "A should-run\nB should-run\nX should-run\n"
                       "C should-run\n"
                       "A before\nB bad before\n"
                       "A exit\nB exit\nX bad exit\n");
  EXPECT_TRUE(PC.getInstruments().empty());
}

TEST_F(PassInstrumentTest, FailureInGroupStopsTheGroup) {
  installBad("before");
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass("Member"));
  ModulePassManager PM;
  PM.addPass(modulePass("First"));
  PM.addPass(std::move(Group));
  B->BadFor = "Member";
  EXPECT_TRUE(failed(run(PM)));
  EXPECT_EQ(text(PC.takeInstrumentError()), "B failed in before");
  StringRef Before = "A before\nB before\nC before\n";
  StringRef Asked = "A should-run\nB should-run\nC should-run\n";
  EXPECT_EQ(takeLog(),
            (Asked + Before + "run First\nA after\nB after\nC after\n" + Asked +
             Before + Asked + "A before\nB bad before\n" +
             // The group has failed.
             "C after-failed\nB after-failed\nA after-failed\n")
                .str());
}

TEST_F(PassInstrumentTest, BadAfter) {
  installBad("after");
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  EXPECT_EQ(text(runInferType()), "B failed in after");
  EXPECT_EQ(text(Scope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB should-run\nC should-run\n"
                       "A before\nB before\nC before\n"
                       "run InferType\n"
                       "A after\nB bad after\n"
                       "A exit\nB exit\nC exit\n");
  expectStillInstalled();
}

TEST_F(PassInstrumentTest, FailingPass) {
  installBad("");
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  ModulePassManager PM;
  PM.addPass(failingPass("Bad"));
  PM.addPass(modulePass("NotReached"));
  EXPECT_TRUE(failed(run(PM)));
  EXPECT_EQ(text(PC.takeInstrumentError()), "");
  EXPECT_EQ(text(Scope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\n"
                       "A should-run\nB should-run\nC should-run\n"
                       "A before\nB before\nC before\n"
                       "fail Bad\n"
                       "C after-failed\nB after-failed\nA after-failed\n"
                       "A exit\nB exit\nC exit\n");
}

TEST_F(PassInstrumentTest, AllAreAskedAndOneRefusalIsEnough) {
  installBad("");
  A->Answer = false;
  EXPECT_EQ(text(runInferType()), "");
  EXPECT_EQ(takeLog(), "A should-run\nB should-run\nC should-run\n");
}

TEST_F(PassInstrumentTest, RequiredPassesAreNotAskedFor) {
  installBad("should-run");
  A->Answer = false;
  PassInfo &Info = makeInfo("Needed", PassUnit::Module);
  Info.IsRequired = true;
  expectRunsUnasked(Info);
}

TEST_F(PassInstrumentTest, PassesThatTheContextRequiresAreNotAskedFor) {
  PassInfo &Info = makeInfo("Needed", PassUnit::Module);
  EXPECT_TRUE(Registry.registerPass(Info, nullptr));
  EXPECT_EQ(text(PC.addRequiredPass("Needed")), "");
  installBad("should-run");
  expectRunsUnasked(Info);
}

TEST_F(PassInstrumentTest, DisabledPassesAreNotAskedFor) {
  PassInfo &Info = makeInfo("Unwanted", PassUnit::Module);
  EXPECT_TRUE(Registry.registerPass(Info, nullptr));
  EXPECT_EQ(text(PC.addDisabledPass("Unwanted")), "");
  Recorder One("I", Log);
  PC.setInstruments({&One});
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass(Info));
  ModulePassManager PM;
  PM.addPass(std::move(Group));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "I should-run\nI before\nI after\n"); // the group's
}

TEST_F(PassInstrumentTest, SkipsByName) {
  addFunction("f");
  Recorder One("I", Log);
  One.SkippedPass = "Member";
  PC.setInstruments({&One});
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass("Member"));
  Group->addPass(functionPass("OnFunctions"));
  Group->addPass(functionPass("Member"));
  ModulePassManager PM;
  PM.addPass(std::move(Group));
  PC.getCallbacks().registerBeforeSkippedPassCallback([&](const PassRun &Run) {
    log("skipped " + Run.getName() + " on " + Run.getUnit().getName() + " by " +
        Run.getSkippedBy());
  });
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "I should-run\nI before\n"
                       "I should-run\nskipped Member on [module] by I\n"
                       "I should-run\nI before\nrun OnFunctions @f\nI after\n"
                       "I should-run\nskipped Member on [module] by I\n"
                       "I after\n");
}

TEST_F(PassInstrumentTest, OneEventForAllFunctions) {
  addFunction("f");
  addFunction("g");
  Recorder One("I", Log);
  PC.setInstruments({&One});
  FunctionPassManager FPM;
  FPM.addPass(functionPass("First"));
  FPM.addPass(functionPass("Second"));
  ModulePassManager PM;
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "I should-run\nI before\n"
                       "run First @f\nrun First @g\n"
                       "I after\n"
                       "I should-run\nI before\n"
                       "run Second @f\nrun Second @g\n"
                       "I after\n");
}

TEST_F(PassInstrumentTest, OverrideExitsThenEnters) {
  makeInstruments("");
  EXPECT_EQ(text(PC.overrideInstruments({A.get()})), "");
  EXPECT_EQ(text(PC.overrideInstruments({B.get(), C.get()})), "");
  EXPECT_EQ(text(PC.overrideInstruments({})), "");
  EXPECT_EQ(takeLog(), "A enter\nA exit\nB enter\nC enter\nB exit\nC exit\n");
}

TEST_F(PassInstrumentTest, OverrideDropsAllWhenAnExitFails) {
  makeInstruments("exit");
  EXPECT_EQ(text(PC.overrideInstruments({A.get(), B.get(), C.get()})), "");
  Recorder New("N", Log);
  EXPECT_EQ(text(PC.overrideInstruments({&New})), "B failed in exit");
  EXPECT_TRUE(PC.getInstruments().empty());
  EXPECT_EQ(takeLog(), "A enter\nB enter\nC enter\nA exit\nB bad exit\n");
}

TEST_F(PassInstrumentTest, OverrideDropsTheNewWhenTheyCannotEnter) {
  makeInstruments("enter");
  Recorder Old("O", Log);
  PC.setInstruments({&Old});
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  EXPECT_EQ(text(PC.overrideInstruments(All)), "B failed in enter");
  EXPECT_EQ(text(Scope->exit()), ""); // all were dropped
  EXPECT_EQ(takeLog(), "O enter\nO exit\nA enter\nB bad enter\nA exit\n");
}

TEST_F(PassInstrumentTest, OverriddenInScopeExitAtItsEnd) {
  makeInstruments("");
  PC.setInstruments({A.get()});
  auto Scope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(Scope));
  EXPECT_EQ(text(PC.overrideInstruments({B.get()})), "");
  EXPECT_EQ(text(Scope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nA exit\nB enter\nB exit\n");
}

TEST_F(PassInstrumentTest, GroupsNest) {
  Recorder One("I", Log);
  PC.setInstruments({&One});
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass("Member"));
  ModulePassManager PM;
  PM.addPass(std::move(Group));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "I should-run\nI before\n"
                       "I should-run\nI before\n"
                       "run Member\n"
                       "I after\nI after\n");
}

TEST_F(PassInstrumentTest, ScopeReportsWhatNobodyTook) {
  installBad("exit");
  std::string Text;
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
    Text += D.Message;
    return true;
  });
  {
    auto Scope = PassContext::Scope::enter(PC);
    ASSERT_TRUE(bool(Scope));
  }
  EXPECT_EQ(Text, "B failed in exit");
}

/// Instruments are not notified of passes that callbacks refuse: of a function
/// pass, if callbacks refuse it on all functions.
TEST_F(PassInstrumentTest, CallbacksRefuse) {
  installBad("");
  unsigned Limit = 0;
  PC.getCallbacks().registerShouldRunOptionalPassCallback(
      "limit", [&Limit](const PassRun &) { return Limit && Limit--; });
  addFunction("f");
  addFunction("g");
  FunctionPassManager FPM;
  FPM.addPass(functionPass("OnFunctions"));
  ModulePassManager PM;
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  PM.addPass(modulePass("OnModule"));
  std::string Asked = "A should-run\nB should-run\nC should-run\n";
  std::string Before = "A before\nB before\nC before\n";
  std::string After = "A after\nB after\nC after\n";
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), Asked + Asked);
  Limit = 1;
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), Asked + Before + "run OnFunctions @f\n" + After + Asked);
  Limit = 3;
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), Asked + Before +
                           "run OnFunctions @f\nrun OnFunctions @g\n" + After +
                           Asked + Before + "run OnModule\n" + After);
}

/// A function pass without a function to run on, so that no callback refuses
/// it, is one event nevertheless.
TEST_F(PassInstrumentTest, PassesOverNoFunctions) {
  installBad("");
  unsigned NumAsked = 0;
  PC.getCallbacks().registerShouldRunOptionalPassCallback(
      "asked", [&NumAsked](const PassRun &) { return ++NumAsked; });
  FunctionPassManager FPM;
  FPM.addPass(functionPass("OnFunctions"));
  ModulePassManager PM;
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  std::string Event = "A should-run\nB should-run\nC should-run\n"
                      "A before\nB before\nC before\n"
                      "A after\nB after\nC after\n";
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), Event);
  // Likewise if passes skip all functions.
  addFunction("f").getSignature().Attributes =
      Ctx.getDictAttrs({{Ctx.getString("SkipOptimization"), Ctx.getInt(1)}});
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), Event);
  EXPECT_EQ(NumAsked, 0u);
}

/// A before-hook that fails ends the pipeline before the first function.
TEST_F(PassInstrumentTest, BeforeFailsOnFunctions) {
  installBad("before");
  PC.getCallbacks().registerShouldRunOptionalPassCallback(
      "nobody", [](const PassRun &) { return true; });
  addFunction("f");
  FunctionPassManager FPM;
  FPM.addPass(functionPass("OnFunctions"));
  ModulePassManager PM;
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  EXPECT_TRUE(failed(run(PM)));
  EXPECT_EQ(text(PC.takeInstrumentError()), "B failed in before");
  EXPECT_EQ(takeLog(), "A should-run\nB should-run\nC should-run\n"
                       "A before\nB bad before\n");
}

/// Instruments that the context owns remain when others are installed.
TEST_F(PassInstrumentTest, OwnedOnesStay) {
  PC.addInstrument(std::make_unique<Recorder>("Owned", Log));
  makeInstruments("");
  PC.setInstruments(All);
  PC.setInstruments({C.get()});
  ModulePassManager PM;
  PM.addPass(modulePass("P"));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "Owned should-run\nC should-run\n"
                       "Owned before\nC before\nrun P\n"
                       "Owned after\nC after\n");
}

} // namespace
