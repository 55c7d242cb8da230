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
#include "relay/Ops/Rearrange.h"
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
    if (Options.Claim == "calls") {
      R.setResult(F.getBody(), R.create<CallGlobalOp>(Result, F.getName()));
      return PreservedAnalyses().preserve<CallGraphAnalysis>();
    }
    if (Options.Claim == "location") {
      R.setLocation(cast<Operation>(Result), Location());
      return PreservedAnalyses::all();
    }
    Value *New = R.create<ReluOp>(Result);
    R.setResult(F.getBody(), New);
    if (Options.Claim == "undone") {
      R.setResult(F.getBody(), Result);
      R.eraseOp(cast<Operation>(New));
    }
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
    if (Options.Lengthens) {
      Function &F = *M.lookupFunction(Options.Function);
      Rewriter R(F);
      (void)R.startRewrite("lengthen");
      R.setResult(F.getBody(), R.create<ReluOp>(F.getBody().getResult()));
    } else {
      M.eraseFunction(M.lookupFunction(Options.Function));
    }
    return PreservedAnalyses()
        .preserve<FunctionAnalysisManagerModuleProxy>()
        .preserve<OpCountsAnalysis>();
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

  /// What only a look at each operation finds.
  void changeSilently(Function &F, Operation &Relu) {
    Operation *Tanh = Relu.getOperand(0)->getDefiningOp();
    if (Options.How == "silent-location")
      Relu.setLoc(Tanh->getLoc());
    else if (Options.How == "silent-binding")
      Tanh->bind(F.getContext().intern("t"));
    else if (Options.How == "silent-type")
      Tanh->setTypeRaw(nullptr);
    else if (Options.How == "silent-operand")
      Relu.setOperandRaw(0, F.getParams()[0]);
    else if (Options.How == "silent-creation")
      createSilently(F, Relu);
    else if (Options.How == "silent-erasure")
      eraseSilently(F, Relu, *Tanh);
  }
  void createSilently(Function &F, Operation &Relu) {
    Operation *New = Operation::create(F, Relu.getInfo(), {&Relu},
                                       Relu.getAttrs(), Relu.getLoc());
    New->setTypeRaw(Relu.getType());
    F.getBody().push_back(New);
    F.getBody().setResultRaw(New);
  }
  void eraseSilently(Function &F, Operation &Relu, Operation &Tanh) {
    Rewriter(F).setOperand(&Relu, 0, F.getParams()[0]);
    Tanh.erase();
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
    } else if (StringRef(Options.How).starts_with("silent-") &&
               R.startRewrite("silent", Relu)) {
      changeSilently(F, *Relu);
      R.noteModified(F);
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
    if (F.getName() != Options.Function)
      return PreservedAnalyses::all();
    if (Options.Silent)
      return failure();
    return F.getContext().emitError(F.getLoc(), "failing as told");
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

//===----------------------------------------------------------------------===//
// Other results
//===----------------------------------------------------------------------===//

namespace {

class TestSwapOperands final : public TestSwapOperandsBase<TestSwapOperands> {
public:
  using TestSwapOperandsBase::TestSwapOperandsBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    walk(F, [&](Operation *Op) {
      if (!isa<AddOp, MultiplyOp, SubtractOp>(Op) ||
          !R.startRewrite("swap", Op))
        return;
      R.setInsertionPoint(Op);
      R.replaceOp(Op, swap(R, *Op));
    });
    return preserved(R.getNumRewrites() != 0);
  }

private:
  static Operation *swap(Rewriter &R, Operation &Op) {
    Value *Left = Op.getOperand(0), *Right = Op.getOperand(1);
    if (isa<AddOp>(&Op))
      return R.create<AddOp>(Right, Left);
    if (isa<MultiplyOp>(&Op))
      return R.create<MultiplyOp>(Right, Left);
    return R.create<SubtractOp>(Right, Left);
  }
};

class TestScale final : public TestScaleBase<TestScale> {
public:
  using TestScaleBase::TestScaleBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    Value *Result = F.getBody().getResult();
    auto *T = dyn_cast<TensorType>(Result->getType());
    if (!T || !R.startRewrite("scale"))
      return PreservedAnalyses::all();
    Value *Factor = R.create<ConstantOp>(
        R.getContext().getScalarConstant(T->getDType(), Options.By));
    R.setResult(F.getBody(), R.create<MultiplyOp>(Result, Factor));
    return preserved(true);
  }
};

} // namespace

