//===- AnalysisManagerTest.cpp - Cached analyses --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computation, caching and invalidation of analyses, and dependencies between
// them, also across the proxies.
//
//===----------------------------------------------------------------------===//

#include "TestPass.h"

using namespace relay;
using namespace relay::test;

namespace {

/// An analysis that computes nothing; \p Tag distinguishes several.
template <typename UnitT, int Tag> struct Plain {
  struct Result {};
  static AnalysisKey Key;
  static StringRef name() {
    static const std::string Name = "Plain" + std::to_string(Tag);
    return Name;
  }
  Result run(UnitT &, AnalysisManager<UnitT> &) { return {}; }
};
template <typename UnitT, int Tag> AnalysisKey Plain<UnitT, Tag>::Key;

/// Depends on Plain 0 of the function.
struct Derived {
  struct Result {};
  static AnalysisKey Key;
  static StringRef name() { return "Derived"; }
  Result run(Function &F, FunctionAnalysisManager &AM) {
    AM.getResult<Plain<Function, 0>>(F);
    return {};
  }
};
AnalysisKey Derived::Key;

/// Depends on Plain 0 of the module, if that is cached.
struct FromModule {
  struct Result {
    bool Found;
  };
  static AnalysisKey Key;
  static StringRef name() { return "FromModule"; }
  Result run(Function &F, FunctionAnalysisManager &AM) {
    auto &Outer = AM.getResult<ModuleAnalysisManagerFunctionProxy>(F);
    return {Outer.getCachedResult<Plain<Module, 0>>(*F.getModule()) != nullptr};
  }
};
AnalysisKey FromModule::Key;

/// Decides on its own invalidation.
struct Stubborn {
  struct Result {
    bool invalidate(Function &, const PreservedAnalyses &) { return false; }
  };
  static AnalysisKey Key;
  static StringRef name() { return "Stubborn"; }
  Result run(Function &, FunctionAnalysisManager &) { return {}; }
};
AnalysisKey Stubborn::Key;

class AnalysisManagerTest : public PassTest {
protected:
  AnalysisManagerTest() {
    PassInstrumentationCallbacks &PIC = PC.getCallbacks();
    PIC.registerBeforeAnalysisCallback([this](StringRef Name, IRUnit Unit) {
      log("compute " + Name + " on " + Unit.getName());
    });
    PIC.registerAnalysisInvalidatedCallback(
        [this](StringRef Name, IRUnit Unit, StringRef Because) {
          log("drop " + Name + " on " + Unit.getName() +
              (Because.empty() ? "" : " after ") + Because);
        });
    PIC.registerAnalysesClearedCallback(
        [this](StringRef Name) { log("clear " + Name); });
  }

