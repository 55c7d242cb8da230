//===- OutlineCompilerFunctions.cpp - Make closures of compilers global ---===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inner closures come before outer ones. Graph nodes that a closure uses are
// copied into its function. As in TVM, only closures that are called are
// outlined, and other uses keep the closure. Unlike TVM, which calls the first
// function of a name for all closures, it reports closures that differ.
//
//===----------------------------------------------------------------------===//

#include "CompilerFunctions.h"
#include "Inline/Calls.h"
#include "Inline/Captures.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/RegionOutliner.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/Walk.h"
#include "relay/Support/PrintableText.h"
#include "relay/Text/Parse/Lexer.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Outlines the closures of one module.
class CompilerClosureOutliner {
public:
  CompilerClosureOutliner(Module &M, StringRef Filter)
      : M(M), Ctx(M.getContext()), Filter(Filter),
        GlobalSymbols(getGlobalSymbols(M)) {}

  /// Returns true if \p F has changed.
  FailureOr<bool> runOnFunction(Function &F);
  unsigned getNumOutlined() const { return NumOutlined; }
  unsigned getNumFunctions() const { return NumFunctions; }

private:
  /// A closure and its uses.
  struct Closure {
    Operation *Fn;
    SmallVector<Operation *, 4> Calls, Aliases;
  };

  Closure findUses(Operation *Fn) const;
  InFlightDiagnostic error(const Operation &Fn, const Twine &Message) const;
  LogicalResult checkCaptures(const Operation &Fn, const Captures &C,
                              const ValuePurity *Effects);
  std::unique_ptr<Function> createFunction(Rewriter &R, Operation *Fn,
                                           const Captures &C,
                                           StringRef Symbol) const;
  FailureOr<Function *> addFunction(Rewriter &R, Operation *Fn,
                                    const Captures &C);
  FailureOr<bool> outline(Rewriter &R, Operation *Fn,
                          const ValuePurity *Effects);

  Module &M;
  Context &Ctx;
  StringRef Filter;
  llvm::StringSet<> GlobalSymbols; ///< of the module before the pass
  uint64_t NumCopied = 0;
  unsigned NumOutlined = 0, NumFunctions = 0;
};

class OutlineCompilerFunctions final
    : public OutlineCompilerFunctionsBase<OutlineCompilerFunctions> {
public:
  using OutlineCompilerFunctionsBase::OutlineCompilerFunctionsBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};

} // namespace

