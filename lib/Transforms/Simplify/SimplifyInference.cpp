//===- SimplifyInference.cpp - Spell out operators for inference ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands operators that are compositions when nothing is trained. Each is a
// hook (Expansions.td), a function of its own below; the order of the
// operations is TVM's.
//
//===----------------------------------------------------------------------===//

#include "TensorUtils.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Passes.h"
#include "relay/Transforms/Simplify/Expansion.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Transforms/Simplify/Expansions.h.inc"

using namespace relay;

bool ExpandedResult::start(Rewriter &R) {
  if (IsRefused || !R.startRewrite(Op->getName(), Root)) {
    IsRefused = true; // for the entries that are asked after this one
    return false;
  }
  LocationTable &Locations = R.getContext().getLocations();
  R.setLoc(Locations.fuse({Op->getLoc(), Root->getLoc()}));
  return true;
}

/// Announces the expansion of \p Result, which has index 0, of an operation
/// whose operand 0 has to be a tensor of numbers. Returns the type of that
/// tensor, or null if nothing may be done.
static const TensorType *startExpansion(Rewriter &R, ExpandedResult &Result) {
  auto *Data =
      dyn_cast_or_null<TensorType>(Result.getOp()->getOperand(0)->getType());
  if (Result.getIndex() != 0 || !Data || !hasElementType(Data->getDType()) ||
      !Result.start(R))
    return nullptr;
  return Data;
}

//===----------------------------------------------------------------------===//
// Operators that yield a tuple
//===----------------------------------------------------------------------===//

/// data * s + (beta - moving_mean * s) with s = gamma / sqrt(moving_var + eps),
/// along axis. Without `scale` gamma is 1, without `center` beta is 0.
Value *relay::expandBatchNorm(Rewriter &R, ExpandedResult &Result) {
  const TensorType *Data = startExpansion(R, Result);
  if (!Data)
    return nullptr;
  BatchNormOp Norm(Result.getOp());
  const BatchNormAttrs &A = Norm.attrs();
  DType T = Data->getDType();
  Value *Variance =
      R.create<AddOp>(Norm.movingVar(), R.constant(T, A.epsilon()));
  Value *Deviation = R.create<SqrtOp>(Variance);
  Value *Scale = R.create<DivideOp>(R.constant(T, 1), Deviation);
  if (A.scale())
    Scale = R.create<MultiplyOp>(Scale, Norm.gamma());
  Value *Shift = R.create<NegativeOp>(Norm.movingMean());
  Shift = R.create<MultiplyOp>(Shift, Scale);
  if (A.center())
    Shift = R.create<AddOp>(Shift, Norm.beta());
  int64_t Rank = Data->getRank();
  Value *Scaled = R.create<MultiplyOp>(
      Norm.data(), expandAlongAxis(R, Scale, A.axis(), Rank));
  return R.create<AddOp>(Scaled, expandAlongAxis(R, Shift, A.axis(), Rank));
}

/// data.
Value *relay::expandDropout(Rewriter &R, ExpandedResult &Result) {
  if (Result.getIndex() != 0 || !Result.start(R))
    return nullptr;
  return DropoutOp(Result.getOp()).data();
}

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

/// (data - mean) / sqrt(variance + epsilon), both over \p Axes.
static Value *standardize(Builder &B, Value *Data, DType T,
                          ArrayRef<int64_t> Axes, double Epsilon) {
  Context &Ctx = B.getContext();
  Value *Mean = B.create<MeanOp>(
      Data, ReduceAttrs::Builder(Ctx).axis(Axes).keepdims(true).get());
  Value *Variance = B.create<VarianceOp>(
      Data, Mean, VarianceAttrs::Builder(Ctx).axis(Axes).keepdims(true).get());
  Variance = B.create<AddOp>(Variance, B.constant(T, Epsilon));
  Value *Centered = B.create<SubtractOp>(Data, Mean);
  return B.create<DivideOp>(Centered, B.create<SqrtOp>(Variance));
}

