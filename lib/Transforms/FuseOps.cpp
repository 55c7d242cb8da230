//===- FuseOps.cpp - Group operations into primitive functions ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a function of each group of operations that is to be compiled as one,
// and calls it where the group's root was. Which operations belong together is
// FusionGroups.cpp; here the groups are moved.
//
// Groups are taken in the order of their roots. A group's inputs then are final
// already, and become its parameters in the order of their first use.
//
//===----------------------------------------------------------------------===//

#include "FusionGroups.h"
#include "relay/IR/Builder.h"
#include "relay/IR/Core.h"
#include "relay/Ops/Annotation.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

static bool isNonzero(Attr A) {
  return A && (A.isBool() ? A.getBool() : A.isInt() && A.getInt() != 0);
}

namespace {

/// Moves the groups of one function into functions of their own.
class Outliner {
public:
  Outliner(Function &F, const DataflowGraph &Graph, FusionGroups &Groups,
           bool LinkParams);

  /// Returns the number of functions made.
  unsigned run();
  bool hasChanged() const { return R.getNumRewrites() != 0; }

private:
  void findMembers();
  void findPrimitives();
  bool isPrimitive(uint32_t Root);
  bool isMember(Value *V, uint32_t Root);

  void outline(uint32_t Root);
  Location getGroupLoc(uint32_t Root);
  void moveMember(Operation *Op, uint32_t Root, Block &Body);
  Value *getInput(Operation *User, unsigned I, Block &Body);
  Value *copyConstant(Operation *Op, Block &Body);
  StringRef getParamName(unsigned I);
  const Attrs *getFunctionAttrs(uint32_t Root, Block &Body);
  void replaceRoot(Operation *Op, Operation *Call, Block &Body);

  template <typename Fn> void forEachMember(uint32_t Root, Fn &&Callback) {
    for (uint32_t N = First[Root]; N != None; N = Next[N])
      Callback(Graph.getOperation(N));
  }

  static constexpr uint32_t None = ~0u;

