//===- PassContextTest.cpp - Names, levels and config of a context --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of passes and of config options: known names, unknown names, types.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"

using namespace relay;
using namespace relay::test;

namespace {

static constexpr StringRef Modes[] = {"slow", "fast"};
static constexpr PassOptionInfo Options[] = {
    {"test.depth", PassOptionKind::Int, "7", "an integer"},
    {"test.flag", PassOptionKind::Bool, "true", "a boolean"},
    {"test.name", PassOptionKind::String, "n", "a string"},
    {"test.names", PassOptionKind::String, "a,b", "a list",
     PassOptionShape::List},
    {"test.rate", PassOptionKind::Float, "0.5", "a number",
     PassOptionShape::Scalar, false, false, "0", "1"},
    {"test.mode", PassOptionKind::Enum, "slow", "one of several",
     PassOptionShape::Scalar, false, false, "", "", Modes},
    {"test.layouts", PassOptionKind::String, "", "a map", PassOptionShape::Map},
    {"test.limit", PassOptionKind::Int, "", "may be left out",
     PassOptionShape::Scalar, /*IsOptional=*/true}};
enum class Mode { Slow, Fast };
static constexpr ConfigKey<int64_t> Depth{"test.depth"};
static constexpr ConfigKey<bool> Flag{"test.flag"};
static constexpr ConfigKey<std::string> Name{"test.name"};
static constexpr ConfigKey<std::vector<std::string>> Names{"test.names"};
static constexpr ConfigKey<double> Rate{"test.rate"};
static constexpr ConfigKey<Mode> TheMode{"test.mode"};
static constexpr ConfigKey<PassOptionMap<std::string>> Layouts{"test.layouts"};
static constexpr ConfigKey<std::optional<int64_t>> Limit{"test.limit"};

class PassContextTest : public PassTest {
protected:
  PassContextTest() {
    for (const PassOptionInfo &Info : Options)
      Registry.registerConfigOption(Info);
    PassInfo &Info = makeInfo("FoldConstant", PassUnit::Module, 2);
    Info.Argument = "fold-constant";
    Registry.registerPass(Info, nullptr);
    Registry.addReferenceNames({"AlterOpLayout"});
    Fold = &Info;
  }
  static std::string text(llvm::Error E) {
    return E ? llvm::toString(std::move(E)) : "";
  }

