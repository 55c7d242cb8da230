//===- FuseOps.cpp - Group operations into primitive functions ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a function of each group of operations that is to be compiled as one,
// and calls it where the group's root was. Which operations belong together is
// FusionGroups.cpp, how they become a function RegionOutliner.cpp; here is
// which groups do, and with which attributes.
//
// Groups are taken in the order of their roots, so that a group's inputs are
// final already. As in TVM, parameters are in the order in which members use
// them first, but where several inputs have effects: there they are in the
// order in which the arguments are evaluated.
//
//===----------------------------------------------------------------------===//

#include "DynamicResult.h"
#include "Forms/DepthFirstWalk.h"
#include "FusionGroups.h"
#include "relay/Analysis/Purity.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/RegionOutliner.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Ops/Annotation.h"
#include "relay/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

namespace {

/// The floating operations that a group uses, in the order of evaluation.
class InputOrder final : DepthFirstWalk {
public:
  InputOrder(Operation *Root, function_ref<bool(Value *)> IsMember)
      : IsMember(IsMember) {
    walk(Root);
  }
  ArrayRef<Value *> get() const { return Inputs.getArrayRef(); }

private:
  Operation *enterBinding(Operation *) override { return nullptr; }
  bool enterUse(Value *V, Operation *, Block *) override {
    if (IsMember(V))
      return Seen.insert(V).second;
    Operation *Op = V->getDefiningOp();
    if (Op && Op->isFloating() && !Op->is(OpCode::Constant))
      Inputs.insert(V);
    return false;
  }
  void leave(Operation *) override {}

  function_ref<bool(Value *)> IsMember;
  llvm::DenseSet<Value *> Seen;
  llvm::SmallSetVector<Value *, 8> Inputs;
};

/// Makes functions of the groups of one function.
class Fuser {
public:
  Fuser(Function &F, const DataflowGraph &Graph, FusionGroups &Groups,
        bool LinkParams);

  /// Returns the number of functions created.
  unsigned run();
  bool hasChanged() const { return R.getNumRewrites() != 0; }
  /// Returns true if a new closure has a parameter of a dynamic type.
  bool hasDynamicInputs() const { return HasDynamicInputs; }

private:
  void findMembers();
  void findPrimitives();
  void findOrderedGroups(Function &F);
  bool isPrimitive(uint32_t Root);
  bool isMember(Value *V, uint32_t Root);

  void fuse(uint32_t Root);
  const Attrs *getFunctionAttrs(ArrayRef<Operation *> Members);
  bool hasOnlyTensorInputs(ArrayRef<Operation *> Members);

  static constexpr uint32_t None = ~0u;

