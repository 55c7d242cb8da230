//===- GeneratedPassTest.cpp - The output for a Passes.td -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles and tests the golden output of the backends for passes
// (SamplePasses.td in test/TableGen/Inputs): options as struct, text and
// defaults; statistics; the registry.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"
#include "relay/Pass/PipelineParser.h"

using namespace relay;

namespace sample {

struct SampleAnalysis {
  using Result = unsigned;
  static inline AnalysisKey Key;
  static StringRef name() { return "SampleAnalysis"; }
  Result run(Module &, ModuleAnalysisManager &) { return 5; }
};
/// Fails for modules without functions.
struct OtherAnalysis {
  using Result = unsigned;
  static inline AnalysisKey Key;
  static StringRef name() { return "OtherAnalysis"; }
  FailureOr<Result> run(Module &M, ModuleAnalysisManager &) {
    if (M.getNumFunctions() == 0)
      return failure();
    return M.getNumFunctions();
  }
};

#include "../../TableGen/Inputs/SamplePasses.h.inc"
#include "../../TableGen/Inputs/SamplePasses.registry.inc"

class SampleFunction : public SampleFunctionBase<SampleFunction> {
public:
  using SampleFunctionBase::SampleFunctionBase;
  FailureOr<PreservedAnalyses> run(Function &, FunctionAnalysisManager &,
                                   PassContext &) override {
    ++NumSeen;
    NumDone += Options.MaxDepth;
    return preserved(Options.Flag);
  }
};
class SampleModule : public SampleModuleBase<SampleModule> {
public:
  FailureOr<PreservedAnalyses> run(Module &, ModuleAnalysisManager &,
                                   PassContext &) override {
    ++NumRuns;
    return preserved(true);
  }
};

std::unique_ptr<Pass> createSampleFunctionPass(SampleFunctionOptions Options) {
  return std::make_unique<SampleFunction>(std::move(Options));
}
std::unique_ptr<Pass> createSampleModulePass() {
  return std::make_unique<SampleModule>();
}

} // namespace sample

using namespace relay::test;
using namespace sample;

namespace {

class GeneratedPassTest : public PassTest {
protected:
  GeneratedPassTest() { registerGeneratedPasses(Registry); }

  static std::string print(const Pass &P) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    P.printPipeline(OS);
    return Text;
  }
  /// Returns the printed form of a pipeline of one function pass, or the first
  /// error.
  std::string roundTrip(StringRef Text) {
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    FailureOr<ModulePassManager> PM = parsePipeline(Text, "p", Registry, OS);
    if (failed(PM))
      return StringRef(Result).split('\n').first.str();
    PM->printPipeline(OS);
    return Result;
  }
};

TEST_F(GeneratedPassTest, Info) {
  const PassInfo *Info = Registry.lookupArgument("sample-function");
  ASSERT_TRUE(Info);
  EXPECT_EQ(Info->Name, SampleFunction::getStaticInfo().Name);
  EXPECT_EQ(Registry.lookupName("SampleFunction"), Info);
  EXPECT_EQ(Info->Unit, PassUnit::Function);
  EXPECT_EQ(Info->OptLevel, 2u);
  EXPECT_FALSE(Info->IsRequired);
  EXPECT_EQ(Info->Requires,
            ArrayRef<StringRef>({"SampleBase", "SampleModule"}));
  EXPECT_EQ(Info->Summary, "does something to a function");
  EXPECT_EQ(Info->Options.size(), 16u);
  EXPECT_TRUE(SampleModule::getStaticInfo().IsRequired);
  EXPECT_TRUE(Registry.lookupArgument("sample-group")->IsGroup);
  EXPECT_EQ(Registry.lookupArgument("sample-base"), nullptr);
}

