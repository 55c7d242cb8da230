//===- VerifyCompilerFunctions.cpp - Functions of other compilers ---------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VerifyCompilerFunctions.h. Circles of calls are strongly connected
// components of the functions that those of other compilers reach, found by one
// depth-first search.
//
//===----------------------------------------------------------------------===//

#include "VerifyCompilerFunctions.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace relay;

namespace {

/// Finds functions of other compilers that reach themselves.
class CallCircleFinder {
public:
  explicit CallCircleFinder(Module &M) : M(M) {}

  LogicalResult visit(Function &Root);

private:
  /// A function on the path of the search.
  struct Frame {
    Function *F;
    SmallVector<Function *, 4> Callees;
    unsigned Next = 0;
  };

  void enter(Function &F);
  LogicalResult leave();

  Module &M;
  SmallVector<Frame, 8> Path;
  /// Entered functions whose component is not complete.
  SmallVector<Function *, 8> Open;
  /// The order of entering, from 1, and the least number that a function
  /// reaches; 0 after its component is complete.
  llvm::DenseMap<const Function *, unsigned> Number, Lowest;
};

} // namespace

/// Returns the function that \p Op calls or refers to, or null.
static Function *getUsedFunction(const Operation &Op, const Module &M) {
  if (!Op.is(OpCode::CallGlobal) && !Op.is(OpCode::GlobalRef))
    return nullptr;
  return M.lookupFunction(Op.getAttrs()->getSlot(0).getString());
}

void CallCircleFinder::enter(Function &F) {
  llvm::SmallSetVector<Function *, 8> Callees;
  walk(F, [&](Operation *Op) {
    if (Function *Used = getUsedFunction(*Op, M))
      Callees.insert(Used);
  });
  Open.push_back(&F);
  unsigned N = Number.size() + 1;
  Number[&F] = Lowest[&F] = N;
  Path.push_back({&F, {Callees.begin(), Callees.end()}});
}

static LogicalResult reportCircle(const Function &F) {
  return F.getContext().emitError(
      F.getLoc(), "'@" + F.getName() + "', a function of compiler '" +
                      getStringAttr(F.getSignature(), FunctionAttrs::Compiler) +
                      "', calls itself, directly or through other functions");
}

/// Completes the last function of the path, and its component if that begins
/// with it.
LogicalResult CallCircleFinder::leave() {
  Frame Last = Path.pop_back_val();
  unsigned N = Lowest.lookup(Last.F);
  if (!Path.empty())
    Lowest[Path.back().F] = std::min(Lowest[Path.back().F], N);
  if (N != Number.lookup(Last.F))
    return success();
  bool IsCircle =
      Open.back() != Last.F || llvm::is_contained(Last.Callees, Last.F);
  LogicalResult Result = success();
  Function *F;
  do {
    F = Open.pop_back_val();
    Lowest[F] = 0;
    if (IsCircle && hasCompiler(F->getSignature()))
      Result = reportCircle(*F);
  } while (F != Last.F);
  return Result;
}

LogicalResult CallCircleFinder::visit(Function &Root) {
  LogicalResult Result = success();
  if (Number.contains(&Root))
    return Result;
  enter(Root);
  while (!Path.empty()) {
    Frame &Top = Path.back();
    if (Top.Next == Top.Callees.size()) {
      if (failed(leave()))
        Result = failure();
      continue;
    }
    Function *Callee = Top.Callees[Top.Next++];
    if (!Number.contains(Callee))
      enter(*Callee);
    else if (unsigned N = Lowest.lookup(Callee))
      Lowest[Top.F] = std::min(Lowest[Top.F], N);
  }
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
  LogicalResult Result = verifySymbolsOf(Functions);
  CallCircleFinder Circles(M);
  for (Function *F : Functions)
    if (failed(Circles.visit(*F)))
      Result = failure();
  return Result;
}
