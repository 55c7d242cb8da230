//===- PassRunTest.cpp - Tests of runs of passes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On every path a run that begins ends once, with the right outcome.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

using namespace relay;
using namespace relay::test;
using Outcome = PassRun::Outcome;

namespace {

StringRef getText(Outcome O) {
  static constexpr StringLiteral Texts[] = {"running", "changed", "unchanged",
                                            "skipped", "failed",  "stopped",
                                            "crashed"};
  return Texts[unsigned(O)];
}

std::string getText(const PassRun &Run) {
  return std::string(2 * Run.getDepth(), ' ') + llvm::utostr(Run.getNumber()) +
         " " + (Run.getName() + " on " + Run.getUnit().getName()).str() + " " +
         getText(Run.getOutcome()).str();
}

/// A set of runs of several threads.
class RunSet {
public:
  /// \returns false if it is already present.
  bool insert(const PassRun &Run) {
    std::lock_guard<std::mutex> Guard(Lock);
    return Runs.insert(&Run).second;
  }
  /// \returns false if it is absent.
  bool erase(const PassRun &Run) {
    std::lock_guard<std::mutex> Guard(Lock);
    return Runs.erase(&Run);
  }
  bool empty() const { return Runs.empty(); }

private:
  std::mutex Lock;
  std::set<const PassRun *> Runs;
};

class PassRunTest : public PassTest {
protected:
  PassRunTest() {
    addFunction("f");
    addFunction("g");
    M.normalize();
    PassInstrumentationCallbacks &PIC = PC.getCallbacks();
    PIC.registerBeforeSkippedPassCallback([this](const PassRun &Run) {
      note("      " + getText(Run) + " by " + Run.getSkippedBy());
    });
    PIC.registerBeforeNonSkippedPassCallback([this](const PassRun &Run) {
      EXPECT_EQ(PassRun::getCurrent(), &Run);
      EXPECT_TRUE(Open.insert(Run));
      note("begin " + getText(Run));
    });
    PIC.registerEndPassCallback([this](const PassRun &Run) {
      EXPECT_EQ(PassRun::getCurrent(), &Run);
      EXPECT_TRUE(Open.erase(Run));
      note("end   " + getText(Run));
    });
  }
  ~PassRunTest() override {
    EXPECT_TRUE(Open.empty());
    EXPECT_EQ(PassRun::getCurrent(), nullptr);
  }

  void note(const Twine &Line) {
    runInOrder([this, Text = Line.str()] { log(Text); });
  }
  /// Adds a function pass that runs \p Body.
  void addOnFunctions(StringRef Name, LambdaPass<Function>::BodyFn Body) {
    FPM.addPass(std::make_unique<LambdaPass<Function>>(
        makeInfo(Name, PassUnit::Function), std::move(Body)));
  }
  void closeFunctionPipeline() {
    PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
    FPM = FunctionPassManager();
  }
  void addGroup(std::vector<std::unique_ptr<Pass>> Members) {
    auto Group = std::make_unique<SequentialPass>();
    for (std::unique_ptr<Pass> &P : Members)
      Group->addPass(std::move(P));
    PM.addPass(std::move(Group));
  }
  template <typename... PassTs> void group(PassTs... Passes) {
    std::vector<std::unique_ptr<Pass>> Members;
    (Members.push_back(std::move(Passes)), ...);
    addGroup(std::move(Members));
  }
  std::unique_ptr<ModulePass> quiet(const PassInfo &Info,
                                    FailureOr<PreservedAnalyses> PA) {
    return std::make_unique<LambdaPass<Module>>(
        Info,
        [PA](Module &, ModuleAnalysisManager &, PassContext &) { return PA; });
  }
  std::unique_ptr<ModulePass> quiet(StringRef Name,
                                    FailureOr<PreservedAnalyses> PA) {
    return quiet(makeInfo(Name, PassUnit::Module), PA);
  }
  /// Returns the log of the callbacks for the pipeline.
  std::string runPipeline(bool Succeeds = true) {
    EXPECT_EQ(succeeded(run(PM)), Succeeds);
    llvm::consumeError(PC.takeInstrumentError());
    return takeLog();
  }

