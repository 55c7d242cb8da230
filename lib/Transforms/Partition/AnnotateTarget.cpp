//===- AnnotateTarget.cpp - Mark operations for compilers -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each call is a region of its own here; merge-compiler-regions merges them.
// Where annotations are placed is TVM's, with these differences:
//
//   - clauses of `match` are ended like branches of `if`;
//   - the empty tuple is not annotated;
//   - a second run leaves regions for other compilers unchanged and annotates
//     the rest anew, whereas TVM's ends keep the former compiler.
//
//===----------------------------------------------------------------------===//

#include "AnnotatedRegions.h"
#include "Annotations.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Annotation.h"
#include "relay/Pattern/Rewrite/PatternPass.h"
#include "relay/Text/Facts/OpFactFile.h"
#include "relay/Transforms/Partition/TargetSupport.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

namespace {

/// Annotates one function.
class TargetAnnotator {
public:
  TargetAnnotator(Function &F, ArrayRef<TargetSupportTable> Targets,
                  bool IncludeNonCallOps)
      : F(F), R(F), Targets(Targets), IncludeNonCallOps(IncludeNonCallOps) {}

  /// Returns the number of operations that a target supports, or none if the
  /// function is unchanged.
  std::optional<unsigned> run();

private:
  StringRef getTargetOf(const Operation &Op) const;
  StringRef getCommonTarget(const Operation &Op) const;
  StringRef lookupTarget(const Value *V) const;
  Value *createEnd(Value *V);
  void annotate(Operation *Op);
  void emitRemark(const Operation *Op) const;
  void collect();
  void annotateOperands(Operation *Op, unsigned First, StringRef Target);
  void endOperands(Operation *Op);
  void endResult(Block &B);
  void annotateBinding(Operation *Op);

  Function &F;
  Rewriter R;
  ArrayRef<TargetSupportTable> Targets;
  bool IncludeNonCallOps;
  bool TakesRemarks = takesMissedRemarks();
  /// The operations to annotate, in pre-order.
  SmallVector<Operation *> Ops;
  /// Composite closures and the operations in them, which are in no region.
  llvm::DenseSet<const Operation *> Composites;
  /// By floating operation: the target that executes it.
  llvm::DenseMap<const Value *, StringRef> TargetOf;
  unsigned NumSupported = 0;
};

class AnnotateTarget final : public AnnotateTargetBase<AnnotateTarget> {
public:
  explicit AnnotateTarget(AnnotateTargetOptions Options)
      : AnnotateTargetBase(std::move(Options)),
        SupportFile(this->Options.Support, "annotate-target", "support") {}
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override;

private:
  using Tables = SmallVector<TargetSupportTable, 2>;

  LogicalResult readSupport(Context &Ctx, Tables &Targets);

  PassFile SupportFile;
};

} // namespace

//===----------------------------------------------------------------------===//
// Targets of operations
//===----------------------------------------------------------------------===//

/// Returns the first target that supports \p Op, or the host.
StringRef TargetAnnotator::getTargetOf(const Operation &Op) const {
  for (const TargetSupportTable &T : Targets)
    if (T.supports(Op))
      return T.getTarget();
  return DefaultCompiler;
}

/// Returns the target of \p V; empty for variables, constants and other values
/// that are not computed by a call.
StringRef TargetAnnotator::lookupTarget(const Value *V) const {
  if (isCompilerEnd(V))
    return getAnnotatedCompiler(*V->getDefiningOp());
  return TargetOf.lookup(V);
}

/// Returns the target of all operands of \p Op, or the host if they differ.
StringRef TargetAnnotator::getCommonTarget(const Operation &Op) const {
  StringRef Common;
  for (const Value *V : Op.operands()) {
    StringRef Target = lookupTarget(V);
    if (Target.empty() || (!Common.empty() && Target != Common))
      return DefaultCompiler;
    Common = Target;
  }
  return Common;
}

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

/// Returns true if the call \p Op has arguments.
static bool hasArguments(const Operation *Op) {
  unsigned NumCallees = Op->is(OpCode::CallValue) ? 1 : 0;
  return Op->getNumOperands() > NumCallees;
}

/// Ends the region of \p V, in the layer of V. Returns the value to use outside
/// of it.
Value *TargetAnnotator::createEnd(Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  StringRef Target = TargetOf.lookup(V);
  // As in TVM, a call without arguments has no end, since nothing begins it.
  if (Target.empty() || !hasArguments(Op))
    return V;
  R.setLoc(Op->getLoc());
  return R.create<CompilerEndOp>(V, Target).getOperation();
}

