//===- PassRegistryTest.cpp - Entries created at run time -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes and config options whose declarations do not outlive their
// registration, and whose factories are closures, as in scripts.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"
#include "relay/Pass/PipelineParser.h"

using namespace relay;
using namespace relay::test;

namespace {

class PassRegistryTest : public PassTest {
protected:
  /// Adds a pass that logs \p Word and its option `times`. The declaration is
  /// destroyed afterwards.
  bool addScriptPass(StringRef Name, std::string Word) {
    std::string Text = Name.str(), Option = "times", One = "1", Ten = "10";
    PassOptionInfo Options[] = {{Option, PassOptionKind::Int, One, "how often",
                                 PassOptionShape::Scalar, false, false, One,
                                 Ten}};
    PassInfo Info;
    Info.Name = Info.Argument = Text;
    Info.Options = Options;
    bool Added = Registry.registerPass(
        Info, [this, Word = std::move(Word)](const PassInfo &Own,
                                             const PassOptionValues &Values) {
          int64_t Times = 1;
          Values.get("times", Times);
          return std::make_unique<LambdaPass<Module>>(
              Own, [=](Module &, ModuleAnalysisManager &, PassContext &) {
                for (int64_t I = 0; I != Times; ++I)
                  log(Own.Name + " " + Word);
                return PreservedAnalyses::all();
              });
        });
    for (std::string *S : {&Text, &Option, &One, &Ten})
      S->assign(S->size(), '?');
    return Added;
  }
  std::string errorOf(StringRef Pipeline) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    (void)parsePipeline(Pipeline, "p", Registry, OS);
    return StringRef(Text).split('\n').first.str();
  }
};

TEST_F(PassRegistryTest, EntriesOwnTheirDeclaration) {
  EXPECT_TRUE(addScriptPass("scripted", "hello"));
  EXPECT_TRUE(addScriptPass("other", "bye"));
  EXPECT_FALSE(addScriptPass("scripted", "again"));
  auto PM = parsePipeline("scripted<times=2>,other", "p", Registry);
  ASSERT_TRUE(succeeded(PM));
  EXPECT_TRUE(succeeded(run(*PM)));
  EXPECT_EQ(takeLog(), "scripted hello\nscripted hello\nother bye\n");
  EXPECT_EQ(errorOf("scripted<times=11>"),
            "p:1:16: error: option 'times' expects at most 10, got '11'");
}

TEST_F(PassRegistryTest, NamesAreTakenOnce) {
  // Passes, pipelines and groups have the same syntax.
  for (StringRef Name : {"repeat", "extension", "sequential"})
    EXPECT_FALSE(addScriptPass(Name, "never"));
  EXPECT_TRUE(addScriptPass("mine", "once"));
  EXPECT_FALSE(Registry.registerPipeline("mine", "repeat(mine)"));
  PassInfo Info;
  Info.Name = Info.Argument = "mine";
  EXPECT_FALSE(Registry.registerGroup(Info, GroupRule::AsAround, nullptr));
  EXPECT_TRUE(Registry.registerExtensionPoint("start", "before all"));
  EXPECT_FALSE(Registry.registerExtensionPoint("start", "again"));
  EXPECT_EQ(Registry.getRefusedRegistrations(),
            ArrayRef<std::string>({"pass 'repeat'", "pass 'extension'",
                                   "pass 'sequential'", "pipeline 'mine'",
                                   "group 'mine'", "extension point 'start'"}));
  EXPECT_EQ(Registry.lookupExtensionPoint("start")->Description, "before all");
}

TEST_F(PassRegistryTest, PatternTablesAndChecksAreRegisteredOnce) {
  static constexpr PatternCheck Checks[] = {
      {"isWide", [](const Operation &) { return true; }},
      {"isDeep", [](const Operation &) { return false; }}};
  EXPECT_TRUE(Registry.registerPatternTable({"npu", "npu.td", "", Checks}));
  EXPECT_FALSE(Registry.registerPatternTable({"npu", "again.td", "", {}}));
  EXPECT_FALSE(Registry.registerPatternTable({"dsp", "dsp.td", "", Checks}));
  EXPECT_TRUE(Registry.registerPatternTable({"gpu", "gpu.td", "", {}}));
  EXPECT_EQ(Registry.getRefusedRegistrations(),
            ArrayRef<std::string>(
                {"pattern table of target 'npu'", "pattern check 'isWide'"}));
  EXPECT_EQ(Registry.lookupPatternTable("npu")->File, "npu.td");
  EXPECT_EQ(Registry.lookupPatternTable("tpu"), nullptr);
  EXPECT_EQ(Registry.lookupPatternCheck("isDeep")->Accepts, Checks[1].Accepts);
  EXPECT_EQ(Registry.lookupPatternCheck("isHigh"), nullptr);
  EXPECT_EQ(Registry.getPatternCheckNames(),
            (SmallVector<StringRef>{"isDeep", "isWide"}));
}

TEST_F(PassRegistryTest, FactoriesMayRefuse) {
  PassInfo Info;
  Info.Name = Info.Argument = "refuses";
  Registry.registerPass(Info, [](const PassInfo &, const PassOptionValues &) {
    return std::unique_ptr<Pass>();
  });
  EXPECT_EQ(errorOf("repeat(refuses)"),
            "p:1:8: error: 'refuses' cannot be created with these options");
}

TEST_F(PassRegistryTest, ConfigOptionsAreCopied) {
  std::string Name = "script.depth", Default = "4";
  EXPECT_TRUE(Registry.registerConfigOption(
      {Name, PassOptionKind::Int, Default, "how deep"}));
  EXPECT_FALSE(Registry.registerConfigOption(
      {Name, PassOptionKind::Int, Default, "again"}));
  Name = Default = "";
  EXPECT_EQ(PC.getConfig(ConfigKey<int64_t>{"script.depth"}), 4);
}

} // namespace
