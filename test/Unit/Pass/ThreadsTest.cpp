//===- ThreadsTest.cpp - Function passes on several threads ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results are the same as on one thread: text, diagnostics, counters, and
// the function that fails. Passes that require one thread run on one.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"
#include "relay/Support/OrderedOutput.h"
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

using namespace relay;
using namespace relay::test;

namespace {

constexpr unsigned NumParallel = 100;

constexpr PassStatisticInfo CountInfo[] = {{"NumSeen", "functions seen"}};

/// Counts functions whose name ends in an even digit.
class CountingPass final : public FunctionPass {
public:
  explicit CountingPass(const PassInfo &Info) : FunctionPass(Info) {}
  void printPipeline(raw_ostream &OS) const override { OS << "counting"; }
  std::unique_ptr<Pass> clone() const override {
    return std::make_unique<CountingPass>(getInfo());
  }
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    if ((F.getName().back() - '0') % 2 == 0)
      ++NumSeen;
    return PreservedAnalyses::all();
  }

  Statistic NumSeen{*this, CountInfo[0]};
};

class ThreadsTest : public PassTest {
protected:
  ThreadsTest() {
    for (unsigned I = 0; I != NumParallel; ++I)
      addFunction("f" + std::to_string(I));
    Ctx.setNumThreads(4);
    Ctx.setMinParallelWork(0);
    Ctx.getDiagnostics().pushHandler([this](const Diagnostic &D) {
      TextOS << D.Message << '\n';
      return true;
    });
  }

  using BodyFn = LambdaPass<Function>::BodyFn;
  /// Adds a pass that runs \p Body to the pipeline.
  void addPass(StringRef Name, BodyFn Body) {
    FPM.addPass(std::make_unique<LambdaPass<Function>>(
        makeInfo(Name, PassUnit::Function), std::move(Body)));
  }
  /// Runs the passes added so far and returns the output.
  std::string runPasses(bool Succeeds = true) {
    ModulePassManager PM;
    PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(FPM.clone()));
    EXPECT_EQ(succeeded(run(PM)), Succeeds);
    return std::exchange(Text, "");
  }
  /// Returns the number in the name of \p F.
  static unsigned numberOf(const Function &F) {
    unsigned Number = 0;
    F.getName().drop_front().getAsInteger(10, Number);
    return Number;
  }
  /// Returns the number of threads on which a pass is called.
  size_t countThreads() {
    std::mutex Lock;
    std::set<std::thread::id> Threads;
    addPass("where", [&](Function &, FunctionAnalysisManager &, PassContext &) {
      std::lock_guard<std::mutex> Guard(Lock);
      Threads.insert(std::this_thread::get_id());
      return PreservedAnalyses::all();
    });
    runPasses();
    FPM = FunctionPassManager();
    return Threads.size();
  }
  /// Returns true if two functions are processed in parallel: each waits for
  /// another.
  bool runsAtOnce() {
    std::atomic<unsigned> NumStarted{0};
    std::atomic<bool> Met{false};
    addPass("meet", [&](Function &, FunctionAnalysisManager &, PassContext &) {
      ++NumStarted;
      auto Limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!Met && std::chrono::steady_clock::now() < Limit) {
        if (NumStarted > 1)
          Met = true;
        std::this_thread::yield();
      }
      return PreservedAnalyses::all();
    });
    runPasses();
    FPM = FunctionPassManager();
    return Met;
  }

  FunctionPassManager FPM;
  std::string Text;
  llvm::raw_string_ostream TextOS{Text};
  OrderedStream OS{TextOS};
};

TEST_F(ThreadsTest, RunsFunctionsAtOnce) { EXPECT_TRUE(runsAtOnce()); }

