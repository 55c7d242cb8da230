//===- VerifyCompilerFunctions.cpp - Functions of other compilers ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VerifyCompilerFunctions.h. Recursion is found by strongly connected
// components of the call graph below the functions of other compilers.
//
//===----------------------------------------------------------------------===//

#include "VerifyCompilerFunctions.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Support/Components.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace relay;

namespace {

/// The functions that some functions reach, themselves included, and the calls
/// and references among them.
class ReachedFunctions {
public:
  ReachedFunctions(const Module &M, ArrayRef<Function *> Roots);

  unsigned size() const { return Functions.size(); }
  const Function &getFunction(unsigned N) const { return *Functions[N]; }
  ArrayRef<unsigned> getUsed(unsigned N) const { return Used[N]; }

private:
  unsigned add(Function &F);

  llvm::DenseMap<const Function *, unsigned> Numbers;
  SmallVector<Function *, 8> Functions;
  std::vector<SmallVector<unsigned, 4>> Used;
};

} // namespace

/// Returns the number of \p F, and adds \p F if it has none yet.
unsigned ReachedFunctions::add(Function &F) {
  auto [It, IsNew] = Numbers.try_emplace(&F, Functions.size());
  if (IsNew)
    Functions.push_back(&F);
  return It->second;
}

ReachedFunctions::ReachedFunctions(const Module &M,
                                   ArrayRef<Function *> Roots) {
  for (Function *F : Roots)
    add(*F);
  for (unsigned N = 0; N != Functions.size(); ++N) {
    llvm::SmallSetVector<unsigned, 8> UsedByN;
    walk(*Functions[N], [&](Operation *Op) {
      StringRef Name = getNamedGlobal(*Op);
      Function *F = Name.empty() ? nullptr : M.lookupFunction(Name);
      if (F)
        UsedByN.insert(add(*F));
    });
    Used.emplace_back(UsedByN.begin(), UsedByN.end());
  }
}

static LogicalResult reportCircle(const Function &F) {
  return F.getContext().emitError(
      F.getLoc(), "'@" + F.getName() + "', a function of compiler '" +
                      getStringAttr(F.getSignature(), FunctionAttrs::Compiler) +
                      "', calls itself, directly or through other functions");
}

/// Reports recursive functions among \p Functions.
static LogicalResult verifyCalls(const Module &M,
                                 ArrayRef<Function *> Functions) {
  ReachedFunctions Reached(M, Functions);
  LogicalResult Result = success();
  auto CheckComponent = [&](ArrayRef<unsigned> Component, bool HasCycle) {
    if (!HasCycle)
      return;
    for (unsigned N : Component)
      if (hasCompiler(Reached.getFunction(N).getSignature()))
        Result = reportCircle(Reached.getFunction(N));
  };
  forEachComponent(
      Reached.size(), [&](unsigned N) { return Reached.getUsed(N); },
      CheckComponent);
  return Result;
}

/// Reports functions with the symbol of another.
static LogicalResult verifySymbolsOf(ArrayRef<Function *> Functions) {
  llvm::StringMap<Function *> BySymbol;
  LogicalResult Result = success();
  for (Function *F : Functions) {
    StringRef Symbol =
        getStringAttr(F->getSignature(), FunctionAttrs::GlobalSymbol);
    if (Symbol.empty())
      continue;
    auto [Known, IsNew] = BySymbol.try_emplace(Symbol, F);
    if (IsNew)
      continue;
    InFlightDiagnostic D = F->getContext().emitError(
        F->getLoc(), "'@" + F->getName() + "' has the 'global_symbol' \"" +
                         Symbol + "\" of '@" + Known->second->getName() + "'");
    Result = D;
  }
  return Result;
}

LogicalResult relay::verifyCompilerFunctions(Module &M) {
  SmallVector<Function *> Functions;
  for (Function &F : M.functions())
    if (hasCompiler(F.getSignature()))
      Functions.push_back(&F);
  if (Functions.empty())
    return success();
  LogicalResult Symbols = verifySymbolsOf(Functions);
  LogicalResult Calls = verifyCalls(M, Functions);
  return success(succeeded(Symbols) && succeeded(Calls));
}
