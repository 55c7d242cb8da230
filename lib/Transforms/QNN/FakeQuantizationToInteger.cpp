//===- FakeQuantizationToInteger.cpp - Convert to integers ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the regions from qnn.dequantize to qnn.quantize that have a hook for
// each operator (FakeQuantization.td), and replaces them by integers. Every
// region is converted separately, as in TVM: operations of two regions are
// converted twice.
//
//===----------------------------------------------------------------------===//

#include "FakeQuantizationRegion.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

// The operators of the hooks.
#include "relay/Ops/Conv.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Tensor.h"
#define RELAY_DEFINE_OP_HOOKS
#include "relay/Transforms/QNN/FakeQuantization.h.inc"

using namespace relay;

namespace {

/// Properties of the operations up to the next qnn.dequantize. Block arguments,
/// bound operations and control flow are not data flow.
struct Upstream {
  bool IsDataflow = false;
  bool HasCalls = false;
  /// A call that cannot be converted; null if there is none.
  Operation *Obstacle = nullptr;

  void add(const Upstream &Other) {
    IsDataflow &= Other.IsDataflow;
    HasCalls |= Other.HasCalls;
    if (!Obstacle)
      Obstacle = Other.Obstacle;
  }
};

/// Converts the regions of one function.
class FakeQuantizer {
public:
  FakeQuantizer(Function &F, PassContext &PC,
                const FakeQuantizationToIntegerOptions &Options);

  /// Reports unknown operators in the options.
  LogicalResult checkOptions() const;
  /// Converts the regions that end in qnn.quantize.
  LogicalResult convertRegions();
  /// Converts single operations with dequantized operands.
  LogicalResult convertForTraining();
  bool hasChanged() const { return NumRegions + NumAlone != 0; }
  bool hasChangedTypes() const { return HasChangedTypes; }

  uint64_t NumRegions = 0, NumAlone = 0;

private:
  bool hasRule(const Operation *Op) const;
  Upstream getOperands(Operation *Op) const;
  LogicalResult visitRegions(Operation *Op);
  LogicalResult visitForTraining(Operation *Op);
  FailureOr<Value *> convert(Operation *Root, StringRef Rule);
  LogicalResult refuse(Operation *Root, Operation *Op, const Twine &Reason);
  void eraseUnused();

  Function &F;
  const FakeQuantizationToIntegerOptions &Options;
  llvm::StringSet<> OptionalOps;
  OpHooks<FakeQuantization> Hooks;
  ConstantEvaluator Folder;
  Rewriter R;
  /// The known states of values that are data flow only.
  llvm::DenseMap<const Value *, Upstream> Known;
  /// Operands of replaced operations.
  SmallVector<Value *, 0> MaybeUnused;
  uint64_t NumVisited = 0;
  uint64_t MaxVisited;
  bool HasChangedTypes = false;
};

} // namespace

FakeQuantizer::FakeQuantizer(Function &F, PassContext &PC,
                             const FakeQuantizationToIntegerOptions &Options)
    : F(F), Options(Options), Hooks(F.getContext(), PC.getTargetKeys()),
      Folder(F.getContext()), R(F),
      MaxVisited((uint64_t(1) << 18) + 64 * uint64_t(F.getNumValues())) {
  for (StringRef Name : Options.OptionalQnnOps)
    OptionalOps.insert(Name);
  R.keepResultAnnotations(); // callers rely on the type of the result
}

/// Reports names in optional-qnn-ops of operators that do not exist, and of
/// operators without a rule.
LogicalResult FakeQuantizer::checkOptions() const {
  Context &Ctx = F.getContext();
  for (StringRef Name : Options.OptionalQnnOps) {
    const OpInfo *Info = Ctx.lookupOp(Name);
    if (Info && Hooks.lookup(*Info))
      continue;
    SmallVector<StringRef> Known = Ctx.getOperatorNames();
    llvm::erase_if(Known, [&](StringRef Each) {
      return !Hooks.lookup(*Ctx.lookupOp(Each));
    });
    InFlightDiagnostic Error = Ctx.emitError(Location());
    Error << "optional-qnn-ops: ";
    if (!Info)
      return Error << "unknown operator '" << Name << "'"
                   << getSuggestion(Name, Known);
    return Error << "'" << Name << "' has no rule; operators with a rule: "
                 << llvm::join(Known, ", ");
  }
  return success();
}