/// Finds the calls of \p Fn, also by other names of it.
CompilerClosureOutliner::Closure
CompilerClosureOutliner::findUses(Operation *Fn) const {
  Closure Found = {Fn, {}, {}};
  SmallVector<Operation *, 4> Names = {Fn};
  while (!Names.empty())
    for (Use &U : Names.pop_back_val()->uses()) {
      Operation *User = U.getUserOp();
      if (User && User->is(OpCode::CallValue) && U.getOperandNo() == 0)
        Found.Calls.push_back(User);
      if (!User || !User->is(OpCode::Alias))
        continue;
      Found.Aliases.push_back(User);
      Names.push_back(User);
    }
  return Found;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

InFlightDiagnostic CompilerClosureOutliner::error(const Operation &Fn,
                                                  const Twine &Message) const {
  return Ctx.emitError(Fn.getLoc(), "the closure of compiler '" +
                                        getStringAttr(Fn.getSignature(),
                                                      FunctionAttrs::Compiler) +
                                        "' " + Message);
}

/// Reports what a global function cannot use.
LogicalResult
CompilerClosureOutliner::checkCaptures(const Operation &Fn, const Captures &C,
                                       const ValuePurity *Effects) {
  if (C.isRecursive())
    return error(Fn, "calls itself and cannot be outlined");
  if (!C.getVariables().empty()) {
    const Value *V = C.getVariables().front();
    const Operation *Op = V->getDefiningOp();
    return error(
        Fn, "uses '%" +
                (Op ? Op->getVarName() : cast<BlockArgument>(V)->getName()) +
                "' of the code around it and cannot be outlined");
  }
  if (!C.getTypeVars().empty())
    return error(Fn, "uses the type parameter '" +
                         C.getTypeVars().front()->getName() +
                         "' of the code around it and cannot be outlined");
  for (const Operation *Node : C.getNodes())
    if (Effects &&
        (!Effects->isEvalPure(Node) || mayHoldReference(Node->getType())))
      return error(Fn, "uses '" + Node->getName() +
                           "' of the code around it, which is evaluated once, "
                           "and cannot be outlined");
  NumCopied += C.getNodes().size();
  if (uint64_t Limit = Ctx.getLimits().Operations; NumCopied > Limit)
    return error(Fn, "and others copy " +
                         describeLimit(Limit, "operations around them",
                                       "-max-operations"));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::unique_ptr<Function> CompilerClosureOutliner::createFunction(
    Rewriter &R, Operation *Fn, const Captures &C, StringRef Symbol) const {
  auto F = std::make_unique<Function>(Ctx, Ctx.intern(Symbol), Fn->getLoc());
  Builder::InsertionGuard Guard(R);
  Block &Body = F->getBody();
  R.setInsertionPointToEnd(Body);
  R.setLoc(Fn->getLoc());
  RegionOutliner Outliner(R);
  Outliner.begin(Body);
  copySignature(R, Fn, Body, Outliner.getCopies());
  for (Operation *Node : C.getNodes())
    Outliner.add(Node);
  R.cloneInto(Fn->getRegion(), Body, Outliner.getCopies());
  F->normalize();
  return F;
}

/// Returns the function of \p Fn: a new one, or one that is equal and has the
/// name already.
FailureOr<Function *> CompilerClosureOutliner::addFunction(Rewriter &R,
                                                           Operation *Fn,
                                                           const Captures &C) {
  StringRef Symbol =
      getStringAttr(Fn->getSignature(), FunctionAttrs::GlobalSymbol);
  std::unique_ptr<Function> New = createFunction(R, Fn, C, Symbol);
  Function *Known = M.lookupFunction(Symbol);
  if (!Known && !GlobalSymbols.contains(Symbol)) {
    ++NumFunctions;
    return R.addFunction(M, std::move(New));
  }
  bool IsEqual =
      Known && Known != Fn->getFunction() && isStructurallyEqual(*Known, *New);
  R.discardFunction(std::move(New));
  if (IsEqual)
    return Known;
  if (!Known)
    return error(*Fn, "has the 'global_symbol' of another function, \"" +
                          Symbol + "\"");
  InFlightDiagnostic D = error(*Fn, "has the 'global_symbol' of '@" + Symbol +
                                        "', which differs from it");
  D.note(Known->getLoc(), "'@" + Symbol + "' is here");
  return D;
}

/// Outlines \p Fn if it is called. Returns true if anything has changed.
FailureOr<bool> CompilerClosureOutliner::outline(Rewriter &R, Operation *Fn,
                                                 const ValuePurity *Effects) {
  Closure Found = findUses(Fn);
  if (Found.Calls.empty())
    return false;
  StringRef Symbol =
      getStringAttr(Fn->getSignature(), FunctionAttrs::GlobalSymbol);
  if (Symbol.empty())
    return error(*Fn, "needs the attribute 'global_symbol' to be outlined");
  auto IsInName = [](char C) {
    return Lexer::isNameChar(C) || Lexer::isOddNameChar(C);
  };
  if (!llvm::all_of(Symbol, IsInName))
    return error(*Fn,
                 "has a 'global_symbol' that is no name of a function, \"" +
                     toPrintable(Symbol) + "\"");
  Captures C(Fn, /*EvaluatedOnce=*/{});
  if (failed(checkCaptures(*Fn, C, Effects)))
    return failure();
  if (!R.startRewrite("outline", Fn))
    return false;
  FailureOr<Function *> F = addFunction(R, Fn, C);
  if (failed(F))
    return failure();
  for (Operation *Call : Found.Calls)
    replaceByCallOf(R, Call, **F);
  for (Operation *Alias : llvm::reverse(Found.Aliases))
    if (Alias->use_empty())
      R.eraseOp(Alias);
  if (Fn->use_empty())
    R.eraseOp(Fn);
  ++NumOutlined;
  return true;
}

FailureOr<bool> CompilerClosureOutliner::runOnFunction(Function &F) {
  SmallVector<Operation *> Closures;
  walk(F, [&](Operation *Op) {
    if (Op->is(OpCode::Fn) && isForCompiler(Op->getSignature(), Filter))
      Closures.push_back(Op);
  });
  if (Closures.empty())
    return false;
  std::optional<ValuePurity> Effects = findEffects(F);
  Rewriter R(F);
  bool HasChanged = false;
  for (Operation *Fn : Closures) {
    FailureOr<bool> Result = outline(R, Fn, Effects ? &*Effects : nullptr);
    if (failed(Result))
      return failure();
    HasChanged |= *Result;
  }
  if (HasChanged) {
    R.setForm(F, Function::Form::Definition);
    F.normalize();
  }
  return HasChanged;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

FailureOr<PreservedAnalyses>
OutlineCompilerFunctions::run(Module &M, ModuleAnalysisManager &,
                              PassContext &) {
  SmallVector<Function *> Functions;
  for (Function &F : M.functions())
    if (!F.isSkippedByOptimization())
      Functions.push_back(&F);
  CompilerClosureOutliner Outliner(M, Options.CompilerFilter);
  bool HasChanged = false;
  for (Function *F : Functions) {
    FailureOr<bool> Result = Outliner.runOnFunction(*F);
    if (failed(Result))
      return failure();
    HasChanged |= *Result;
  }
  NumOutlined += Outliner.getNumOutlined();
  NumFunctions += Outliner.getNumFunctions();
  return preserved(HasChanged);
}

std::unique_ptr<Pass> relay::createOutlineCompilerFunctionsPass(
    OutlineCompilerFunctionsOptions Options) {
  return std::make_unique<OutlineCompilerFunctions>(std::move(Options));
}