/// Begins a region of \p Target, in the layer of \p Op, at each operand of Op
/// from \p First on.
void TargetAnnotator::annotateOperands(Operation *Op, unsigned First,
                                       StringRef Target) {
  R.setInsertionPoint(Op);
  for (unsigned I = First; I != Op->getNumOperands(); ++I) {
    Value *End = createEnd(Op->getOperand(I));
    R.setLoc(Op->getLoc());
    R.setOperand(Op, I, R.create<CompilerBeginOp>(End, Target).getOperation());
  }
}

/// Ends the regions of the operands of \p Op, which is in none itself.
void TargetAnnotator::endOperands(Operation *Op) {
  R.setInsertionPoint(Op);
  for (unsigned I = 0; I != Op->getNumOperands(); ++I)
    if (Value *End = createEnd(Op->getOperand(I)); End != Op->getOperand(I))
      R.setOperand(Op, I, End);
}

void TargetAnnotator::endResult(Block &B) {
  R.setInsertionPointToEnd(B);
  if (Value *End = createEnd(B.getResult()); End != B.getResult())
    R.setResult(B, End);
}

/// Binds the variable of \p Op to a begin of its value, as in TVM. Variables of
/// closures are unchanged.
void TargetAnnotator::annotateBinding(Operation *Op) {
  if (Op->is(OpCode::Fn) || isCompilerBegin(Op))
    return;
  Value *Bound = Op->is(OpCode::Alias) ? Op->getOperand(0) : Op;
  StringRef Target = lookupTarget(Bound);
  R.setInsertionPoint(Op);
  R.setLoc(Op->getLoc());
  Operation *Begin = R.create<CompilerBeginOp>(
      Bound, Target.empty() ? StringRef(DefaultCompiler) : Target);
  R.replaceOp(Op, Begin);
  R.setInsertionPoint(Begin);
  if (Value *End = createEnd(Bound); End != Bound)
    R.setOperand(Begin, 0, End);
}

/// Calls of variables are annotated if IncludeNonCallOps is set.
static bool isCallOfVariable(const Operation &Op) {
  if (!Op.is(OpCode::CallValue))
    return false;
  const Operation *Callee = Op.getOperand(0)->getDefiningOp();
  return !Callee || Callee->isBound();
}

static bool isCall(const Operation &Op) {
  return Op.is(OpCode::Operator) || Op.is(OpCode::CallValue) ||
         Op.is(OpCode::CallGlobal) || Op.is(OpCode::CallConstructor);
}

/// Returns true if \p Op is annotated, if at all, for the target of its
/// operands.
static bool followsOperands(const Operation &Op) {
  return Op.is(OpCode::Tuple) || Op.is(OpCode::TupleGetItem) ||
         Op.is(OpCode::RefCreate) || Op.is(OpCode::RefRead) ||
         Op.is(OpCode::RefWrite);
}

/// Emits the reasons why no target supports the call \p Op.
void TargetAnnotator::emitRemark(const Operation *Op) const {
  emitMissedRemark(Op, "unsupported",
                   llvm::join(llvm::map_range(Targets,
                                              [&](const TargetSupportTable &T) {
                                                return T.explainRefusal(*Op);
                                              }),
                              "; "));
}

void TargetAnnotator::annotate(Operation *Op) {
  if (Composites.contains(Op->getParentOp()) || isCompilerBegin(Op))
    return endOperands(Op);
  if (Op->is(OpCode::Alias))
    return; // see annotateBinding()
  bool IsOptional = followsOperands(*Op) || isCallOfVariable(*Op);
  if (IsOptional ? !IncludeNonCallOps || Op->getNumOperands() == 0
                 : !isCall(*Op))
    return endOperands(Op);
  StringRef Target =
      followsOperands(*Op) ? getCommonTarget(*Op) : getTargetOf(*Op);
  if (TakesRemarks && Target == DefaultCompiler && !followsOperands(*Op))
    emitRemark(Op);
  annotateOperands(Op, Op->is(OpCode::CallValue), Target);
  TargetOf[Op] = Target;
  NumSupported += isCall(*Op) && Target != DefaultCompiler;
}

/// Collects the operations to annotate: all except the members and ends of
/// regions of a previous run.
void TargetAnnotator::collect() {
  AnnotatedRegions Regions(F);
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (!isCompilerBegin(Op) &&
        (Regions.lookup(Op) != NoRegion || isCompilerEnd(Op)))
      return WalkResult::advance();
    Ops.push_back(Op);
    if (isComposite(*Op) || Composites.contains(Op->getParentOp()))
      Composites.insert(Op);
    return WalkResult::advance();
  });
}

