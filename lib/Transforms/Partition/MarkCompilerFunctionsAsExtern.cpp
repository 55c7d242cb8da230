//===- MarkCompilerFunctionsAsExtern.cpp - Mark compiled functions --------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For functions that another compiler has compiled: `Extern=1` replaces all
// attributes. As in TVM, the body stays, for its type.
//
//===----------------------------------------------------------------------===//

#include "CompilerFunctions.h"
#include "relay/IR/Context.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

class MarkCompilerFunctionsAsExtern final
    : public MarkCompilerFunctionsAsExternBase<MarkCompilerFunctionsAsExtern> {
public:
  using MarkCompilerFunctionsAsExternBase::MarkCompilerFunctionsAsExternBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    Context &Ctx = M.getContext();
    const Attrs *Extern = Ctx.getDictAttrs(
        {{Ctx.getString(FunctionAttrs::Extern), Ctx.getInt(1)}});
    unsigned Number = 0;
    for (Function &F : M.functions()) {
      if (!isForCompiler(F.getSignature(), Options.CompilerFilter))
        continue;
      Rewriter R(F);
      if (!R.startRewrite("mark-extern"))
        continue;
      R.setFunctionAttrs(F.getBody(), Extern);
      ++Number;
    }
    NumMarked += Number;
    return preserved(Number != 0);
  }
};

} // namespace

std::unique_ptr<Pass> relay::createMarkCompilerFunctionsAsExternPass(
    MarkCompilerFunctionsAsExternOptions Options) {
  return std::make_unique<MarkCompilerFunctionsAsExtern>(std::move(Options));
}