  Function &F = addFunction("f");
  Function &G = addFunction("g");
  AnalysisManagers AMs{PC};
  FunctionAnalysisManager &FAM = AMs.Functions;
  ModuleAnalysisManager &MAM = AMs.Modules;
};

TEST_F(AnalysisManagerTest, ComputedOnceAUnit) {
  auto *First = &FAM.getResult<Plain<Function, 0>>(F);
  EXPECT_EQ((&FAM.getResult<Plain<Function, 0>>(F)), First);
  EXPECT_EQ((FAM.getCachedResult<Plain<Function, 0>>(F)), First);
  EXPECT_EQ((FAM.getCachedResult<Plain<Function, 0>>(G)), nullptr);
  FAM.getResult<Plain<Function, 0>>(G);
  EXPECT_EQ(takeLog(), "compute Plain0 on @f\ncompute Plain0 on @g\n");
}

TEST_F(AnalysisManagerTest, DroppedUnlessPreserved) {
  FAM.getResult<Plain<Function, 0>>(F);
  FAM.getResult<Plain<Function, 1>>(F);
  FAM.getResult<Plain<Function, 0>>(G);
  takeLog();
  FAM.invalidate(F, PreservedAnalyses::all());
  EXPECT_EQ(takeLog(), "");
  FAM.invalidate(F, PreservedAnalyses().preserve<Plain<Function, 1>>());
  EXPECT_EQ(takeLog(), "drop Plain0 on @f\n");
  FAM.invalidate(F, PreservedAnalyses().preserveSet<AllAnalysesOn<Function>>());
  EXPECT_EQ(takeLog(), "");
  FAM.invalidate(F, PreservedAnalyses::none());
  EXPECT_EQ(takeLog(), "drop Plain1 on @f\n");
  EXPECT_NE((FAM.getCachedResult<Plain<Function, 0>>(G)), nullptr);
}

TEST_F(AnalysisManagerTest, AbandonedEvenOfAPreservedSet) {
  FAM.getResult<Plain<Function, 0>>(F);
  FAM.getResult<Plain<Function, 1>>(F);
  takeLog();
  PreservedAnalyses PA = PreservedAnalyses::all();
  PA.abandon<Plain<Function, 0>>();
  EXPECT_FALSE(PA.areAllPreserved());
  FAM.invalidate(F, PA);
  EXPECT_EQ(takeLog(), "drop Plain0 on @f\n");
}

TEST_F(AnalysisManagerTest, DependentsGoToo) {
  FAM.getResult<Derived>(F);
  FAM.getResult<Plain<Function, 1>>(F);
  EXPECT_EQ(takeLog(), "compute Derived on @f\ncompute Plain0 on @f\n"
                       "compute Plain1 on @f\n");
  // Derived itself is preserved, but its dependency is not.
  PreservedAnalyses PA;
  PA.preserve<Derived>().preserve<Plain<Function, 1>>();
  FAM.invalidate(F, PA);
  EXPECT_EQ(takeLog(), "drop Plain0 on @f\ndrop Derived on @f after Plain0\n");
}

TEST_F(AnalysisManagerTest, DependentsOfWhatWasThereBefore) {
  FAM.getResult<Plain<Function, 0>>(F);
  FAM.getResult<Derived>(F);
  takeLog();
  FAM.invalidate(F, &Plain<Function, 0>::Key);
  EXPECT_EQ(takeLog(), "drop Plain0 on @f\ndrop Derived on @f after Plain0\n");
  FAM.getResult<Derived>(F);
  EXPECT_EQ(takeLog(), "compute Derived on @f\ncompute Plain0 on @f\n");
}

TEST_F(AnalysisManagerTest, ResultsDecideThemselves) {
  FAM.getResult<Stubborn>(F);
  takeLog();
  FAM.invalidate(F, PreservedAnalyses::none());
  EXPECT_EQ(takeLog(), "");
  FAM.clear(F, "@f");
  EXPECT_EQ(takeLog(), "clear @f\n");
  EXPECT_EQ(FAM.getCachedResult<Stubborn>(F), nullptr);
}

TEST_F(AnalysisManagerTest, FunctionsSeeCachedResultsOfTheModule) {
  EXPECT_FALSE(FAM.getResult<FromModule>(F).Found);
  MAM.getResult<Plain<Module, 0>>(M);
  EXPECT_TRUE(FAM.getResult<FromModule>(G).Found);
  takeLog();
  // Results that depend on the module's result are invalidated with it.
  MAM.invalidate(M, PreservedAnalyses::none());
  EXPECT_EQ(takeLog(), "drop Plain0 on [module]\ndrop FromModule on @f\n"
                       "drop FromModule on @g\n");
}

TEST_F(AnalysisManagerTest, ModulePassesSeeResultsOfFunctions) {
  auto &Proxy = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M);
  EXPECT_EQ(&Proxy.getManager(), &FAM);
  FAM.getResult<Plain<Function, 0>>(F);
  FAM.getResult<Plain<Function, 0>>(G);
  takeLog();
  // The proxy is preserved: each function is invalidated separately.
  PreservedAnalyses PA;
  PA.preserve<FunctionAnalysisManagerModuleProxy>();
  MAM.invalidate(M, PA);
  EXPECT_EQ(takeLog(), "drop Plain0 on @f\ndrop Plain0 on @g\n");
  // The results of functions were invalidated before.
  FAM.getResult<Plain<Function, 0>>(F);
  takeLog();
  PA.preserveSet<AllAnalysesOn<Function>>();
  MAM.invalidate(M, PA);
  EXPECT_EQ(takeLog(), "");
  EXPECT_NE((FAM.getCachedResult<Plain<Function, 0>>(F)), nullptr);
  // The proxy is not preserved: functions may have been removed.
  MAM.invalidate(M, PreservedAnalyses::none());
  EXPECT_EQ(takeLog(), "drop FunctionAnalysisManagerModuleProxy on [module]\n");
  EXPECT_EQ((FAM.getCachedResult<Plain<Function, 0>>(F)), nullptr);
}

