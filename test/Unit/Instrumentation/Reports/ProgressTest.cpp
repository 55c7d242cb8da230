//===- ProgressTest.cpp - The status line of a run ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output to the terminal, without the initial delay.
// test/Instrumentation/Reports/progress.test covers the driver on a real
// terminal.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/Progress.h"
#include "relay/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <condition_variable>
#include <mutex>

using namespace relay;

namespace {

PassInfo makeInfo() {
  PassInfo Info;
  Info.Name = "Slow";
  Info.Argument = "slow";
  Info.Unit = PassUnit::Function;
  return Info;
}
const PassInfo SlowInfo = makeInfo();

/// Runs a callback for each function.
class Slow final : public FunctionPass {
public:
  explicit Slow(std::function<void()> Body)
      : FunctionPass(SlowInfo), Body(std::move(Body)) {}
  void printPipeline(raw_ostream &OS) const override { OS << "slow"; }
  std::unique_ptr<Pass> clone() const override {
    return std::make_unique<Slow>(Body);
  }
  FailureOr<PreservedAnalyses> run(Function &, FunctionAnalysisManager &,
                                   PassContext &) override {
    Body();
    return PreservedAnalyses::all();
  }

private:
  std::function<void()> Body;
};

/// Collects the output. A test can wait for more output.
class Terminal final : public raw_ostream {
public:
  Terminal() : raw_ostream(/*unbuffered=*/true) {}

  std::string getText() {
    std::lock_guard<std::mutex> Guard(Lock);
    return Text;
  }
  /// Waits for \p Count additional lines, for at most 20 seconds.
  void waitForLines(unsigned Count) {
    std::unique_lock<std::mutex> Guard(Lock);
    unsigned Wanted = NumLines + Count;
    Changed.wait_for(Guard, std::chrono::seconds(20),
                     [&] { return NumLines >= Wanted; });
  }

private:
  void write_impl(const char *Data, size_t Size) override {
    std::lock_guard<std::mutex> Guard(Lock);
    Text.append(Data, Size);
    NumLines += StringRef(Data, Size).ends_with(" s\x1b[K");
    Changed.notify_all();
  }
  uint64_t current_pos() const override { return 0; }

  std::mutex Lock;
  std::condition_variable Changed;
  std::string Text;
  unsigned NumLines = 0;
};

class ProgressTest : public testing::Test {
protected:
  ProgressTest() {
    Options.Delay = Options.Interval = std::chrono::milliseconds(1);
    M.createFunction("f");
    M.createFunction("g");
  }

  /// Returns the output to the terminal while \p Body ran on two functions.
  std::string run(std::function<void()> Body) {
    ProgressLine Progress(Options, Screen);
    Stream = &Progress.getStream();
    PassContext PC(Ctx, Registry);
    Progress.registerCallbacks(PC.getCallbacks());
    auto Scope = PassContext::Scope::enter(PC);
    FunctionPassManager FPM;
    FPM.addPass(std::make_unique<Slow>(std::move(Body)));
    ModulePassManager PM;
    PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
    AnalysisManagers AMs(PC);
    EXPECT_TRUE(succeeded(PM.run(M, AMs.Modules, PC)));
    EXPECT_FALSE(bool(Scope->exit()));
    return Screen.getText();
  }

  Context Ctx;
  Module M{Ctx};
  PassRegistry Registry;
  ProgressOptions Options;
  Terminal Screen;
  raw_ostream *Stream = nullptr;
};

TEST_F(ProgressTest, ShowsPassAndFunctionsAndIsGoneInTheEnd) {
  // The first line may have been drawn before the pass began.
  std::string Shown = run([this] { Screen.waitForLines(2); });
  StringRef Line = Shown;
  EXPECT_TRUE(Line.starts_with("\rSlow, 1 of 2 functions, ")) << Shown;
  EXPECT_TRUE(Line.contains("\rSlow, 2 of 2 functions, ")) << Shown;
  EXPECT_TRUE(Line.ends_with(" s\x1b[K\r\x1b[K")) << Shown;
  EXPECT_FALSE(Line.contains('\n'));
}

TEST_F(ProgressTest, ShortRunsShowNothing) {
  Options.Delay = std::chrono::hours(1);
  EXPECT_EQ(
      run([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }),
      "");
}

TEST_F(ProgressTest, MakesWayForOtherOutput) {
  std::string Shown = run([this] {
    Screen.waitForLines(2);
    *Stream << "dump\n";
    Screen.waitForLines(1);
  });
  EXPECT_TRUE(StringRef(Shown).contains("\x1b[K\r\x1b[Kdump\n\rSlow, 1 of 2"))
      << Shown;
}

TEST_F(ProgressTest, MakesWayForDiagnostics) {
  std::string Before;
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &) {
    Before = Screen.getText();
    return true;
  });
  run([this] {
    Screen.waitForLines(2);
    (void)Ctx.emitError(Location(), "wrong");
  });
  EXPECT_TRUE(StringRef(Before).contains("Slow, 2 of 2 functions")) << Before;
  EXPECT_TRUE(StringRef(Before).ends_with("\r\x1b[K")) << Before;
}

TEST_F(ProgressTest, LeavesUnfinishedLinesAlone) {
  std::string Shown = run([this] {
    *Stream << "begin ";
    Screen.waitForLines(2);
    *Stream << "end\n";
  });
  EXPECT_TRUE(StringRef(Shown).contains("begin end\n")) << Shown;
}

} // namespace