/// \p V scaled by gamma and shifted by beta, [C], along the axis of \p Norm, as
/// far as its attributes say.
template <typename NormOpT>
static Value *scaleAndShift(Builder &B, Value *V, NormOpT Norm, int64_t Rank) {
  int64_t Axis = Norm.attrs().axis();
  if (Norm.attrs().scale())
    V = B.create<MultiplyOp>(V, expandAlongAxis(B, Norm.gamma(), Axis, Rank));
  if (Norm.attrs().center())
    V = B.create<AddOp>(V, expandAlongAxis(B, Norm.beta(), Axis, Rank));
  return V;
}

Value *relay::expandLayerNorm(Rewriter &R, ExpandedResult &Result) {
  const TensorType *Data = startExpansion(R, Result);
  if (!Data)
    return nullptr;
  LayerNormOp Norm(Result.getOp());
  Value *V = standardize(R, Norm.data(), Data->getDType(), Norm.attrs().axis(),
                         Norm.attrs().epsilon());
  return scaleAndShift(R, V, Norm, Data->getRank());
}

/// Over all dimensions but the first and that of the channels.
Value *relay::expandInstanceNorm(Rewriter &R, ExpandedResult &Result) {
  const TensorType *Data = startExpansion(R, Result);
  if (!Data)
    return nullptr;
  InstanceNormOp Norm(Result.getOp());
  int64_t Rank = Data->getRank(), Channels = Norm.attrs().axis();
  SmallVector<int64_t> Axes;
  for (int64_t I = 1; I < Rank; ++I)
    if (I != (Channels < 0 ? Channels + Rank : Channels))
      Axes.push_back(I);
  Value *V = standardize(R, Norm.data(), Data->getDType(), Axes,
                         Norm.attrs().epsilon());
  return scaleAndShift(R, V, Norm, Rank);
}

/// Returns the reason why \p Norm cannot be expanded; empty if it can. Its type
/// relation does not check these conditions.
static StringRef findObstacle(GroupNormOp Norm) {
  auto *Data = dyn_cast_or_null<TensorType>(Norm.data()->getType());
  if (!Data || !Data->isStatic())
    return "the shape is not known";
  if (llvm::any_of(Data->getShape(), [](Dim D) { return D.isConst(0); }))
    return "there are no elements"; // a 0 in `newshape` copies a dimension
  int64_t Axis = Norm.attrs().axis(), Groups = Norm.attrs().numGroups();
  Axis += Axis < 0 ? Data->getRank() : 0;
  if (Axis < 0 || Axis >= int64_t(Data->getRank()))
    return "the axis is out of range"; // without type inference
  int64_t Channels = Data->getDim(Axis).getInt();
  if (Groups < 1 || Channels % Groups)
    return "the groups do not divide the channels";
  return "";
}

static bool isExpandable(GroupNormOp Norm) {
  StringRef Obstacle = findObstacle(Norm);
  if (Obstacle.empty())
    return true;
  RELAY_DEBUG(Norm->getFunction()->getContext(), 2)
      << Obstacle << ": " << Norm->getDescription();
  return false;
}

/// Channels are split into [groups, channels of a group] and normalized over
/// the latter and what follows.
Value *relay::expandGroupNorm(Rewriter &R, ExpandedResult &Result) {
  GroupNormOp Norm(Result.getOp());
  const TensorType *Data =
      isExpandable(Norm) ? startExpansion(R, Result) : nullptr;
  if (!Data)
    return nullptr;
  const GroupNormAttrs &A = Norm.attrs();
  int64_t Rank = Data->getRank(), Groups = A.numGroups();
  int64_t Axis = A.axis() < 0 ? A.axis() + Rank : A.axis();
  SmallVector<Dim> Shape(Data->getShape());
  SmallVector<int64_t> Axes;
  Shape[Axis] = Dim::get(Data->getDim(Axis).getInt() / Groups);
  Shape.insert(Shape.begin() + Axis, Dim::get(Groups));
  for (int64_t I = Axis + 1; I <= Rank; ++I)
    Axes.push_back(I);
  Value *V = standardize(R, R.create<ReshapeOp>(Norm.data(), Shape),
                         Data->getDType(), Axes, A.epsilon());
  V = R.create<ReshapeOp>(V, Data->getShape());
  return scaleAndShift(R, V, Norm, Rank);
}