  const DataflowGraph &Graph;
  FusionGroups &Groups;
  Rewriter R;
  RegionOutliner Outliner;
  /// The members of each group in order, as lists by the group's root.
  SmallVector<uint32_t, 0> First, Next;
  /// In functions that are primitive already, or another compiler's. Empty if
  /// there are no regions.
  llvm::BitVector InPrimitive;
  bool HasDynamicInputs = false;
  /// By root: groups with several inputs that have effects. Empty if there are
  /// none.
  llvm::BitVector Ordered;
  /// Attributes of the functions to make.
  const Attrs *Computes, *OnlyReshapes, *NothingComputed;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Fuser::Fuser(Function &F, const DataflowGraph &Graph, FusionGroups &Groups,
             bool LinkParams)
    : Graph(Graph), Groups(Groups), R(F), Outliner(R, {"p", LinkParams}),
      First(Graph.size(), None), Next(Graph.size(), None) {
  R.keepResultAnnotations(); // constants in closures make types less dynamic
  Context &Ctx = F.getContext();
  NamedAttr Primitive = {Ctx.getString(FunctionAttrs::Primitive),
                         Ctx.getInt(1)};
  NamedAttr Zero = {Primitive.first, Ctx.getInt(0)};
  NamedAttr Reshape = {Ctx.getString(FunctionAttrs::ReshapeOnly),
                       Ctx.getInt(1)};
  Computes = Ctx.getDictAttrs(Primitive);
  OnlyReshapes = Ctx.getDictAttrs({Primitive, Reshape});
  NothingComputed = Ctx.getDictAttrs(Zero);
  findMembers();
  if (F.getNumRegions())
    findPrimitives();
  findOrderedGroups(F);
}

void Fuser::findMembers() {
  for (uint32_t N = Graph.size(); N-- != 0;) {
    if (!Graph.getOperation(N))
      continue;
    uint32_t Root = Groups.getRoot(N);
    Next[N] = std::exchange(First[Root], N);
  }
}

/// An operation has a larger number than what its regions hold.
void Fuser::findPrimitives() {
  InPrimitive.resize(Graph.size());
  auto IsPrimitive = [&](Operation *Op) {
    return Op->is(OpCode::Fn) && isCompiledAsOne(Op->getSignature());
  };
  for (uint32_t N = Graph.size(); N-- != 0;) {
    Operation *Op = Graph.getOperation(N);
    Operation *Parent = Op ? Op->getParentOp() : nullptr;
    if (Parent && (InPrimitive[Parent->getIndex()] || IsPrimitive(Parent)))
      InPrimitive.set(N);
  }
}

void Fuser::findOrderedGroups(Function &F) {
  std::optional<ValuePurity> Purity = findEffects(F);
  if (!Purity)
    return;
  Ordered.resize(Graph.size());
  llvm::DenseMap<uint32_t, Value *> FirstInput; // with an effect, by root
  for (uint32_t N = 0; N != Graph.size(); ++N) {
    Operation *Op = Graph.getOperation(N);
    if (!Op)
      continue;
    uint32_t Root = Groups.getRoot(N);
    for (Value *V : Op->operands())
      if (!Purity->isUsePure(V) && !isMember(V, Root) &&
          FirstInput.try_emplace(Root, V).first->second != V)
        Ordered.set(Root);
  }
}

/// Returns true if the group of \p Root is to become a function.
bool Fuser::isPrimitive(uint32_t Root) {
  Operation *Op = Graph.getOperation(Root);
  // Operators that compute nothing have no fusion kind, except quantized ones,
  // which are lowered within the function.
  if (Op->is(OpCode::Operator))
    return !Op->hasTrait(OpTrait::NonComputational) ||
           Op->getInfo().Fusion != FusionKind::Opaque;
  // A projection of a tuple from outside computes nothing.
  return Op->is(OpCode::TupleGetItem) && isMember(Op->getOperand(0), Root);
}

/// New operations have the number 0, which belongs to another value.
bool Fuser::isMember(Value *V, uint32_t Root) {
  uint32_t N = V->getIndex();
  return Graph.getOperation(N) == V && Groups.getRoot(N) == Root;
}

unsigned Fuser::run() {
  unsigned NumFunctions = 0;
  for (uint32_t N = 0; N != Graph.size(); ++N) {
    Operation *Op = Graph.getOperation(N);
    if (!Op || (!InPrimitive.empty() && InPrimitive[N]) ||
        Groups.getRoot(N) != N)
      continue;
    if (isa<StopFusionOp>(Op)) {
      if (R.startRewrite("remove-stop-fusion", Op))
        R.replaceOp(Op, Op->getOperand(0));
    } else if (isPrimitive(N) && R.startRewrite("fuse", Op)) {
      fuse(N);
      ++NumFunctions;
    }
  }
  return NumFunctions;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Makes the group of \p Root a function and calls it in its place.
void Fuser::fuse(uint32_t Root) {
  SmallVector<Operation *, 16> Members;
  for (uint32_t N = First[Root]; N != None; N = Next[N])
    Members.push_back(Graph.getOperation(N));
  Operation *Op = Graph.getOperation(Root);
  assert(Members.back() == Op && "a group ends in its root");
  const Attrs *Attributes = getFunctionAttrs(Members);
  if (!Ordered.empty() && Ordered[Root]) {
    InputOrder Inputs(Op, [&](Value *V) { return isMember(V, Root); });
    Outliner.outlineToClosure(Members, Op, Attributes, Inputs.get());
  } else {
    Outliner.outlineToClosure(Members, Op, Attributes);
  }
  HasDynamicInputs |= llvm::any_of(Outliner.getInputs(), [](Value *Input) {
    return Input->getType() && isDynamic(Input->getType());
  });
  RELAY_DEBUG(R.getContext(), 2)
      << Op->getDescription() << " ends a group of "
      << std::distance(Op->getBlock()->begin(), Op->getBlock()->end())
      << " operations with " << Outliner.getInputs().size() << " inputs";
}

/// `Primitive`, zero where nothing is computed, and `relay.reshape_only` where
/// all that is computed is a shape.
const Attrs *Fuser::getFunctionAttrs(ArrayRef<Operation *> Members) {
  bool AnyCall = false, ReshapeOnly = true;
  for (const Operation *Op : Members) {
    AnyCall |= Op->is(OpCode::Operator);
    ReshapeOnly &=
        !Op->is(OpCode::Operator) || Op->hasTrait(OpTrait::ReshapeLike);
  }
  if (!AnyCall)
    return NothingComputed;
  return ReshapeOnly && hasOnlyTensorInputs(Members) ? OnlyReshapes : Computes;
}

bool Fuser::hasOnlyTensorInputs(ArrayRef<Operation *> Members) {
  uint32_t Root = Members.back()->getIndex();
  return llvm::all_of(Members, [&](const Operation *Op) {
    return llvm::all_of(Op->operands(), [&](Value *V) {
      return isMember(V, Root) || isa_and_nonnull<TensorType>(V->getType());
    });
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class FuseOps final : public FuseOpsBase<FuseOps> {
public:
  using FuseOpsBase::FuseOpsBase;

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &AM,
                                   PassContext &Ctx) override {
    if (isPrimitive(F.getSignature()))
      return PreservedAnalyses::all();
    const DataflowGraph &Graph = AM.getResult<DataflowGraphAnalysis>(F);
    FusionGroups Groups(Graph);
    if (getLevel(Ctx) != 0)
      Groups.fuse(AM.getResult<PostDominatorsAnalysis>(F), getMaxDepth(Ctx));
    Fuser Fuse(F, Graph, Groups, Ctx.getConfig(FuseOpsLinkParams));
    NumFunctions += Fuse.run();
    // Types that came from operations before a closure are no longer visible
    // through it.
    if ((Fuse.hasDynamicInputs() ||
         (Fuse.hasChanged() && isLessDynamicThanDeclared(F))) &&
        failed(retype(F)))
      return failure();
    return preserved(Fuse.hasChanged());
  }

private:
  int64_t getLevel(PassContext &Ctx) const {
    return Options.FuseOptLevel == -1 ? Ctx.getOptLevel()
                                      : Options.FuseOptLevel;
  }
  /// Negative: any number, as in TVM.
  uint64_t getMaxDepth(PassContext &Ctx) const {
    return Options.MaxDepth == -1 ? Ctx.getConfig(FuseOpsMaxDepth)
                                  : Options.MaxDepth;
  }
};

} // namespace

std::unique_ptr<Pass> relay::createFuseOpsPass(FuseOpsOptions Options) {
  return std::make_unique<FuseOps>(std::move(Options));
}
