//===- PartitionGraph.cpp - Make functions of annotated regions -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each region becomes a global function with the attribute `Compiler`; its
// begins are the arguments of the call, its ends the results. Names and the
// order of parameters and results are TVM's.
//
//===----------------------------------------------------------------------===//

#include "AnnotatedRegions.h"
#include "Annotations.h"
#include "CompilerFunctions.h"
#include "RegionGraph.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/RegionOutliner.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Annotation.h"
#include "relay/Transforms/Partition/TargetSupport.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

namespace {

/// Makes the function of one region.
class RegionFunction {
public:
  /// \p Number is that of the region.
  RegionFunction(Rewriter &R, const AnnotatedRegions::Region &Region,
                 unsigned Number)
      : R(R), Ctx(R.getContext()), Region(Region), Number(Number), Outliner(R) {
  }

  /// Adds the function \p Name, with copies of the members, to \p M, and
  /// replaces the region by a call of it.
  void outline(Module &M, StringRef Name, bool BindConstants);

private:
  Location getLocation() const;
  void create(StringRef Name, bool BindConstants);
  void addBegin(Operation *Begin, bool BindConstants);
  void addMember(Operation *Op);
  void finish(StringRef Name);
  void replaceEnds(Operation *Call);
  void eraseRegion();

  Rewriter &R;
  Context &Ctx;
  const AnnotatedRegions::Region &Region;
  unsigned Number;
  RegionOutliner Outliner;
  /// The members that are results, without repetitions, and their numbers.
  SmallVector<Value *, 2> Results;
  llvm::SmallDenseMap<const Value *, unsigned, 4> ResultNumbers;
  /// Distinct values at begins, constants included.
  unsigned NumInputs = 0;
};

class PartitionGraph final : public PartitionGraphBase<PartitionGraph> {
public:
  using PartitionGraphBase::PartitionGraphBase;
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

private:
  FailureOr<bool> runOnFunction(Function &F);
  std::string getName(const Function &F, StringRef Compiler,
                      unsigned Number) const;

  llvm::StringSet<> GlobalSymbols; ///< of the module before the pass
};

} // namespace

//===----------------------------------------------------------------------===//
// One region
//===----------------------------------------------------------------------===//

Location RegionFunction::getLocation() const {
  ArrayRef<Operation *> Ends = Region.Ends, Members = Region.Members;
  return getGroupLoc(Members.empty() ? Ends : Members);
}

/// Maps the begin \p Begin to a parameter, or to a copy of the constant that it
/// begins.
void RegionFunction::addBegin(Operation *Begin, bool BindConstants) {
  llvm::DenseMap<const Value *, Value *> &Copies = Outliner.getCopies();
  Value *Input = Begin->getOperand(0);
  if (!Copies.contains(Input)) {
    std::string Name =
        (Region.Compiler + "_" + Twine(Number) + "_i" + Twine(NumInputs++))
            .str();
    if (BindConstants && isa<ConstantOp>(Input))
      Outliner.addCopy(Input->getDefiningOp());
    else
      Outliner.addInput(Input, Ctx.intern(Name), Begin->getLoc());
  }
  Value *Inner = Copies.lookup(Input);
  Copies[Begin] = Inner;
}

/// Copies \p Op, and before it the closure that it calls.
void RegionFunction::addMember(Operation *Op) {
  if (Op->is(OpCode::CallValue)) {
    Operation *Callee = Op->getOperand(0)->getDefiningOp();
    if (Callee && Callee->is(OpCode::Fn) && Callee->isFloating() &&
        !Outliner.getCopies().contains(Callee))
      Outliner.addCopy(Callee);
  }
  Outliner.addCopy(Op);
}

/// Makes the values at the ends the results.
void RegionFunction::finish(StringRef Name) {
  SmallVector<Value *, 2> Inner;
  for (Operation *End : Region.Ends) {
    Value *Result = End->getOperand(0);
    if (!ResultNumbers.try_emplace(Result, Results.size()).second)
      continue;
    Results.push_back(Result);
    Inner.push_back(Outliner.getCopies().lookup(Result));
  }
  Outliner.finish(
      Inner,
      Ctx.getDictAttrs(
          {{Ctx.getString(FunctionAttrs::Compiler),
            Ctx.getString(Region.Compiler)},
           {Ctx.getString(FunctionAttrs::Primitive), Ctx.getInt(1)},
           {Ctx.getString(FunctionAttrs::Inline), Ctx.getInt(1)},
           {Ctx.getString(FunctionAttrs::GlobalSymbol), Ctx.getString(Name)}}));
}

void RegionFunction::create(StringRef Name, bool BindConstants) {
  Outliner.beginFunction(Name, Region.Members, R.getLoc());
  for (Operation *Begin : Region.Begins)
    addBegin(Begin, BindConstants);
  for (Operation *Op : Region.Members)
    addMember(Op);
  finish(Name);
}

void RegionFunction::replaceEnds(Operation *Call) {
  SmallVector<Value *, 2> Outer;
  for (unsigned I = 0; I != Results.size(); ++I)
    Outer.push_back(Outliner.getResult(Call, I, Results.size()));
  bool HaveSeveralEnds = Region.Ends.size() != Results.size();
  for (Operation *End : Region.Ends) {
    Value *New = Outer[ResultNumbers.lookup(End->getOperand(0))];
    // The other ends may be outside of the scope of this variable.
    if (HaveSeveralEnds && End->isBound())
      New = R.create<AliasOp>(New).getOperation();
    R.replaceOpByLessDynamic(End, New);
  }
}

