//===- PassInstrumentTest.cpp - Instruments and what fails ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table at PassContext.h, row by row, and the order of hooks of TVM's
// tutorial on pass instruments: A fine, B bad, C fine, around one InferType.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"

using namespace relay;
using namespace relay::test;
using llvm::Error;
using llvm::Expected;

namespace {

/// Logs every hook; fails in the one that is named.
class Recorder : public PassInstrument {
public:
  Recorder(StringRef Name, std::string &Log, StringRef BadHook = "")
      : PassInstrument(Name), Log(Log), BadHook(BadHook) {}

  Error enterPassContext() override { return hook("enter"); }
  Error exitPassContext() override { return hook("exit"); }
  Expected<bool> shouldRun(Module &, const PassInfo &) override {
    if (Error E = hook("should-run"))
      return Expected<bool>(std::move(E));
    return Answer;
  }
  Error runBeforePass(Module &, const PassInfo &) override {
    return hook("before");
  }
  Error runAfterPass(Module &, const PassInfo &) override {
    return hook("after");
  }
  void runAfterFailedPass(Module &, const PassInfo &) override {
    llvm::cantFail(hook("after-failed"));
  }

  bool Answer = true;

private:
  Error hook(StringRef Hook) {
    bool Bad = Hook == BadHook;
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

  /// Runs InferType, and returns what an instrument did wrong.
  Error runInferType() {
    ModulePassManager PM;
    PM.addPass(modulePass("InferType"));
    LogicalResult Result = run(PM);
    Error E = PC.takeInstrumentError();
    EXPECT_EQ(succeeded(Result), !E);
    return E;
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
  // They are gone: nothing is called when others come.
  EXPECT_EQ(text(PC.overrideInstruments({})), "");
  EXPECT_EQ(takeLog(), "");
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
  EXPECT_EQ(PC.getInstruments().size(), 3u);
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
  EXPECT_EQ(PC.getInstruments().size(), 3u);
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
  EXPECT_EQ(PC.getInstruments().size(), 3u);
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
  ModulePassManager PM;
  PM.addPass(modulePass(Info));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "A before\nB before\nC before\n"
                       "run Needed\n"
                       "A after\nB after\nC after\n");
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

} // namespace