bool FakeQuantizer::hasRule(const Operation *Op) const {
  OpHook<FakeQuantization> Hook = Hooks.lookup(*Op);
  return Hook && (!(Hook.getNumber() & FakeQuantizationFlags::IsOptional) ||
                  OptionalOps.contains(Op->getName()));
}

/// Combines the properties of the operands of \p Op.
Upstream FakeQuantizer::getOperands(Operation *Op) const {
  Upstream Result;
  Result.IsDataflow = true;
  for (const Value *Operand : Op->operands())
    Result.add(Known.lookup(Operand));
  return Result;
}

/// Returns true if \p Op is a call of an operator, a tuple or a projection.
static bool isDataflow(const Operation *Op) {
  return Op->is(OpCode::Operator) || isa<TupleOp>(Op) ||
         isa<TupleGetItemOp>(Op) || isa<ConstantOp>(Op);
}

/// Reports that \p Op prevents the conversion of \p Root: an error with
/// hard-fail, a remark without.
LogicalResult FakeQuantizer::refuse(Operation *Root, Operation *Op,
                                    const Twine &Reason) {
  if (!Options.HardFail) {
    if (takesMissedRemarks())
      emitMissedRemark(Root, "kept-region",
                       "cannot convert " + Op->getDescription() +
                           " to integers: " + Reason);
    return success();
  }
  InFlightDiagnostic Error = F.getContext().emitError(Op->getLoc());
  Error << "'fake-quantization-to-integer' cannot convert '" << Op->getName()
        << "' to integers: " << Reason;
  if (Root != Op)
    Error.note(Root->getLoc(), "the region ends here");
  return failure();
}

/// Returns the value that has replaced \p Root; null if it has not been
/// replaced. Limits the work where regions overlap: their operations are
/// converted once for each region.
FailureOr<Value *> FakeQuantizer::convert(Operation *Root, StringRef Rule) {
  if (NumVisited > MaxVisited) {
    if (failed(refuse(Root, Root,
                      "regions overlap and have more than " +
                          Twine(MaxVisited) + " operations together")))
      return failure();
    return nullptr;
  }
  RegionConversion Region(Root, Hooks, Folder);
  Value *New = Region.run();
  NumVisited += Region.getNumOperations();
  R.setInsertionPoint(Root);
  if (!New || !R.startRewrite(Rule, Root)) {
    Region.forgetDraft();
    const FakeQuantizationFailure &Why = Region.getFailure();
    if (!New && failed(refuse(Root, Why.Op, Why.Reason)))
      return failure();
    return nullptr;
  }
  R.insertDraft(Region.getDraft());
  R.noteQuantized(Region.getQuantized());
  llvm::append_range(MaybeUnused, Root->operands());
  Known.erase(Root);
  Folder.forget(Root);
  HasChangedTypes |= R.replaceOpByLessDynamic(Root, New);
  return New;
}

//===----------------------------------------------------------------------===//
// Regions that end in qnn.quantize
//===----------------------------------------------------------------------===//

