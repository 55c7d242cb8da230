//===- LambdaLift.cpp - Make closures global functions --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inner closures are lifted before outer ones, so that a closure is copied into
// its function once. Captured variables become parameters, in the order of
// their first uses; graph nodes around the closure are copied with it. Unlike
// in TVM, nodes that have effects or return references become parameters, too.
// Equal closures over the same variables become one function, unless they call
// themselves. Unlike TVM, which fails in these cases, it lifts closures that
// use themselves as a value or in an inner closure.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Captures.h"
#include "Devices/VariableDevices.h"
#include "Partition/CompilerFunctions.h"
#include "relay/Analysis/Purity.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/RegionOutliner.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/Hashing.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// The function of one closure
//===----------------------------------------------------------------------===//

namespace {

/// Makes a function of a closure, which stays. The function has no name yet;
/// its calls of and references to itself are remembered.
class ClosureCopier {
public:
  /// \p R is of the function that holds \p Fn.
  ClosureCopier(Rewriter &R, Operation *Fn, const Captures &C,
                const VariableDevices &Devices)
      : R(R), Fn(Fn), C(C), Devices(Devices), Ctx(R.getContext()),
        F(std::make_unique<Function>(Ctx, StringRef(), Fn->getLoc())),
        Outliner(R), TypeVars(C.getTypeVars()) {}

  /// The function creates the closure from captured values, and is not the
  /// closure itself.
  bool isAllocator() const {
    return !C.getVariables().empty() || !TypeVars.empty();
  }
  ArrayRef<TypeVarType *> getTypeVars() const { return TypeVars; }

  std::unique_ptr<Function> run() {
    Builder::InsertionGuard Guard(R);
    R.setInsertionPointToEnd(F->getBody());
    R.setLoc(Fn->getLoc());
    if (isAllocator())
      makeAllocator();
    else
      makeFunction();
    F->normalize();
    return std::move(F);
  }
  /// To be called when the function has got its name.
  void nameSelf(StringRef Name);

private:
  void copyNodes();
  void makeFunction();
  void makeAllocator();
  void addSelfCall(Operation *Closure);

  Rewriter &R;
  Operation *Fn;
  const Captures &C;
  const VariableDevices &Devices;
  Context &Ctx;
  std::unique_ptr<Function> F;
  RegionOutliner Outliner;
  SmallVector<TypeVarType *, 2> TypeVars;
  SmallVector<Operation *, 2> SelfUses;
};

} // namespace

static StringRef getGlobalSymbol(const Signature &S) {
  return getStringAttr(S, FunctionAttrs::GlobalSymbol);
}

static StringRef getVariableName(Context &Ctx, Value *V) {
  if (auto *Arg = dyn_cast<BlockArgument>(V))
    return Arg->getName();
  auto *Op = cast<Operation>(V);
  return Op->isBound() ? Op->getVarName() : Ctx.intern("x");
}

/// Makes calls of \p Closure calls of \p F.
static SmallVector<Operation *, 2> redirectCalls(Rewriter &R, Value *Closure,
                                                 const Function &F) {
  SmallVector<Operation *, 2> Calls;
  for (Use &U : Closure->uses()) {
    Operation *User = U.getUserOp();
    if (User && User->is(OpCode::CallValue) && U.getOperandNo() == 0)
      Calls.push_back(User);
  }
  for (Operation *&Call : Calls)
    Call = replaceByCallOf(R, Call, F);
  return Calls;
}

static Operation *createReference(Rewriter &R, StringRef Name, Type *T) {
  Operation *Ref = R.create<GlobalRefOp>(Name);
  R.setType(Ref, T);
  return Ref;
}

/// Copies what floats around the closure into the body.
void ClosureCopier::copyNodes() {
  for (Operation *Node : C.getNodes())
    Outliner.add(Node);
}

void ClosureCopier::makeFunction() {
  Block &From = Fn->getRegion(), &Body = F->getBody();
  Outliner.begin(Body);
  llvm::DenseMap<const Value *, Value *> &Copies = Outliner.getCopies();
  copySignature(R, Fn, Body, Copies);
  copyNodes();
  Operation *Self = nullptr;
  if (C.isRecursive())
    Copies[Fn] = Self = createReference(R, F->getName(), Fn->getType());
  R.cloneInto(From, Body, Copies);
  if (!Self)
    return;
  SelfUses = redirectCalls(R, Self, *F);
  if (Self->use_empty())
    R.eraseOp(Self);
  else
    SelfUses.push_back(Self);
}

