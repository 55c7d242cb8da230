//===- ChangeTrackingTest.cpp - Changes of each pass ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ChangeTracker: changed, added and removed functions, groups, texts, passes
// that are filtered out, and passes that fail.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Dumps/ChangeTracking.h"
#include "../../Pass/TestPass.h"

using namespace relay;
using namespace relay::test;

namespace {

class ChangeTrackingTest : public PassTest {
protected:
  ChangeTrackingTest() {
    addFunction("f");
    addFunction("g");
    M.normalize();
    Tracker.addListener(
        [this](const PassRun &Run, ArrayRef<FunctionChange> Changes) {
          std::string Line =
              (Run.getName() + " on " + Run.getUnit().getName() + ":").str();
          for (const FunctionChange &C : Changes) {
            Line += (Twine(" ") + Twine("~+-"[unsigned(C.K)]) + C.Name).str();
            if (C.Before || C.After)
              Line += " " + getSize(C.Before) + ">" + getSize(C.After);
          }
          log(Line);
        });
  }

  static std::string getSize(const FunctionText &T) {
    return T ? std::to_string(llvm::count(*T, '\n')) : "none";
  }

  /// Appends an nn.relu to \p F.
  void grow(Function &F) { addRelu(F, F.getBody().getResult()); }

  template <typename UnitT>
  std::unique_ptr<LambdaPass<UnitT>>
  pass(StringRef Name, std::function<FailureOr<PreservedAnalyses>(UnitT &)> Run,
       bool IsGroup = false) {
    constexpr bool OnModule = std::is_same_v<UnitT, Module>;
    PassInfo &Info =
        makeInfo(Name, OnModule ? PassUnit::Module : PassUnit::Function);
    Info.IsGroup = IsGroup;
    return std::make_unique<LambdaPass<UnitT>>(
        Info, [Run](UnitT &Unit, AnalysisManager<UnitT> &, PassContext &) {
          return Run(Unit);
        });
  }
  void addToFunctions(std::unique_ptr<FunctionPass> P) {
    FunctionPassManager FPM;
    FPM.addPass(std::move(P));
    PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  }
  std::string run() {
    Tracker.registerCallbacks(PC.getCallbacks());
    Result = PassTest::run(PM);
    return takeLog();
  }

  ChangeTracker Tracker;
  ModulePassManager PM;
  LogicalResult Result = failure();
};

TEST_F(ChangeTrackingTest, FunctionPasses) {
  addToFunctions(pass<Function>("grow-f", [this](Function &F) {
    if (F.getName() == "f")
      grow(F);
    return PreservedAnalyses::none(); // also of g
  }));
  addToFunctions(pass<Function>(
      "nothing", [](Function &) { return PreservedAnalyses::all(); }));
  EXPECT_EQ(run(), "grow-f on @f: ~f\ngrow-f on @g:\n"
                   "nothing on @f:\nnothing on @g:\n");
}

TEST_F(ChangeTrackingTest, ModulePass) {
  Tracker.keepTexts(ChangeTracker::Numbering::OfDumps);
  PM.addPass(pass<Module>("change", [this](Module &) {
    grow(*M.lookupFunction("g"));
    M.eraseFunction(M.lookupFunction("f"));
    addFunction("h");
    return PreservedAnalyses::none();
  }));
  EXPECT_EQ(run(), "change on [module]: ~g 3>4 +h none>3 -f 3>none\n");
}

/// An equal function under the same name, at another address.
TEST_F(ChangeTrackingTest, FunctionPutInPlaceOfItself) {
  PM.addPass(pass<Module>("copy", [this](Module &) {
    std::unique_ptr<Function> F = M.takeFunction(M.lookupFunction("f"));
    M.createFunction("f")->cloneFrom(*F);
    return PreservedAnalyses::none();
  }));
  EXPECT_EQ(run(), "copy on [module]:\n");
}

TEST_F(ChangeTrackingTest, TextsFollowPassesThatAreFilteredOut) {
  Tracker.keepTexts(ChangeTracker::Numbering::OfDumps);
  Tracker.setFilter([](const Pass &P) { return P.getName() == "seen"; });
  auto Grow = [this](Function &F) {
    grow(F);
    return PreservedAnalyses::none();
  };
  addToFunctions(pass<Function>("seen", Grow));
  addToFunctions(pass<Function>("unseen", Grow));
  addToFunctions(pass<Function>("seen", Grow));
  EXPECT_EQ(run(), "seen on @f: ~f 3>4\nseen on @g: ~g 3>4\n"
                   "seen on @f: ~f 5>6\nseen on @g: ~g 5>6\n");
}

TEST_F(ChangeTrackingTest, Groups) {
  Tracker.setFilter([](const Pass &P) { return P.getInfo().IsGroup; });
  auto Group = std::make_unique<SequentialPass>();
  Group->addPass(pass<Function>("grow-f", [this](Function &F) {
    if (F.getName() == "f")
      grow(F);
    return PreservedAnalyses::none();
  }));
  PM.addPass(std::move(Group));
  EXPECT_EQ(run(), "sequential on [module]: ~f\n");
}

TEST_F(ChangeTrackingTest, FailedPass) {
  PM.addPass(pass<Module>("fails", [this](Module &) {
    grow(*M.lookupFunction("f"));
    return failure();
  }));
  EXPECT_EQ(run(), "");
  EXPECT_TRUE(failed(Result));
}

} // namespace
