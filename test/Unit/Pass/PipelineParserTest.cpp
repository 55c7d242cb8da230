//===- PipelineParserTest.cpp - Pipelines as text -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of pipeline text, its printing, and errors with their columns.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PipelineParser.h"
#include "TestPass.h"

using namespace relay;
using namespace relay::test;

namespace {

struct Counts {
  void print(raw_ostream &OS) const { OS << "counted\n"; }
};
struct CountsAnalysis {
  using Result = Counts;
  static AnalysisKey Key;
  static StringRef name() { return "CountsAnalysis"; }
  Result run(Function &, FunctionAnalysisManager &) { return {}; }
};
AnalysisKey CountsAnalysis::Key;

template <typename UnitT> std::unique_ptr<Pass> makeNoop(const PassInfo &Info) {
  return std::make_unique<LambdaPass<UnitT>>(
      Info, [](UnitT &, AnalysisManager<UnitT> &, PassContext &) {
        return PreservedAnalyses::all();
      });
}

const PassInfo &getM() {
  static PassInfo &Info = makeInfo("mod-pass", PassUnit::Module);
  return Info;
}
const PassInfo &getF() {
  static PassInfo &Info = makeInfo("fun-pass", PassUnit::Function);
  return Info;
}
const PassInfo &getG() {
  static PassInfo &Info = makeInfo("gun-pass", PassUnit::Function);
  return Info;
}

class PipelineParserTest : public PassTest {
protected:
  PipelineParserTest() {
    Registry.registerPass(getM(),
                          [](const PassInfo &Info, const PassOptionValues &) {
                            return makeNoop<Module>(Info);
                          });
    Registry.registerPass(getF(),
                          [](const PassInfo &Info, const PassOptionValues &) {
                            return makeNoop<Function>(Info);
                          });
    Registry.registerPass(getG(),
                          [](const PassInfo &Info, const PassOptionValues &) {
                            return makeNoop<Function>(Info);
                          });
    Registry.registerAnalysis<Function, CountsAnalysis>("counts");
  }

