//===- PassManagerTest.cpp - Running passes one after the other -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps around a pass: normalization, opt levels, required passes of groups,
// clones.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"
#include "relay/Pass/PipelineParser.h"

using namespace relay;
using namespace relay::test;

namespace {

class PassManagerTest : public PassTest {
protected:
  /// Registers the name of a module pass, and returns its info.
  PassInfo &registerPass(StringRef Name, unsigned OptLevel = 0) {
    PassInfo &Info = makeInfo(Name, PassUnit::Module, OptLevel);
    EXPECT_TRUE(Registry.registerPass(Info, nullptr));
    return Info;
  }
  std::string print(const ModulePassManager &PM) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    PM.printPipeline(OS);
    return Text;
  }

  ModulePassManager PM;
};

/// A pass that the registry can create; it emits its name in a warning.
template <char Letter>
static std::unique_ptr<Pass> makeLetter(const PassInfo &,
                                        const PassOptionValues &) {
  static PassInfo &Info = []() -> PassInfo & {
    static const char Name[] = {Letter, 0};
    return makeInfo(Name, PassUnit::Module);
  }();
  return std::make_unique<LambdaPass<Module>>(
      Info, [](Module &, ModuleAnalysisManager &, PassContext &Ctx) {
        Ctx.getDiagnostics().emitWarning(Location(), Info.Name);
        return PreservedAnalyses::all();
      });
}

TEST_F(PassManagerTest, FunctionPassesOnOneFunction) {
  Function &F = addFunction("f");
  addFunction("g");
  M.normalize();
  std::string Runs;
  FunctionPassManager FPM;
  for (StringRef Name : {"A", "B"})
    FPM.addPass(std::make_unique<LambdaPass<Function>>(
        makeInfo(Name, PassUnit::Function),
        [&, Name](Function &Fn, FunctionAnalysisManager &, PassContext &) {
          Runs += (Name + " on " + Fn.getName() + "\n").str();
          return PreservedAnalyses::all();
        }));
  AnalysisManagers AMs(PC);
  EXPECT_TRUE(succeeded(FPM.run(F, AMs.Functions, PC)));
  EXPECT_EQ(Runs, "A on f\nB on f\n");
}

TEST_F(PassManagerTest, NormalizesChangedFunctions) {
  Function &F = addFunction("f");
  F.normalize();
  EXPECT_EQ(F.getNumOperations(), 1u);
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>([&] {
    FunctionPassManager FPM;
    FPM.addPass(std::make_unique<LambdaPass<Function>>(
        makeInfo("P", PassUnit::Function),
        [&](Function &Fn, FunctionAnalysisManager &, PassContext &) {
          Operation *Old = Fn.getBody().getResult()->getDefiningOp();
          addRelu(Fn, Old->getOperand(0)); // the old one is dead now
          return PreservedAnalyses::none();
        }));
    return FPM;
  }()));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(F.getNumOperations(), 1u);
  EXPECT_EQ(&*F.getBody().begin(), F.getBody().getResult());
}

/// Memory of a constant is released after the pass that erases it.
TEST_F(PassManagerTest, ReleasesConstantsThatArePast) {
  Function &F = addFunction("f");
  Builder B(F.getBody());
  Operation *Constant =
      B.splat(Ctx.getTensorType(ArrayRef<int64_t>{1000}, DType::getInt(8)), 1);
  F.getBody().setResultRaw(Constant);
  F.normalize();
  size_t Within = 0;
  PM.addPass(std::make_unique<LambdaPass<Module>>(
      makeInfo("P", PassUnit::Module),
      [&](Module &, ModuleAnalysisManager &, PassContext &) {
        F.getBody().setResultRaw(F.getParams()[0]);
        Constant->erase();
        Within = Ctx.getConstantMemory();
        return PreservedAnalyses::none();
      }));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(Within, 1000u);
  EXPECT_EQ(Ctx.getConstantMemory(), 0u);
}