TEST_F(AnalysisManagerTest, FunctionPassesInvalidateTheirFunctionOnly) {
  MAM.getResult<Plain<Module, 0>>(M);
  FAM.getResult<Plain<Function, 0>>(F);
  FAM.getResult<Plain<Function, 0>>(G);
  FunctionPassManager FPM;
  FPM.addPass(std::make_unique<LambdaPass<Function>>(
      makeInfo("P", PassUnit::Function),
      [](Function &F, FunctionAnalysisManager &, PassContext &) {
        return F.getName() == "f" ? PreservedAnalyses::none()
                                  : PreservedAnalyses::all();
      }));
  ModulePassManager PM;
  PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  takeLog();
  EXPECT_TRUE(succeeded(PM.run(M, MAM, PC)));
  EXPECT_EQ(takeLog(), "compute FunctionAnalysisManagerModuleProxy on "
                       "[module]\n"
                       "drop Plain0 on @f\ndrop Plain0 on [module]\n");
  EXPECT_NE((FAM.getCachedResult<Plain<Function, 0>>(G)), nullptr);
}

/// Depends on FromModule.
struct FromFromModule {
  struct Result {};
  static AnalysisKey Key;
  static StringRef name() { return "FromFromModule"; }
  Result run(Function &F, FunctionAnalysisManager &AM) {
    AM.getResult<FromModule>(F);
    return {};
  }
};
AnalysisKey FromFromModule::Key;

TEST_F(AnalysisManagerTest, DependentsOfDependentsAcrossTheProxy) {
  MAM.getResult<Plain<Module, 0>>(M);
  FAM.getResult<Plain<Function, 1>>(F);
  FAM.getResult<FromFromModule>(F);
  takeLog();
  MAM.invalidate(M, &Plain<Module, 0>::Key);
  EXPECT_EQ(takeLog(), "drop Plain0 on [module]\n"
                       "drop FromModule on @f\n"
                       "drop FromFromModule on @f after FromModule\n");
  EXPECT_NE((FAM.getCachedResult<Plain<Function, 1>>(F)), nullptr);
}

/// Depends on Plain 0 of all functions.
struct FromFunctions {
  struct Result {};
  static AnalysisKey Key;
  static StringRef name() { return "FromFunctions"; }
  Result run(Module &M, ModuleAnalysisManager &AM) {
    auto &Proxy = AM.getResult<FunctionAnalysisManagerModuleProxy>(M);
    for (Function &F : M.functions())
      Proxy.getManager().getResult<Plain<Function, 0>>(F);
    return {};
  }
};
AnalysisKey FromFunctions::Key;

TEST_F(AnalysisManagerTest, ModulesDoNotOutliveResultsOfFunctions) {
  MAM.getResult<FromFunctions>(M);
  MAM.getResult<Plain<Module, 0>>(M);
  takeLog();
  // Dropped by itself, through the cache of the module, and with its function.
  FAM.invalidate(F, &Plain<Function, 0>::Key);
  EXPECT_EQ(MAM.getCachedResult<FromFunctions>(M), nullptr);
  EXPECT_NE((MAM.getCachedResult<Plain<Module, 0>>(M)), nullptr);
  EXPECT_EQ(takeLog(), "drop Plain0 on @f\ndrop FromFunctions on [module]\n");
  MAM.getResult<FromFunctions>(M);
  EXPECT_EQ(takeLog(), "compute FromFunctions on [module]\n"
                       "compute Plain0 on @f\n");
  FAM.invalidate(G, PreservedAnalyses::none());
  MAM.invalidate(M, PreservedAnalyses::all());
  EXPECT_EQ(takeLog(), "drop Plain0 on @g\ndrop FromFunctions on [module]\n");
  MAM.getResult<FromFunctions>(M);
  FAM.clear(F, "@f");
  takeLog();
  MAM.getResult<FromFunctions>(M);
  EXPECT_EQ(takeLog(), "drop FromFunctions on [module]\n"
                       "compute FromFunctions on [module]\n"
                       "compute Plain0 on @f\n");
  // Unused results are invalidated alone.
  FAM.getResult<Plain<Function, 1>>(F);
  FAM.invalidate(F, &Plain<Function, 1>::Key);
  EXPECT_NE(MAM.getCachedResult<FromFunctions>(M), nullptr);
}