std::optional<unsigned> TargetAnnotator::run() {
  bool HasChanged = removeDefaultAnnotations(R, F);
  if (HasChanged)
    F.normalize();
  collect();
  if (!R.startRewrite("annotate"))
    return HasChanged ? std::optional<unsigned>(0) : std::nullopt;
  SmallVector<Block *> Blocks = {&F.getBody()};
  for (Operation *Op : Ops) {
    annotate(Op);
    for (Block &B : Op->getRegions())
      Blocks.push_back(&B);
    if (Op->isBound() && !Composites.contains(Op->getParentOp()))
      annotateBinding(Op);
  }
  for (Block *B : Blocks)
    endResult(*B);
  return NumSupported;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Returns true if a closure of \p M is a composite of the target.
static bool hasComposites(Module &M, const TargetSupportTable &T) {
  return walk(M,
              [&](Operation *Op) -> WalkResult {
                return success(!Op->is(OpCode::Fn) ||
                               !T.supportsComposite(*Op));
              })
      .wasInterrupted();
}

/// Reports a target that supports nothing.
static LogicalResult checkTarget(Module &M, const TargetSupportTable &T,
                                 const PassContext &PC) {
  if (T.hasOperators() || PC.getRegistry().lookupTarget(T.getTarget()) ||
      hasComposites(M, T))
    return success();
  return M.getContext().emitError(
      Location(),
      "target '" + T.getTarget() +
          "' supports no operator, and the module has no composites of it" +
          getSuggestion(T.getTarget(), PC.getRegistry().getTargetNames()));
}

/// Reads the file of the option `support`, whose entries replace facts.
LogicalResult AnnotateTarget::readSupport(Context &Ctx, Tables &Targets) {
  if (Options.Support.empty())
    return success();
  auto Text = SupportFile.read(Ctx);
  if (failed(Text))
    return failure();
  Ctx.registerOpFactKind(TargetSupport::Kind);
  auto Add = [&](const OpHookKind &Kind,
                 const OpHookEntry &Entry) -> llvm::Error {
    auto *Table = llvm::find_if(Targets, [&](const TargetSupportTable &T) {
      return T.getTarget() == Entry.Key;
    });
    if (&Kind != &TargetSupport::Kind || Table == Targets.end())
      return llvm::createStringError(
          "expects sections of the form [TargetSupport key=<target>]");
    if (!Table->override(Entry.getOp(), Entry.Value.Number))
      return llvm::createStringError("'" + Entry.getOp().Name +
                                     "' has an entry for target '" + Entry.Key +
                                     "' already");
    return llvm::Error::success();
  };
  SmallVector<StringRef> Keys(Options.Targets.begin(), Options.Targets.end());
  return parseOpFacts(std::move(*Text), Ctx, Keys, Add);
}

FailureOr<PreservedAnalyses>
AnnotateTarget::run(Module &M, ModuleAnalysisManager &, PassContext &PC) {
  Context &Ctx = M.getContext();
  if (Options.Targets.empty())
    return Ctx.emitError(Location(), "'annotate-target' needs a target: "
                                     "'annotate-target<targets=NAME>'");
  Tables Targets;
  for (StringRef Name : Options.Targets) {
    if (Name == DefaultCompiler)
      return Ctx.emitError(Location(),
                           "option 'targets' of 'annotate-target': '" + Name +
                               "' is the host, which executes the operations "
                               "that no target supports");
    Targets.emplace_back(Ctx, Ctx.intern(Name));
  }
  if (failed(readSupport(Ctx, Targets)))
    return failure();
  for (const TargetSupportTable &T : Targets)
    if (failed(checkTarget(M, T, PC)))
      return failure();
  SmallVector<Function *> Changed;
  for (Function &F : M.functions()) {
    if (F.isSkippedByOptimization())
      continue;
    std::optional<unsigned> Number =
        TargetAnnotator(F, Targets, Options.IncludeNonCallOps).run();
    if (!Number)
      continue;
    Changed.push_back(&F);
    NumAnnotated += *Number;
  }
  if (failed(updateDynamicTypes(M, Changed)))
    return failure();
  return preserved(!Changed.empty());
}

std::unique_ptr<Pass>
relay::createAnnotateTargetPass(AnnotateTargetOptions Options) {
  return std::make_unique<AnnotateTarget>(std::move(Options));
}