  PreservedAnalyses All = PreservedAnalyses::all();
  PreservedAnalyses None = PreservedAnalyses::none();
  ModulePassManager PM;
  FunctionPassManager FPM;
  /// Runs that have begun and not ended.
  RunSet Open;
};

TEST_F(PassRunTest, ChangedAndUnchangedWithNumbers) {
  PC.getCallbacks().requireSingleThread();
  addOnFunctions("P",
                 [this](Function &F, FunctionAnalysisManager &, PassContext &) {
                   return F.getName() == "f" ? None : All;
                 });
  closeFunctionPipeline();
  PM.addPass(quiet("M", None));
  EXPECT_EQ(runPipeline(), "begin 1 P on @f running\n"
                           "end   1 P on @f changed\n"
                           "begin 2 P on @g running\n"
                           "end   2 P on @g unchanged\n"
                           "begin 3 M on [module] running\n"
                           "end   3 M on [module] changed\n");
}

TEST_F(PassRunTest, NoNumbersWhereThreadsAreAllowed) {
  PM.addPass(quiet("M", All));
  EXPECT_EQ(runPipeline(), "begin 0 M on [module] running\n"
                           "end   0 M on [module] unchanged\n");
}

TEST_F(PassRunTest, NestedGroups) {
  PC.getCallbacks().requireSingleThread();
  auto Inner = std::make_unique<SequentialPass>();
  Inner->addPass(quiet("A", None));
  group(std::move(Inner), quiet("B", All));
  EXPECT_EQ(runPipeline(), "begin 1 sequential on [module] running\n"
                           "begin   2 sequential on [module] running\n"
                           "begin     3 A on [module] running\n"
                           "end       3 A on [module] changed\n"
                           "end     2 sequential on [module] changed\n"
                           "begin   4 B on [module] running\n"
                           "end     4 B on [module] unchanged\n"
                           "end   1 sequential on [module] changed\n");
}

TEST_F(PassRunTest, SkippedByTheContext) {
  Registry.registerPass(makeInfo("Off", PassUnit::Module),
                        [](const PassInfo &, const PassOptionValues &) {
                          return std::unique_ptr<Pass>();
                        });
  llvm::cantFail(PC.addDisabledPass("Off"));
  PC.setOptLevel(1);
  group(quiet("Off", All), quiet(makeInfo("Late", PassUnit::Module, 2), All));
  PC.setGatesBarePasses(true);
  FPM.addPass(functionPass(makeInfo("OnF", PassUnit::Function, 3)));
  closeFunctionPipeline();
  EXPECT_EQ(runPipeline(), "begin 0 sequential on [module] running\n"
                           "        0 Off on [module] skipped by disable-pass\n"
                           "        0 Late on [module] skipped by opt-level\n"
                           "end   0 sequential on [module] unchanged\n"
                           "      0 OnF on @f skipped by opt-level\n"
                           "      0 OnF on @g skipped by opt-level\n");
}

TEST_F(PassRunTest, SkippedByTheFirstCallbackThatRefuses) {
  for (StringRef By : {"accepting", "first", "second"})
    PC.getCallbacks().registerShouldRunOptionalPassCallback(
        By, [By](const PassRun &) { return By == "accepting"; });
  PM.addPass(quiet("M", All));
  FPM.addPass(functionPass("P"));
  closeFunctionPipeline();
  EXPECT_EQ(runPipeline(), "      0 M on [module] skipped by first\n"
                           "      0 P on @f skipped by first\n"
                           "      0 P on @g skipped by first\n");
}

/// Refuses passes, or fails in a hook.
class Instrument : public PassInstrument {
public:
  explicit Instrument(StringRef Bad) : PassInstrument("tester"), Bad(Bad) {}

