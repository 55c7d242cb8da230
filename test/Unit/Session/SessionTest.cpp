//===- SessionTest.cpp - Read, run, print, report -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Session as programs use it: results, messages on the given streams, limits
// that are failures, and memory that does not grow.
//
//===----------------------------------------------------------------------===//

#include "relay/Session/Session.h"
#include "relay/Instrumentation/StandardInstrumentations.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pass/PassInstrument.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"
#include <malloc.h>
#include <thread>

using namespace relay;

namespace {

/// A Session with its own streams.
struct TestSession {
  TestSession() : S("test", MessageStream, ReportStream) {}

  OwnedModule read(StringRef Text, const ReadOptions &O = {}) {
    return S.read(llvm::MemoryBuffer::getMemBufferCopy(Text, "m.relay"), O);
  }
  /// Returns the result of \p Passes on \p Text; `failed` after an error.
  std::string transform(StringRef Text, StringRef Passes,
                        const RunOptions &O = {}) {
    OwnedModule M = read(Text);
    FailureOr<ModulePassManager> Pipeline = S.parsePipeline(Passes);
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    if (!M || failed(Pipeline) || failed(S.run(*M, *Pipeline, O)) ||
        failed(S.print(*M, OS)))
      return "failed";
    return Result;
  }
  std::string takeMessages() { return std::exchange(Messages, ""); }
  std::string takeReports() { return std::exchange(Reports, ""); }

  std::string Messages, Reports;
  llvm::raw_string_ostream MessageStream{Messages}, ReportStream{Reports};
  Session S;
};

constexpr StringLiteral Sum = "def @main() { add(1f, 2f) }";

/// Returns functions of which `@fN` copies a body 2^N times when it is inlined.
std::string makeDoubling(unsigned N) {
  std::string Text = "def @f0(%x: float32, Inline=1) { nn.relu(%x) }\n";
  for (unsigned I = 1; I <= N; ++I) {
    std::string Callee = "@f" + std::to_string(I - 1);
    Text += "def @f" + std::to_string(I) + "(%x: float32, Inline=1) { " +
            Callee + "(" + Callee + "(%x)) }\n";
  }
  return Text + "def @main(%x: float32) { @f" + std::to_string(N) + "(%x) }\n";
}

} // namespace

TEST(SessionTest, ReadsRunsAndPrints) {
  TestSession T;
  EXPECT_EQ(T.transform(Sum, "fold-constant"), "#[version = \"0.0.5\"]\n"
                                               "def @main() {\n"
                                               "  3f /* ty=float32 */\n"
                                               "}\n");
  EXPECT_EQ(T.takeMessages(), "");
  EXPECT_EQ(T.takeReports(), "");
}

TEST(SessionTest, PrintsJson) {
  TestSession T;
  OwnedModule M = T.read(Sum);
  ASSERT_TRUE(M);
  std::string Json;
  llvm::raw_string_ostream OS(Json);
  OutputOptions O;
  O.Form = OutputForm::Json;
  ASSERT_TRUE(succeeded(T.S.print(*M, OS, O)));
  EXPECT_TRUE(StringRef(Json).starts_with("{\n  \"root\": ")) << Json;
  OwnedModule Again = T.read(Json);
  ASSERT_TRUE(Again);
  EXPECT_EQ(Again->lookupFunction("main")->getName(), "main");
}