TEST_F(AnalysisManagerTest, EachModuleSeesResultsOfItsFunctionsGo) {
  Module Second(Ctx);
  Function &H = *Second.createFunction("h");
  H.cloneFrom(F);
  MAM.getResult<FromFunctions>(M);
  MAM.getResult<FromFunctions>(Second);
  takeLog();
  FAM.invalidate(F, &Plain<Function, 0>::Key);
  FAM.invalidate(H, &Plain<Function, 0>::Key);
  takeLog();
  EXPECT_EQ(MAM.getCachedResult<FromFunctions>(M), nullptr);
  EXPECT_EQ(MAM.getCachedResult<FromFunctions>(Second), nullptr);
  EXPECT_EQ(takeLog(), "drop FromFunctions on [module]\n"
                       "drop FromFunctions on [module]\n");
}

/// Module analyses that depend on another one.
template <typename BaseT> struct FromBase {
  struct Result {};
  static AnalysisKey Key;
  static StringRef name() { return "FromBase"; }
  Result run(Module &M, ModuleAnalysisManager &AM) {
    AM.getResult<BaseT>(M);
    return {};
  }
};
template <typename BaseT> AnalysisKey FromBase<BaseT>::Key;

/// Function passes do not see results that depend, directly or indirectly, on
/// results of functions or on results that passes on their function have
/// dropped.
TEST_F(AnalysisManagerTest, FunctionsDoNotSeeWhatDependsOnWhatTheyMayNotSee) {
  using OfFunctions = FromBase<FromBase<FromFunctions>>;
  using OfModule = FromBase<FromBase<Plain<Module, 0>>>;
  MAM.getResult<Plain<Module, 1>>(M);
  MAM.getResult<OfFunctions>(M);
  MAM.getResult<OfModule>(M);
  auto &Outer = FAM.getResult<ModuleAnalysisManagerFunctionProxy>(F);
  EXPECT_EQ(Outer.getCachedResult<FromBase<FromFunctions>>(M), nullptr);
  EXPECT_EQ(Outer.getCachedResult<OfFunctions>(M), nullptr);
  EXPECT_NE(Outer.getCachedResult<OfModule>(M), nullptr);
  PreservedAnalyses PA;
  PA.preserve<OfModule>()
      .preserve<FromBase<Plain<Module, 0>>>()
      .preserve<Plain<Module, 1>>();
  FAM.getCache(F).setPreservedOutside(&PA);
  EXPECT_EQ(Outer.getCachedResult<OfModule>(M), nullptr);
  EXPECT_NE((Outer.getCachedResult<Plain<Module, 1>>(M)), nullptr);
  PA.preserve<Plain<Module, 0>>();
  EXPECT_NE(Outer.getCachedResult<OfModule>(M), nullptr);
  FAM.getCache(F).setPreservedOutside(nullptr);
}

/// Runs pipelines of passes that request analyses; also logs passes.
class AnalysisPipelineTest : public AnalysisManagerTest {
protected:
  AnalysisPipelineTest() {
    PC.getCallbacks().registerBeforeNonSkippedPassCallback(
        [this](const PassRun &Run) {
          log("run " + Run.getName() + " on " + Run.getUnit().getName());
        });
  }
  /// Adds a pass that requests Derived and returns \p PA.
  void addFunctionPass(StringRef Name, PreservedAnalyses PA) {
    FPM.addPass(std::make_unique<LambdaPass<Function>>(
        makeInfo(Name, PassUnit::Function),
        [PA](Function &F, FunctionAnalysisManager &AM, PassContext &) {
          AM.getResult<Derived>(F);
          return PA;
        }));
  }
  /// Adds a pass that requests FromFunctions and returns \p PA.
  void addModulePass(StringRef Name, PreservedAnalyses PA) {
    PM.addPass(std::make_unique<LambdaPass<Module>>(
        makeInfo(Name, PassUnit::Module),
        [PA](Module &M, ModuleAnalysisManager &AM, PassContext &) {
          AM.getResult<FromFunctions>(M);
          return PA;
        }));
  }
  void nestFunctionPasses() {
    PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(
        std::exchange(FPM, FunctionPassManager())));
  }
  std::string runAndTakeLog() {
    EXPECT_TRUE(succeeded(PM.run(M, MAM, PC)));
    return takeLog();
  }

  FunctionPassManager FPM;
  ModulePassManager PM;
};

