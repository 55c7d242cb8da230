//===- IdempotenceCheckTest.cpp - A second run of each pass ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IdempotenceCheck on function passes: its reports, and that it does not change
// the module.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/IdempotenceCheck.h"
#include "../../Pass/TestPass.h"

using namespace relay;
using namespace relay::test;

static InstrumentationSetup makeSetup(raw_ostream &OS) {
  InstrumentationSetup Setup;
  Setup.Stream = &OS;
  return Setup;
}

namespace {

class IdempotenceCheckTest : public PassTest {
protected:
  IdempotenceCheckTest() {
    Ctx.getDiagnostics().pushHandler([this](const Diagnostic &D) {
      log(D.Message);
      return true;
    });
    addFunction("f");
    M.normalize();
  }
  ~IdempotenceCheckTest() override { Ctx.getDiagnostics().popHandler(); }

  using BodyFn = std::function<FailureOr<PreservedAnalyses>(Function &)>;
  /// Checks a pipeline of one pass, which runs \p Body.
  LogicalResult check(BodyFn Body) {
    FunctionPassManager FPM;
    FPM.addPass(std::make_unique<LambdaPass<Function>>(
        makeInfo("pass", PassUnit::Function),
        [Body](Function &F, FunctionAnalysisManager &, PassContext &) {
          return Body(F);
        }));
    return check(std::make_unique<ModuleToFunctionPassAdaptor>(std::move(FPM)));
  }
  LogicalResult checkOnModules(std::function<LogicalResult(Module &)> Body) {
    return check(std::make_unique<LambdaPass<Module>>(
        makeInfo("pass", PassUnit::Module),
        [Body](Module &M, ModuleAnalysisManager &,
               PassContext &) -> FailureOr<PreservedAnalyses> {
          if (failed(Body(M)))
            return failure();
          return PreservedAnalyses::none();
        }));
  }
  LogicalResult check(std::unique_ptr<ModulePass> P) {
    ModulePassManager PM;
    PM.addPass(std::move(P));
    Check.registerCallbacks(PC);
    EXPECT_TRUE(succeeded(run(PM))); // a scope is not needed
    return success(!Check.hasFailed());
  }

  std::string Differences;
  llvm::raw_string_ostream OS{Differences};
  FlagSet Flags{"test"};
  IdempotenceOptions Options{Flags};
  InstrumentationSetup Setup = makeSetup(OS);
  IdempotenceCheck Check{Options, Setup};
};

TEST_F(IdempotenceCheckTest, GrowsEachTime) {
  LogicalResult Result = check([this](Function &F) {
    addRelu(F, F.getBody().getResult());
    return PreservedAnalyses::none();
  });
  EXPECT_TRUE(failed(Result));
  EXPECT_EQ(takeLog(), "'pass' is not idempotent: a second run on @f changes "
                       "it again\n");
  EXPECT_TRUE(StringRef(Differences).starts_with("--- @f\n+++ @f\n@@ "));
  EXPECT_EQ(M.lookupFunction("f")->getNumOperations(), 2u);
}

TEST_F(IdempotenceCheckTest, GrowsOnce) {
  LogicalResult Result = check([this](Function &F) {
    if (F.getNumOperations() == 2)
      return PreservedAnalyses::all();
    addRelu(F, F.getBody().getResult());
    return PreservedAnalyses::none();
  });
  EXPECT_TRUE(succeeded(Result));
  EXPECT_EQ(takeLog(), "");
  EXPECT_EQ(Differences, "");
}

/// Diagnostics of the second run are dropped.
TEST_F(IdempotenceCheckTest, FailsTheSecondTime) {
  LogicalResult Result =
      check([this](Function &F) -> FailureOr<PreservedAnalyses> {
        if (F.getNumOperations() == 2)
          return Ctx.emitError(Location(), "too many operations");
        addRelu(F, F.getBody().getResult());
        return PreservedAnalyses::none();
      });
  EXPECT_TRUE(failed(Result));
  EXPECT_EQ(takeLog(), "'pass' is not idempotent: a second run on @f fails\n");
}

/// Functions that only one of the two runs produces are differences, too.
TEST_F(IdempotenceCheckTest, AddsAFunctionEachTime) {
  LogicalResult Result = checkOnModules([](Module &Of) {
    Function *G = Of.createFunction(
        Of.getContext().intern("g" + std::to_string(Of.getNumFunctions())));
    Context &Ctx = Of.getContext();
    Type *T = Ctx.getScalarType(DType::getFloat(32));
    G->getBody().setResultRaw(G->getBody().addArgument(Ctx.intern("x"), T));
    Of.normalize();
    return success();
  });
  EXPECT_TRUE(failed(Result));
  EXPECT_EQ(takeLog(), "'pass' is not idempotent: a second run on [module] "
                       "changes it again\n");
  EXPECT_EQ(Differences, "--- /dev/null\n+++ @g2\n@@ -0,0 +1,3 @@\n"
                         "+def @g2(%x: float32 /* ty=float32 */) {\n+  %x\n"
                         "+}\n");
}

TEST_F(IdempotenceCheckTest, RemovesAFunctionEachTime) {
  addFunction("g");
  addFunction("h");
  M.normalize();
  LogicalResult Result = checkOnModules([](Module &M) {
    Function *H = M.lookupFunction("h");
    M.eraseFunction(H ? H : M.lookupFunction("g"));
    return success();
  });
  EXPECT_TRUE(failed(Result));
  EXPECT_EQ(takeLog(), "'pass' is not idempotent: a second run on [module] "
                       "changes it again\n");
  EXPECT_TRUE(StringRef(Differences).starts_with("--- @g\n+++ /dev/null\n"))
      << Differences;
}

TEST_F(IdempotenceCheckTest, FailsTheSecondTimeOnAModule) {
  bool WasRun = false;
  LogicalResult Result = checkOnModules([&](Module &M) -> LogicalResult {
    if (std::exchange(WasRun, true))
      return M.getContext().emitError(Location(), "again");
    return success();
  });
  EXPECT_TRUE(failed(Result));
  EXPECT_EQ(takeLog(),
            "'pass' is not idempotent: a second run on [module] fails\n");
}

} // namespace
