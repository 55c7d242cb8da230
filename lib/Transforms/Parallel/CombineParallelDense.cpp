//===- CombineParallelDense.cpp - One dense layer for several -------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dense layers of the same data become one product of a batch, whose weights
// are stacked and so have to be of one shape, or one dense layer whose weight
// concatenates their weights along the units.
//
//===----------------------------------------------------------------------===//

#include "ParallelCombiner.h"
#include "relay/IR/Core.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Tensor.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

/// The type of the weight of \p Dense, if data and weight are matrices and the
/// weight's shape is known; else null.
static TensorType *getWeightType(DenseOp Dense) {
  auto *Data = dyn_cast_or_null<TensorType>(Dense.data()->getType());
  auto *Weight = dyn_cast_or_null<TensorType>(Dense.weight()->getType());
  auto *Result = dyn_cast_or_null<TensorType>(Dense->getType());
  if (!Data || Data->getRank() != 2 || !Weight || Weight->getRank() != 2 ||
      !Weight->isStatic() || !Result || Result->getRank() != 2 ||
      Result->getDim(1) != Weight->getDim(0))
    return nullptr;
  return Weight;
}

namespace {

/// Stacks everything along a new axis in front.
class DenseToBatchCombiner final : public ParallelCombiner {
public:
  using ParallelCombiner::ParallelCombiner;

  const OpInfo &getOp() const override { return DenseOp::getInfo(); }
  Key getKey(const Operation *Call) const override;
  bool areCompatible(const ParallelGroup &G, const Operation *A,
                     const Operation *B, unsigned I,
                     unsigned Parent) const override;

protected:
  Operation *combineCalls(const ParallelGroup &G) override;
  Value *combineOperands(const ParallelGroup &G, unsigned L,
                         unsigned I) override;
  bool holdsResults(const ParallelGroup &G, unsigned L,
                    TensorType *Combined) override;
  SmallVector<Value *, 4>
  takeResults(const ParallelGroup &G, unsigned L, Operation *Combined,
              function_ref<void(unsigned)> SetLoc) override;

private:
  Operation *stack(ArrayRef<Value *> Values) {
    return R.create<StackOp>(R.create<TupleOp>(Values), /*Axis=*/0);
  }
};

/// Concatenates the units.
class DenseToDenseCombiner final : public ConcatenatingCombiner {
public:
  using ConcatenatingCombiner::ConcatenatingCombiner;

  const OpInfo &getOp() const override { return DenseOp::getInfo(); }
  Key getKey(const Operation *Call) const override;
  bool areCompatible(const ParallelGroup &G, const Operation *A,
                     const Operation *B, unsigned I,
                     unsigned Parent) const override;

protected:
  Operation *combineCalls(const ParallelGroup &G) override;
  Value *combineOperands(const ParallelGroup &G, unsigned L,
                         unsigned I) override;
  unsigned getAxis(const ParallelGroup &G, unsigned L) const override;
  unsigned getNumSliced(const ParallelGroup &G, unsigned L) const override {
    return getTensorType(G.Levels[L].Ops[0])->getRank();
  }

private:
  Value *repeat(Value *V, int64_t Units);
};

} // namespace

//===----------------------------------------------------------------------===//
// To a product of a batch
//===----------------------------------------------------------------------===//

ParallelRules::Key DenseToBatchCombiner::getKey(const Operation *Call) const {
  DenseOp Dense(Call);
  TensorType *Weight = getWeightType(Dense);
  if (!Weight)
    return {};
  return {
      DenseAttrs::get(R.getContext(), std::nullopt, Dense.attrs().outDtype()),
      Weight};
}

/// Stacked operands must broadcast as before: they have as many axes as the
/// result of the branch, or are a row of a matrix.
bool DenseToBatchCombiner::areCompatible(const ParallelGroup &,
                                         const Operation *A, const Operation *B,
                                         unsigned I, unsigned Parent) const {
  TensorType *Type = getTensorType(A->getOperand(I));
  unsigned Rank = getTensorType(A->getOperand(Parent))->getRank();
  return Type == B->getOperand(I)->getType() &&
         llvm::none_of(Type->getShape(), [](Dim D) { return D.isAny(); }) &&
         (Type->getRank() == Rank || (Type->getRank() == 1 && Rank == 2));
}

Operation *DenseToBatchCombiner::combineCalls(const ParallelGroup &G) {
  Operation *Data = stack(getOperands(G, 0, /*I=*/0));
  Operation *Weight = stack(getOperands(G, 0, /*I=*/1));
  return R.create<BatchMatmulOp>(
      Data, Weight,
      BatchMatmulAttrs::get(R.getContext(),
                            DenseOp(G.getCalls()[0]).attrs().outDtype(),
                            /*TransposeA=*/false, /*TransposeB=*/true));
}

