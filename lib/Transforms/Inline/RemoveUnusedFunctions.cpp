//===- RemoveUnusedFunctions.cpp - Remove unreachable functions -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the functions that are reachable from the entry functions in the call
// graph. An unknown entry function is an error, as in TVM.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Context.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

namespace {
class RemoveUnusedFunctions final
    : public RemoveUnusedFunctionsBase<RemoveUnusedFunctions> {
public:
  using RemoveUnusedFunctionsBase::RemoveUnusedFunctionsBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};
} // namespace

static LogicalResult reportMissing(Module &M, StringRef Name) {
  SmallVector<StringRef> Known;
  for (Function &F : M.functions())
    Known.push_back(F.getName());
  StringRef Near = nearestName(Name, Known);
  InFlightDiagnostic Error = M.getContext().emitError(
      Location(), "the module has no entry function '@" + Name + "'");
  if (!Near.empty())
    Error << "; did you mean '@" << Near << "'?";
  else
    Error << "; remove-unused-functions<entry-functions=...> sets them, "
             "-disable-pass=remove-unused-functions skips the pass";
  return Error;
}

FailureOr<PreservedAnalyses>
RemoveUnusedFunctions::run(Module &M, ModuleAnalysisManager &AM,
                           PassContext &) {
  llvm::SmallSetVector<Function *, 4> Entries;
  for (StringRef Name : Options.EntryFunctions) {
    Function *F = M.lookupFunction(Name);
    if (!F)
      return reportMissing(M, Name);
    Entries.insert(F);
  }
  if (Entries.size() == M.getNumFunctions())
    return PreservedAnalyses::all();
  const CallGraph &Graph = AM.getResult<CallGraphAnalysis>(M);
  SmallVector<unsigned> Roots;
  for (Function *F : Entries)
    Roots.push_back(Graph.getNumber(F));
  llvm::BitVector Unused = Graph.getReachable(Roots).flip();
  SmallVector<Function *> Dead;
  for (unsigned N : Unused.set_bits())
    Dead.push_back(&Graph.getFunction(N));
  // The unused functions may call each other, so that a single rewrite removes
  // all of them.
  Rewriter R(M);
  if (Dead.empty() || !R.startRewrite("remove-functions"))
    return preserved(false);
  R.eraseFunctions(M, Dead);
  NumRemoved += Dead.size();
  return preserved(true);
}

std::unique_ptr<Pass>
relay::createRemoveUnusedFunctionsPass(RemoveUnusedFunctionsOptions Options) {
  return std::make_unique<RemoveUnusedFunctions>(std::move(Options));
}
