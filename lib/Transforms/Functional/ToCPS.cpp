//===- ToCPS.cpp - Convert to continuation-passing style ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts `@main`, and adds a converted copy, `@f_cps`, of each function `@f`
// that it uses, directly or not.
//
//===----------------------------------------------------------------------===//

#include "CPSConverter.h"
#include "EntryFunction.h"
#include "relay/Analysis/CallGraph.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/Transforms/Passes.h"
#include <deque>

using namespace relay;

namespace {
class ToCPS final : public ToCPSBase<ToCPS> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &PC) override;
};
} // namespace

/// Returns the functions to convert, \p Main first. Reports an error if one of
/// them cannot be converted.
static FailureOr<SmallVector<Function *>> getFunctions(Function &Main) {
  SmallVector<Function *> Functions;
  for (Function *F : getReachableFunctions(Main)) {
    if (F != &Main && keepsDirectStyle(*F))
      continue;
    if (failed(checkForCPS(*F)))
      return failure();
    Functions.push_back(F);
  }
  return Functions;
}

/// Erases the first \p NumParams parameters and \p Original, the operations of
/// the body before the conversion.
static void eraseOriginal(Rewriter &R, Function &F,
                          ArrayRef<Operation *> Original, unsigned NumParams) {
  for (Operation *Op : llvm::reverse(Original))
    R.eraseOp(Op);
  for (unsigned I = NumParams; I != 0; --I)
    R.eraseArgument(F.getBody(), I - 1);
}

FailureOr<PreservedAnalyses> ToCPS::run(Module &M, ModuleAnalysisManager &AM,
                                        PassContext &) {
  const CallGraph &Calls = AM.getResult<CallGraphAnalysis>(M);
  Function *Main = getUnusedEntryFunction(M, "to-cps", Calls);
  if (!Main)
    return failure();
  FailureOr<SmallVector<Function *>> Functions = getFunctions(*Main);
  if (failed(Functions))
    return failure();
  bool IsRecursive = llvm::is_contained(Calls.getCallees(Calls.getNumber(Main)),
                                        Calls.getNumber(Main));

  Rewriter R(M);
  R.noteRewrite("convert-to-cps");
  SmallVector<Operation *, 0> Original;
  for (Operation &Op : Main->getBody())
    Original.push_back(&Op);
  unsigned NumParams = Main->getParams().size();
  CPSConverter::FunctionMap Converted;
  std::deque<CPSConverter> Converters;
  for (Function *F : *Functions) {
    if (F == Main && !IsRecursive)
      continue;
    StringRef Name = M.getUniqueName((F->getName() + "_cps").str());
    Converted[F] = R.addFunction(
        M, std::make_unique<Function>(M.getContext(), Name, F->getLoc()));
    Converters.emplace_back(R, *F, *Converted[F]);
  }
  Converters.emplace_back(R, *Main, *Main);
  for (CPSConverter &C : Converters)
    C.createBody(Converted);
  eraseOriginal(R, *Main, Original, NumParams);
  NumConverted += Converters.size();
  for (Function *F : *Functions)
    if (Function *New = Converted.lookup(F); New && failed(retype(*New)))
      return failure();
  if (failed(retype(*Main)))
    return failure();
  return preserved(true);
}

std::unique_ptr<Pass> relay::createToCPSPass() {
  return std::make_unique<ToCPS>();
}
