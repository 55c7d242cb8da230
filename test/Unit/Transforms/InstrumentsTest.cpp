//===- InstrumentsTest.cpp - Instruments around real passes ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instrument of TVM's tutorial that records the operators that each pass
// added and removed, with its depth; an instrument that skips passes; disabled
// passes. The expected records are those of TVM 0.18 for the same module and
// passes.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/OpCounts.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <map>

using namespace relay;
using llvm::Error;
using llvm::Expected;

namespace {

constexpr StringRef Text = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4, 8, 8), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32], %m: Tensor[(4), float32], %v: Tensor[(4), float32]) {
  %0 = nn.batch_norm(%x, %g, %b, %m, %v);
  %1 = %0.0;
  %2 = nn.dropout(%1);
  %3 = %2.0;
  %4 = nn.relu(%3);
  %5 = nn.relu(%3);
  add(%4, %5)
}
)";

/// Writes `(depth, pass, {operator: change})` for each pass that changes any
/// operator.
class OpDiff : public PassInstrument {
public:
  OpDiff() : PassInstrument("OpDiff") {}

  Error runBeforePass(Module &M, const PassInfo &) override {
    Before.push_back(count(M));
    return Error::success();
  }
  Error runAfterPass(Module &M, const PassInfo &Info) override {
    Counts Change = count(M);
    for (auto &[Name, Number] : Before.pop_back_val())
      Change[Name] -= Number;
    std::string Line;
    for (auto &[Name, Number] : Change)
      if (Number)
        Line +=
            (Line.empty() ? "" : ", ") + Name + ": " + std::to_string(Number);
    if (!Line.empty())
      Log += "(" + std::to_string(Before.size()) + ", " + Info.Name.str() +
             ", {" + Line + "})\n";
    return Error::success();
  }

  std::string Log;

private:
  using Counts = std::map<std::string, int64_t>;
  static Counts count(Module &M) {
    Counts Result;
    for (Function &F : M.functions())
      for (auto [Info, Number] : OpCounts(F).getOperators())
        Result[Info->Name.str()] += Number;
    return Result;
  }
  SmallVector<Counts, 0> Before;
};

/// Skips the pass with a given name.
class Skip : public PassInstrument {
public:
  explicit Skip(StringRef Name) : PassInstrument("Skip"), Name(Name) {}
  Expected<bool> shouldRun(Module &, const PassInfo &Info) override {
    return Info.Name != Name;
  }

private:
  StringRef Name;
};

class InstrumentsTest : public testing::Test {
protected:
  InstrumentsTest() {
    registerAllOps(Ctx);
    registerAllPasses(Registry);
    PC.setOptLevel(3);
  }

  /// Returns the records of the nested pipeline; \p Other comes before the
  /// recorder.
  std::string run(PassInstrument *Other = nullptr) {
    auto M = parseModule(llvm::MemoryBuffer::getMemBuffer(Text), Ctx, {});
    EXPECT_TRUE(M && succeeded(inferTypes(*M)));
    auto PM = parsePipeline("sequential(simplify-inference,sequential("
                            "eliminate-common-subexpr,dead-code-elimination))",
                            "pipeline", Registry);
    EXPECT_TRUE(succeeded(PM));
    OpDiff Diff;
    SmallVector<PassInstrument *> Instruments = {&Diff};
    if (Other)
      Instruments.insert(Instruments.begin(), Other);
    EXPECT_FALSE(bool(PC.overrideInstruments(Instruments)));
    AnalysisManagers AMs(PC);
    EXPECT_TRUE(succeeded(PM->run(*M, AMs.Modules, PC)));
    EXPECT_FALSE(bool(PC.takeInstrumentError()));
    EXPECT_FALSE(bool(PC.overrideInstruments({})));
    return Diff.Log;
  }

  Context Ctx;
  PassRegistry Registry;
  PassContext PC{Ctx, Registry};
};

constexpr StringRef WithoutSimplification =
    "(2, EliminateCommonSubexpr, {nn.relu: -1})\n"
    "(1, sequential, {nn.relu: -1})\n"
    "(0, sequential, {nn.relu: -1})\n";

TEST_F(InstrumentsTest, OperatorsThatComeAndGo) {
  EXPECT_EQ(run(), "(1, SimplifyInference, {add: 3, divide: 1, expand_dims: 2, "
                   "multiply: 3, negative: 1, nn.batch_norm: -1, "
                   "nn.dropout: -1, sqrt: 1})\n"
                   "(2, EliminateCommonSubexpr, {nn.relu: -1})\n"
                   "(1, sequential, {nn.relu: -1})\n"
                   "(0, sequential, {add: 3, divide: 1, expand_dims: 2, "
                   "multiply: 3, negative: 1, nn.batch_norm: -1, "
                   "nn.dropout: -1, nn.relu: -1, sqrt: 1})\n");
}

TEST_F(InstrumentsTest, SkippedByAnInstrument) {
  Skip Simplification("SimplifyInference");
  EXPECT_EQ(run(&Simplification), WithoutSimplification);
}

TEST_F(InstrumentsTest, Disabled) {
  EXPECT_FALSE(bool(PC.addDisabledPass("simplify-inference")));
  EXPECT_EQ(run(), WithoutSimplification);
}

TEST_F(InstrumentsTest, RequiredAgainstLevelAndInstrument) {
  PC.setOptLevel(0); // EliminateCommonSubexpr is of level 3
  EXPECT_FALSE(bool(PC.addRequiredPass("EliminateCommonSubexpr")));
  Skip Elimination("EliminateCommonSubexpr");
  std::string Log = run(&Elimination);
  EXPECT_TRUE(
      StringRef(Log).contains("(2, EliminateCommonSubexpr, {nn.relu: -1})\n"))
      << Log;
}

} // namespace