/// data / sqrt(max(sum(data * data), eps)).
Value *relay::expandL2Normalize(Rewriter &R, ExpandedResult &Result) {
  const TensorType *Data = startExpansion(R, Result);
  if (!Data)
    return nullptr;
  L2NormalizeOp Norm(Result.getOp());
  const L2NormalizeAttrs &A = Norm.attrs();
  // The type relation takes any axis, as TVM's does; that of sum does not.
  int64_t Rank = Data->getRank();
  for (Dim Axis : A.axis())
    if (!Axis.isConst() || Axis.getInt() < -Rank || Axis.getInt() >= Rank)
      return nullptr;
  ReduceAttrs::Builder Sums(R.getContext());
  Sums.keepdims(true);
  if (A.hasAxis())
    Sums.axis(A.axis());
  Value *Square = R.create<MultiplyOp>(Norm.data(), Norm.data());
  Value *Sum = R.create<SumOp>(Square, Sums.get());
  Value *Bounded =
      R.create<MaximumOp>(Sum, R.constant(Data->getDType(), A.eps()));
  return R.create<DivideOp>(Norm.data(), R.create<SqrtOp>(Bounded));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The operation that \p Op yields a result of: for a projection the operation
/// that yields the tuple, unless that is bound, else itself.
static Operation *getProducer(Operation *Op) {
  auto Field = dyn_cast<TupleGetItemOp>(Op);
  Operation *Tuple = Field ? Field.tuple()->getDefiningOp() : nullptr;
  return Tuple && !Tuple->isBound() ? Tuple : Op;
}

/// The result of \p Producer that \p Op yields; none if that is not known to be
/// a single one.
static std::optional<ExpandedResult> getResult(Operation *Producer,
                                               Operation *Op) {
  if (Producer != Op)
    return ExpandedResult(Producer, TupleGetItemOp(Op).attrs().index(), Op);
  if (!Op->getType() || isa<TupleType>(Op->getType()))
    return std::nullopt;
  return ExpandedResult(Op, 0, Op);
}

/// Reports that the function of \p Hook has computed \p New for \p Op, which
/// has another type.
static LogicalResult reportType(const ExpandedResult &Result,
                                const OpHookEntry &Hook, const Value *New,
                                const Operation *Op) {
  return Op->getFunction()->getContext().emitError(
      Op->getLoc(), "'simplify-inference': " + Hook.describe() + " expands '" +
                        Result.getOp()->getName() + "' of type " +
                        toString(Op->getType()) + " to a value of type " +
                        toString(New->getType()) +
                        "; expected the same or a less dynamic type");
}

namespace {
class SimplifyInference : public SimplifyInferenceBase<SimplifyInference> {
public:
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    Rewriter R(F);
    R.keepResultAnnotations(); // callers rely on the type of the result
    OpHooks<Expansion> Expansions(F.getContext(), PC.getTargetKeys());
    bool TypesChange = false;
    bool HasFailed = walk(F, [&](Operation *Op) {
                       Operation *Producer = getProducer(Op);
                       OpHook<Expansion> Expand = Expansions.lookup(*Producer);
                       if (!Expand)
                         return WalkResult::advance();
                       return expand(R, Expand, Producer, Op, TypesChange);
                     }).wasInterrupted();
    if (HasFailed || (TypesChange && failed(retype(F))))
      return failure();
    return preserved(R.getNumRewrites() != 0);
  }

private:
  /// Replaces \p Op, which yields a result of \p Producer, if \p Expand
  /// applies. Sets \p TypesChange if the types differ.
  WalkResult expand(Rewriter &R, OpHook<Expansion> Expand, Operation *Producer,
                    Operation *Op, bool &TypesChange) {
    std::optional<ExpandedResult> Result = getResult(Producer, Op);
    if (!Result)
      return WalkResult::advance();
    R.setInsertionPoint(Op);
    const OpHookNode *Hook;
    Value *New = Expand.ask(Hook, R, *Result);
    if (!New)
      return WalkResult::advance();
    if (!isLessDynamic(R.getContext(), New->getType(), Op->getType())) {
      (void)reportType(*Result, *Hook->Entry, New, Op);
      return WalkResult::interrupt();
    }
    TypesChange |= R.replaceOpByLessDynamic(Op, New);
    ++NumSimplified;
    return WalkResult::advance();
  }
};
} // namespace

std::unique_ptr<Pass> relay::createSimplifyInferencePass() {
  return std::make_unique<SimplifyInference>();
}
