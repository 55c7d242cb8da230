//===- TargetTest.cpp - Unit tests of targets -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassContext.h"
#include "gtest/gtest.h"

using namespace relay;

namespace {

class TargetTest : public ::testing::Test {
protected:
  Target parse(StringRef Text) {
    return llvm::cantFail(Target::parse(Text, Registry));
  }
  std::string getError(StringRef Text) {
    return llvm::toString(Target::parse(Text, Registry).takeError());
  }
  using Keys = std::vector<StringRef>;
  Keys getKeys(StringRef Text) {
    Target T = parse(Text);
    Keys All;
    for (StringRef Key : T.getKeys())
      All.push_back(Names.insert(Key).first->getKey());
    return All;
  }

  PassRegistry Registry;
  llvm::StringSet<> Names;
};

TEST_F(TargetTest, OptionsAreTyped) {
  Target T = parse("llvm,mcpu=skylake,num-cores=8,fast-math,opt-level=2");
  EXPECT_EQ(T.getName(), "llvm");
  EXPECT_EQ(T.getOption<std::optional<std::string>>("mcpu"), "skylake");
  EXPECT_EQ(T.getOption<std::optional<int64_t>>("num-cores"), 8);
  EXPECT_EQ(T.getOption<std::optional<int64_t>>("opt-level"), 2);
  EXPECT_TRUE(T.getOption<bool>("fast-math"));
}

TEST_F(TargetTest, OptionsHaveDefaults) {
  Target T = parse("llvm");
  EXPECT_EQ(T.getOption<std::optional<std::string>>("mcpu"), std::nullopt);
  EXPECT_FALSE(T.getOption<bool>("fast-math"));
  EXPECT_TRUE(T.getOption<std::vector<std::string>>("mattr").empty());
}

TEST_F(TargetTest, PiecesContinueLists) {
  using List = std::vector<std::string>;
  Target T = parse("llvm,mattr=+avx2,+fma,fast-math,libs=cblas,mkl,mcpu=x");
  EXPECT_EQ(T.getOption<List>("mattr"), (List{"+avx2", "+fma"}));
  EXPECT_EQ(T.getOption<List>("libs"), (List{"cblas", "mkl"}));
  EXPECT_TRUE(T.getOption<bool>("fast-math"));
  EXPECT_EQ(T.getOption<std::optional<std::string>>("mcpu"), "x");
}

TEST_F(TargetTest, FeaturesImplyFeatures) {
  Target Processor = parse("llvm,mcpu=alderlake");
  EXPECT_TRUE(Processor.hasX86Feature("avx2"));
  EXPECT_TRUE(Processor.hasX86Feature("sse4.1"));
  EXPECT_FALSE(Processor.hasX86Feature("avx512f"));
  Target Listed = parse("llvm,mattr=+avx512bw");
  EXPECT_TRUE(Listed.hasX86Feature("avx512f"));
  EXPECT_TRUE(Listed.hasX86Feature("avx2"));
  EXPECT_FALSE(parse("llvm").hasX86Feature("sse4.1"));
}

TEST_F(TargetTest, FeaturesAreListedFromLeftToRight) {
  EXPECT_FALSE(parse("llvm,mattr=+avx2,-avx2").hasX86Feature("avx2"));
  EXPECT_TRUE(parse("llvm,mattr=-avx2,+avx2").hasX86Feature("avx2"));
  // Without AVX, there is no AVX2 either.
  Target T = parse("llvm,mcpu=core-avx2,mattr=-avx");
  EXPECT_FALSE(T.hasX86Feature("avx2"));
  EXPECT_TRUE(T.hasX86Feature("sse4.2"));
}

TEST_F(TargetTest, OtherProcessorsHaveNoX86Features) {
  EXPECT_FALSE(parse("llvm,mtriple=aarch64-linux-gnu,mattr=+avx2")
                   .hasX86Feature("avx2"));
  EXPECT_TRUE(
      parse("llvm,mtriple=x86_64-linux-gnu,mattr=+avx2").hasX86Feature("avx2"));
  EXPECT_FALSE(parse("hexagon,mattr=+avx2").hasX86Feature("avx2"));
}

TEST_F(TargetTest, IgnoredOptionsAreDescribed) {
  auto Describe = [&](StringRef Options) {
    return parse(("llvm" + Options).str()).describeIgnoredOption();
  };
  for (StringRef Known :
       {"", ",mcpu=skylake", ",mcpu=core-avx2", ",mcpu=x86-64-v3",
        ",mcpu=generic", ",mtriple=i386-linux,mcpu=i586",
        ",mtriple=aarch64-linux-gnu,mcpu=cortex-a72",
        ",mtriple=armv7-linux-gnueabihf,mcpu=cortex-a9",
        ",mtriple=thumbv7m-none-eabi,mcpu=cortex-m4",
        ",mtriple=riscv32,mcpu=sifive-e31", ",mtriple=riscv64,mcpu=rocket",
        ",mtriple=riscv64,mcpu=sifive-u74", ",mtriple=wasm32,mcpu=x",
        ",mtriple=mycore-linux,mcpu=x"})
    EXPECT_EQ(Describe(Known), "") << Known.str();
  EXPECT_EQ(Describe(",mcpu=skylak"),
            "unknown processor 'skylak'; did you mean 'skylake'?");
  EXPECT_EQ(Describe(",mcpu=there-is-no-such"),
            "unknown processor 'there-is-no-such'");
  EXPECT_EQ(Describe(",mtriple=aarch64-linux-gnu,mcpu=skylake"),
            "unknown processor 'skylake'");
  EXPECT_EQ(Describe(",mtriple=x86_64-linux-gnu,mcpu=haswel"),
            "unknown processor 'haswel'; did you mean 'haswell'?");
  EXPECT_EQ(Describe(",mtriple=armv7-linux-gnueabihf,mcpu=cortex-m44"),
            "unknown processor 'cortex-m44'; did you mean 'cortex-m4'?");
  EXPECT_EQ(Describe(",mtriple=riscv64,mcpu=sifive-u7"),
            "unknown processor 'sifive-u7'; did you mean 'sifive-u74'?");
  EXPECT_EQ(Describe(",mtriple=riscv32,mcpu=sifive-u74"),
            "unknown processor 'sifive-u74'; did you mean 'sifive-e24'?");
  EXPECT_EQ(Describe(",mattr=+avx2,-fma"), "");
  EXPECT_EQ(Describe(",mattr=+avx2,fma"),
            "the feature 'fma' begins with neither '+' nor '-'");
  EXPECT_EQ(parse("hexagon,mcpu=x").describeIgnoredOption(), "");
}

TEST_F(TargetTest, KeysComeInOrderAndOnce) {
  EXPECT_EQ(getKeys("llvm"), (Keys{"llvm", "cpu"}));
  EXPECT_EQ(getKeys("nvptx"), (Keys{"nvptx", "cuda", "gpu"}));
  EXPECT_EQ(getKeys("llvm,device=arm_cpu"), (Keys{"llvm", "arm_cpu", "cpu"}));
  EXPECT_EQ(getKeys("llvm,device=cpu"), (Keys{"llvm", "cpu"}));
  EXPECT_EQ(getKeys("llvm,keys=a,b,device=c"), (Keys{"llvm", "c", "a", "b"}));
  EXPECT_EQ(getKeys("ext_dev"), (Keys{"ext_dev"}));
}

TEST_F(TargetTest, KeysAreValidAfterAMove) {
  Target From = parse("llvm,device=a");
  Target To = std::move(From);
  EXPECT_EQ(To.getKeys(), (ArrayRef<StringRef>{"llvm", "a", "cpu"}));
}

TEST_F(TargetTest, ErrorsSuggestAndList) {
  EXPECT_EQ(getError("rokm"),
            "unknown target 'rokm'; the targets are c, cuda, dnnl, ext_dev, "
            "hexagon, llvm, metal, nvptx, opencl, rocm, vulkan, webgpu; did "
            "you mean 'rocm'?");
  EXPECT_EQ(getError(""), "unknown target ''; the targets are c, cuda, dnnl, "
                          "ext_dev, hexagon, llvm, metal, nvptx, opencl, rocm, "
                          "vulkan, webgpu");
  EXPECT_EQ(getError("ext_dev,model=x,models=y"),
            "target 'ext_dev' has no option 'models'; did you mean 'model'?; "
            "its options are device, keys, libs, model");
  EXPECT_EQ(getError("ext_dev,model=x,model=y"),
            "option 'model' of target 'ext_dev' is given twice");
}

TEST_F(TargetTest, OnlyBooleanOptionsStandWithoutAValue) {
  EXPECT_EQ(getError("llvm,mattr,+avx2"),
            "option 'mattr' of target 'llvm' expects a value");
  EXPECT_EQ(getError("llvm,fast-math,mcpu"),
            "option 'mcpu' of target 'llvm' expects a value");
  using List = std::vector<std::string>;
  EXPECT_EQ(parse("llvm,mattr=").getOption<List>("mattr"), List());
}

TEST_F(TargetTest, TargetsAreCopiedAndUnique) {
  std::string Name = "mine", Key = "near";
  StringRef Keys[] = {Key};
  EXPECT_TRUE(Registry.registerTarget({Name, "a target", Keys, {}}));
  Name = Key = "gone";
  EXPECT_EQ(getKeys("mine"), (TargetTest::Keys{"mine", "near"}));
  EXPECT_TRUE(llvm::is_contained(Registry.getTargetNames(), "mine"));
  SmallVector<StringRef> AllKeys = Registry.getTargetKeys();
  EXPECT_TRUE(llvm::is_contained(AllKeys, "near"));
  EXPECT_TRUE(llvm::is_sorted(AllKeys));
  EXPECT_EQ(std::adjacent_find(AllKeys.begin(), AllKeys.end()), AllKeys.end());
  EXPECT_FALSE(Registry.registerTarget({"llvm", "another", {}, {}}));
  ASSERT_EQ(Registry.getRefusedRegistrations().size(), 1u);
  EXPECT_EQ(Registry.getRefusedRegistrations()[0], "target 'llvm'");
  EXPECT_EQ(getKeys("llvm"), (TargetTest::Keys{"llvm", "cpu"}));
}

TEST_F(TargetTest, ContextsHaveOne) {
  Context Ctx;
  PassContext PC(Ctx, Registry);
  EXPECT_EQ(PC.getTarget(), nullptr);
  EXPECT_TRUE(PC.getTargetKeys().empty());
  llvm::cantFail(PC.setTarget("cuda,arch=sm_80"));
  EXPECT_EQ(PC.getTarget()->getName(), "cuda");
  EXPECT_EQ(PC.getTargetKeys(), (ArrayRef<StringRef>{"cuda", "gpu"}));
  EXPECT_EQ(llvm::toString(PC.setTarget("cuba")).substr(0, 21),
            "unknown target 'cuba'");
  EXPECT_EQ(PC.getTarget()->getName(), "cuda");
  PC.noteRun();
  EXPECT_EQ(llvm::toString(PC.setTarget("llvm")),
            "the target cannot be set once passes run");
}

} // namespace
