//===- Partition.cpp - Outlines matches to closures -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PatternGroups chooses the matches, RegionOutliner creates closures from them.
// In between, inputs are replaced by values that exist before the match. The
// body is a copy, since operations outside the match may use parts of it on the
// way to its root; the originals are erased if they become unused.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Composite/Partition.h"
#include "Rewrite/EffectOrder.h"
#include "Rewrite/ExprCopy.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/RegionOutliner.h"
#include "relay/IR/Walk.h"
#include "relay/Pattern/Composite/PatternGroups.h"

using namespace relay;

bool relay::isPartition(const Operation *Op) {
  return Op->is(OpCode::Fn) &&
         Op->getSignature().getAttr(FunctionAttrs::PartitionedFromPattern);
}

namespace {

class Partitioner {
public:
  Partitioner(Rewriter &R, const PartitionOptions &Options)
      : R(R), Ctx(R.getContext()), Options(Options), Outliner(R) {}
  bool run(const PatternGroup &G);
  bool isRefused(const PatternGroup &G, EffectOrder &Effects);

private:
  void refuse(const PatternGroup &G, StringRef Why) {
    if (Options.OnRefused)
      Options.OnRefused(G.Root, Why);
  }
  Value *getArgument(ExprRef Param);
  void addInputs(const PatternGroup &G);
  void addMembers(const PatternGroup &G);
  void moveOut(Value *Argument);
  void replaceSymbol(ExprRef Param, BlockArgument *Arg);
  const Attrs *getAttributes(const PatternGroup &G);
  Location getLoc(const PatternGroup &G);

  Rewriter &R;
  Context &Ctx;
  const PartitionOptions &Options;
  ReplacedExprs Replaced;
  RegionOutliner Outliner;
  Operation *Fn = nullptr; ///< of the current group
};

} // namespace

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Appends the text of PartitionedFromPattern for \p E to \p Label.
static void addToLabel(std::string &Label, ExprRef E) {
  if (const OpInfo *Info = E.getCalledOperator())
    Label += (Info->Name + "_").str();
  else if (E.isCall())
    Label += "Call_";
  else if (E.getLetOperation())
    Label += "Let_";
  Operation *Op = E.getOperation();
  if (!Op)
    return;
  switch (Op->getCode()) {
  case OpCode::Tuple:
    Label += "Tuple_";
    return;
  case OpCode::TupleGetItem:
    Label += ("TupleGetItem" + Twine(TupleGetItemOp(Op).attrs().index()) + "_")
                 .str();
    return;
  case OpCode::Fn:
    Label += "Function";
    return;
  case OpCode::If:
    Label += "If_";
    return;
  case OpCode::Match:
    Label += "Match_";
    return;
  default:
    return;
  }
}

const Attrs *Partitioner::getAttributes(const PatternGroup &G) {
  std::string Label;
  for (ExprRef Node : G.Nodes)
    addToLabel(Label, Node);
  SmallVector<NamedAttr, 4> Entries;
  Attr Key = Ctx.getString(FunctionAttrs::PartitionedFromPattern);
  if (llvm::none_of(Options.Attributes,
                    [&](const NamedAttr &A) { return A.first == Key; }))
    Entries.push_back({Key, Ctx.getString(Label)});
  llvm::append_range(Entries, Options.Attributes);
  return Ctx.getDictAttrs(Entries);
}