void RegionFunction::outline(Module &M, StringRef Name, bool BindConstants) {
  Builder::InsertionGuard Guard(R);
  R.setInsertionPoint(Region.Ends.front());
  R.setLoc(getLocation());
  create(Name, BindConstants);
  replaceEnds(Outliner.call(M));
  eraseRegion();
}

void RegionFunction::eraseRegion() {
  for (Operation *Op : llvm::reverse(Region.Members))
    R.eraseOp(Op);
  for (Operation *Begin : Region.Begins)
    R.eraseOp(Begin);
}

//===----------------------------------------------------------------------===//
// Preparing a function
//===----------------------------------------------------------------------===//

/// Replaces ends of tuples by tuples of ends, so that the fields are results.
/// As in TVM, a field that is a begin becomes a region that returns its
/// operand.
static bool flattenTuples(Rewriter &R, Function &F) {
  SmallVector<Operation *> Ends;
  walk(F, [&](Operation *Op) {
    if (isCompilerEnd(Op) && isa<TupleOp>(Op->getOperand(0)))
      Ends.push_back(Op);
  });
  if (Ends.empty() || !R.startRewrite("flatten-tuples"))
    return false;
  Builder::InsertionGuard Guard(R);
  for (Operation *End : Ends) {
    StringRef Compiler = getAnnotatedCompiler(*End);
    R.setInsertionPoint(End);
    R.setLoc(End->getLoc());
    SmallVector<Value *, 4> Fields;
    for (Value *Field : End->getOperand(0)->getDefiningOp()->operands())
      Fields.push_back(R.create<CompilerEndOp>(Field, Compiler).getOperation());
    R.replaceOpByLessDynamic(End, R.create<TupleOp>(Fields).getOperation());
  }
  return true;
}

/// Removes begins of variables, which annotate-target creates for each `let`.
static bool removeBeginsOfVariables(Rewriter &R, Function &F) {
  return removeAnnotations(
      R, F, "remove-begins-of-variables",
      [](const Operation &Op) { return isCompilerBegin(&Op) && Op.isBound(); });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Returns TVM's name of a region's function.
std::string PartitionGraph::getName(const Function &F, StringRef Compiler,
                                    unsigned Number) const {
  std::string Name = "tvmgen_";
  if (!Options.ModName.empty())
    Name += Options.ModName + "_";
  Name += (Compiler + "_" + F.getName() + "_" + Twine(Number)).str();
  for (char &C : Name)
    if (!llvm::isAlnum(C))
      C = '_';
  return Name;
}

FailureOr<bool> PartitionGraph::runOnFunction(Function &F) {
  Module &M = *F.getModule();
  Rewriter R(F);
  bool HasChanged = removeDefaultAnnotations(R, F);
  HasChanged |= flattenTuples(R, F);
  HasChanged |= removeBeginsOfVariables(R, F);
  if (HasChanged)
    F.normalize();
  // Annotations for the host are there only if their removal was refused.
  auto Graph = RegionGraph::create(F, RegionGraph::HostNodes::Operations);
  if (failed(Graph))
    return failure();
  if (!*Graph)
    return HasChanged;
  const AnnotatedRegions &Regions = (*Graph)->getRegions();
  // A region is replaced before its readers, so that several ends of a value
  // become one argument.
  for (unsigned N : (*Graph)->getOrder()) {
    if (!(*Graph)->isRegion(N) || Regions.get(N).Ends.empty())
      continue;
    const AnnotatedRegions::Region &Region = Regions.get(N);
    if (Region.Compiler == DefaultCompiler)
      continue;
    std::string Name = getName(F, Region.Compiler, N);
    if (M.lookupFunction(Name) || GlobalSymbols.contains(Name))
      return M.getContext().emitError(
          Region.Ends.front()->getLoc(),
          "the function of the region that ends here would be '@" + Name +
              "', a name or 'global_symbol' that exists already; "
              "partition-graph<mod-name=...> gives another name");
    if (!R.startRewrite("partition", Region.Ends.front()))
      continue;
    RegionFunction(R, Region, N).outline(M, Name, Options.BindConstants);
    ++NumRegions;
    NumOutlined += Region.Members.size();
    R.setForm(F, Function::Form::Definition);
    HasChanged = true;
  }
  return HasChanged;
}

FailureOr<PreservedAnalyses>
PartitionGraph::run(Module &M, ModuleAnalysisManager &, PassContext &) {
  SmallVector<Function *> Functions;
  for (Function &F : M.functions())
    if (!F.isSkippedByOptimization())
      Functions.push_back(&F);
  GlobalSymbols = getGlobalSymbols(M);
  SmallVector<Function *> Changed;
  for (Function *F : Functions) {
    FailureOr<bool> Result = runOnFunction(*F);
    if (failed(Result))
      return failure();
    if (*Result)
      Changed.push_back(F);
  }
  if (failed(updateDynamicTypes(M, Changed)))
    return failure();
  return preserved(!Changed.empty());
}

std::unique_ptr<Pass>
relay::createPartitionGraphPass(PartitionGraphOptions Options) {
  return std::make_unique<PartitionGraph>(std::move(Options));
}
