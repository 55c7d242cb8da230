//===- SimplifyFCTranspose.cpp - Take transposed weights as parameters ----===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the transposed parameter used as the weight of a dense layer by a
// new parameter, whose value is transposed in advance. As in TVM, unused
// parameters are then removed, and the others are ordered by first use, new
// ones after old ones.
//
//===----------------------------------------------------------------------===//

#include "Forms/DepthFirstWalk.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace relay;

namespace {

/// The parameters of a function in the order of their first uses, in a
/// depth-first walk.
class ParameterOrder final : private DepthFirstWalk {
public:
  explicit ParameterOrder(Function &F) : F(F), Walked(F.getNumValues()) {
    walk(F.getBody());
  }
  ArrayRef<BlockArgument *> get() const { return Order.getArrayRef(); }

private:
  Operation *enterBinding(Operation *Op) override { return Op; }
  bool enterUse(Value *V, Operation *, Block *) override;
  void leave(Operation *) override {}

  Function &F;
  llvm::BitVector Walked; // by Value::getIndex()
  llvm::SetVector<BlockArgument *> Order;
};

} // namespace

bool ParameterOrder::enterUse(Value *V, Operation *, Block *) {
  auto *Op = dyn_cast<Operation>(V);
  if (!Op) {
    if (V->getParentBlock() == &F.getBody())
      Order.insert(cast<BlockArgument>(V));
    return false;
  }
  if (Op->isBound() || Walked.test(Op->getIndex()))
    return false;
  Walked.set(Op->getIndex());
  return true;
}

/// The parameter of \p F that the weight of \p Dense is the transpose of; null
/// if there is none.
static BlockArgument *getTransposedParam(DenseOp Dense, Function &F) {
  auto Transpose = dyn_cast<TransposeOp>(Dense.weight());
  if (!Transpose || Transpose->isBound())
    return nullptr;
  auto *Param = dyn_cast<BlockArgument>(Transpose.data());
  auto *T = dyn_cast_or_null<TensorType>(Transpose.data()->getType());
  if (!Param || Param->getParentBlock() != &F.getBody() || !T ||
      T->getRank() != 2)
    return nullptr;
  if (!Transpose.attrs().hasAxes())
    return Param;
  ArrayRef<Dim> Axes = Transpose.attrs().axes();
  bool Swaps = Axes.size() == 2 && (Axes[0].isConst(1) || Axes[0].isConst(-1));
  return Swaps ? Param : nullptr;
}

/// Adds the parameter that is the transpose of \p Param.
static BlockArgument *addTransposed(Rewriter &R, BlockArgument *Param) {
  Context &Ctx = R.getContext();
  auto *T = cast<TensorType>(Param->getType());
  std::string Name = (Param->getName() + ".T").str();
  BlockArgument *New = R.addArgument(
      *Param->getParentBlock(), Ctx.intern(Name),
      Ctx.getTensorType({T->getDim(1), T->getDim(0)}, T->getDType()),
      Param->getLoc());
  R.setVirtualDevice(New, Param->getVirtualDevice());
  return New;
}

/// Makes \p New the weight of \p Dense.
static void setWeight(Rewriter &R, DenseOp Dense, Value *New) {
  Operation *Transpose = cast<TransposeOp>(Dense.weight());
  R.setOperand(Dense, 1, New);
  if (Transpose->use_empty())
    R.eraseOp(Transpose);
}

/// Makes \p Param, which nothing uses, what \p Other is, and takes its uses.
static void takePlaceOf(Rewriter &R, BlockArgument *Param,
                        BlockArgument *Other) {
  R.renameArgument(Param, Other->getName());
  R.setType(Param, Other->getType());
  R.setAnnotation(Param, Other->getAnnotation());
  R.setVirtualDevice(Param, Other->getVirtualDevice());
  R.setLocation(Param, Other->getLoc());
  R.replaceAllUses(Other, Param);
}

/// Makes \p Order, a subset, the parameters of \p F. They are first appended,
/// so that only trailing parameters are erased, which is fast.
static void setParameters(Rewriter &R, Function &F,
                          ArrayRef<BlockArgument *> Order) {
  if (Order == F.getParams())
    return;
  SmallVector<BlockArgument *, 8> Copies;
  for (BlockArgument *Param : Order) {
    Copies.push_back(R.addArgumentLike(F.getBody(), *Param));
    R.replaceAllUses(Param, Copies.back());
  }
  for (auto [I, Copy] : llvm::enumerate(Copies))
    takePlaceOf(R, F.getParams()[I], Copy);
  while (F.getParams().size() != Order.size())
    R.eraseArgument(F.getBody(), F.getParams().size() - 1);
}

/// The functions of \p M that something calls or refers to.
static llvm::StringSet<> getUsedFunctions(Module &M) {
  llvm::StringSet<> Used;
  walk(M, [&](Operation *Op) {
    if (StringRef Name = getNamedGlobal(*Op); !Name.empty())
      Used.insert(Name);
  });
  return Used;
}

namespace {
class SimplifyFCTranspose
    : public SimplifyFCTransposeBase<SimplifyFCTranspose> {
public:
  using SimplifyFCTransposeBase::SimplifyFCTransposeBase;

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    llvm::StringSet<> Used = getUsedFunctions(M);
    bool Changed = false;
    for (Function &F : M.functions())
      if (!Used.contains(F.getName()) && !F.isSkippedByOptimization())
        Changed |= simplify(F);
    return preserved(Changed);
  }

private:
  bool isTarget(const BlockArgument *Param) const {
    return Param &&
           (Options.TargetWeightName.empty() ||
            llvm::is_contained(Options.TargetWeightName, Param->getName()));
  }
  bool simplify(Function &F);
};
} // namespace

bool SimplifyFCTranspose::simplify(Function &F) {
  llvm::MapVector<BlockArgument *, SmallVector<Operation *, 1>> Layers;
  walk(F, [&](DenseOp Dense) {
    BlockArgument *Param = getTransposedParam(Dense, F);
    if (isTarget(Param))
      Layers[Param].push_back(Dense);
  });
  Rewriter R(F);
  unsigned NumOld = F.getParams().size();
  for (auto &[Param, Denses] : Layers) {
    if (!R.startRewrite("transposed-weight", Denses.front()))
      continue;
    BlockArgument *New = addTransposed(R, Param);
    for (Operation *Dense : Denses)
      setWeight(R, DenseOp(Dense), New);
    NumLayers += Denses.size();
  }
  if (R.getNumRewrites() == 0)
    return false;
  R.noteRewrite("order-parameters");
  SmallVector<BlockArgument *, 8> Order(ParameterOrder(F).get());
  llvm::stable_sort(Order, [&](auto *A, auto *B) {
    return A->getArgNo() < NumOld && B->getArgNo() >= NumOld;
  });
  setParameters(R, F, Order);
  return true;
}

std::unique_ptr<Pass>
relay::createSimplifyFCTransposePass(SimplifyFCTransposeOptions Options) {
  return std::make_unique<SimplifyFCTranspose>(std::move(Options));
}