TEST(SessionTest, RunsAtTheOptLevelOfTheTool) {
  TestSession T;
  unsigned Level = 0;
  RunOptions O;
  O.Configure = [&](PassContext &PC) {
    Level = PC.getOptLevel();
    return llvm::Error::success();
  };
  T.transform(Sum, "infer-type", O);
  EXPECT_EQ(Level, 3u);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

TEST(SessionTest, WritesDiagnosticsToItsStream) {
  TestSession T;
  EXPECT_EQ(T.transform("def @main() { %y }", "infer-type"), "failed");
  EXPECT_EQ(T.takeMessages(), "m.relay:1:15: error: undefined variable `%y`\n"
                              "def @main() { %y }\n"
                              "              ^~\n");
  EXPECT_EQ(T.transform(Sum, "no-such-pass"), "failed");
  EXPECT_EQ(T.takeMessages(), "pipeline:1:1: error: unknown pass "
                              "'no-such-pass'; -print-passes lists the "
                              "passes\n"
                              "no-such-pass\n"
                              "^~~~~~~~~~~~\n");
  EXPECT_EQ(T.takeReports(), "");
}

TEST(SessionTest, NamesLinesOfTheFile) {
  TestSession T;
  ReadOptions O;
  O.FirstLine = 41;
  EXPECT_FALSE(T.read("def @main() {\n  %y\n}\n", O));
  EXPECT_EQ(T.takeMessages(), "m.relay:42:3: error: undefined variable `%y`\n"
                              "  %y\n"
                              "  ^~\n");
}

TEST(SessionTest, ReportsErrorsWithoutAPosition) {
  TestSession T;
  RunOptions O;
  O.Configure = [](PassContext &PC) { return PC.addDisabledPass("nothing"); };
  std::string Unknown = llvm::toString(T.S.check(O));
  EXPECT_EQ(T.transform(Sum, "infer-type", O), "failed");
  EXPECT_EQ(T.takeMessages(), "test: error: " + Unknown + "\n");
  std::string Handled;
  T.S.setErrorHandler(
      [&](llvm::Error E) { Handled = llvm::toString(std::move(E)); });
  EXPECT_EQ(T.transform(Sum, "infer-type", O), "failed");
  EXPECT_EQ(Handled, Unknown);
  EXPECT_EQ(T.takeMessages(), "");
}

TEST(SessionTest, ReportsErrorsOfAnInstrumentInOrder) {
  struct FailingInstrument : PassInstrument {
    FailingInstrument() : PassInstrument("failing") {}
    llvm::Error runBeforePass(Module &, const PassInfo &) override {
      return llvm::createStringError("before the pass");
    }
    llvm::Error exitPassContext() override {
      return llvm::createStringError("at the exit");
    }
  };
  TestSession T;
  RunOptions O;
  O.Configure = [](PassContext &PC) {
    PC.addInstrument(std::make_unique<FailingInstrument>());
    return llvm::Error::success();
  };
  EXPECT_EQ(T.transform(Sum, "infer-type", O), "failed");
  EXPECT_EQ(T.takeMessages(), "test: error: before the pass\n"
                              "test: error: at the exit\n");
}

TEST(SessionTest, WritesDumpsAndReportsToItsStream) {
  TestSession T;
  addStandardInstrumentations(T.S.getInstrumentations());
  llvm::cantFail(T.S.setFlags({"-print-after=fold-constant"}));
  EXPECT_NE(T.transform(Sum, "fold-constant"), "failed");
  EXPECT_EQ(T.takeReports(), "// *** IR Dump After FoldConstant on @main ***\n"
                             "def @main() {\n"
                             "  3f /* ty=float32 */\n"
                             "}\n");
  EXPECT_EQ(T.takeMessages(), "");
  EXPECT_EQ(llvm::toString(T.S.setFlags({"-no-such-flag"})),
            "unknown option '-no-such-flag'");
  EXPECT_EQ(llvm::toString(T.S.setFlags({"operand"})),
            "unexpected operand 'operand'");
}

TEST(SessionTest, FlagsThatNameUnknownPasses) {
  for (StringRef Flag : {"-debug-counter=nosuch=1", "-debug-only=nosuch",
                         "-debug-log=nosuch=1", "-print-after=nosuch"}) {
    TestSession T;
    addStandardInstrumentations(T.S.getInstrumentations());
    std::string Message = llvm::toString(T.S.setFlags({Flag.data()}));
    EXPECT_TRUE(StringRef(Message).starts_with(
        ("option " + Flag.split('=').first + ": ").str()))
        << Message;
    EXPECT_TRUE(StringRef(Message).contains("'nosuch'")) << Message;
  }
}

/// Flags find the passes that they name in each run, independent of the creator
/// of the Context.
TEST(SessionTest, FindsNamedPassesInEachRun) {
  TestSession T;
  addStandardInstrumentations(T.S.getInstrumentations());
  llvm::cantFail(
      T.S.setFlags({"-print-after=FOLD-constant", "-filter-passes=foldConstant",
                    "-debug-counter=FoldConstant=0,0"}));
  FailureOr<ModulePassManager> Pipeline = T.S.parsePipeline("fold-constant");
  ASSERT_TRUE(succeeded(Pipeline));
  std::unique_ptr<Context> Ctx = T.S.createContext();
  for (int I = 0; I != 2; ++I) {
    std::unique_ptr<Module> M =
        T.S.read(llvm::MemoryBuffer::getMemBufferCopy(Sum, "m.relay"), *Ctx);
    ASSERT_TRUE(M && succeeded(T.S.run(*M, *Pipeline)));
    EXPECT_EQ(T.takeReports(),
              "// *** IR Dump After FoldConstant on @main ***\n"
              "def @main() {\n"
              "  add(1f /* ty=float32 */, 2f /* ty=float32 */) /* ty=float32 "
              "*/\n"
              "}\n");
  }
}

TEST(SessionTest, CountsOverAllModules) {
  TestSession T;
  addStandardInstrumentations(T.S.getInstrumentations());
  llvm::cantFail(T.S.setFlags({"-print-debug-counter"}));
  FailureOr<ModulePassManager> Pipeline = T.S.parsePipeline("fold-constant");
  ASSERT_TRUE(succeeded(Pipeline));
  for (int I = 0; I != 3; ++I) {
    OwnedModule M = T.read(Sum);
    ASSERT_TRUE(M && succeeded(T.S.run(*M, *Pipeline)));
  }
  std::string Report;
  llvm::raw_string_ostream OS(Report);
  llvm::cantFail(T.S.report(OS, *Pipeline));
  EXPECT_TRUE(StringRef(Report).contains(": {3,0,-1}")) << Report;
}

//===----------------------------------------------------------------------===//
// Facts of operators
//===----------------------------------------------------------------------===//

TEST(SessionTest, GivesFactsToEachContext) {
  TestSession T;
  auto Add = [&](StringRef Text) {
    return T.S.addOpFacts(llvm::MemoryBuffer::getMemBuffer(Text, "f.facts"));
  };
  auto CountGroups = [&] {
    constexpr StringLiteral Text =
        "def @main(%x: Tensor[(4), float32]) { tanh(nn.relu(%x)) }";
    return StringRef(T.transform(Text, "fuse-ops")).count("Primitive=1");
  };
  EXPECT_EQ(CountGroups(), 1u);
  EXPECT_TRUE(succeeded(Add("[FusionPattern]\nnn.relu = opaque\n")));
  EXPECT_EQ(CountGroups(), 2u);
  EXPECT_EQ(CountGroups(), 2u);
  EXPECT_TRUE(
      failed(Add("[FusionPattern]\ntanh = opaque\nnn.rleu = opaque\n")));
  EXPECT_EQ(T.takeMessages(),
            "f.facts:3:1: error: unknown operator 'nn.rleu'; did you mean "
            "'nn.relu'?\n"
            "nn.rleu = opaque\n"
            "^~~~~~~\n");
  EXPECT_EQ(CountGroups(), 2u);
}

//===----------------------------------------------------------------------===//
// Extensions
//===----------------------------------------------------------------------===//

/// Returns the error of a session with \p E.
static std::string getErrorOf(const Extension &E) {
  TestSession T;
  T.S.add(E);
  return llvm::toString(T.S.initialize());
}

TEST(SessionTest, RefusesWhatIsRegistered) {
  EXPECT_EQ(getErrorOf({}), "");
  Extension Passes, Ops;
  Passes.RegisterPasses = registerAllPasses;
  EXPECT_TRUE(llvm::Regex("^this program declares pass '[a-z0-9-]+', which is "
                          "already registered$")
                  .match(getErrorOf(Passes)));
  Ops.RegisterOps = registerAllOps;
  EXPECT_TRUE(llvm::Regex("^this program declares operator '[a-z0-9_.]+', "
                          "which is already registered$")
                  .match(getErrorOf(Ops)));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST(SessionTest, FailsBeyondTheLimitOfOperations) {
  TestSession T;
  SessionLimits Limits;
  Limits.Operations = 100;
  T.S.setLimits(Limits);
  EXPECT_EQ(T.transform(makeDoubling(8), "inline"), "failed");
  EXPECT_TRUE(StringRef(T.takeMessages())
                  .contains("makes more than 100 operations; raise "
                            "-max-operations to allow it\n"));
  EXPECT_NE(T.transform(makeDoubling(2), "inline"), "failed");
  EXPECT_EQ(T.takeMessages(), "");
}

TEST(SessionTest, FailsBeyondTheLimitOfCharacters) {
  TestSession T;
  constexpr StringLiteral Text = "#[version = \"0.0.5\"]\n"
                                 "def @main(%x: int32 /* ty=int32 */) {\n"
                                 "  %x\n"
                                 "}\n";
  SessionLimits Limits;
  Limits.Characters = Text.size();
  T.S.setLimits(Limits);
  EXPECT_EQ(T.transform(Text, "simplify-inference"), Text);
  Limits.Characters = Text.size() - 1;
  T.S.setLimits(Limits);
  EXPECT_EQ(T.transform(Text, "simplify-inference"), "failed");
  EXPECT_EQ(T.takeMessages(), "error: more than 65 characters in writing; "
                              "raise -max-characters to allow it\n");
  // A pass that prints fails, and later passes do not run.
  EXPECT_EQ(T.transform(Text, "print,no-such"), "failed");
  T.takeMessages();
  EXPECT_EQ(T.transform(Text, "print,print"), "failed");
  EXPECT_EQ(T.takeMessages(), "error: more than 65 characters in Print on "
                              "[module]; raise -max-characters to allow it\n");
}

TEST(SessionTest, FailsBeyondTheLimitOfMemory) {
  TestSession T;
  constexpr StringLiteral Large =
      "def @main() { full(1f, shape=[1024, 1024], dtype=\"float32\") }";
  SessionLimits Limits;
  Limits.Memory = 4 << 20;
  T.S.setLimits(Limits);
  EXPECT_EQ(T.transform(makeDoubling(16), "inline"), "failed");
  EXPECT_EQ(T.takeMessages(),
            "error: more than 4 MiB of memory in the pipeline; raise "
            "-max-memory to allow it\n");
  // Passes respect the limit of the Session: the constant would use all of it.
  EXPECT_TRUE(StringRef(T.transform(Large, "fold-constant")).contains("full("));
  Limits.Memory.reset();
  T.S.setLimits(Limits);
  EXPECT_NE(T.transform(makeDoubling(16), "inline"), "failed");
  EXPECT_EQ(T.takeMessages(), "");
}

TEST(SessionTest, LimitsMemoryByTheInput) {
  SessionLimits Limits;
  EXPECT_EQ(Limits.get(1000).Memory, RunLimits::DefaultMemory + 16000);
  Limits.Memory = 5;
  EXPECT_EQ(Limits.get(1000).Memory, 5u);
}

//===----------------------------------------------------------------------===//
// Many modules
//===----------------------------------------------------------------------===//

/// Processes module number \p I by \p T: every second one is valid, the others
/// fail to be read, exceed limits, or fail to run.
static void processOne(TestSession &T, unsigned I) {
  std::string Name = "name" + std::to_string(I);
  SessionLimits Limits;
  Limits.Operations = 100;
  Limits.Characters = I % 10 == 3 ? 40 : 4000;
  if (I % 10 == 5)
    Limits.Memory = 1000;
  T.S.setLimits(Limits);
  std::string Text = "def @" + Name + "(%x: Tensor[(" + std::to_string(I + 1) +
                     "), float32]) { add(%x, add(1f, " + std::to_string(I) +
                     "f)) }\n" + makeDoubling(I % 10 == 7 ? 8 : 2);
  if (I % 10 == 1)
    Text += "def @broken() { %nothing }";
  std::string Passes = I % 10 == 9 ? "no-such-pass" : "fold-constant,inline";
  EXPECT_EQ(T.transform(Text, Passes) == "failed", I % 2 == 1) << I;
  EXPECT_EQ(T.takeMessages().empty(), I % 2 == 0) << I;
}

static size_t getAllocatedBytes() {
  struct mallinfo2 Info = mallinfo2();
  return Info.uordblks + Info.hblkhd;
}

TEST(SessionTest, MemoryIsFlatOverModules) {
  TestSession T;
  unsigned I = 0;
  for (; I != 100; ++I)
    processOne(T, I);
  size_t Before = getAllocatedBytes();
  for (; I != 10'000; ++I)
    processOne(T, I);
  // Free memory of the allocator counts, but is less than one allocation per
  // module.
  EXPECT_LE(getAllocatedBytes(), Before + (64 << 10));
}

TEST(SessionTest, MemoryIsFlatUnderInstrumentations) {
  TestSession T;
  addStandardInstrumentations(T.S.getInstrumentations());
  llvm::cantFail(T.S.setFlags(
      {"-verify-each", "-print-changed", "-debug-only=fold-constant"}));
  // Reports keep each name of a function once.
  auto Process = [&](unsigned I) {
    processOne(T, I % 20);
    T.takeReports();
  };
  unsigned I = 0;
  for (; I != 100; ++I)
    Process(I);
  size_t Before = getAllocatedBytes();
  for (; I != 2000; ++I)
    Process(I);
  EXPECT_LE(getAllocatedBytes(), Before + (64 << 10));
}

/// The memory of sums over all modules is constant.
TEST(SessionTest, MemoryIsFlatUnderReports) {
  TestSession T;
  addStandardInstrumentations(T.S.getInstrumentations());
  llvm::cantFail(T.S.setFlags({"-time-passes", "-verify-semantics=1"}));
  FailureOr<ModulePassManager> Pipeline =
      T.S.parsePipeline("infer-type,repeat<2>(fold-constant)");
  ASSERT_TRUE(succeeded(Pipeline));
  auto Process = [&] {
    OwnedModule M = T.read(Sum);
    ASSERT_TRUE(M && succeeded(T.S.run(*M, *Pipeline)));
  };
  unsigned I = 0;
  for (; I != 100; ++I)
    Process();
  size_t Before = getAllocatedBytes();
  for (; I != 2000; ++I)
    Process();
  EXPECT_LE(getAllocatedBytes(), Before + (64 << 10));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::cantFail(T.S.report(OS, *Pipeline));
  EXPECT_TRUE(StringRef(Text).contains(
      "verify-semantics: FoldConstant on @main: agreed on 1 input (in 2000 "
      "modules)\n"))
      << Text;
  EXPECT_TRUE(StringRef(Text).contains("      4000  FoldConstant\n")) << Text;
}

//===----------------------------------------------------------------------===//
// Two Sessions
//===----------------------------------------------------------------------===//

/// Returns the results of a separate Session for some modules, on two threads
/// each.
static std::string processSome() {
  TestSession T;
  addStandardInstrumentations(T.S.getInstrumentations());
  llvm::cantFail(T.S.setFlags({"-verify-each", "-print-changed"}));
  T.S.setNumThreads(2);
  T.S.setMinParallelWork(0);
  std::string All;
  for (unsigned I = 0; I != 20; ++I)
    All += T.transform(makeDoubling(I % 5) + "def @g(%y: float32) { add(%y, "
                                             "add(1f, 2f)) }\n",
                       "fold-constant,inline,fuse-ops,defuse-ops,print");
  return All + T.takeMessages() + T.takeReports();
}

TEST(SessionTest, SessionsOnTwoThreads) {
  std::string Expected = processSome();
  EXPECT_TRUE(StringRef(Expected).contains("IR Dump After")) << Expected;
  std::string Results[2];
  std::thread First([&] { Results[0] = processSome(); });
  std::thread Second([&] { Results[1] = processSome(); });
  First.join();
  Second.join();
  EXPECT_EQ(Results[0], Expected);
  EXPECT_EQ(Results[1], Expected);
}
