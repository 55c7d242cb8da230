//===- TestPasses.cpp - Passes that do wrong ------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TestPasses.td.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/Analysis/OpCounts.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include <csignal>

namespace relay::test {

#include "TestPassRegistry.inc"

void registerTestPasses(PassRegistry &Registry) {
  registerGeneratedPasses(Registry);
}

//===----------------------------------------------------------------------===//
// Lies
//===----------------------------------------------------------------------===//

namespace {

class TestLie final : public TestLieBase<TestLie> {
public:
  using TestLieBase::TestLieBase;
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    (void)R.startRewrite("lie");
    Value *Result = F.getBody().getResult();
    R.setResult(F.getBody(), R.create<ReluOp>(Result));
    if (Options.Claim == "op-counts")
      return PreservedAnalyses().preserve<OpCountsAnalysis>();
    if (Options.Claim == "call-graph")
      return PreservedAnalyses().preserve<CallGraphAnalysis>();
    return PreservedAnalyses::all();
  }
};

class TestForget final : public TestForgetBase<TestForget> {
public:
  using TestForgetBase::TestForgetBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    M.eraseFunction(M.lookupFunction(Options.Function));
    return PreservedAnalyses().preserve<FunctionAnalysisManagerModuleProxy>();
  }
};

} // namespace

std::unique_ptr<Pass> createTestLiePass(TestLieOptions Options) {
  return std::make_unique<TestLie>(std::move(Options));
}
std::unique_ptr<Pass> createTestForgetPass(TestForgetOptions Options) {
  return std::make_unique<TestForget>(std::move(Options));
}

//===----------------------------------------------------------------------===//
// Changes against the rules of Rewriter
//===----------------------------------------------------------------------===//

namespace {

class TestUnannouncedChange final
    : public TestUnannouncedChangeBase<TestUnannouncedChange> {
public:
  using TestUnannouncedChangeBase::TestUnannouncedChangeBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    changeRaw(M);
    change(*M.lookupFunction("main"));
    return PreservedAnalyses();
  }

private:
  void changeRaw(Module &M) {
    Function &F = *M.lookupFunction("main");
    if (Options.How == "raw")
      F.getParams()[0]->setName(M.getContext().intern("renamed"));
    else if (Options.How == "raw-function")
      M.createFunction("added")->cloneFrom(F);
    else if (Options.How == "raw-attribute")
      M.setAttributes(M.getContext().getDictAttrs(NamedAttr{
          M.getContext().getString("key"), M.getContext().getInt(1)}));
  }

  void change(Function &F) {
    Rewriter R(F);
    Value *Result = F.getBody().getResult();
    Operation *Relu = Result->getDefiningOp();
    if (Options.How == "create") {
      R.create<ReluOp>(Result);
    } else if (Options.How == "erase") {
      Operation *Tanh = Relu->getOperand(0)->getDefiningOp();
      Relu->setOperandRaw(0, F.getParams()[0]);
      R.eraseOp(Tanh);
    } else if (Options.How == "refused") {
      (void)R.startRewrite("refused", Relu);
      R.replaceOp(Relu, Relu->getOperand(0));
    } else if (Options.How == "attribute") {
      R.setFunctionAttr(F, "key", R.getContext().getInt(1));
    } else if (Options.How == "result") {
      R.setResult(F.getBody(), Relu->getOperand(0));
    } else if (Options.How == "retype" && R.startRewrite("retype", Relu)) {
      R.setInsertionPoint(Relu);
      R.replaceOp(Relu, R.create<TupleOp>(Relu->getOperand(0)));
    }
  }
};

} // namespace

std::unique_ptr<Pass>
createTestUnannouncedChangePass(TestUnannouncedChangeOptions Options) {
  return std::make_unique<TestUnannouncedChange>(std::move(Options));
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

namespace {

class TestDefine final : public TestDefineBase<TestDefine> {
public:
  using TestDefineBase::TestDefineBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    Context &Ctx = M.getContext();
    int64_t NumRuns = M.getNumTypeDefs() + 1;
    auto Defined = std::make_unique<TypeDef>();
    Defined->Name = Ctx.intern("Type" + std::to_string(NumRuns));
    Defined->Constructors.push_back(std::make_unique<Constructor>());
    Defined->Constructors.front()->Name =
        Ctx.intern("Make" + std::to_string(NumRuns));
    M.addTypeDef(std::move(Defined));
    M.setAttributes(Ctx.getDictAttrs(
        NamedAttr{Ctx.getString("runs"), Ctx.getInt(NumRuns)}));
    return PreservedAnalyses();
  }
};

} // namespace

std::unique_ptr<Pass> createTestDefinePass() {
  return std::make_unique<TestDefine>();
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

namespace {

class TestFail final : public TestFailBase<TestFail> {
public:
  using TestFailBase::TestFailBase;
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    if (F.getName() == Options.Function)
      return F.getContext().emitError(F.getLoc(), "failing as told");
    return PreservedAnalyses::all();
  }
};

} // namespace

std::unique_ptr<Pass> createTestFailPass(TestFailOptions Options) {
  return std::make_unique<TestFail>(std::move(Options));
}

//===----------------------------------------------------------------------===//
// Bad rewrites
//===----------------------------------------------------------------------===//

namespace {

class TestReplaceRelu final : public TestReplaceReluBase<TestReplaceRelu> {
public:
  using TestReplaceReluBase::TestReplaceReluBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    int64_t N = 0; // that of the rewrite, made or not
    walk(F, [&](Operation *Op) {
      auto Relu = dyn_cast<ReluOp>(Op);
      if (!Relu)
        return;
      bool IsBad = ++N == Options.Bad;
      if (!R.startRewrite("relu", Op))
        return;
      if (IsBad && Options.How == "crash")
        std::raise(SIGSEGV);
      R.setInsertionPoint(Op);
      R.replaceOp(Relu, createReplacement(R, Relu.data(), IsBad));
    });
    return preserved(R.getNumRewrites() != 0);
  }

private:
  Operation *createReplacement(Rewriter &R, Value *Data, bool IsBad) {
    Context &Ctx = R.getContext();
    if (IsBad && Options.How == "invalid")
      return R.create<CallGlobalOp>(Data, "nowhere");
    DType T = cast<TensorType>(Data->getType())->getDType();
    Value *Zero = R.create<ConstantOp>(Ctx.getScalarConstant(T, int64_t(0)));
    if (IsBad)
      return R.create<MinimumOp>(Data, Zero);
    return R.create<MaximumOp>(Data, Zero);
  }
};

} // namespace

std::unique_ptr<Pass>
createTestReplaceReluPass(TestReplaceReluOptions Options) {
  return std::make_unique<TestReplaceRelu>(std::move(Options));
}

} // namespace relay::test
