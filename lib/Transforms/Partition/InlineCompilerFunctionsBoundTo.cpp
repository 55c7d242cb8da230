//===- InlineCompilerFunctionsBoundTo.cpp - Undo a partition --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unlike TVM, which then leaves references to functions that it has removed,
// it inlines into functions of other compilers and into other inlined
// functions, and replaces uses as a value by closures.
//
//===----------------------------------------------------------------------===//

#include "Inline/ClosureCalls.h"
#include "Inline/GlobalInliner.h"
#include "relay/IR/Context.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

class InlineCompilerFunctionsBoundTo final
    : public InlineCompilerFunctionsBoundToBase<
          InlineCompilerFunctionsBoundTo> {
public:
  using InlineCompilerFunctionsBoundToBase::InlineCompilerFunctionsBoundToBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

private:
  FailureOr<Function *> findFunction(Module &M, StringRef Name,
                                     const CallGraph &Graph) const;
};

} // namespace

/// Returns the function \p Name; reports one that cannot be inlined.
FailureOr<Function *>
InlineCompilerFunctionsBoundTo::findFunction(Module &M, StringRef Name,
                                             const CallGraph &Graph) const {
  Context &Ctx = M.getContext();
  constexpr StringLiteral Head = "option 'global-vars' of "
                                 "'inline-compiler-functions-bound-to': ";
  Function *F = M.lookupFunction(Name);
  if (!F) {
    SmallVector<StringRef> Known;
    for (const Function &Each : M.functions())
      Known.push_back(Each.getName());
    return Ctx.emitError(Location(),
                         Head + "there is no function '@" + Name + "'")
           << getSuggestion(Name, Known);
  }
  if (!hasCompiler(F->getSignature()))
    return Ctx.emitError(F->getLoc(),
                         Head + "'@" + Name + "' has no attribute 'Compiler'");
  if (Graph.isRecursive(Graph.getNumber(F)))
    return Ctx.emitError(F->getLoc(), Head + "'@" + Name +
                                          "' calls itself, directly or through "
                                          "other functions");
  return F;
}

FailureOr<PreservedAnalyses>
InlineCompilerFunctionsBoundTo::run(Module &M, ModuleAnalysisManager &AM,
                                    PassContext &) {
  const CallGraph &Graph = AM.getResult<CallGraphAnalysis>(M);
  llvm::BitVector Chosen(Graph.size());
  SmallVector<unsigned> Numbers;
  for (StringRef Name : Options.GlobalVars) {
    Name.consume_front("@");
    FailureOr<Function *> F = findFunction(M, Name, Graph);
    if (failed(F))
      return failure();
    unsigned N = Graph.getNumber(*F);
    if (!Chosen.test(N))
      Numbers.push_back(N);
    Chosen.set(N);
  }
  if (Numbers.empty()) {
    M.getContext().getDiagnostics().emitWarning(
        Location(), "'inline-compiler-functions-bound-to' has no functions to "
                    "inline; name them: "
                    "'inline-compiler-functions-bound-to<global-vars=NAME>'");
    return preserved(false);
  }
  GlobalInliner I(Graph,
                  hasEffects(M) ? &AM.getResult<PurityAnalysis>(M) : nullptr,
                  std::move(Chosen), /*InlinesExternal=*/true);
  for (unsigned N : Numbers)
    if (failed(inlineClosureCalls(Graph.getFunction(N), isComposite)))
      return failure();
  if (failed(I.run()))
    return failure();
  NumInlined += I.getNumInlined();
  NumRemoved += I.eraseInlined(M, Numbers);
  return preserved(true);
}

std::unique_ptr<Pass> relay::createInlineCompilerFunctionsBoundToPass(
    InlineCompilerFunctionsBoundToOptions Options) {
  return std::make_unique<InlineCompilerFunctionsBoundTo>(std::move(Options));
}