Value *DenseToBatchCombiner::combineOperands(const ParallelGroup &G, unsigned L,
                                             unsigned I) {
  SmallVector<Value *, 4> Operands = getOperands(G, L, I);
  if (getTensorType(Operands[0])->getRank() == 1)
    for (Value *&V : Operands)
      V = R.create<ExpandDimsOp>(V, /*Axis=*/0);
  return stack(Operands);
}

bool DenseToBatchCombiner::holdsResults(const ParallelGroup &G, unsigned L,
                                        TensorType *Combined) {
  TensorType *T = getTensorType(G.Levels[L].Ops[0]);
  SmallVector<Dim, 4> Shape = {Dim::get(G.getNumBranches())};
  llvm::append_range(Shape, T->getShape());
  auto HasType = [T](Operation *Op) { return Op->getType() == T; };
  return Combined == R.getContext().getTensorType(Shape, T->getDType()) &&
         llvm::all_of(G.Levels[L].Ops, HasType);
}

SmallVector<Value *, 4>
DenseToBatchCombiner::takeResults(const ParallelGroup &G, unsigned,
                                  Operation *Combined,
                                  function_ref<void(unsigned)> SetLoc) {
  unsigned Number = G.getNumBranches();
  auto Parts =
      R.create<SplitOp>(Combined, R.getContext().getInt(Number), /*Axis=*/0);
  SmallVector<Value *, 4> Results;
  for (unsigned I = 0; I != Number; ++I) {
    SetLoc(I);
    auto Part = R.create<TupleGetItemOp>(Parts, I);
    Results.push_back(R.create<SqueezeOp>(Part, {0}));
  }
  return Results;
}

//===----------------------------------------------------------------------===//
// To a larger layer
//===----------------------------------------------------------------------===//

ParallelRules::Key DenseToDenseCombiner::getKey(const Operation *Call) const {
  DenseOp Dense(Call);
  TensorType *Weight = getWeightType(Dense);
  if (!Weight)
    return {};
  Context &Ctx = R.getContext();
  return {DenseAttrs::get(Ctx, std::nullopt, Dense.attrs().outDtype()),
          withoutAxis(Ctx, Weight, 0)};
}

bool DenseToDenseCombiner::areCompatible(const ParallelGroup &,
                                         const Operation *A, const Operation *B,
                                         unsigned I, unsigned) const {
  TensorType *TypeA = getTensorType(A->getOperand(I));
  TensorType *TypeB = getTensorType(B->getOperand(I));
  return (TypeA->isScalar() && TypeA == TypeB) ||
         canConcatenate(TypeA, TypeB, TypeA->getRank() - 1);
}

Operation *DenseToDenseCombiner::combineCalls(const ParallelGroup &G) {
  DenseOp First(G.getCalls()[0]);
  Operation *Weight = concatenate(getOperands(G, 0, /*I=*/1), 0);
  return R.create<DenseOp>(
      First.data(), Weight,
      First.attrs().toBuilder(R.getContext()).units(getExtent(G)).get());
}

/// \p V with its last axis, or a new one if it is a scalar, repeated so that it
/// has one element a unit.
Value *DenseToDenseCombiner::repeat(Value *V, int64_t Units) {
  TensorType *T = getTensorType(V);
  if (T->isScalar())
    V = R.create<ExpandDimsOp>(V, /*Axis=*/-1);
  else if (T->getShape().back().isConst(Units))
    return V;
  int64_t Last = getTensorType(V)->getRank() - 1;
  return R.create<RepeatOp>(V, Units, std::optional(Last));
}

Value *DenseToDenseCombiner::combineOperands(const ParallelGroup &G, unsigned L,
                                             unsigned I) {
  SmallVector<Value *, 4> Operands = getOperands(G, L, I);
  for (auto [V, Units] : llvm::zip(Operands, getExtents(G)))
    V = repeat(V, Units);
  return concatenate(Operands, getTensorType(Operands[0])->getRank() - 1);
}

/// Returns the axis of the units in the results of level \p L: the last axis
/// that is as long as the number of units.
unsigned DenseToDenseCombiner::getAxis(const ParallelGroup &G,
                                       unsigned L) const {
  if (!L)
    return 1;
  ArrayRef<Dim> Shape = getTensorType(G.Levels[L].Ops[0])->getShape();
  Dim Units = getTensorType(G.getCalls()[0])->getDim(1);
  for (unsigned I = Shape.size(); I--;)
    if (Shape[I] == Units)
      return I;
  return Shape.size();
}

namespace {
class CombineParallelDense
    : public ParallelPass<CombineParallelDenseBase<CombineParallelDense>> {
public:
  using ParallelPass::ParallelPass;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    if (Options.ToBatch)
      return combine(DenseToBatchCombiner(F));
    return combine(DenseToDenseCombiner(F));
  }
};
} // namespace

std::unique_ptr<Pass>
relay::createCombineParallelDensePass(CombineParallelDenseOptions Options) {
  return std::make_unique<CombineParallelDense>(Options);
}