TEST_F(AnalysisPipelineTest, ComputedAgainOnlyAfterTheyWereDropped) {
  M.eraseFunction(&G);
  PreservedAnalyses KeepsBase;
  KeepsBase.preserve<Plain<Function, 0>>();
  addFunctionPass("looks", PreservedAnalyses::all());
  addFunctionPass("looks-again", PreservedAnalyses::all());
  addFunctionPass("keeps-base", KeepsBase);
  addFunctionPass("drops", PreservedAnalyses::none());
  addFunctionPass("last", PreservedAnalyses::all());
  nestFunctionPasses();
  EXPECT_EQ(runAndTakeLog(),
            "compute FunctionAnalysisManagerModuleProxy on [module]\n"
            "run looks on @f\ncompute Derived on @f\ncompute Plain0 on @f\n"
            "run looks-again on @f\n"
            "run keeps-base on @f\ndrop Derived on @f\n"
            "run drops on @f\ncompute Derived on @f\n"
            "drop Plain0 on @f\ndrop Derived on @f\n"
            "run last on @f\ncompute Derived on @f\ncompute Plain0 on @f\n");
}

TEST_F(AnalysisPipelineTest, FunctionPassesDropWhatTheModuleHadOfThem) {
  M.eraseFunction(&G);
  addModulePass("looks", PreservedAnalyses::all());
  addFunctionPass("drops", PreservedAnalyses::none());
  nestFunctionPasses();
  addModulePass("looks-again", PreservedAnalyses::all());
  EXPECT_EQ(runAndTakeLog(),
            "run looks on [module]\ncompute FromFunctions on [module]\n"
            "compute FunctionAnalysisManagerModuleProxy on [module]\n"
            "compute Plain0 on @f\n"
            "run drops on @f\ncompute Derived on @f\n"
            "drop Plain0 on @f\ndrop Derived on @f\n"
            "drop FromFunctions on [module]\n"
            "run looks-again on [module]\ncompute FromFunctions on [module]\n"
            "compute Plain0 on @f\n");
}

/// Each function sees the module's results that passes on it have preserved,
/// independent of passes on other functions, so that threads make no
/// difference.
TEST_F(AnalysisPipelineTest, FunctionPassesSeeWhatTheirPredecessorsKept) {
  auto AddLooking = [&](StringRef Name) {
    FPM.addPass(std::make_unique<LambdaPass<Function>>(
        makeInfo(Name, PassUnit::Function),
        [this](Function &F, FunctionAnalysisManager &AM, PassContext &) {
          auto &Outer = AM.getResult<ModuleAnalysisManagerFunctionProxy>(F);
          bool Plain0 = Outer.getCachedResult<Plain<Module, 0>>(M);
          bool Plain1 = Outer.getCachedResult<Plain<Module, 1>>(M);
          bool FromAll = Outer.getCachedResult<FromFunctions>(M);
          log("  sees " + Twine(Plain0) + Twine(Plain1) + Twine(FromAll) +
              Twine(AM.getResult<FromModule>(F).Found));
          return PreservedAnalyses::all();
        }));
  };
  MAM.getResult<Plain<Module, 0>>(M);
  MAM.getResult<Plain<Module, 1>>(M);
  MAM.getResult<FromFunctions>(M);
  AddLooking("before");
  PreservedAnalyses PA;
  PA.preserve<Plain<Module, 1>>().preserve<FromModule>();
  FPM.addPass(functionPass("drops", PA));
  AddLooking("after");
  nestFunctionPasses();
  takeLog();
  std::string Expected;
  for (StringRef Name : {"@f", "@g"})
    Expected +=
        ("run before on " + Name + "\n" +
         "compute ModuleAnalysisManagerFunctionProxy on " + Name +
         "\ncompute FromModule on " + Name + "\n  sees 1101\nrun drops on " +
         Name + "\nrun drops " + Name + "\ndrop Plain0 on " + Name +
         "\ndrop FromModule on " + Name + "\nrun after on " + Name +
         "\ncompute FromModule on " + Name + "\n  sees 0100\n")
            .str();
  EXPECT_EQ(runAndTakeLog(), Expected + "drop FromFunctions on [module]\n"
                                        "drop Plain0 on [module]\n"
                                        "drop FromModule on @f\n"
                                        "drop FromModule on @g\n");
  EXPECT_NE((MAM.getCachedResult<Plain<Module, 1>>(M)), nullptr);
}

