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

#include "Parameters.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace relay;

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

/// Names the transpose of \p Param: its name with `.T` and, if a parameter in
/// \p Names has that name, the least number that makes it unique. The other
/// passes find parameters by name.
static std::string addTransposedName(llvm::StringSet<> &Names,
                                     const BlockArgument *Param) {
  std::string Base = (Param->getName() + ".T").str(), Name = Base;
  for (unsigned N = 1; !Names.insert(Name).second; ++N)
    Name = Base + std::to_string(N);
  return Name;
}

/// Adds the parameter \p Name, the transpose of \p Param.
static BlockArgument *addTransposed(Rewriter &R, BlockArgument *Param,
                                    StringRef Name) {
  Context &Ctx = R.getContext();
  auto *T = cast<TensorType>(Param->getType());
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

namespace {
class SimplifyFCTranspose
    : public SimplifyFCTransposeBase<SimplifyFCTranspose> {
public:
  using SimplifyFCTransposeBase::SimplifyFCTransposeBase;

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &) override {
    bool Changed = false;
    for (Function *F : getFunctionsWithoutUsers(M))
      Changed |= simplify(*F);
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
  llvm::StringSet<> Names;
  for (const BlockArgument *Param : F.getParams())
    Names.insert(Param->getName());
  for (auto &[Param, Denses] : Layers) {
    if (!R.startRewrite("transposed-weight", Denses.front()))
      continue;
    BlockArgument *New =
        addTransposed(R, Param, addTransposedName(Names, Param));
    for (Operation *Dense : Denses)
      setWeight(R, DenseOp(Dense), New);
    NumLayers += Denses.size();
  }
  if (R.getNumRewrites() == 0)
    return false;
  orderParameters(R, F, NumOld);
  return true;
}

std::unique_ptr<Pass>
relay::createSimplifyFCTransposePass(SimplifyFCTransposeOptions Options) {
  return std::make_unique<SimplifyFCTranspose>(std::move(Options));
}