void ClosureCopier::makeAllocator() {
  Block &Body = F->getBody();
  Outliner.begin(Body, TypeVars);
  for (Value *V : C.getVariables()) {
    BlockArgument *Param =
        Outliner.addInput(V, getVariableName(Ctx, V), Fn->getLoc());
    R.setVirtualDevice(Param, Devices.lookup(V));
  }
  R.setResultDevice(Body, Fn->getSignature().VirtualDevice);
  copyNodes();
  Operation *Closure = Outliner.add(Fn);
  Outliner.finish(
      Closure, Ctx.getDictAttrs(
                   {{Ctx.getString(FunctionAttrs::Closure), Ctx.getInt(1)}}));
  if (C.isRecursive())
    addSelfCall(Closure);
}

/// Makes uses that \p Closure makes of itself calls of the function.
void ClosureCopier::addSelfCall(Operation *Closure) {
  Block &Body = F->getBody();
  SmallVector<Value *, 4> Params(Body.getArguments());
  Operation *Self = R.create<CallGlobalOp>(Params, F->getName());
  R.setTypeArgs(Self, Outliner.getTypeParams());
  R.setType(Self, F->getSignature().ResultAnnotation);
  R.replaceUsesIf(Closure, Self,
                  [&](Use &U) { return &U != &Body.getResultUse(); });
  SelfUses.push_back(Self);
}

void ClosureCopier::nameSelf(StringRef Name) {
  for (Operation *Op : SelfUses) {
    const Attrs *A = Op->getAttrs();
    if (auto *Call = dyn_cast<CallGlobalAttrs>(A))
      R.setAttrs(Op, Call->toBuilder(Ctx).callee(Name).get());
    else
      R.setAttrs(Op, SymbolAttrs::get(Ctx, Name));
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// The floating operations of a function that are evaluated once, before the
/// closures that use them are made: copies would repeat or move effects, or
/// make further references.
class OperationsEvaluatedOnce : public RewriteListener {
public:
  OperationsEvaluatedOnce(Function &F, const Purity &Calls);
  const llvm::DenseSet<const Operation *> &get() const { return Ops; }

  // RewriteListener:
  void notifyReplaced(Operation *Op, Value *New) override {
    auto *NewOp = dyn_cast<Operation>(New);
    if (Ops.contains(Op) && NewOp && NewOp->isFloating())
      Ops.insert(NewOp);
  }
  void notifyErased(Operation *Op) override { Ops.erase(Op); }

private:
  llvm::DenseSet<const Operation *> Ops;
};

/// Lifts the closures of one module.
class Lifter {
public:
  /// \p Calls is null where nothing has an effect.
  Lifter(Module &M, const Purity *Calls)
      : M(M), Calls(Calls), GlobalSymbols(getGlobalSymbols(M)) {}

  LogicalResult runOnFunction(Function &F);
  /// Closures, and the functions created from them.
  unsigned getNumLifted() const { return NumLifted; }
  unsigned getNumMade() const { return NumMade; }

private:
  /// A function that allocates a closure over some variables.
  struct Allocator {
    Function *F;
    SmallVector<Value *, 2> Variables;
  };

  using OperationSet = llvm::DenseSet<const Operation *>;

  LogicalResult checkCopies(const Operation *Fn, const Captures &C);
  bool isSymbolTaken(Operation *Fn, const VariableDevices &Devices,
                     const OperationSet &EvaluatedOnce);
  Function *findEqual(Function &F, uint64_t Hash, const Captures &C) const;
  Function *add(Rewriter &R, std::unique_ptr<Function> F, uint64_t Hash,
                const Captures &C);
  LogicalResult lift(Rewriter &R, Operation *Fn, VariableDevices &Devices,
                     const OperationSet &EvaluatedOnce);
  Operation *createUse(Rewriter &R, Operation *Fn, const ClosureCopier &Copier,
                       const Captures &C, const Function &F);

  Module &M;
  const Purity *Calls;
  llvm::StringSet<> GlobalSymbols; ///< of functions before the pass
  llvm::StringSet<> LiftedSymbols; ///< of functions that the pass adds
  /// By the hash of the function and the variables.
  llvm::DenseMap<uint64_t, SmallVector<Allocator, 1>> Allocators;
  /// By hash, the number after that of the last name that was made of it.
  llvm::DenseMap<uint64_t, uint64_t> NextNumbers;
  uint64_t NumCopied = 0;
  unsigned NumLifted = 0, NumMade = 0;
};

class LambdaLift final : public LambdaLiftBase<LambdaLift> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;
};

} // namespace

