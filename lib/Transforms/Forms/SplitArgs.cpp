//===- SplitArgs.cpp - Limit the arguments of concatenations --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some devices limit the arguments of a function. FuseOps would make one
// function of a whole concatenation; here it becomes a chain of concatenations
// that keep to the limit, with marks between them that keep FuseOps from
// joining them again. A tensor of unknown shape takes further arguments, for
// its unknown dimensions and its strides.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Annotation.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

/// Unknown dimensions of \p T.
static uint64_t countUnknown(const TensorType *T) {
  return llvm::count_if(T->getShape(), [](Dim D) { return D.isAny(); });
}

/// Arguments that a tensor or any other value of type \p T is passed by.
static uint64_t countInputs(const Type *T) {
  auto *Tensor = dyn_cast_or_null<TensorType>(T);
  uint64_t Unknown = Tensor ? countUnknown(Tensor) : 0;
  return Unknown ? 1 + Unknown + Tensor->getRank() : 1;
}

static uint64_t countOutputs(const Type *T) {
  auto *Tensor = dyn_cast_or_null<TensorType>(T);
  return Tensor && countUnknown(Tensor) ? 1 + Tensor->getRank() : 1;
}

namespace {

/// Splits the concatenations of one function.
class Splitter {
public:
  Splitter(Function &F, uint64_t MaxArguments)
      : MaxArguments(MaxArguments), R(F) {}

  /// Splits \p Op if it takes too many arguments.
  LogicalResult visit(ConcatenateOp Op);
  bool hasChanged() const { return R.getNumRewrites() != 0; }
  uint64_t getNumSplit() const { return NumSplit; }

private:
  void split(ConcatenateOp Op, TupleOp Tuple, uint64_t Limit);
  Value *concatenate(ConcatenateOp Like, Value *Tuple);
  Value *makePart(TupleOp Of, ArrayRef<Value *> Fields);

  uint64_t MaxArguments, NumSplit = 0;
  Rewriter R;
};

} // namespace

LogicalResult Splitter::visit(ConcatenateOp Op) {
  auto Tuple = dyn_cast<TupleOp>(Op.data());
  if (!Tuple || Tuple->isBound())
    return success();
  uint64_t Outputs = countOutputs(Op->getType());
  if (Outputs >= MaxArguments)
    return R.getContext().emitError(Op->getLoc())
           << "'concatenate' cannot be split: its result alone takes "
           << Outputs << " of at most " << MaxArguments << " arguments";
  uint64_t Inputs = 0;
  for (Value *Field : Tuple.fields())
    Inputs += countInputs(Field->getType());
  uint64_t Limit = MaxArguments - Outputs;
  if (Inputs >= Limit && R.startRewrite("split", Op))
    split(Op, Tuple, Limit);
  return success();
}

/// Concatenates the fields of \p Tuple like \p Like, protected from fusion with
/// the producers of the fields.
Value *Splitter::concatenate(ConcatenateOp Like, Value *Tuple) {
  Value *Stop = R.create<StopFusionOp>(Tuple);
  return R.createOperation(Like->getInfo(), {Stop}, Like->getAttrs());
}

/// A tuple of some fields of \p Of.
Value *Splitter::makePart(TupleOp Of, ArrayRef<Value *> Fields) {
  Operation *Part = R.create<TupleOp>(Fields);
  R.setLocation(Part, Of->getLoc());
  return Part;
}

/// Each link of the chain takes the link before and as many fields as fit.
void Splitter::split(ConcatenateOp Op, TupleOp Tuple, uint64_t Limit) {
  R.setInsertionPoint(Op);
  SmallVector<Value *, 8> Fields;
  uint64_t Used = 0;
  bool Split = false;
  for (Value *Field : Tuple.fields()) {
    uint64_t Needed = countInputs(Field->getType());
    if (Used + Needed > Limit && !Fields.empty()) {
      Fields = {concatenate(Op, makePart(Tuple, Fields))};
      // TVM reserves for the link before as much as the field takes.
      Used = Needed;
      Split = true;
    }
    Used += Needed;
    Fields.push_back(Field);
  }
  NumSplit += Split;
  Value *Last = Tuple.getOperation();
  if (Split)
    Last = makePart(Tuple, Fields);
  R.replaceOp(Op, concatenate(Op, Last));
}

namespace {

class SplitArgs final : public SplitArgsBase<SplitArgs> {
public:
  using SplitArgsBase::SplitArgsBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    if (Options.MaxFunctionArgs <= 0)
      return PreservedAnalyses::all();
    SmallVector<ConcatenateOp, 8> Ops;
    walk(F, [&](ConcatenateOp Op) { Ops.push_back(Op); });
    Splitter S(F, Options.MaxFunctionArgs);
    for (ConcatenateOp Op : Ops)
      if (failed(S.visit(Op)))
        return failure();
    NumSplit += S.getNumSplit();
    return preserved(S.hasChanged());
  }
};

} // namespace

std::unique_ptr<Pass> relay::createSplitArgsPass(SplitArgsOptions Options) {
  return std::make_unique<SplitArgs>(std::move(Options));
}