  /// Returns the printed form of \p Text, or the errors.
  std::string roundTrip(StringRef Text) {
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    FailureOr<ModulePassManager> PM = parsePipeline(Text, "p", Registry, OS);
    // Either there is a pipeline and no diagnostic, or the reverse.
    EXPECT_EQ(succeeded(PM), Result.empty());
    if (succeeded(PM))
      PM->printPipeline(OS);
    return Result;
  }
  /// Returns the first line of the errors.
  std::string error(StringRef Text) {
    return StringRef(roundTrip(Text)).split('\n').first.str();
  }
};

TEST_F(PipelineParserTest, Nesting) {
  EXPECT_EQ(roundTrip(""), "");
  EXPECT_EQ(roundTrip("mod-pass"), "mod-pass");
  EXPECT_EQ(roundTrip("fun-pass"), "function(fun-pass)");
  // Consecutive function passes share a loop over functions.
  EXPECT_EQ(roundTrip("fun-pass,gun-pass,mod-pass,fun-pass"),
            "function(fun-pass,gun-pass),mod-pass,function(fun-pass)");
  EXPECT_EQ(roundTrip("function(fun-pass),function(gun-pass)"),
            "function(fun-pass),function(gun-pass)");
  EXPECT_EQ(roundTrip("function(fun-pass,function(gun-pass))"),
            "function(fun-pass,gun-pass)");
  EXPECT_EQ(roundTrip("function()"), "");
}

TEST_F(PipelineParserTest, Groups) {
  EXPECT_EQ(roundTrip("sequential()"), "sequential()");
  EXPECT_EQ(roundTrip("sequential(mod-pass,sequential(fun-pass),gun-pass)"),
            "sequential(mod-pass,sequential(fun-pass),gun-pass)");
  EXPECT_EQ(roundTrip("sequential(function(fun-pass,gun-pass))"),
            "sequential(fun-pass,gun-pass)");
}

TEST_F(PipelineParserTest, Analyses) {
  EXPECT_EQ(roundTrip("require<counts>,invalidate<counts>,print<counts>"),
            "function(require<counts>,invalidate<counts>,print<counts>)");
}

TEST_F(PipelineParserTest, RepeatedGroups) {
  EXPECT_EQ(roundTrip("repeat<3>(mod-pass,fun-pass)"),
            "repeat<3>(mod-pass,function(fun-pass))");
  EXPECT_EQ(roundTrip("repeat<count=2>(mod-pass)"), "repeat<2>(mod-pass)");
  EXPECT_EQ(roundTrip("fixpoint<max=10>(repeat(mod-pass))"),
            "fixpoint(repeat<2>(mod-pass))");
  EXPECT_EQ(roundTrip("fixpoint<max=4>()"), "fixpoint<max=4>()");
  // Members of a gated group are gated each time.
  EXPECT_EQ(roundTrip("sequential(repeat<2>(fun-pass,mod-pass))"),
            "sequential(repeat<2>(sequential(fun-pass,mod-pass)))");
  EXPECT_EQ(error("repeat<0>(mod-pass)"),
            "p:1:8: error: option 'count' expects at least 1, got '0'");
  EXPECT_EQ(error("fixpoint<4>(mod-pass)"),
            "p:1:10: error: 'fixpoint' has no option '4'");
  EXPECT_EQ(error("repeat<2>"),
            "p:1:1: error: 'repeat' needs its members in parentheses");
  EXPECT_EQ(error("function(repeat<2>(fun-pass))"),
            "p:1:10: error: 'repeat' cannot be nested in 'function'");
}

TEST_F(PipelineParserTest, PipelinesByName) {
  EXPECT_TRUE(Registry.registerPipeline("both", "fun-pass,inner<O1>"));
  EXPECT_TRUE(Registry.registerPipeline("inner<O1>", "mod-pass"));
  EXPECT_FALSE(Registry.registerPipeline("both", "mod-pass"));
  EXPECT_FALSE(Registry.registerPipeline("mod-pass", ""));
  EXPECT_EQ(roundTrip("both,inner<O1>"), "both,inner<O1>");
  EXPECT_EQ(roundTrip("sequential(both,function(gun-pass))"),
            "sequential(both,gun-pass)");
  EXPECT_TRUE(succeeded(checkPipelines(Registry)));
  EXPECT_EQ(error("inner<O2>"),
            "p:1:1: error: unknown pass 'inner<O2>'; expects inner<O1>");
  EXPECT_EQ(error("inner"),
            "p:1:1: error: unknown pass 'inner'; did you mean 'inner<O1>'?");
  EXPECT_EQ(error("both(mod-pass)"),
            "p:1:1: error: 'both' is not a group of passes");
}

TEST_F(PipelineParserTest, PipelinesWithOptions) {
  const PassOptionInfo Options[] = {
      {"rounds", PassOptionKind::Int, "2", "", PassOptionShape::Scalar,
       /*IsOptional=*/false, /*IsPositional=*/false, "1", "9"},
      {"empty", PassOptionKind::String, "", "", PassOptionShape::List}};
  PassInfo Info;
  Info.Name = Info.Argument = "shrink";
  Info.IsGroup = true;
  Info.Options = Options;
  Registry.registerPipeline(Info, "repeat<$rounds>(mod-pass)");
  Registry.registerPipeline("twice", "shrink<rounds=4>,shrink");
  EXPECT_TRUE(succeeded(checkPipelines(Registry)));
  EXPECT_EQ(roundTrip("shrink,shrink<rounds=3>,shrink<rounds=2;empty=a,b>"),
            "shrink,shrink<rounds=3>,shrink<empty=a,b>");
  EXPECT_EQ(roundTrip("sequential(twice,Shrink<rounds=3>)"),
            "sequential(twice,shrink<rounds=3>)");
  EXPECT_EQ(error("shrink<rounds=0>"),
            "p:1:15: error: option 'rounds' expects at least 1, got '0'");
  EXPECT_EQ(error("shrink<round=3>"),
            "p:1:8: error: 'shrink' has no option 'round'; did you mean "
            "'rounds'?");
  EXPECT_EQ(error("twice<rounds=3>"),
            "p:1:7: error: 'twice' has no option 'rounds'");
  auto Clone = [&](StringRef Text) {
    FailureOr<ModulePassManager> PM =
        parsePipeline(Text, "p", Registry, llvm::errs());
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    PM->clone().printPipeline(OS);
    return Result;
  };
  EXPECT_EQ(Clone("shrink<rounds=3>"), "shrink<rounds=3>");
}

TEST_F(PipelineParserTest, WrongPipelinesByName) {
  Registry.registerPipeline("wrong", "mod-pass,mod-pas");
  EXPECT_EQ(error("wrong"), "wrong:1:10: error: unknown pass 'mod-pas'; did "
                            "you mean 'mod-pass'?");
  Registry.registerPipeline("a-side", "mod-pass,b-side");
  Registry.registerPipeline("b-side", "repeat<2>(a-side)");
  EXPECT_EQ(error("b-side"), "a-side:1:10: error: 'b-side' contains itself");
  std::string Errors;
  llvm::raw_string_ostream OS(Errors);
  EXPECT_TRUE(failed(checkPipelines(Registry, OS)));
}

/// An error in a text that many pipelines name is reported once.
TEST_F(PipelineParserTest, WrongOptionOfAnExtension) {
  Registry.registerExtensionPoint("here", "a place");
  for (StringRef Name : {"one", "two", "three"})
    Registry.registerPipeline(Name, "extension<here>,mod-pass");
  Registry.registerPipeline("all", "one,two,three");
  Registry.registerExtension("here", "mod-pass<nothing=1>");
  std::string Errors;
  llvm::raw_string_ostream OS(Errors);
  EXPECT_TRUE(failed(checkPipelines(Registry, OS)));
  EXPECT_EQ(StringRef(Errors).count("error: "), 1u) << Errors;
  EXPECT_TRUE(StringRef(Errors).starts_with("extension<here>:1:10: error: "))
      << Errors;
}

TEST_F(PipelineParserTest, ExtensionPoints) {
  Registry.registerPipeline("whole", "mod-pass,extension<here>,gun-pass");
  Registry.registerExtension("here", "fun-pass"); // before it is declared
  EXPECT_EQ(error("extension<here>"),
            "p:1:11: error: unknown extension point 'here'");
  std::string Errors;
  llvm::raw_string_ostream OS(Errors);
  EXPECT_TRUE(failed(checkPipelines(Registry, OS)));
  EXPECT_TRUE(Registry.registerExtensionPoint("here", "a place"));
  EXPECT_FALSE(Registry.registerExtensionPoint("here", "a place"));
  Registry.registerExtension("here", "repeat<2>(mod-pass)");
  EXPECT_TRUE(succeeded(checkPipelines(Registry)));
  EXPECT_EQ(roundTrip("whole"), "whole");
  EXPECT_EQ(roundTrip("extension<here>"),
            "function(fun-pass),repeat<2>(sequential(mod-pass))");
  EXPECT_EQ(error("extension<there>"),
            "p:1:11: error: unknown extension point 'there'; did you mean "
            "'here'?");
  EXPECT_EQ(error("extension"),
            "p:1:1: error: 'extension' needs the name of an extension point: "
            "'extension<…>'");
}

TEST_F(PipelineParserTest, PrintedTextReadsBack) {
  for (StringRef Text :
       {"mod-pass", "fun-pass,gun-pass", "sequential(fun-pass,mod-pass)",
        "mod-pass,sequential(sequential())", "print<counts>,mod-pass",
        "repeat<3>(fixpoint<max=2>(fun-pass))",
        "sequential(repeat<2>(fun-pass,sequential(mod-pass)))"}) {
    std::string Once = roundTrip(Text);
    EXPECT_EQ(roundTrip(Once), Once);
  }
}

TEST_F(PipelineParserTest, ErrorsShowTheColumn) {
  EXPECT_EQ(roundTrip("mod-pass,fun-pas"),
            "p:1:10: error: unknown pass 'fun-pas'; did you mean 'fun-pass'?\n"
            "mod-pass,fun-pas\n"
            "         ^~~~~~~\n");
}

TEST_F(PipelineParserTest, WrongNames) {
  EXPECT_EQ(error("xyzzy"), "p:1:1: error: unknown pass 'xyzzy'; "
                            "-print-passes lists the passes");
  EXPECT_EQ(error("sequentail(mod-pass)"),
            "p:1:1: error: unknown group 'sequentail'; did you mean "
            "'sequential'?");
  EXPECT_EQ(error("mod-pass(fun-pass)"),
            "p:1:1: error: 'mod-pass' is not a group of passes");
  EXPECT_EQ(error("sequential"),
            "p:1:1: error: 'sequential' needs its members in parentheses");
  EXPECT_EQ(error("function(mod-pass)"),
            "p:1:10: error: 'mod-pass' runs on modules and cannot be nested in "
            "'function'");
  EXPECT_EQ(error("function(sequential())"),
            "p:1:10: error: 'sequential' cannot be nested in 'function'");
  EXPECT_EQ(error("require"),
            "p:1:1: error: 'require' needs the name of an analysis: "
            "'require<…>'");
  EXPECT_EQ(error("require<count>"),
            "p:1:9: error: unknown analysis 'count'; did you mean 'counts'?");
}

TEST_F(PipelineParserTest, WrongPunctuation) {
  EXPECT_EQ(error(","), "p:1:1: error: expected a pass");
  EXPECT_EQ(error("mod-pass,"), "p:1:10: error: expected a pass");
  EXPECT_EQ(error("mod-pass,,mod-pass"), "p:1:10: error: expected a pass");
  EXPECT_EQ(error("mod-pass mod-pass"), "p:1:10: error: expected ','");
  EXPECT_EQ(error("mod-pass)"), "p:1:9: error: unmatched ')'");
  EXPECT_EQ(error("sequential(mod-pass"), "p:1:20: error: expected ',' or ')'");
  EXPECT_EQ(error("mod-pass<flag"), "p:1:9: error: unmatched '<'");
  EXPECT_EQ(error("mod-pass<x=\">"), "p:1:9: error: unmatched '<'");
  EXPECT_EQ(error("mod-pass<flag>"),
            "p:1:10: error: 'mod-pass' has no option 'flag'");
}

TEST_F(PipelineParserTest, DepthIsBounded) {
  auto Nest = [](unsigned Depth) {
    std::string Text;
    for (unsigned I = 0; I != Depth; ++I)
      Text += "sequential(";
    return Text + std::string(Depth, ')');
  };
  EXPECT_EQ(roundTrip(Nest(100)), Nest(100));
  EXPECT_EQ(error(Nest(101)),
            "p:1:1111: error: groups nested more than 100 levels deep");
  EXPECT_EQ(error(std::string(100000, '(')), "p:1:1: error: expected a pass");
}

} // namespace