  const DataflowGraph &Graph;
  FusionGroups &Groups;
  bool LinkParams;
  Rewriter R;
  /// The members of each group in order, as lists by the group's root.
  SmallVector<uint32_t, 0> First, Next;
  /// In functions that are primitive already, or another compiler's.
  llvm::BitVector InPrimitive;
  SmallVector<StringRef, 16> ParamNames;
  /// Attributes of the functions to make.
  const Attrs *Computes, *OnlyReshapes, *NothingComputed;
  /// Of the present group: what its inputs are inside, and the arguments.
  llvm::SmallDenseMap<Value *, Value *, 16> Inputs;
  SmallVector<Value *, 16> Arguments;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Outliner::Outliner(Function &F, const DataflowGraph &Graph,
                   FusionGroups &Groups, bool LinkParams)
    : Graph(Graph), Groups(Groups), LinkParams(LinkParams), R(F),
      First(Graph.size(), None), Next(Graph.size(), None),
      InPrimitive(Graph.size()) {
  Context &Ctx = F.getContext();
  NamedAttr Primitive = {Ctx.getString("Primitive"), Ctx.getInt(1)};
  NamedAttr Zero = {Primitive.first, Ctx.getInt(0)};
  NamedAttr Reshape = {Ctx.getString("relay.reshape_only"), Ctx.getInt(1)};
  Computes = Ctx.getDictAttrs(Primitive);
  OnlyReshapes = Ctx.getDictAttrs({Primitive, Reshape});
  NothingComputed = Ctx.getDictAttrs(Zero);
  findMembers();
  findPrimitives();
}

void Outliner::findMembers() {
  for (uint32_t N = Graph.size(); N-- != 0;) {
    if (!Graph.getOperation(N))
      continue;
    uint32_t Root = Groups.getRoot(N);
    Next[N] = std::exchange(First[Root], N);
  }
}

/// An operation has a larger number than what its regions hold.
void Outliner::findPrimitives() {
  auto IsPrimitive = [&](Operation *Op) {
    return Op->is(OpCode::Fn) &&
           (isNonzero(Op->getSignature().getAttr("Primitive")) ||
            Op->getSignature().getAttr("Compiler"));
  };
  for (uint32_t N = Graph.size(); N-- != 0;) {
    Operation *Op = Graph.getOperation(N);
    Operation *Parent = Op ? Op->getParentOp() : nullptr;
    if (Parent && (InPrimitive[Parent->getIndex()] || IsPrimitive(Parent)))
      InPrimitive.set(N);
  }
}

/// Whether the group of \p Root is to become a function.
bool Outliner::isPrimitive(uint32_t Root) {
  Operation *Op = Graph.getOperation(Root);
  // Of what is no computation only quantized operators, which are lowered
  // within the function, have a fusion kind.
  if (Op->is(OpCode::Operator))
    return !Op->hasTrait(OpTrait::NonComputational) ||
           Op->getInfo().Fusion != FusionKind::Opaque;
  // A field of a tuple that came from elsewhere is no computation.
  return Op->is(OpCode::TupleGetItem) && isMember(Op->getOperand(0), Root);
}

/// Operations made meanwhile have the number 0, which is another's.
bool Outliner::isMember(Value *V, uint32_t Root) {
  uint32_t N = V->getIndex();
  return Graph.getOperation(N) == V && Groups.getRoot(N) == Root;
}

unsigned Outliner::run() {
  unsigned NumFunctions = 0;
  for (uint32_t N = 0; N != Graph.size(); ++N) {
    Operation *Op = Graph.getOperation(N);
    if (!Op || InPrimitive[N] || Groups.getRoot(N) != N)
      continue;
    if (isa<StopFusionOp>(Op)) {
      if (R.startRewrite("remove-stop-fusion", Op))
        R.replaceOp(Op, Op->getOperand(0));
    } else if (isPrimitive(N) && R.startRewrite("fuse", Op)) {
      outline(N);
      ++NumFunctions;
    }
  }
  return NumFunctions;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Makes the group of \p Root a function and calls it in its place.
void Outliner::outline(uint32_t Root) {
  Operation *Op = Graph.getOperation(Root);
  Location Loc = getGroupLoc(Root);
  R.setLoc(Loc);
  R.setInsertionPoint(Op);
  FnOp Fn = R.create<FnOp>();
  Block &Body = Fn->getRegion();
  Inputs.clear();
  Arguments.clear();
  forEachMember(Root,
                [&](Operation *Member) { moveMember(Member, Root, Body); });
  Fn->getSignature().ResultAnnotation = Op->getType();
  Fn->getSignature().Attributes = getFunctionAttrs(Root, Body);
  R.setResult(Body, Op);
  R.setInsertionPointAfter(Fn);
  R.setLoc(Loc);
  CallValueOp Call = R.create<CallValueOp>(Fn, Arguments);
  replaceRoot(Op, Call, Body);
  RELAY_DEBUG(R.getContext(), 2)
      << Op->getDescription() << " ends a group of "
      << std::distance(Body.begin(), Body.end()) << " operations with "
      << Arguments.size() << " inputs";
}

/// What is made of all members.
Location Outliner::getGroupLoc(uint32_t Root) {
  SmallVector<Location> Locs;
  forEachMember(Root, [&](Operation *Op) {
    if (Op->getLoc().hasSpan())
      Locs.push_back(Op->getLoc());
  });
  return Locs.empty() ? Graph.getOperation(Root)->getLoc()
                      : R.getContext().getLocations().fuse(Locs);
}

/// Makes \p Call what the root \p Op was to the rest of the function.
void Outliner::replaceRoot(Operation *Op, Operation *Call, Block &Body) {
  if (Op->isBound()) {
    R.bindLike(Call, Op);
    R.unbind(Op);
  }
  R.replaceUsesIf(Op, Call, [&](Use &U) { return &U != &Body.getResultUse(); });
}

void Outliner::moveMember(Operation *Op, uint32_t Root, Block &Body) {
  for (unsigned I = 0, E = Op->getNumOperands(); I != E; ++I)
    if (!isMember(Op->getOperand(I), Root))
      R.setOperand(Op, I, getInput(Op, I, Body));
  R.moveToEnd(Op, Body);
}

/// What operand \p I of \p User, which is not of the group, is in it: a
/// parameter, or a copy of a constant.
Value *Outliner::getInput(Operation *User, unsigned I, Block &Body) {
  Value *Outer = User->getOperand(I);
  auto Constant = dyn_cast<ConstantOp>(Outer);
  // The type depends on the value, which is not known of a parameter.
  if (Constant && User->getInfo().mirrorsOperand(I))
    return copyConstant(Constant, Body);
  Value *&Inner = Inputs[Outer];
  if (Inner)
    return Inner;
  if (Constant && LinkParams)
    return Inner = copyConstant(Constant, Body);
  Arguments.push_back(Outer);
  return Inner = Body.addArgument(getParamName(Arguments.size() - 1),
                                  Outer->getType(), User->getLoc());
}

Value *Outliner::copyConstant(Operation *Op, Block &Body) {
  R.setInsertionPointToEnd(Body);
  R.setLoc(Op->getLoc());
  return R.createOperation(Op->getInfo(), {}, Op->getAttrs());
}

/// `p0`, `p1`, …
StringRef Outliner::getParamName(unsigned I) {
  while (ParamNames.size() <= I)
    ParamNames.push_back(
        R.getContext().intern("p" + std::to_string(ParamNames.size())));
  return ParamNames[I];
}

/// `Primitive`, zero where nothing is computed, and `relay.reshape_only` where
/// all that is computed is a shape.
const Attrs *Outliner::getFunctionAttrs(uint32_t Root, Block &Body) {
  bool AnyCall = false;
  bool ReshapeOnly = llvm::all_of(Body.getArguments(), [](BlockArgument *A) {
    return isa_and_nonnull<TensorType>(A->getType());
  });
  forEachMember(Root, [&](Operation *Op) {
    AnyCall |= Op->is(OpCode::Operator);
    ReshapeOnly &=
        !Op->is(OpCode::Operator) || Op->hasTrait(OpTrait::ReshapeLike);
  });
  if (!AnyCall)
    return NothingComputed;
  return ReshapeOnly ? OnlyReshapes : Computes;
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
    if (isNonzero(F.getAttr("Primitive")))
      return PreservedAnalyses::all();
    const DataflowGraph &Graph = AM.getResult<DataflowGraphAnalysis>(F);
    FusionGroups Groups(Graph);
    if (getLevel(Ctx) != 0)
      Groups.fuse(AM.getResult<PostDominatorsAnalysis>(F), getMaxDepth(Ctx));
    Outliner O(F, Graph, Groups, Ctx.getConfig(FuseOpsLinkParams));
    NumFunctions += O.run();
    return preserved(O.hasChanged());
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
