//===- TestNested.cpp - A pass that runs a pipeline -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass test-nested, which works on while other passes and modules come and
// go: its announcement and the constant that it holds have to outlive them.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "relay/IR/Core.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PipelineParser.h"

namespace relay::test {

namespace {
class TestNested final : public TestNestedBase<TestNested> {
public:
  using TestNestedBase::TestNestedBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};
} // namespace

/// The last constant of \p F with one use.
static Operation *findConstant(Function &F) {
  Operation *Found = nullptr;
  walk(F, [&](Operation *Op) {
    if (Op->is(OpCode::Constant) && Op->hasOneUse())
      Found = Op;
  });
  return Found;
}

FailureOr<PreservedAnalyses>
TestNested::run(Module &M, ModuleAnalysisManager &AM, PassContext &Ctx) {
  Function *F = M.lookupFunction("main");
  Operation *Constant = F ? findConstant(*F) : nullptr;
  if (!Constant || F->getParams().empty())
    return preserved(false);
  FailureOr<ModulePassManager> Inner =
      parsePipeline(Options.Pipeline, "pipeline", Ctx.getRegistry());
  Rewriter R(*F);
  if (failed(Inner) || (Options.Announce && !R.startRewrite("swap", Constant)))
    return failure();
  Use &U = *Constant->uses().begin();
  Operation *User = U.getUserOp();
  unsigned I = U.getOperandNo();
  Attr Value = ConstantOp(Constant).attrs().value();
  R.setOperand(User, I, F->getParams()[0]);
  R.eraseOp(Constant);
  {
    Module Scratch(M.getContext());
  }
  if (failed(Inner->run(M, AM, Ctx)))
    return failure();
  R.setInsertionPoint(User);
  R.setOperand(User, I,
               R.create<ConstantOp>(ConstantAttrs::get(M.getContext(), Value)));
  return preserved(true);
}

std::unique_ptr<Pass> createTestNestedPass(TestNestedOptions Options) {
  return std::make_unique<TestNested>(std::move(Options));
}

} // namespace relay::test