/// Returns the location of the whole match.
Location Partitioner::getLoc(const PatternGroup &G) {
  SmallVector<Operation *, 8> Members;
  for (ExprRef Node : G.Nodes)
    if (Operation *Op = Node.getOperation())
      Members.push_back(Op);
  if (Members.empty() || Members.back() != G.Root)
    Members.push_back(G.Root);
  return getGroupLoc(Members);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Returns the current value of \p Param.
Value *Partitioner::getArgument(ExprRef Param) {
  if (Value *Call = Replaced.lookup(Param))
    return Call;
  if (Value *V = getOutsideValue(Param))
    return V;
  if (Param.getKind() == ExprRef::Kind::Global)
    return R.create<GlobalRefOp>(Param.getSymbol());
  return R.create<ConstructorRefOp>(Param.getSymbol());
}

/// Returns true if \p V is visible at \p Op.
static bool isVisibleAt(const Operation *Op, const Value *V) {
  return Op->getBlock()->isInside(*V->getParentBlock());
}

/// Moves \p Argument, and its operands, out of a branch of the match.
void Partitioner::moveOut(Value *Argument) {
  auto *Op = dyn_cast<Operation>(Argument);
  if (!Op || Op->isBound() || isVisibleAt(Fn, Op))
    return;
  auto IsVisible = [&](Value *V) { return isVisibleAt(Fn, V); };
  for (Operation *Needed : collectExpression(Op, IsVisible))
    R.moveBefore(Needed, Fn);
}

void Partitioner::addInputs(const PatternGroup &G) {
  for (auto [I, Param] : llvm::enumerate(G.Params)) {
    Value *Argument = getArgument(Param);
    moveOut(Argument);
    std::string Name =
        ("FunctionVar_" + Twine(G.Number) + "_" + Twine(I)).str();
    Outliner.addInput(Argument, Ctx.intern(Name), R.getLoc());
  }
}

/// Replaces a parameter by a global function or a constructor.
void Partitioner::replaceSymbol(ExprRef Param, BlockArgument *Arg) {
  SmallVector<Operation *, 4> Calls, References;
  walk(Fn->getRegion(), [&](Operation *Op) {
    if (ExprRef::getUse(Op) == Param)
      References.push_back(Op);
    else if (ExprRef E = ExprRef::getDefinition(Op);
             E.isCall() && E.getCallee() == Param)
      Calls.push_back(Op);
  });
  for (Operation *Op : References)
    R.replaceAllUses(Op, Arg);
  for (Operation *Op : Calls) {
    SmallVector<Value *, 4> Operands = Op->getOperandVector();
    R.replaceOpWithNew<CallValueOp>(Op, Arg, Operands);
  }
}

void Partitioner::addMembers(const PatternGroup &G) {
  llvm::DenseSet<Value *> Inputs(Outliner.getInputs().begin(),
                                 Outliner.getInputs().end());
  auto IsInput = [&](Value *V) { return Inputs.contains(V); };
  for (Operation *Op : collectExpression(G.Root, IsInput))
    Outliner.addCopy(Op);
  Block &Body = Fn->getRegion();
  R.setResult(Body, Outliner.getCopies().lookup(G.Root));
  for (auto [Param, Arg] : llvm::zip(G.Params, Body.getArguments()))
    if (!getOutsideValue(Param))
      replaceSymbol(Param, Arg);
  Outliner.finish(Body.getResult(), getAttributes(G));
}

/// Returns true if a parameter of \p G is a variable that a `let` in G binds,
/// which has no value outside.
static bool hasInnerVariable(const PatternGroup &G) {
  llvm::DenseSet<ExprRef> Params(G.Params.begin(), G.Params.end());
  return llvm::any_of(G.Nodes, [&](ExprRef Node) {
    Operation *Bound = Node.getLetOperation();
    return Bound && Params.contains(ExprRef::getUse(Bound));
  });
}

/// Returns true if a call of a closure created from \p G would evaluate
/// arguments with effects in another order than the operations of G.
static bool reordersEffects(const PatternGroup &G, EffectOrder &Effects) {
  if (!Effects.hasEffects())
    return false;
  SmallVector<Value *, 4> Arguments;
  for (ExprRef Param : G.Params)
    if (Value *V = getOutsideValue(Param))
      Arguments.push_back(V);
  return !Effects.isKeptBy(Arguments, G.Root, G.getOperations());
}

/// Returns true if \p G cannot become a closure, or if the check of the pattern
/// refuses it.
bool Partitioner::isRefused(const PatternGroup &G, EffectOrder &Effects) {
  if (reordersEffects(G, Effects)) {
    refuse(G, "arguments would be evaluated in another order");
    return true;
  }
  if (hasInnerVariable(G)) {
    refuse(G, "a parameter cannot replace a variable that a `let` binds");
    return true;
  }
  if (!Options.Check || Options.Check(G.Root))
    return false;
  refuse(G, "the check of the pattern rejected it");
  return true;
}

/// Returns true if the rewrite was not refused.
bool Partitioner::run(const PatternGroup &G) {
  if (!R.startRewrite(Options.Rule, G.Root)) {
    refuse(G, "a flag such as -debug-counter rejected it");
    return false;
  }
  R.setInsertionPoint(G.Root);
  R.setLoc(getLoc(G));
  Fn = R.create<FnOp>();
  R.setInsertionPoint(Fn);
  Outliner.begin(Fn->getRegion());
  addInputs(G);
  addMembers(G);
  R.setInsertionPointAfter(Fn);
  Operation *Call = R.create<CallValueOp>(Fn, Outliner.getInputs());
  replaceRoot(R, G.Root, Call, Replaced);
  return true;
}

FailureOr<unsigned> relay::partitionPattern(Rewriter &R, Matcher &Match,
                                            unsigned I,
                                            const PartitionOptions &Options) {
  RefusedRootFn OnRefused;
  if (Options.OnRefused)
    OnRefused = Options.OnRefused;
  std::vector<PatternGroup> Groups = findPatternGroups(Match, I, OnRefused);
  if (failed(checkSteps(Match, "'" + Options.Rule + "'")))
    return failure();
  if (Groups.empty())
    return 0;
  Partitioner P(R, Options);
  EffectOrder Effects(Match.getFunction());
  llvm::erase_if(
      Groups, [&](const PatternGroup &G) { return P.isRefused(G, Effects); });
  unsigned NumDone = 0;
  for (const PatternGroup &G : Groups)
    NumDone += P.run(G);
  return NumDone;
}