TEST_F(AnalysisPipelineTest, ModulePassesDropWhatFunctionsHave) {
  addFunctionPass("looks", PreservedAnalyses::all());
  nestFunctionPasses();
  addModulePass("drops", PreservedAnalyses::none());
  PreservedAnalyses KeepsFunctions;
  KeepsFunctions.preserve<FunctionAnalysisManagerModuleProxy>()
      .preserve<Plain<Function, 0>>();
  addModulePass("keeps", KeepsFunctions);
  addFunctionPass("looks-again", PreservedAnalyses::all());
  nestFunctionPasses();
  EXPECT_EQ(runAndTakeLog(),
            "compute FunctionAnalysisManagerModuleProxy on [module]\n"
            "run looks on @f\ncompute Derived on @f\ncompute Plain0 on @f\n"
            "run looks on @g\ncompute Derived on @g\ncompute Plain0 on @g\n"
            "run drops on [module]\ncompute FromFunctions on [module]\n"
            "drop FunctionAnalysisManagerModuleProxy on [module]\n"
            "drop FromFunctions on [module]\n"
            "run keeps on [module]\ncompute FromFunctions on [module]\n"
            "compute FunctionAnalysisManagerModuleProxy on [module]\n"
            "compute Plain0 on @f\ncompute Plain0 on @g\n"
            "drop FromFunctions on [module]\n"
            "run looks-again on @f\ncompute Derived on @f\n"
            "run looks-again on @g\ncompute Derived on @g\n");
}

TEST(PreservedAnalyses, Intersection) {
  using A = Plain<Function, 0>;
  using B = Plain<Function, 1>;
  PreservedAnalyses PA = PreservedAnalyses::all();
  PA.intersect(PreservedAnalyses::all());
  EXPECT_TRUE(PA.areAllPreserved());
  PA.intersect(PreservedAnalyses().preserve<A>().preserve<B>());
  EXPECT_FALSE(PA.areAllPreserved());
  EXPECT_TRUE(PA.isPreserved<A>() && PA.isPreserved<B>());
  PA.intersect(PreservedAnalyses().preserve<A>());
  EXPECT_TRUE(PA.isPreserved<A>());
  EXPECT_FALSE(PA.isPreserved<B>());
  PreservedAnalyses Abandoning = PreservedAnalyses::all();
  Abandoning.abandon<A>();
  PA.intersect(Abandoning);
  EXPECT_FALSE(PA.isPreserved<A>());
  PA.intersect(PreservedAnalyses::none());
  EXPECT_FALSE(PA.isPreserved<A>() || PA.isPreserved<B>());
}

TEST(PreservedAnalyses, IntersectionWithAllButOne) {
  using A = Plain<Function, 0>;
  using B = Plain<Function, 1>;
  PreservedAnalyses AllButA = PreservedAnalyses::all();
  AllButA.abandon<A>();
  PreservedAnalyses PA;
  PA.preserve<A>().preserve<B>();
  PA.intersect(AllButA);
  EXPECT_FALSE(PA.isPreserved<A>());
  EXPECT_TRUE(PA.isPreserved<B>());
}

//===----------------------------------------------------------------------===//
// Arguments, context and failure
//===----------------------------------------------------------------------===//