TEST_F(GeneratedPassTest, OptionsPrintAndReadBack) {
  SampleFunctionOptions O;
  EXPECT_EQ(print(*createSampleFunctionPass(O)), "sample-function");
  O.Flag = true;
  O.OnFlag = false;
  O.MaxDepth = 12;
  O.Text = "a;b>c";
  O.TextWithDefault = "";
  O.Items = {"x", "y,z", ""};
  O.MoreItems = {};
  O.Level = 3;
  O.Rate = 0.1;
  O.Mode = SampleFunctionOptions::ModeValue::VeryExact;
  O.Axes = {};
  O.Modes = {SampleFunctionOptions::ModesValue::B,
             SampleFunctionOptions::ModesValue::A};
  O.Layouts = {{"nn.conv2d", {"NHWC", "a:b"}}, {"x", {"y"}}};
  O.Limit = -7;
  O.Only = std::vector<std::string>();
  O.On = false;
  StringRef Text = "sample-function<flag;on-flag=false;max-depth=12;"
                   "text=\"a;b>c\";text-with-default=\"\";"
                   "items=x,\"y,z\",\"\";more-items=;level=3;rate=0.1;"
                   "mode=very-exact;axes=;modes=b,a;"
                   "layouts=nn.conv2d:NHWC:\"a:b\",x:y;limit=-7;only=;"
                   "on=false>";
  EXPECT_EQ(print(*createSampleFunctionPass(O)), Text);
  EXPECT_EQ(roundTrip(Text), ("function(" + Text + ")").str());
  EXPECT_EQ(print(*createSampleFunctionPass(O)->clone()), Text);
}

TEST_F(GeneratedPassTest, ValuesOfOptions) {
  auto Is = [&](StringRef Text, StringRef Printed) {
    EXPECT_EQ(roundTrip(("sample-function<" + Text + ">").str()),
              ("function(sample-function" + Printed + ")").str());
  };
  Is("", "");
  Is("flag=true", "<flag>");
  Is("flag=1", "<flag>");
  Is("flag=False", "");
  Is("max-depth=-1", "");
  Is("max-depth=-9223372036854775808", "<max-depth=-9223372036854775808>");
  Is("text=\"say \\\"hi\\\" \\\\\"", "<text=\"say \\\"hi\\\" \\\\\">");
  Is("items=nn.conv2d:NHWC:HWIO,b", "<items=nn.conv2d:NHWC:HWIO,b>");
  Is("text=a=b", "<text=a=b>");
  Is("rate=5e-1", "");
  Is("rate=1e-7", "<rate=1e-07>");
  Is("rate=0.30000000000000004", "<rate=0.30000000000000004>");
  Is("mode=fast", "");
  Is("axes=0,-1", "");
  Is("axes=-4,3", "<axes=-4,3>");
  Is("layouts=b:c,a:\"b:c\":d", "<layouts=a:\"b:c\":d,b:c>");
  Is("layouts=", "<layouts=>");
  Is("on", "<on>");
  Is("on=true", "<on>");
  Is("only=a,b", "<only=a,b>");
}

TEST_F(GeneratedPassTest, WrongOptions) {
  auto Is = [&](StringRef Text, StringRef Error) {
    EXPECT_EQ(roundTrip(("sample-function<" + Text + ">").str()),
              ("p:1:" + Error).str());
  };
  Is("max-dept=1", "17: error: 'sample-function' has no option 'max-dept'; "
                   "did you mean 'max-depth'?");
  Is("max-depth", "17: error: option 'max-depth' needs a value");
  Is("max-depth=4x",
     "27: error: option 'max-depth' expects an integer, got '4x'");
  Is("max-depth=99999999999999999999",
     "27: error: option 'max-depth' expects an integer, got "
     "'99999999999999999999'");
  Is("flag=yes", "22: error: option 'flag' expects true or false, got 'yes'");
  Is("flag;flag", "22: error: option 'flag' given twice");
  Is("flag;", "22: error: expected an option after ';'");
  Is(";flag", "17: error: 'sample-function' has no option ''");
  Is("text=\"a\"b", "25: error: expected ';' between options");
  Is("level=4", "23: error: option 'level' expects at most 3, got '4'");
  Is("level=-1", "23: error: option 'level' expects at least 0, got '-1'");
  Is("rate=x", "22: error: option 'rate' expects a number, got 'x'");
  Is("rate=nan", "22: error: option 'rate' expects a number, got 'nan'");
  Is("rate=1.5", "22: error: option 'rate' expects at most 1, got '1.5'");
  Is("mode=exact", "22: error: option 'mode' expects one of fast, very-exact, "
                   "got 'exact'");
  Is("axes=1,-5", "24: error: option 'axes' expects at least -4, got '-5'");
  Is("modes=a,c", "25: error: option 'modes' expects one of a, b, got 'c'");
  Is("layouts=a",
     "25: error: option 'layouts' needs ':' and a value after the key 'a'");
  Is("layouts=a:b,a:c", "29: error: option 'layouts' has the key 'a' twice");
  Is("limit=", "23: error: option 'limit' expects an integer, got ''");
  Is("limit=10", "23: error: option 'limit' expects at most 9, got '10'");
  Is("only", "17: error: option 'only' needs a value");
}