OperationsEvaluatedOnce::OperationsEvaluatedOnce(Function &F,
                                                 const Purity &Calls) {
  ValuePurity Values(F, [&](StringRef Name) { return Calls.isCallPure(Name); });
  walk(F, [&](Operation *Op) {
    if (Op->isFloating() && !Op->is(OpCode::Fn) && !isSymbolRef(*Op) &&
        (!Values.isEvalPure(Op) || mayHoldReference(Op->getType())))
      Ops.insert(Op);
  });
}

/// Returns the closure that \p F, a function of an earlier run, creates; null
/// for other functions.
static const Value *getAllocatedClosure(const Function &F) {
  return hasNonzeroAttr(F.getSignature(), FunctionAttrs::Closure)
             ? F.getBody().getResult()
             : nullptr;
}

/// The closures of \p F to be lifted, inner ones first.
static SmallVector<Operation *> getClosures(Function &F) {
  if (!F.getNumRegions())
    return {};
  const Value *Allocated = getAllocatedClosure(F);
  SmallVector<Operation *> Closures;
  walk(F, [&](Operation *Op) {
    if (Op->is(OpCode::Fn) && Op != Allocated)
      Closures.push_back(Op);
  });
  if (llvm::none_of(Closures, isPrimitiveFn))
    return Closures;
  llvm::DenseSet<const Operation *> Primitive; // with regions, and so around
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (Op->getNumRegions() &&
        (isPrimitiveFn(Op) || Primitive.contains(Op->getParentOp())))
      Primitive.insert(Op);
  });
  llvm::erase_if(Closures,
                 [&](Operation *Op) { return Primitive.contains(Op); });
  return Closures;
}

static std::string getLiftedName(uint64_t Hash) {
  return "lifted_name" + std::to_string(Hash);
}

/// Graph nodes around closures are copied into each, and variables around them
/// become parameters of each.
LogicalResult Lifter::checkCopies(const Operation *Fn, const Captures &C) {
  NumCopied += C.getNodes().size() + C.getVariables().size();
  uint64_t Limit = M.getContext().getLimits().Operations;
  if (NumCopied <= Limit)
    return success();
  return M.getContext().emitError(
      Fn->getLoc(),
      "lifting closures copies " +
          describeLimit(Limit, "operations and variables around them",
                        "-max-operations"));
}

static uint64_t getAllocatorHash(uint64_t Hash, ArrayRef<Value *> Variables) {
  return llvm::hash_combine(
      Hash, llvm::hash_combine_range(Variables.begin(), Variables.end()));
}

/// A function that \p F, of a closure that does not use itself, is a copy of.
Function *Lifter::findEqual(Function &F, uint64_t Hash,
                            const Captures &C) const {
  if (!C.getVariables().empty()) {
    auto Known = Allocators.find(getAllocatorHash(Hash, C.getVariables()));
    if (Known == Allocators.end())
      return nullptr;
    for (const Allocator &A : Known->second)
      if (ArrayRef(A.Variables) == C.getVariables() &&
          isStructurallyEqual(*A.F, F))
        return A.F;
    return nullptr;
  }
  for (;; ++Hash) {
    Function *Known = M.lookupFunction(getLiftedName(Hash));
    if (!Known || isStructurallyEqual(*Known, F))
      return Known;
  }
}

Function *Lifter::add(Rewriter &R, std::unique_ptr<Function> New, uint64_t Hash,
                      const Captures &C) {
  Function *F = R.addFunction(M, std::move(New));
  if (StringRef Symbol = getGlobalSymbol(F->getSignature()); !Symbol.empty())
    LiftedSymbols.insert(Symbol);
  SmallVector<Value *, 2> Variables(C.getVariables());
  Allocators[getAllocatorHash(Hash, Variables)].push_back(
      {F, std::move(Variables)});
  uint64_t &Number = NextNumbers.try_emplace(Hash, Hash).first->second;
  while (M.lookupFunction(getLiftedName(Number)))
    ++Number;
  R.renameFunction(*F, getLiftedName(Number));
  ++NumMade;
  return F;
}