  const PassInfo *Fold;
};

TEST_F(PassContextTest, Levels) {
  EXPECT_EQ(PC.getOptLevel(), 2u);
  EXPECT_TRUE(PC.isPassEnabled(*Fold));
  PC.setOptLevel(1);
  EXPECT_FALSE(PC.isPassEnabled(*Fold));
}

TEST_F(PassContextTest, PassesByNameOrArgument) {
  PC.setOptLevel(0);
  EXPECT_EQ(text(PC.addRequiredPass("fold-constant")), "");
  EXPECT_TRUE(PC.isPassEnabled(*Fold));
  EXPECT_EQ(text(PC.addDisabledPass("FoldConstant")), "");
  EXPECT_FALSE(PC.isPassEnabled(*Fold));
}

TEST_F(PassContextTest, UnknownPasses) {
  EXPECT_EQ(text(PC.addDisabledPass("AlterOpLayout")), ""); // TVM's
  EXPECT_EQ(text(PC.addDisabledPass("fold-constnt")),
            "unknown pass 'fold-constnt'; did you mean 'fold-constant'?");
  EXPECT_EQ(text(PC.addRequiredPass("FoldConstants")),
            "unknown pass 'FoldConstants'; did you mean 'FoldConstant'?");
  EXPECT_EQ(text(PC.addRequiredPass("xyzzy")),
            "unknown pass 'xyzzy'; -print-passes lists the passes");
}

TEST_F(PassContextTest, ConfigDefaults) {
  EXPECT_EQ(PC.getConfig(Depth), 7);
  EXPECT_TRUE(PC.getConfig(Flag));
  EXPECT_EQ(PC.getConfig(Name), "n");
  EXPECT_EQ(PC.getConfig(Names), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(PC.getConfig(Rate), 0.5);
  EXPECT_EQ(PC.getConfig(TheMode), Mode::Slow);
  EXPECT_TRUE(PC.getConfig(Layouts).empty());
  EXPECT_EQ(PC.getConfig(Limit), std::nullopt);
}

TEST_F(PassContextTest, ConfigValues) {
  EXPECT_EQ(text(PC.setConfig("test.depth", "-3")), "");
  EXPECT_EQ(text(PC.setConfig("test.flag", "False")), "");
  EXPECT_EQ(text(PC.setConfig("test.name", "")), "");
  EXPECT_EQ(text(PC.setConfig("test.names", "x")), "");
  EXPECT_EQ(PC.getConfig(Depth), -3);
  EXPECT_FALSE(PC.getConfig(Flag));
  EXPECT_EQ(PC.getConfig(Name), "");
  EXPECT_EQ(PC.getConfig(Names), std::vector<std::string>{"x"});
  EXPECT_EQ(text(PC.setConfig("test.names", "")), "");
  EXPECT_TRUE(PC.getConfig(Names).empty());
  EXPECT_EQ(text(PC.setConfig("test.rate", "1e-3")), "");
  EXPECT_EQ(text(PC.setConfig("test.mode", "fast")), "");
  EXPECT_EQ(text(PC.setConfig("test.layouts", "a:NHWC:OHWI,b:NC")), "");
  EXPECT_EQ(text(PC.setConfig("test.limit", "4")), "");
  EXPECT_EQ(PC.getConfig(Rate), 1e-3);
  EXPECT_EQ(PC.getConfig(TheMode), Mode::Fast);
  EXPECT_EQ(
      PC.getConfig(Layouts),
      (PassOptionMap<std::string>{{"a", {"NHWC", "OHWI"}}, {"b", {"NC"}}}));
  EXPECT_EQ(PC.getConfig(Limit), 4);
}

TEST_F(PassContextTest, ConfigErrors) {
  EXPECT_EQ(text(PC.setConfig("test.dept", "1")),
            "unknown config option 'test.dept'; did you mean 'test.depth'?");
  EXPECT_EQ(text(PC.setConfig("test.depth", "deep")),
            "config option 'test.depth' expects an integer, got 'deep'");
  EXPECT_EQ(text(PC.setConfig("test.flag", "2")),
            "config option 'test.flag' expects true or false, got '2'");
  EXPECT_EQ(text(PC.setConfig("test.rate", "1.5")),
            "config option 'test.rate' expects at most 1, got '1.5'");
  EXPECT_EQ(
      text(PC.setConfig("test.mode", "fats")),
      "config option 'test.mode' expects one of slow, fast, got 'fats'; did "
      "you mean 'fast'?");
  EXPECT_EQ(text(PC.setConfig("test.layouts", "a:b,a:c")),
            "config option 'test.layouts' has the key 'a' twice");
  EXPECT_EQ(text(PC.setConfig("test.name", "\"a\"b")),
            "config option 'test.name' has 'b' after the value");
  EXPECT_EQ(PC.getConfig(Depth), 7);
}

TEST_F(PassContextTest, ConfigIsFixedOncePassesRun) {
  EXPECT_EQ(text(PC.setConfig("test.depth", "1")), "");
  ModulePassManager PM;
  PM.addPass(modulePass("p"));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(text(PC.setConfig("test.depth", "2")),
            "config option 'test.depth' cannot be set once passes run");
  EXPECT_EQ(PC.getConfig(Depth), 1);
}

//===----------------------------------------------------------------------===//
// Nested contexts
//===----------------------------------------------------------------------===//

/// Logs notifications, and fails in a given hook.
class Listener final : public PassInstrument {
public:
  Listener(StringRef Name, std::string &Log, StringRef Failing = "")
      : PassInstrument(Name), Log(Log), Failing(Failing) {}

  llvm::Error enterPassContext() override { return hear("enter"); }
  llvm::Error exitPassContext() override { return hear("exit"); }
  llvm::Error runBeforePass(Module &, const PassInfo &Info) override {
    return hear(Info.Name);
  }

private:
  llvm::Error hear(StringRef What) {
    Log += (getName() + " " + What + "\n").str();
    if (What == Failing)
      return llvm::createStringError(getName() + " failed");
    return llvm::Error::success();
  }
  std::string &Log;
  StringRef Failing;
};

class NestedContextTest : public PassContextTest {
protected:
  LogicalResult runIn(PassContext &Context, StringRef Name) {
    ModulePassManager PM;
    PM.addPass(modulePass(Name));
    AnalysisManagers AMs(Context);
    LogicalResult Result = PM.run(M, AMs.Modules, Context);
    llvm::cantFail(Context.takeInstrumentError());
    return Result;
  }

  PassContext Inner{Ctx, Registry};
  Listener A{"A", Log}, B{"B", Log}, C{"C", Log}, D{"D", Log};
};

/// As `with` of TVM 0.18; the log contains the output of its instruments.
TEST_F(NestedContextTest, InnerTakesThePlaceOfOuter) {
  PC.setOptLevel(4);
  EXPECT_EQ(text(PC.setConfig("test.depth", "3")), "");
  PC.setInstruments({&A, &B});
  Inner.setInstruments({&C, &D});
  auto OuterScope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(OuterScope));
  EXPECT_TRUE(succeeded(runIn(PC, "first")));
  {
    auto InnerScope = PassContext::Scope::enter(Inner, &PC);
    ASSERT_TRUE(bool(InnerScope));
    EXPECT_EQ(Inner.getOptLevel(), 2u);
    EXPECT_EQ(Inner.getConfig(Depth), 7);
    EXPECT_TRUE(succeeded(runIn(Inner, "second")));
    EXPECT_EQ(text(InnerScope->exit()), "");
  }
  EXPECT_TRUE(succeeded(runIn(PC, "third")));
  EXPECT_EQ(text(OuterScope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nB enter\nA first\nB first\nrun first\n"
                       "C enter\nD enter\nC second\nD second\nrun second\n"
                       "C exit\nD exit\n"
                       "A third\nB third\nrun third\nA exit\nB exit\n");
}

TEST_F(NestedContextTest, FailuresLeaveTheOuterContext) {
  Listener Enters{"E", Log, "enter"}, Exits{"X", Log, "exit"};
  PC.setInstruments({&A});
  auto OuterScope = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(OuterScope));
  Inner.setInstruments({&C, &Enters});
  auto Failed = PassContext::Scope::enter(Inner, &PC);
  EXPECT_EQ(text(Failed.takeError()), "E failed");
  EXPECT_TRUE(succeeded(runIn(PC, "first")));
  PassContext Second(Ctx, Registry);
  Second.setInstruments({&Exits, &D});
  {
    auto InnerScope = PassContext::Scope::enter(Second, &PC);
    ASSERT_TRUE(bool(InnerScope));
    EXPECT_EQ(text(InnerScope->exit()), "X failed");
  }
  EXPECT_TRUE(succeeded(runIn(PC, "second")));
  EXPECT_EQ(text(OuterScope->exit()), "");
  EXPECT_EQ(takeLog(), "A enter\nC enter\nE enter\nC exit\n"
                       "A first\nrun first\n"
                       "X enter\nD enter\nX exit\n"
                       "A second\nrun second\nA exit\n");
}

TEST_F(NestedContextTest, ThreeDeep) {
  PassContext Innermost(Ctx, Registry);
  auto First = PassContext::Scope::enter(PC);
  ASSERT_TRUE(bool(First));
  auto Second = PassContext::Scope::enter(Inner, &PC);
  ASSERT_TRUE(bool(Second));
  auto Third = PassContext::Scope::enter(Innermost, &Inner);
  ASSERT_TRUE(bool(Third));
#ifndef NDEBUG
  EXPECT_DEATH((void)runIn(Inner, "p"), "an inner context is entered");
#endif
  EXPECT_EQ(text(Third->exit()), "");
  EXPECT_TRUE(succeeded(runIn(Inner, "p")));
  EXPECT_EQ(text(Second->exit()), "");
  EXPECT_EQ(text(First->exit()), "");
}

} // namespace