/// A pass with an additional member.
class Remembering final : public SampleModuleBase<Remembering> {
public:
  FailureOr<PreservedAnalyses> run(Module &, ModuleAnalysisManager &,
                                   PassContext &) override {
    ++NumRuns;
    ++Runs;
    return preserved(false);
  }
  int Runs = 0;
};

TEST_F(GeneratedPassTest, CloneCopiesTheWholePass) {
  Remembering P;
  AnalysisManagers AMs(PC);
  EXPECT_TRUE(succeeded(runPass(P, M, AMs.Modules, PC)));
  std::unique_ptr<Pass> Clone = P.clone();
  EXPECT_EQ(static_cast<Remembering &>(*Clone).Runs, 1);
  ASSERT_EQ(Clone->getStatistics().size(), 1u);
  EXPECT_EQ(Clone->getStatistics()[0]->getValue(), 0u);
  EXPECT_EQ(P.getStatistics()[0]->getValue(), 1u);
}

TEST_F(GeneratedPassTest, Statistics) {
  addFunction("f");
  addFunction("g");
  SampleFunctionOptions O;
  O.MaxDepth = 5;
  std::unique_ptr<Pass> P = createSampleFunctionPass(O);
  AnalysisManagers AMs(PC);
  EXPECT_TRUE(succeeded(runPass(*P, M, AMs.Modules, PC)));
  ASSERT_EQ(P->getStatistics().size(), 2u);
  EXPECT_EQ(P->getStatistics()[0]->getName(), "NumSeen");
  EXPECT_EQ(P->getStatistics()[0]->getDescription(), "what was seen");
  EXPECT_EQ(P->getStatistics()[0]->getValue(), 2u);
  EXPECT_EQ(P->getStatistics()[1]->getValue(), 10u);
  EXPECT_EQ(P->clone()->getStatistics()[0]->getValue(), 0u);
}

TEST_F(GeneratedPassTest, Preserved) {
  AnalysisManagers AMs(PC);
  std::unique_ptr<Pass> P = createSampleModulePass();
  auto PA = cast<ModulePass>(*P).run(M, AMs.Modules, PC);
  ASSERT_TRUE(succeeded(PA));
  EXPECT_FALSE(PA->areAllPreserved());
  EXPECT_TRUE(PA->isPreserved<SampleAnalysis>());
  EXPECT_TRUE(PA->isPreserved<FunctionAnalysisManagerModuleProxy>());
}

/// The functions of a record's ModuleAnalyses compute them, in order.
TEST_F(GeneratedPassTest, ModuleAnalyses) {
  SampleFunction P;
  ArrayRef<ModuleAnalysisFn> Analyses = P.getInfo().ModuleAnalyses;
  ASSERT_EQ(Analyses.size(), 2u);
  EXPECT_TRUE(SampleModule().getInfo().ModuleAnalyses.empty());
  Module M(Ctx);
  AnalysisManagers AMs(PC, nullptr);
  EXPECT_TRUE(succeeded(Analyses[0](M, AMs.Modules)));
  EXPECT_EQ(*AMs.Modules.getCachedResult<SampleAnalysis>(M), 5u);
  EXPECT_TRUE(failed(Analyses[1](M, AMs.Modules)));
  M.createFunction("main");
  EXPECT_TRUE(succeeded(Analyses[1](M, AMs.Modules)));
  EXPECT_EQ(*AMs.Modules.getCachedResult<OtherAnalysis>(M), 1u);
}

TEST_F(GeneratedPassTest, ConfigAndReferenceNames) {
  EXPECT_EQ(PC.getConfig(SampleDepth), 7);
  EXPECT_EQ(PC.getConfig(SampleNames), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(PC.getConfig(SampleMode), SampleModeValue::Fast);
  EXPECT_TRUE(PC.getConfig(SampleRates).empty());
  EXPECT_EQ(PC.getConfig(SampleLimit), std::nullopt);
  EXPECT_EQ(Registry.lookupConfigOption("sample.base"), nullptr);
  EXPECT_TRUE(Registry.isReferenceName("ElsewhereOnly"));
  EXPECT_TRUE(Registry.isReferenceConfig("elsewhere.depth"));
}

TEST_F(GeneratedPassTest, PipelinesPrintTheirArgument) {
  EXPECT_EQ(roundTrip("sample-group,sample<small>"),
            "sample-group,sample<small>");
  EXPECT_TRUE(succeeded(checkPipelines(Registry)));
  EXPECT_EQ(roundTrip("extension<sample-point>"),
            "function(sample-function<flag>)");
}

} // namespace
