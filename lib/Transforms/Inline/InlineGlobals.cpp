//===- InlineGlobals.cpp - Inline functions marked to be ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unlike TVM, which fails in these cases, it inlines functions that one
// function uses more than once, that call functions which stay, or that are
// used as a value. TVM drops or moves arguments with effects.
//
//===----------------------------------------------------------------------===//

#include "GlobalInliner.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

class InlineGlobals final : public InlineGlobalsBase<InlineGlobals> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};

} // namespace

static bool isMarked(const Function &F) {
  return hasNonzeroAttr(F.getSignature(), FunctionAttrs::Inline);
}

FailureOr<PreservedAnalyses>
InlineGlobals::run(Module &M, ModuleAnalysisManager &AM, PassContext &) {
  if (llvm::none_of(M.functions(), isMarked))
    return PreservedAnalyses::all();
  const CallGraph &Graph = AM.getResult<CallGraphAnalysis>(M);
  llvm::BitVector Chosen(Graph.size());
  SmallVector<unsigned> Used;
  for (unsigned N = 0; N != Graph.size(); ++N) {
    Chosen[N] = isMarked(Graph.getFunction(N)) && !Graph.isRecursive(N);
    if (Graph.getNumUses(N))
      Used.push_back(N);
  }
  GlobalInliner I(Graph,
                  hasEffects(M) ? &AM.getResult<PurityAnalysis>(M) : nullptr,
                  std::move(Chosen), /*InlinesExternal=*/false);
  if (failed(I.run()))
    return failure();
  NumInlined += I.getNumInlined();
  NumRemoved += I.eraseInlined(M, Used);
  return preserved(I.getNumInlined() != 0);
}

std::unique_ptr<Pass> relay::createInlineGlobalsPass() {
  return std::make_unique<InlineGlobals>();
}
