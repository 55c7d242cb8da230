//===- PassContextTest.cpp - Names, levels and config of a context --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of passes and of config options: known ones, unknown ones, their types.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"

using namespace relay;
using namespace relay::test;

namespace {

static constexpr ConfigOptionInfo Options[] = {
    {"test.depth", PassOptionKind::Int, "7", "an integer"},
    {"test.flag", PassOptionKind::Bool, "true", "a boolean"},
    {"test.name", PassOptionKind::String, "n", "a string"},
    {"test.names", PassOptionKind::List, "a,b", "a list"}};
static constexpr ConfigKey<int64_t> Depth{"test.depth"};
static constexpr ConfigKey<bool> Flag{"test.flag"};
static constexpr ConfigKey<std::string> Name{"test.name"};
static constexpr ConfigKey<std::vector<std::string>> Names{"test.names"};

class PassContextTest : public PassTest {
protected:
  PassContextTest() {
    for (const ConfigOptionInfo &Info : Options)
      Registry.registerConfigOption(Info);
    PassInfo &Info = makeInfo("FoldConstant", PassUnit::Module, 2);
    Info.Argument = "fold-constant";
    Registry.registerPass(Info, nullptr);
    Registry.addReferenceName("AlterOpLayout");
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
}

TEST_F(PassContextTest, ConfigErrors) {
  EXPECT_EQ(text(PC.setConfig("test.dept", "1")),
            "unknown config option 'test.dept'; did you mean 'test.depth'?");
  EXPECT_EQ(text(PC.setConfig("test.depth", "deep")),
            "config option 'test.depth' is an integer, not 'deep'");
  EXPECT_EQ(text(PC.setConfig("test.flag", "2")),
            "config option 'test.flag' is true or false, not '2'");
  EXPECT_EQ(PC.getConfig(Depth), 7);
}

} // namespace