TEST_F(ThreadsTest, SameOutputAsOneThread) {
  for (StringRef Name : {"a", "b"})
    addPass(Name, [this, Name](Function &F, FunctionAnalysisManager &,
                               PassContext &Ctx) {
      OS << Name << " on " << F.getName() << '\n';
      if (numberOf(F) % 3 == 0)
        Ctx.getDiagnostics().emitWarning(Location(), "warning " + F.getName());
      // Later functions tend to end first.
      std::this_thread::sleep_for(
          std::chrono::microseconds(NumParallel - numberOf(F)));
      OS << "done\n";
      return PreservedAnalyses::all();
    });
  PC.getCallbacks().registerAfterPassCallback([&](const PassRun &Run) {
    OS << "after " << Run.getName() << " on " << Run.getUnit().getName()
       << '\n';
    return success();
  });
  std::string OnFour = runPasses();
  Ctx.setNumThreads(1);
  std::string OnOne = runPasses();
  EXPECT_EQ(OnFour, OnOne);
  EXPECT_EQ(StringRef(OnOne).take_front(75),
            "a on f0\nwarning f0\ndone\nafter a on @f0\n"
            "b on f0\nwarning f0\ndone\nafter b on @");
}

TEST_F(ThreadsTest, FirstFailureOfTheModuleCounts) {
  std::atomic<bool> LaterFailed{false};
  addPass("fails",
          [&](Function &F, FunctionAnalysisManager &,
              PassContext &Ctx) -> FailureOr<PreservedAnalyses> {
            OS << F.getName() << '\n';
            if (numberOf(F) == 3) // fails last
              while (!LaterFailed)
                std::this_thread::yield();
            if (numberOf(F) != 3 && numberOf(F) != 5)
              return PreservedAnalyses::all();
            Ctx.getDiagnostics().emitError(Location(), "bad " + F.getName());
            LaterFailed = true;
            return failure();
          });
  PC.getCallbacks().registerAfterPassFailedCallback([&](const PassRun &Run) {
    OS << Run.getName() << " failed on " << Run.getUnit().getName() << '\n';
  });
  EXPECT_EQ(runPasses(/*Succeeds=*/false),
            "f0\nf1\nf2\nf3\nbad f3\nfails failed on @f3\n");
}

TEST_F(ThreadsTest, FailingCallbackStops) {
  addPass("p", [](Function &, FunctionAnalysisManager &, PassContext &) {
    return PreservedAnalyses::all();
  });
  PC.getCallbacks().registerAfterPassCallback([&](const PassRun &Run) {
    std::string Unit = Run.getUnit().getName();
    OS << Unit << '\n';
    return success(Unit != "@f2");
  });
  EXPECT_EQ(runPasses(/*Succeeds=*/false), "@f0\n@f1\n@f2\n");
}

TEST_F(ThreadsTest, CallbacksSeeThePassOfThePipeline) {
  addPass("p", [](Function &, FunctionAnalysisManager &, PassContext &) {
    return PreservedAnalyses::all();
  });
  ModulePassManager PM;
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  auto *Adaptor = cast<ModuleToFunctionPassAdaptor>(PM.getPasses()[0].get());
  const Pass *Mine = Adaptor->getManager().getPasses()[0].get();
  unsigned NumOthers = 0;
  PC.getCallbacks().registerBeforeNonSkippedPassCallback(
      [&](const PassRun &Run) {
        runInOrder(
            [&, IsOther = &Run.getPass() != Mine] { NumOthers += IsOther; });
      });
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(NumOthers, 0u);
}

TEST_F(ThreadsTest, StatisticsAddUp) {
  PassInfo &Info = makeInfo("counting", PassUnit::Function);
  Info.Statistics = CountInfo;
  auto Group = std::make_unique<SequentialPass>();
  auto Counting = std::make_unique<CountingPass>(Info);
  Statistic &NumSeen = Counting->NumSeen;
  Group->addPass(std::move(Counting)); // bare, without an adaptor
  ModulePassManager PM;
  PM.addPass(std::move(Group));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(NumSeen.getValue(), NumParallel / 2);
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(NumSeen.getValue(), NumParallel);
}

