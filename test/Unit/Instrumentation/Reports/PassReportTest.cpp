//===- PassReportTest.cpp - The report on incorrect passes ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behavior that none of our passes has: functions are added and removed, and
// the pass reports no change. lit tests cover the contents of reports.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/PassReport.h"
#include "../../Pass/TestPass.h"
#include "llvm/Support/JSON.h"

using namespace relay;
using namespace relay::test;
namespace json = llvm::json;

namespace {

class PassReportTest : public PassTest {
protected:
  PassReportTest() {
    addFunction("f");
    M.normalize();
    Options.File = "report.json";
  }
  /// Adds a pass that incorrectly reports no change.
  void addLying(StringRef Name, std::function<void(Module &)> Change) {
    PM.addPass(std::make_unique<LambdaPass<Module>>(
        makeInfo(Name, PassUnit::Module),
        [Change](Module &M, ModuleAnalysisManager &, PassContext &) {
          Change(M);
          return PreservedAnalyses::all();
        }));
  }
  void addOnFunctions(StringRef Name) {
    FunctionPassManager FPM;
    FPM.addPass(functionPass(Name));
    PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  }
  /// Returns `name runs`, one line per pass.
  std::string report() {
    Report.registerCallbacks(PC);
    Report.start(M);
    bool Failed = failed(run(PM));
    llvm::cantFail(Report.finish(M, Failed));
    std::string Text, Lines;
    llvm::raw_string_ostream OS(Text);
    llvm::cantFail(Report.report(OS, PM, Failed));
    json::Value Root = llvm::cantFail(json::parse(Text));
    json::Value &Module = (*Root.getAsObject()->getArray("modules"))[0];
    for (json::Value &Pass : *Module.getAsObject()->getArray("passes")) {
      Status += (*Pass.getAsObject()->getString("name") + " " +
                 *Pass.getAsObject()->getString("status") + "\n")
                    .str();
      Lines += (*Pass.getAsObject()->getString("name") + " " +
                Twine(*Pass.getAsObject()->getInteger("runs")) + "\n")
                   .str();
    }
    return Lines;
  }

  ModulePassManager PM;
  std::string Status; ///< `name status`, a line a pass
  PassReportOptions Options;
  PassReport Report{Options, InstrumentationSetup()};
};

} // namespace

namespace {

/// Fails before the pass `bad`.
class FailingHook final : public PassInstrument {
public:
  FailingHook() : PassInstrument("hook") {}
  llvm::Error runBeforePass(Module &, const PassInfo &Info) override {
    return Info.Name == "bad" ? llvm::createStringError("no")
                              : llvm::Error::success();
  }
};

} // namespace

/// A pass before the one whose hook fails has not failed.
TEST_F(PassReportTest, HookFails) {
  FailingHook Hook;
  PC.setInstruments({&Hook});
  addOnFunctions("good");
  addOnFunctions("bad");
  EXPECT_EQ(report(), "good 1\n");
  EXPECT_EQ(llvm::toString(PC.takeInstrumentError()), "no");
  EXPECT_EQ(Status, "good unchanged\n");
}

TEST_F(PassReportTest, FunctionsThatNobodyAnnounced) {
  addLying("add", [this](Module &) {
    addFunction("g");
    M.normalize();
  });
  addOnFunctions("look");
  PM.addPass(std::make_unique<LambdaPass<Module>>(
      makeInfo("remove", PassUnit::Module),
      [](Module &M, ModuleAnalysisManager &, PassContext &) {
        M.eraseFunction(M.lookupFunction("g"));
        return PreservedAnalyses::none();
      }));
  EXPECT_EQ(report(), "add 1\nlook 2\nremove 1\n");
}

TEST_F(PassReportTest, FunctionsThatNobodyMissed) {
  addFunction("g");
  M.normalize();
  addLying("remove", [](Module &M) { M.eraseFunction(M.lookupFunction("g")); });
  addOnFunctions("look");
  EXPECT_EQ(report(), "remove 1\nlook 1\n");
}