/// The replacement of \p Fn: a reference to \p F, or a call of it.
Operation *Lifter::createUse(Rewriter &R, Operation *Fn,
                             const ClosureCopier &Copier, const Captures &C,
                             const Function &F) {
  R.setInsertionPoint(Fn);
  R.setLoc(Fn->getLoc());
  if (!Copier.isAllocator())
    return createReference(R, F.getName(), Fn->getType());
  Operation *Call = R.create<CallGlobalOp>(C.getVariables(), F.getName());
  if (!Copier.getTypeVars().empty())
    R.setTypeArgs(Call, SmallVector<Type *, 2>(Copier.getTypeVars().begin(),
                                               Copier.getTypeVars().end()));
  R.setType(Call, Fn->getType());
  return Call;
}

/// Returns true if a function that would not be the one of \p Fn has its
/// `global_symbol`: two functions cannot have one symbol.
bool Lifter::isSymbolTaken(Operation *Fn, const VariableDevices &Devices,
                           const OperationSet &EvaluatedOnce) {
  StringRef Symbol = getGlobalSymbol(Fn->getSignature());
  if (Symbol.empty() || GlobalSymbols.contains(Symbol))
    return !Symbol.empty();
  if (!LiftedSymbols.contains(Symbol))
    return false;
  Captures C(Fn, EvaluatedOnce);
  if (C.isRecursive())
    return true;
  Rewriter Trial(*Fn->getFunction());
  std::unique_ptr<Function> Copy = ClosureCopier(Trial, Fn, C, Devices).run();
  bool IsTaken = !findEqual(*Copy, getStructuralHash(*Copy), C);
  Trial.discardFunction(std::move(Copy));
  return IsTaken;
}

LogicalResult Lifter::lift(Rewriter &R, Operation *Fn, VariableDevices &Devices,
                           const OperationSet &EvaluatedOnce) {
  if (!R.startRewrite("lift", Fn))
    return success();
  ++NumLifted;
  Captures C(Fn, EvaluatedOnce);
  if (failed(checkCopies(Fn, C)))
    return failure();
  ClosureCopier Copier(R, Fn, C, Devices);
  std::unique_ptr<Function> New = Copier.run();
  uint64_t Hash = getStructuralHash(*New);
  Function *F = C.isRecursive() ? nullptr : findEqual(*New, Hash, C);
  if (F) {
    R.discardFunction(std::move(New));
  } else {
    F = add(R, std::move(New), Hash, C);
    Copier.nameSelf(F->getName());
  }
  if (!Copier.isAllocator() && Fn->isFloating()) {
    redirectCalls(R, Fn, *F);
    if (Fn->use_empty()) {
      R.eraseOp(Fn);
      return success();
    }
  }
  Operation *Use = createUse(R, Fn, Copier, C, *F);
  Devices.replace(Fn, Use);
  R.replaceOp(Fn, Use);
  return success();
}

LogicalResult Lifter::runOnFunction(Function &F) {
  SmallVector<Operation *> Closures = getClosures(F);
  if (Closures.empty())
    return success();
  VariableDevices Devices(F);
  Rewriter R(F);
  std::optional<OperationsEvaluatedOnce> Once;
  if (Calls)
    R.addListener(&Once.emplace(F, *Calls));
  const OperationSet None;
  const OperationSet &EvaluatedOnce = Once ? Once->get() : None;
  for (Operation *Fn : Closures)
    if (!isSymbolTaken(Fn, Devices, EvaluatedOnce) &&
        failed(lift(R, Fn, Devices, EvaluatedOnce)))
      return failure();
  if (R.getNumRewrites())
    R.setForm(F, Function::Form::Definition);
  return success();
}

/// Returns the functions whose closures are lifted.
static SmallVector<Function *> getOpenFunctions(Module &M) {
  SmallVector<Function *> Functions;
  for (Function &F : M.functions())
    if (!isCompiledAsOne(F.getSignature()))
      Functions.push_back(&F);
  return Functions;
}

FailureOr<PreservedAnalyses>
LambdaLift::run(Module &M, ModuleAnalysisManager &AM, PassContext &) {
  Lifter L(M, hasEffects(M) ? &AM.getResult<PurityAnalysis>(M) : nullptr);
  for (Function *F : getOpenFunctions(M))
    if (failed(L.runOnFunction(*F)))
      return failure();
  unsigned Dropped = 0;
  for (Function *F : getOpenFunctions(M)) // the lifted ones too
    Dropped += dropImpliedDevices(*F);
  NumLifted += L.getNumLifted();
  NumFunctions += L.getNumMade();
  NumDropped += Dropped;
  return preserved(Dropped || L.getNumLifted());
}

std::unique_ptr<Pass> relay::createLambdaLiftPass() {
  return std::make_unique<LambdaLift>();
}