std::unique_ptr<Pass> createTestSwapOperandsPass() {
  return std::make_unique<TestSwapOperands>();
}
std::unique_ptr<Pass> createTestScalePass(TestScaleOptions Options) {
  return std::make_unique<TestScale>(std::move(Options));
}

//===----------------------------------------------------------------------===//
// Broken IR
//===----------------------------------------------------------------------===//

namespace {

class TestBreak final : public TestBreakBase<TestBreak> {
public:
  using TestBreakBase::TestBreakBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    if (!R.startRewrite("break"))
      return PreservedAnalyses::all();
    Scalar = F.getContext().getScalarType(DType::getInt(8));
    if (Options.How == "result")
      R.setResultAnnotation(F.getBody(), Scalar);
    if (Options.How == "signature" && F.getParams().size() == 2) {
      R.replaceAllUses(F.getParams().back(), F.getParams().front());
      R.eraseArgument(F.getBody(), 1);
      return PreservedAnalyses();
    }
    // The first operation that can be broken in this way.
    walk(F, [&](Operation *Op) {
      return breakOperation(R, *Op) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    return PreservedAnalyses();
  }

private:
  bool breakOperation(Rewriter &R, Operation &Op);
  /// Makes operand \p I of \p Op a scalar where a tensor is wanted.
  bool passScalar(Rewriter &R, Operation &Op, unsigned I);
  bool eraseWithRegion(Rewriter &R, Operation &If);

  Type *Scalar = nullptr;
};

} // namespace

bool TestBreak::passScalar(Rewriter &R, Operation &Op, unsigned I) {
  Context &Ctx = R.getContext();
  R.setInsertionPoint(&Op);
  Value *Other = R.create<ConstantOp>(ConstantAttrs::get(
      Ctx, Ctx.getScalarConstant(DType::getInt(8), int64_t(0))));
  R.modifyInPlace(&Op, [&] { Op.setOperandRaw(I, Other); });
  return true;
}

/// The branch of \p If that gave its value goes; users stay.
bool TestBreak::eraseWithRegion(Rewriter &R, Operation &If) {
  Value *Inner = If.getRegion().getResult();
  If.replaceAllUsesWith(Inner);
  R.eraseOp(&If);
  return true;
}

bool TestBreak::breakOperation(Rewriter &R, Operation &Op) {
  StringRef How = Options.How;
  bool IsRelu = isa<ReluOp>(&Op);
  if (How == "type" && IsRelu)
    return passScalar(R, Op, 0);
  if (How == "argument" && Op.is(OpCode::CallGlobal))
    return passScalar(R, Op, 0);
  if (How == "erased" && Op.is(OpCode::If))
    return eraseWithRegion(R, Op);
  auto Change = [&](auto Fn) {
    R.modifyInPlace(&Op, Fn);
    return true;
  };
  if (How == "cycle" && IsRelu)
    return Change([&] { Op.setOperandRaw(0, &Op); });
  if (How == "untyped" && IsRelu)
    return Change([&] { Op.setTypeRaw(nullptr); });
  if (How == "let" && Op.isBound())
    return Change([&] { Op.bind(Op.getVarName(), Scalar); });
  if (How == "closure" && Op.is(OpCode::Fn))
    return Change([&] {
      Block &Body = Op.getRegion();
      Body.setResultRaw(cast<Operation>(Body.getResult())->getOperand(0));
    });
  if (auto Transpose = dyn_cast<TransposeOp>(&Op);
      Transpose && How == "attribute") {
    R.setAttrs(&Op, TransposeAttrs::Builder(R.getContext()).axes({0, 0}).get());
    return true;
  }
  return false;
}

std::unique_ptr<Pass> createTestBreakPass(TestBreakOptions Options) {
  return std::make_unique<TestBreak>(std::move(Options));
}

namespace {

class TestChangeSignature final
    : public TestChangeSignatureBase<TestChangeSignature> {
public:
  using TestChangeSignatureBase::TestChangeSignatureBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    Function *F = M.lookupFunction(Options.Function);
    BlockArgument *Last = F->getParams().back();
    Rewriter R(*F);
    if (!R.startRewrite("change-signature"))
      return PreservedAnalyses::all();
    R.replaceAllUses(Last, F->getParams().front());
    R.eraseArgument(F->getBody(), Last->getArgNo());
    return PreservedAnalyses();
  }
};

} // namespace

std::unique_ptr<Pass>
createTestChangeSignaturePass(TestChangeSignatureOptions Options) {
  return std::make_unique<TestChangeSignature>(std::move(Options));
}

} // namespace relay::test