TEST_F(ThreadsTest, CallbacksMayAskForOneThread) {
  EXPECT_FALSE(PC.requiresSingleThread());
  PC.getCallbacks().requireSingleThread();
  EXPECT_TRUE(PC.requiresSingleThread());
  EXPECT_EQ(countThreads(), 1u);
}

TEST_F(ThreadsTest, InstrumentsGetOneThread) {
  PassInstrument Plain("plain");
  PC.setInstruments({&Plain});
  EXPECT_TRUE(PC.requiresSingleThread());
  EXPECT_EQ(countThreads(), 1u);
}

TEST_F(ThreadsTest, InstrumentsMayAllowThreads) {
  struct Tolerant : PassInstrument {
    Tolerant() : PassInstrument("tolerant") {}
    bool allowsThreads() const override { return true; }
  } Instrument;
  PC.setInstruments({&Instrument});
  EXPECT_FALSE(PC.requiresSingleThread());
  EXPECT_TRUE(runsAtOnce());
}

TEST_F(ThreadsTest, LittleWorkStaysOnOneThread) {
  M.normalize();
  Ctx.setMinParallelWork(NumParallel + 1); // one operation each
  EXPECT_EQ(countThreads(), 1u);
  Ctx.setMinParallelWork(NumParallel);
  EXPECT_TRUE(runsAtOnce());
}

/// The name of a function.
struct NameAnalysis {
  using Result = std::string;
  static AnalysisKey Key;
  static StringRef name() { return "NameAnalysis"; }
  Result run(Function &F, FunctionAnalysisManager &) {
    return F.getName().str();
  }
};
AnalysisKey NameAnalysis::Key;

TEST_F(ThreadsTest, AnalysesOfFunctions) {
  std::atomic<unsigned> NumComputed{0}, NumWrong{0};
  PC.getCallbacks().registerBeforeAnalysisCallback(
      [&](StringRef Name, IRUnit) { NumComputed += Name == "NameAnalysis"; });
  auto Check = [&](Function &F, FunctionAnalysisManager &AM) {
    NumWrong += AM.getResult<NameAnalysis>(F) != F.getName();
  };
  addPass("changes",
          [&](Function &F, FunctionAnalysisManager &AM, PassContext &) {
            Check(F, AM);
            return PreservedAnalyses::none();
          });
  for (StringRef Name : {"again", "cached"})
    addPass(Name, [&](Function &F, FunctionAnalysisManager &AM, PassContext &) {
      Check(F, AM);
      return PreservedAnalyses::all();
    });
  runPasses();
  EXPECT_EQ(NumComputed, 2 * NumParallel);
  EXPECT_EQ(NumWrong, 0u);
}

TEST_F(ThreadsTest, UniquesOncePerContext) {
  std::vector<SmallVector<uintptr_t, 0>> Made(NumParallel);
  addPass("makes", [&](Function &F, FunctionAnalysisManager &, PassContext &) {
    for (int64_t I = 0; I != 300; ++I) {
      Type *T = Ctx.getTensorType(ArrayRef<int64_t>{I, 7}, DType::getFloat(32));
      Attr Name = Ctx.getString("name" + std::to_string(I));
      Attr Constant = Ctx.getScalarConstant(DType::getInt(32), I);
      Made[numberOf(F)].append({Ctx.getTypeAttr(T).getOpaque(),
                                Name.getOpaque(), Constant.getOpaque(),
                                Ctx.getArray({Name, Constant}).getOpaque()});
    }
    return PreservedAnalyses::all();
  });
  runPasses();
  for (const auto &Mine : Made)
    EXPECT_EQ(Mine, Made[0]);
}

TEST_F(ThreadsTest, TypesOfOtherFunctionsStayReadable) {
  std::atomic<unsigned> NumUnknown{0};
  addPass("replace",
          [&](Function &F, FunctionAnalysisManager &, PassContext &) {
            addRelu(F, F.getParams()[0]);
            for (Function &Other : M.functions())
              NumUnknown += !Other.getType();
            return PreservedAnalyses::none();
          });
  runPasses();
  EXPECT_EQ(NumUnknown, 0u);
}

} // namespace