  llvm::Expected<bool> shouldRun(Module &, const PassInfo &) override {
    if (Bad == "should-run")
      return llvm::createStringError("should-run fails");
    return Bad != "refuse";
  }
  llvm::Error runBeforePass(Module &, const PassInfo &) override {
    return result("before");
  }
  llvm::Error runAfterPass(Module &, const PassInfo &) override {
    return result("after");
  }

private:
  llvm::Error result(StringRef Hook) const {
    return Bad == Hook ? llvm::createStringError(Hook + " fails")
                       : llvm::Error::success();
  }
  StringRef Bad;
};

TEST_F(PassRunTest, SkippedByAnInstrument) {
  Instrument I("refuse");
  PC.setInstruments({&I});
  PM.addPass(quiet("M", All));
  EXPECT_EQ(runPipeline(), "      0 M on [module] skipped by tester\n");
}

TEST_F(PassRunTest, HookFails) {
  PM.addPass(quiet("M", All));
  for (StringRef Hook : {"should-run", "before"}) {
    Instrument I(Hook);
    PC.setInstruments({&I});
    EXPECT_EQ(runPipeline(/*Succeeds=*/false), ""); // the run has not begun
  }
  Instrument I("after");
  PC.setInstruments({&I});
  EXPECT_EQ(runPipeline(/*Succeeds=*/false),
            "begin 0 M on [module] running\n"
            "end   0 M on [module] unchanged\n");
}

TEST_F(PassRunTest, PassFails) {
  group(quiet("Bad", failure()), quiet("NotReached", All));
  EXPECT_EQ(runPipeline(/*Succeeds=*/false),
            "begin 0 sequential on [module] running\n"
            "begin   0 Bad on [module] running\n"
            "end     0 Bad on [module] failed\n"
            "end   0 sequential on [module] failed\n");
}

TEST_F(PassRunTest, CheckAfterAPassFails) {
  PC.getCallbacks().registerAfterPassCallback([](const PassRun &Run) {
    EXPECT_EQ(Run.getOutcome(), Outcome::Changed);
    return failure();
  });
  PC.getCallbacks().registerAfterPassCallback([](const PassRun &) {
    ADD_FAILURE() << "called after one that failed";
    return success();
  });
  group(quiet("Wrong", None));
  EXPECT_EQ(runPipeline(/*Succeeds=*/false),
            "begin 0 sequential on [module] running\n"
            "begin   0 Wrong on [module] running\n"
            "end     0 Wrong on [module] stopped\n"
            "end   0 sequential on [module] failed\n");
}

TEST_F(PassRunTest, FunctionsOnThreads) {
  for (unsigned I = 0; I != 50; ++I)
    addFunction("f" + std::to_string(I));
  M.normalize();
  addOnFunctions("P",
                 [this](Function &F, FunctionAnalysisManager &,
                        PassContext &) -> FailureOr<PreservedAnalyses> {
                   EXPECT_EQ(PassRun::getCurrent()->getUnit(), IRUnit(F));
                   EXPECT_EQ(PassRun::getCurrent()->getOuter()->getName(),
                             "sequential");
                   if (F.getName() == "f40")
                     return failure();
                   return F.getName().size() == 2 ? None : All;
                 });
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(FPM.getPasses()[0]->clone());
  PM.addPass(std::move(Group));
  std::string OnOne = runPipeline(/*Succeeds=*/false);
  EXPECT_TRUE(StringRef(OnOne).ends_with(
      "begin   0 P on @f40 running\nend     0 P on @f40 failed\n"
      "end   0 sequential on [module] failed\n"));
  Ctx.setNumThreads(4);
  Ctx.setMinParallelWork(0);
  EXPECT_EQ(runPipeline(/*Succeeds=*/false), OnOne);
}

TEST_F(PassRunTest, SweepsAreNumberedInOrderOfThePipeline) {
  std::string Sweeps;
  PC.getCallbacks().registerEndPassCallback([&](const PassRun &Run) {
    runInOrder([&, Text = (Run.getName() + " " + Twine(Run.getOuterSweep()) +
                           "/" + Twine(Run.getSweep()) + "\n")
                              .str()] { Sweeps += Text; });
  });
  FPM.addPass(functionPass("a"));
  FPM.addPass(functionPass("b"));
  closeFunctionPipeline();
  group(functionPass("c"), quiet("d", All));
  runPipeline();
  EXPECT_EQ(Sweeps, "a 0/1\nb 0/2\na 0/1\nb 0/2\n"
                    "c 3/4\nc 3/4\nd 3/5\nsequential 0/3\n");
}

TEST_F(PassRunTest, TimesLeaveCallbacksOut) {
  using Clock = PassRun::Clock;
  PassInstrumentationCallbacks &PIC = PC.getCallbacks();
  Clock::duration InCallbacks{}, OfPass{}, OfGroup{};
  auto Sleep = [&](const PassRun &) {
    Clock::time_point Start = Clock::now();
    usleep(20 * 1000);
    InCallbacks += Clock::now() - Start;
  };
  PIC.requireTimes();
  PIC.registerBeforeNonSkippedPassCallback(Sleep);
  PIC.registerEndPassCallback(Sleep);
  PIC.registerEndPassCallback([&](const PassRun &Run) {
    (Run.getOuter() ? OfPass : OfGroup) = Run.getElapsed();
  });
  group(std::make_unique<LambdaPass<Module>>(
      makeInfo("M", PassUnit::Module),
      [this](Module &, ModuleAnalysisManager &, PassContext &) {
        usleep(5 * 1000);
        return All;
      }));
  Clock::time_point Start = Clock::now();
  runPipeline();
  Clock::duration Whole = Clock::now() - Start;
  EXPECT_GE(OfPass, std::chrono::milliseconds(5));
  EXPECT_GE(OfGroup, OfPass);
  EXPECT_GE(InCallbacks, std::chrono::milliseconds(80));
  // Holds on a slow machine, too.
  EXPECT_LE(OfGroup, Whole - InCallbacks);
}

//===----------------------------------------------------------------------===//
// Crashes
//===----------------------------------------------------------------------===//

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Prints the ends of runs as a crash handler does, but with strings, which is
/// acceptable in a test.
void registerCrashLog(PassInstrumentationCallbacks &PIC) {
  PIC.registerCrashedPassCallback([](const PassRun &Run) {
    CrashHandler::write(STDERR_FILENO, "end " + getText(Run) + "\n");
  });
}

[[noreturn]] void runAndCrash(ModulePassManager &PM, Module &M,
                              PassContext &PC) {
  CrashHandler::install("test", /*Status=*/1);
  AnalysisManagers AMs(PC);
  (void)PM.run(M, AMs.Modules, PC);
  _exit(0);
}

using PassRunDeathTest = PassRunTest;

TEST_F(PassRunDeathTest, CrashEndsAllOpenRuns) {
  registerCrashLog(PC.getCallbacks());
  auto Inner = std::make_unique<SequentialPass>();
  Inner->addPass(quiet("Done", All));
  Inner->addPass(std::make_unique<LambdaPass<Function>>(
      makeInfo("Bad", PassUnit::Function),
      [this](Function &F, FunctionAnalysisManager &, PassContext &) {
        if (F.getName() == "g")
          raise(SIGSEGV);
        return All;
      }));
  group(std::move(Inner));
  constexpr StringLiteral Expected =
      "^test: error: segmentation fault in Bad on @g\n"
      "end     0 Bad on @g crashed\n"
      "end   0 sequential on .module. crashed\n"
      "end 0 sequential on .module. crashed\n$";
  EXPECT_EXIT(runAndCrash(PM, M, PC), testing::ExitedWithCode(1),
              Expected.data());
  Ctx.setNumThreads(2);
  Ctx.setMinParallelWork(0);
  EXPECT_EXIT(runAndCrash(PM, M, PC), testing::ExitedWithCode(1),
              Expected.data());
}

TEST_F(PassRunDeathTest, CrashInACallback) {
  registerCrashLog(PC.getCallbacks());
  PC.getCallbacks().registerAfterPassCallback([](const PassRun &) {
    raise(SIGSEGV);
    return success();
  });
  PM.addPass(quiet("M", All));
  EXPECT_EXIT(runAndCrash(PM, M, PC), testing::ExitedWithCode(1),
              "^test: error: segmentation fault in M on .module.\n"
              "end 0 M on .module. crashed\n$");
}
#endif

//===----------------------------------------------------------------------===//
// Processor time
//===----------------------------------------------------------------------===//

/// Computes for \p Duration.
void computeFor(std::chrono::milliseconds Duration) {
  auto GetTime = [] {
    timespec T = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
    return std::chrono::seconds(T.tv_sec) + std::chrono::nanoseconds(T.tv_nsec);
  };
  auto End = GetTime() + Duration;
  while (GetTime() < End)
    ;
}

std::chrono::nanoseconds getSum(ProcessorTime T) { return T.User + T.System; }

/// The system counts a thread's time in steps of up to ten milliseconds.
TEST(ProcessorTime, GrowsByWhatIsComputed) {
  using namespace std::chrono_literals;
  ProcessorTime Thread = ProcessorTime::ofThread(),
                Process = ProcessorTime::ofProcess();
  computeFor(60ms);
  ProcessorTime Grown = ProcessorTime::ofThread();
  Grown -= Thread;
  EXPECT_GE(getSum(Grown), 40ms);
  EXPECT_LE(getSum(Grown), 1s);
  Grown = ProcessorTime::ofProcess();
  Grown -= Process;
  EXPECT_GE(getSum(Grown), 40ms);
}

TEST(ProcessorTime, OfThreads) {
  using namespace std::chrono_literals;
  ProcessorTime Thread = ProcessorTime::ofThread(),
                Process = ProcessorTime::ofProcess();
  std::thread Other([] { computeFor(60ms); });
  Other.join();
  ProcessorTime Grown = ProcessorTime::ofThread();
  Grown -= Thread;
  EXPECT_LE(getSum(Grown), 30ms);
  Grown = ProcessorTime::ofProcess();
  Grown -= Process;
  EXPECT_GE(getSum(Grown), 40ms);
}

} // namespace
