//===- OwnInstrumentsTest.cpp - The instruments of docs/Instrumentation.md ===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two classes are copied verbatim in the page
// (test/Docs/instrumentation.test).
//
//===----------------------------------------------------------------------===//

#include "../Pass/TestPass.h"
#include "relay/Analysis/OpCounts.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/ADT/MapVector.h"

using namespace relay;
using namespace relay::test;

namespace {

/// Counts on how many functions each pass changed something.
class ChangeCounts {
public:
  void registerCallbacks(PassInstrumentationCallbacks &PIC) {
    PIC.registerEndPassCallback([this](const PassRun &Run) {
      if (Run.getUnit().getAsFunction() &&
          Run.getOutcome() == PassRun::Outcome::Changed)
        runInOrder([this, Name = Run.getName()] { ++Counts[Name]; });
    });
  }
  llvm::MapVector<StringRef, unsigned> Counts;
};

/// Refuses passes that would see more operations than a limit.
class SizeLimit : public PassInstrument {
public:
  explicit SizeLimit(uint64_t Limit)
      : PassInstrument("SizeLimit"), Limit(Limit) {}

  llvm::Expected<bool> shouldRun(Module &M, const PassInfo &) override {
    return M.getNumOperations() <= Limit;
  }
  llvm::Error runAfterPass(Module &M, const PassInfo &Info) override {
    if (M.getNumOperations() <= 2 * Limit)
      return llvm::Error::success();
    return llvm::createStringError("'" + Info.Argument +
                                   "' left a module of twice the limit");
  }

private:
  uint64_t Limit;
};

class OwnInstrumentsTest : public PassTest {
protected:
  OwnInstrumentsTest() {
    addFunction("f");
    addFunction("g");
    M.normalize();
  }
  /// Adds \p N operations to each function.
  void addGrowing(StringRef Name, unsigned N) {
    auto Grow = [this, N](Function &F, FunctionAnalysisManager &,
                          PassContext &) {
      for (unsigned I = 0; I != N; ++I)
        addRelu(F, F.getBody().getResult());
      return PreservedAnalyses::none();
    };
    add(std::make_unique<LambdaPass<Function>>(
        makeInfo(Name, PassUnit::Function), Grow));
  }
  void add(std::unique_ptr<FunctionPass> P) {
    FunctionPassManager FPM;
    FPM.addPass(std::move(P));
    PM.addPass(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  }

  ModulePassManager PM;
};

} // namespace

TEST_F(OwnInstrumentsTest, Callbacks) {
  ChangeCounts Counts;
  Counts.registerCallbacks(PC.getCallbacks());
  addGrowing("grow", 1);
  add(functionPass("same"));
  ASSERT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(Counts.Counts.size(), 1u);
  EXPECT_EQ(Counts.Counts.lookup("grow"), 2u);
}

TEST_F(OwnInstrumentsTest, InstrumentRefuses) {
  SizeLimit Limit(3);
  PC.setInstruments({&Limit});
  addGrowing("grow", 1);
  addGrowing("refused", 1);
  ASSERT_TRUE(succeeded(run(PM)));
  EXPECT_EQ(M.getNumOperations(), 4u);
}

TEST_F(OwnInstrumentsTest, InstrumentFails) {
  SizeLimit Limit(3);
  PC.setInstruments({&Limit});
  addGrowing("grow", 5);
  EXPECT_TRUE(failed(run(PM)));
  EXPECT_EQ(llvm::toString(PC.takeInstrumentError()),
            "'grow' left a module of twice the limit");
}