/// A pass that does not keep constants releases them earlier, unless it is run
/// by another pass, which may keep some.
TEST_F(PassManagerTest, ReleasesConstantsWithinAPass) {
  Function &F = addFunction("f");
  size_t Within = 0, Nested = 0;
  auto EraseOne = [&](size_t &Memory) {
    Builder B(F.getBody());
    B.splat(Ctx.getTensorType(ArrayRef<int64_t>{1000}, DType::getInt(8)), 1)
        ->erase();
    Ctx.releaseUnusedConstantsInPass();
    Memory = Ctx.getConstantMemory();
  };
  PM.addPass(std::make_unique<LambdaPass<Module>>(
      makeInfo("P", PassUnit::Module),
      [&](Module &, ModuleAnalysisManager &, PassContext &) {
        EraseOne(Within);
        Context::ConstantScope OfOuterPass(Ctx);
        EraseOne(Nested);
        return PreservedAnalyses::none();
      }));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(Within, 0u);
  EXPECT_EQ(Nested, 1000u);
}

TEST_F(PassManagerTest, LeavesUnchangedModulesAlone) {
  Function &F = addFunction("f");
  PM.addPass(modulePass("Same"));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(F.getNumOperations(), 0u); // never normalized
  PM.addPass(modulePass("Changed", PreservedAnalyses::none()));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(F.getNumOperations(), 1u);
}

TEST_F(PassManagerTest, BarePassesRunWhateverTheLevel) {
  PM.addPass(modulePass(makeInfo("High", PassUnit::Module, 4)));
  PC.setOptLevel(0);
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run High\n");
  PC.setGatesBarePasses(true);
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "");
  PC.setOptLevel(4);
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run High\n");
}

TEST_F(PassManagerTest, GatedFunctionPasses) {
  addFunction("f");
  FunctionPassManager FPM;
  FPM.addPass(functionPass(makeInfo("Low", PassUnit::Function, 0)));
  FPM.addPass(functionPass(makeInfo("High", PassUnit::Function, 4)));
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  PC.setGatesBarePasses(true);
  PC.setOptLevel(3);
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run Low @f\n");
}

TEST_F(PassManagerTest, GroupsApplyLevelsAndNames) {
  PassInfo &Low = registerPass("Low", 1), &High = registerPass("High", 3);
  addFunction("f");
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass(Low));
  Group->addPass(modulePass(High));
  Group->addPass(functionPass(makeInfo("OnFunction", PassUnit::Function, 2)));
  PM.addPass(std::move(Group));
  PC.setOptLevel(2);
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run Low\nrun OnFunction @f\n");
  EXPECT_FALSE(bool(PC.addRequiredPass("High")));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run Low\nrun High\nrun OnFunction @f\n");
  // A disabled pass does not run even if it is required too.
  EXPECT_FALSE(bool(PC.addDisabledPass("High")));
  EXPECT_FALSE(bool(PC.addDisabledPass("Low")));
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run OnFunction @f\n");
}

TEST_F(PassManagerTest, GroupsRunWhatMembersRequireAndNoMore) {
  // C requires B, B requires A: A does not run for C, as in TVM.
  static constexpr StringRef NeedsA[] = {"a"}, NeedsB[] = {"b"};
  PassInfo &A = makeInfo("a", PassUnit::Module, 9);
  PassInfo &B = makeInfo("b", PassUnit::Module, 9);
  B.Requires = NeedsA;
  EXPECT_TRUE(Registry.registerPass(A, makeLetter<'a'>));
  EXPECT_TRUE(Registry.registerPass(B, makeLetter<'b'>));
  PassInfo &C = makeInfo("c", PassUnit::Module);
  C.Requires = NeedsB;
  EXPECT_FALSE(bool(PC.addDisabledPass("b"))); // no effect here
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
    log("run " + D.Message);
    return true;
  });
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass(C));
  Group->addPass(modulePass(C));
  PM.addPass(std::move(Group));
  PM.addPass(modulePass(C)); // outside of a group, required passes do not run
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run b\nrun c\nrun b\nrun c\nrun c\n");
}

TEST_F(PassManagerTest, UnknownRequiredPass) {
  static constexpr StringRef Needs[] = {"Nowhere"};
  PassInfo &P = makeInfo("p", PassUnit::Module);
  P.Requires = Needs;
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
    log(D.Message);
    return true;
  });
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass(P));
  PM.addPass(std::move(Group));
  EXPECT_TRUE(failed(run(PM)));
  EXPECT_EQ(takeLog(),
            "'p' requires 'Nowhere', which is not a registered pass\n");
}