LogicalResult FakeQuantizer::visitRegions(Operation *Op) {
  if (!isDataflow(Op))
    return success();
  auto Quantize = dyn_cast<QnnQuantizeOp>(Op);
  Upstream Data = Quantize                   ? Known.lookup(Quantize.data())
                  : isa<QnnDequantizeOp>(Op) ? Upstream{true, true, nullptr}
                                             : getOperands(Op);
  if (!Quantize && Op->is(OpCode::Operator)) {
    Data.HasCalls = true;
    if (!Data.Obstacle && !isa<QnnDequantizeOp>(Op) && !hasRule(Op))
      Data.Obstacle = Op;
  }
  if (Op->isFloating() && Data.IsDataflow)
    Known[Op] = Data;
  if (!Quantize || !Data.IsDataflow || !Data.HasCalls)
    return success();
  if (Data.Obstacle)
    return refuse(Op, Data.Obstacle, "no rule for the operator");
  FailureOr<Value *> New = convert(Op, "quantize-region");
  if (failed(New))
    return failure();
  NumRegions += *New != nullptr;
  return success();
}

LogicalResult FakeQuantizer::convertRegions() {
  if (walk(F, [&](Operation *Op) {
        return WalkResult(visitRegions(Op));
      }).wasInterrupted())
    return failure();
  eraseUnused();
  return success();
}

/// Erases the operations that only replaced operations used.
void FakeQuantizer::eraseUnused() {
  if (MaybeUnused.empty())
    return;
  R.noteRewrite("erase-floats");
  Folder.clear();
  Known.clear();
  llvm::DenseSet<const Value *> Erased;
  while (!MaybeUnused.empty()) {
    Value *V = MaybeUnused.pop_back_val();
    if (Erased.contains(V))
      continue;
    auto *Op = dyn_cast<Operation>(V);
    if (!Op || Op->isBound() || !Op->use_empty() || Op->getNumRegions())
      continue;
    llvm::append_range(MaybeUnused, Op->operands());
    Erased.insert(Op);
    R.eraseOp(Op);
  }
}

//===----------------------------------------------------------------------===//
// Single operations
//===----------------------------------------------------------------------===//

LogicalResult FakeQuantizer::visitForTraining(Operation *Op) {
  if (!isDataflow(Op))
    return success();
  bool IsBound = Op->isBound();
  Upstream Data = isa<QnnDequantizeOp>(Op) ? Upstream{true, true, nullptr}
                                           : getOperands(Op);
  OpHook<FakeQuantization> Hook = Hooks.lookup(*Op);
  if (Hook && (Hook.getNumber() & FakeQuantizationFlags::IsForTraining) &&
      Data.IsDataflow && Data.HasCalls) {
    if (Data.Obstacle)
      return refuse(Op, Data.Obstacle, "it is not qnn.dequantize");
    FailureOr<Value *> New = convert(Op, "quantize-operator");
    if (failed(New))
      return failure();
    if (*New) {
      ++NumAlone;
      if (!IsBound)
        Known[*New] = {true, true, nullptr};
      return success();
    }
  }
  if (Op->is(OpCode::Operator) && !isa<QnnDequantizeOp>(Op)) {
    Data.HasCalls = true;
    if (!Data.Obstacle)
      Data.Obstacle = Op;
  }
  if (!IsBound && Data.IsDataflow)
    Known[Op] = Data;
  return success();
}

LogicalResult FakeQuantizer::convertForTraining() {
  Known.clear();
  if (walk(F, [&](Operation *Op) {
        return WalkResult(visitForTraining(Op));
      }).wasInterrupted())
    return failure();
  eraseUnused();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class FakeQuantizationToInteger
    : public FakeQuantizationToIntegerBase<FakeQuantizationToInteger> {
public:
  using FakeQuantizationToIntegerBase::FakeQuantizationToIntegerBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    FakeQuantizer Q(F, PC, Options);
    if (failed(Q.checkOptions()) || failed(Q.convertRegions()) ||
        (Options.UseQat && failed(Q.convertForTraining())) ||
        (Q.hasChangedTypes() && failed(retype(F))))
      return failure();
    NumRegions += Q.NumRegions;
    NumOperators += Q.NumAlone;
    return preserved(Q.hasChanged());
  }
};
} // namespace

std::unique_ptr<Pass> relay::createFakeQuantizationToIntegerPass(
    FakeQuantizationToIntegerOptions Options) {
  return std::make_unique<FakeQuantizationToInteger>(std::move(Options));
}