/// Multiplies the opt level; fails for zero.
struct Times {
  using Result = unsigned;
  static AnalysisKey Key;
  static StringRef name() { return "Times"; }
  std::string getArguments() const { return std::to_string(Factor); }
  FailureOr<unsigned> run(Function &, FunctionAnalysisManager &AM) {
    if (Factor == 0)
      return AM.getPassContext().getDiagnostics().emitError(Location(), "zero");
    return Factor * AM.getPassContext().getOptLevel();
  }
  unsigned Factor = 1;
};
AnalysisKey Times::Key;

/// Depends on two results of Times, one of which may fail.
struct OnTimes {
  using Result = unsigned;
  static AnalysisKey Key;
  static StringRef name() { return "OnTimes"; }
  std::string getArguments() const { return std::to_string(Factor); }
  FailureOr<unsigned> run(Function &F, FunctionAnalysisManager &AM) {
    FailureOr<unsigned *> Two = AM.getResult(F, Times{2});
    FailureOr<unsigned *> Given = AM.getResult(F, Times{Factor});
    if (failed(Two) || failed(Given))
      return failure();
    return **Two + **Given;
  }
  unsigned Factor;
};
AnalysisKey OnTimes::Key;

class AnalysisArgumentsTest : public AnalysisManagerTest {
protected:
  AnalysisArgumentsTest() {
    PC.getCallbacks().registerAfterAnalysisCallback(
        [this](StringRef Name, IRUnit) { log("end " + Name); });
    PC.getCallbacks().registerAnalysisFailedCallback(
        [this](StringRef Name, IRUnit) { log("fail " + Name); });
    Ctx.getDiagnostics().pushHandler([this](const Diagnostic &D) {
      log("error: " + D.Message);
      return true;
    });
  }
};

TEST_F(AnalysisArgumentsTest, CachedForEachArgument) {
  unsigned *Three = *FAM.getResult(F, Times{3});
  EXPECT_EQ(*Three, 6u); // the level is 2
  EXPECT_EQ(**FAM.getResult(F, Times{4}), 8u);
  EXPECT_EQ(*FAM.getResult(F, Times{3}), Three);
  EXPECT_EQ(FAM.getCachedResult(F, Times{3}), Three);
  EXPECT_EQ(FAM.getCachedResult(F, Times{5}), nullptr);
  EXPECT_EQ(takeLog(), "compute Times<3> on @f\nend Times<3>\n"
                       "compute Times<4> on @f\nend Times<4>\n");
  FAM.invalidate(F, &Times::Key, "4");
  EXPECT_EQ(takeLog(), "drop Times<4> on @f\n");
  EXPECT_EQ(FAM.getCachedResult(F, Times{3}), Three);
  FAM.invalidate(F, PreservedAnalyses::none());
  EXPECT_EQ(takeLog(), "drop Times<3> on @f\n");
}

TEST_F(AnalysisArgumentsTest, FailureIsNotKept) {
  EXPECT_TRUE(failed(FAM.getResult(F, Times{0})));
  EXPECT_TRUE(failed(FAM.getResult(F, Times{0})));
  EXPECT_EQ(takeLog(), "compute Times<0> on @f\nerror: zero\nfail Times<0>\n"
                       "compute Times<0> on @f\nerror: zero\nfail Times<0>\n");
  EXPECT_EQ(**FAM.getResult(F, Times{1}), 2u);
}

TEST_F(AnalysisArgumentsTest, DependenciesAndFailure) {
  EXPECT_TRUE(failed(FAM.getResult(F, OnTimes{0})));
  EXPECT_EQ(takeLog(), "compute OnTimes<0> on @f\ncompute Times<2> on @f\n"
                       "end Times<2>\ncompute Times<0> on @f\nerror: zero\n"
                       "fail Times<0>\nfail OnTimes<0>\n");
  EXPECT_EQ(**FAM.getResult(F, OnTimes{3}), 10u);
  takeLog();
  FAM.invalidate(F, &Times::Key, "3");
  EXPECT_EQ(takeLog(), "drop Times<3> on @f\n"
                       "drop OnTimes<3> on @f after Times<3>\n");
}

} // namespace