TEST_F(PassManagerTest, ClonesRunAndPrintAlike) {
  addFunction("f");
  FunctionPassManager FPM;
  FPM.addPass(functionPass("a"));
  FPM.addPass(functionPass("b"));
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(modulePass("c"));
  Group->addPass(std::make_unique<SequentialPass>());
  PM.addPass(std::move(Group));
  ModulePassManager Copy = PM.clone();
  EXPECT_EQ(print(PM), "function(a,b),sequential(c,sequential())");
  EXPECT_EQ(print(Copy), print(PM));
  EXPECT_TRUE(succeeded(run(Copy)));
  EXPECT_EQ(takeLog(), "run a @f\nrun b @f\nrun c\n");
}

TEST_F(PassManagerTest, NamedGroupsPrintTheirNameOnly) {
  PassInfo &Info = makeInfo("both", PassUnit::Module);
  Info.IsGroup = true;
  auto Group = std::make_unique<SequentialPass>(Info);
  Group->addPass(modulePass("c"));
  PM.addPass(std::move(Group));
  EXPECT_EQ(print(PM), "both");
  EXPECT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(takeLog(), "run c\n");
}

//===----------------------------------------------------------------------===//
// Groups that run again
//===----------------------------------------------------------------------===//

class RepeatPassTest : public PassManagerTest {
protected:
  RepeatPassTest() {
    Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
      log((D.Kind == Severity::Warning ? "warning: " : "error: ") + D.Message);
      return true;
    });
    registerScript("shrink",
                   [this] { return Size != 0 ? Size-- != 0 : false; });
    registerScript("stay", [] { return false; });
  }
  /// Adds a pass that logs its name and reports whether \p Run changed
  /// anything.
  void registerScript(StringRef Name, std::function<bool()> Run) {
    Registry.registerPass(
        makeInfo(Name, PassUnit::Module),
        [this, Run](const PassInfo &Info, const PassOptionValues &) {
          return std::make_unique<LambdaPass<Module>>(
              Info, [=](Module &, ModuleAnalysisManager &, PassContext &) {
                log(Info.Name);
                return Run() ? PreservedAnalyses::none()
                             : PreservedAnalyses::all();
              });
        });
  }
  LogicalResult runText(StringRef Text) {
    auto Parsed = parsePipeline(Text, "p", Registry);
    return failed(Parsed) ? failure() : run(*Parsed);
  }

  unsigned Size = 2;
};

TEST_F(RepeatPassTest, Repeat) {
  EXPECT_TRUE(succeeded(runText("repeat<2>(stay,shrink)")));
  EXPECT_EQ(takeLog(), "stay\nshrink\nstay\nshrink\n");
  EXPECT_EQ(Size, 0u);
}

TEST_F(RepeatPassTest, FixpointEndsWhenNothingChanges) {
  EXPECT_TRUE(succeeded(runText("fixpoint(shrink,stay)")));
  EXPECT_EQ(takeLog(), "shrink\nstay\nshrink\nstay\nshrink\nstay\n");
}

TEST_F(RepeatPassTest, FixpointWarnsAtItsLimit) {
  EXPECT_TRUE(succeeded(runText("fixpoint<max=1>(shrink)")));
  EXPECT_EQ(takeLog(), "shrink\nwarning: 'fixpoint' still changes the module "
                       "after 1 runs\n");
  EXPECT_TRUE(succeeded(runText("fixpoint<max=2>(shrink)")));
  EXPECT_EQ(takeLog(), "shrink\nshrink\n");
}

TEST_F(RepeatPassTest, FixpointInAFixpoint) {
  EXPECT_TRUE(succeeded(runText("fixpoint(fixpoint(shrink),stay)")));
  EXPECT_EQ(takeLog(), "shrink\nshrink\nshrink\nstay\nshrink\nstay\n");
}

TEST_F(RepeatPassTest, Clones) {
  auto Parsed = parsePipeline("fixpoint<max=4>(shrink)", "p", Registry);
  ASSERT_TRUE(succeeded(Parsed));
  ModulePassManager Copy = Parsed->clone();
  EXPECT_EQ(print(Copy), "fixpoint<max=4>(shrink)");
  EXPECT_TRUE(succeeded(run(Copy)));
  EXPECT_EQ(takeLog(), "shrink\nshrink\nshrink\n");
}

} // namespace
