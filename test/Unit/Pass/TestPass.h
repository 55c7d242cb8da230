//===- TestPass.h - Passes and modules for the unit tests -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes with bodies defined by a test, and a fixture with a module of
// functions `%x -> nn.relu(%x)`. Log has one line per event.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_UNIT_PASS_TESTPASS_H
#define RELAY_TEST_UNIT_PASS_TESTPASS_H

#include "relay/IR/Rewriter.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PassManager.h"
#include "relay/Pass/PassRegistry.h"
#include "gtest/gtest.h"
#include <functional>

namespace relay::test {

/// Returns the info of a test pass, which lives until the end of the process.
inline PassInfo &makeInfo(StringRef Name, PassUnit Unit,
                          unsigned OptLevel = 0) {
  auto *Info = new PassInfo;
  Info->Name = Name;
  Info->Argument = Name;
  Info->Unit = Unit;
  Info->OptLevel = OptLevel;
  return *Info;
}

/// A pass that runs \p Body.
template <typename UnitT> class LambdaPass final : public PassOn<UnitT> {
public:
  using BodyFn = std::function<FailureOr<PreservedAnalyses>(
      UnitT &, AnalysisManager<UnitT> &, PassContext &)>;

  LambdaPass(const PassInfo &Info, BodyFn Body)
      : PassOn<UnitT>(Info), Body(std::move(Body)) {}

  void printPipeline(raw_ostream &OS) const override {
    OS << this->getInfo().Argument;
  }
  std::unique_ptr<Pass> clone() const override {
    return std::make_unique<LambdaPass>(this->getInfo(), Body);
  }
  FailureOr<PreservedAnalyses> run(UnitT &Unit, AnalysisManager<UnitT> &AM,
                                   PassContext &Ctx) override {
    return Body(Unit, AM, Ctx);
  }

private:
  BodyFn Body;
};

class PassTest : public testing::Test {
protected:
  PassTest() { registerAllOps(Ctx); }

  /// Adds `def @Name(%x: Tensor[(2), float32]) { nn.relu(%x) }`.
  Function &addFunction(StringRef Name) {
    Function *F = M.createFunction(Name);
    Type *T = Ctx.getTensorType(ArrayRef<int64_t>{2}, DType::getFloat(32));
    Value *X = F->getBody().addArgument(Ctx.intern("x"), T);
    addRelu(*F, X);
    return *F;
  }
  /// Makes the result of \p F the nn.relu of \p V.
  Operation *addRelu(Function &F, Value *V) {
    Builder B(F.getBody());
    Operation *Op = B.createOperation(*Ctx.lookupOp("nn.relu"), V);
    F.getBody().setResultRaw(Op);
    return Op;
  }

  /// Returns a pass that logs its name and the function's, and returns \p PA.
  std::unique_ptr<FunctionPass>
  functionPass(const PassInfo &Info,
               PreservedAnalyses PA = PreservedAnalyses::all()) {
    return std::make_unique<LambdaPass<Function>>(
        Info, [this, &Info, PA](Function &F, FunctionAnalysisManager &,
                                PassContext &) {
          log("run " + Info.Name + " @" + F.getName());
          return PA;
        });
  }
  std::unique_ptr<FunctionPass>
  functionPass(StringRef Name,
               PreservedAnalyses PA = PreservedAnalyses::all()) {
    return functionPass(makeInfo(Name, PassUnit::Function), PA);
  }
  std::unique_ptr<ModulePass>
  modulePass(const PassInfo &Info,
             PreservedAnalyses PA = PreservedAnalyses::all()) {
    return std::make_unique<LambdaPass<Module>>(
        Info,
        [this, &Info, PA](Module &, ModuleAnalysisManager &, PassContext &) {
          log("run " + Info.Name);
          return PA;
        });
  }
  std::unique_ptr<ModulePass>
  modulePass(StringRef Name, PreservedAnalyses PA = PreservedAnalyses::all()) {
    return modulePass(makeInfo(Name, PassUnit::Module), PA);
  }
  /// Returns a pass that logs and fails.
  std::unique_ptr<ModulePass> failingPass(StringRef Name) {
    return std::make_unique<LambdaPass<Module>>(
        makeInfo(Name, PassUnit::Module),
        [this, Name](Module &, ModuleAnalysisManager &, PassContext &) {
          log("fail " + Name);
          return failure();
        });
  }

  void log(const Twine &Line) { Log += (Line + "\n").str(); }
  std::string takeLog() { return std::exchange(Log, ""); }

  LogicalResult run(ModulePassManager &PM) {
    AnalysisManagers AMs(PC);
    return PM.run(M, AMs.Modules, PC);
  }

  Context Ctx;
  Module M{Ctx};
  PassRegistry Registry;
  PassContext PC{Ctx, Registry};
  std::string Log;
};

} // namespace relay::test

#endif // RELAY_TEST_UNIT_PASS_TESTPASS_H
