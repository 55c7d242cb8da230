//===- DataflowGraph.cpp - Flow of tensors in a function ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk finds the operations; one pass over them, in the order of their
// numbers, finds external values and edges, which are then sorted by their
// beginnings.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/DataflowGraph.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassContext.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Analysis/FusionRules.h.inc"

using namespace relay;

AnalysisKey DataflowGraphAnalysis::Key;

DataflowGraph DataflowGraphAnalysis::run(Function &F,
                                         FunctionAnalysisManager &AM) {
  return DataflowGraph(F, AM.getPassContext().getTargetKeys());
}

//===----------------------------------------------------------------------===//
// Fusion kinds
//===----------------------------------------------------------------------===//

StringRef relay::getFusionKindName(FusionKind Kind) {
  switch (Kind) {
  case FusionKind::ElemWise:
    return "ElemWise";
  case FusionKind::Broadcast:
    return "Broadcast";
  case FusionKind::Injective:
    return "Injective";
  case FusionKind::CommReduce:
    return "CommReduce";
  case FusionKind::OutEWiseFusable:
    return "OutEWiseFusable";
  case FusionKind::Tuple:
    return "Tuple";
  case FusionKind::Opaque:
    return "Opaque";
  }
  llvm_unreachable("unknown fusion kind");
}

/// A scalar that code generators write into the code that uses it.
static bool isSimpleScalar(const ConstantData &C) {
  DType T = C.getDType();
  return C.isScalar() &&
         (T.isInt(32) || T.isInt(64) || T.isFloat(32) || T.isFloat(64) ||
          T.isBool()) &&
         T.getLanes() == 1;
}

bool DataflowGraph::isTupleOfTensors(const Type *T) {
  auto *Tuple = dyn_cast_or_null<TupleType>(T);
  if (!Tuple)
    return false;
  if (LastTuple.first != T)
    LastTuple = {T, llvm::all_of(Tuple->getFields(), [](const Type *Field) {
                   return isa<TensorType>(Field);
                 })};
  return LastTuple.second;
}

FusionKind relay::getFusionKindOfProjection(DataflowGraph &Graph,
                                            const Operation &Op) {
  return Graph.isTupleOfTensors(Op.getOperand(0)->getType())
             ? FusionKind::Injective
             : FusionKind::Opaque;
}

FusionKind relay::getFusionKindOfConstant(DataflowGraph &,
                                          const Operation &Op) {
  return isSimpleScalar(*ConstantOp(&Op).attrs().value().getConstant())
             ? FusionKind::ElemWise
             : FusionKind::Opaque;
}

static FusionKind toFusionKind(FusionPatternValue Pattern) {
  switch (Pattern) {
  case FusionPatternValue::ElemWise:
    return FusionKind::ElemWise;
  case FusionPatternValue::Broadcast:
    return FusionKind::Broadcast;
  case FusionPatternValue::Injective:
    return FusionKind::Injective;
  case FusionPatternValue::CommReduce:
    return FusionKind::CommReduce;
  case FusionPatternValue::OutElemWiseFusable:
    return FusionKind::OutEWiseFusable;
  case FusionPatternValue::Opaque:
    return FusionKind::Opaque;
  }
  llvm_unreachable("unknown fusion pattern");
}

FusionKind relay::getFusionKind(const OpInfo &Op, Context &Ctx,
                                ArrayRef<StringRef> Keys) {
  OpFacts<FusionPattern> Patterns(Ctx, Keys);
  if (std::optional<FusionPatternValue> Pattern = Patterns.lookup(Op))
    return toFusionKind(*Pattern);
  return Op.Fusion;
}

/// The tables that determine fusion kinds.
struct DataflowGraph::Lookups {
  OpHooks<FusionRule> Rules;
  OpFacts<FusionPattern> Patterns;
};

/// How the result of \p Op depends on its operands' elements.
FusionKind DataflowGraph::computeKind(const Operation &Op, const Lookups &L) {
  if (OpHook<FusionRule> Rule = L.Rules.lookup(Op))
    return Rule(*this, Op);
  // A shape that depends on data cannot be computed from a dynamic shape within
  // one function.
  if (llvm::is_contained(Op.getInfo().ShapeDataDependent, true) &&
      isDynamic(Op.getType()))
    return FusionKind::Opaque;
  if (std::optional<FusionPatternValue> Pattern = L.Patterns.lookup(Op))
    return toFusionKind(*Pattern);
  return Op.getInfo().Fusion;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// Returns true if a tensor flows through operand \p I into \p User; else the
/// use makes the operand external.
static bool isFlow(const Operation &User, unsigned I, FusionKind Kind) {
  switch (User.getCode()) {
  case OpCode::Operator:
  case OpCode::CallGlobal:
  case OpCode::CallConstructor:
    return true;
  case OpCode::CallValue:
    return I != 0;
  case OpCode::Tuple:
    return isa_and_nonnull<TensorType>(User.getOperand(I)->getType());
  case OpCode::TupleGetItem:
    return Kind == FusionKind::Injective;
  default:
    return false;
  }
}

/// The kind of the step from operand \p I to \p User, which is of \p Kind.
static FusionKind getEdgeKind(const Operation &User, unsigned I,
                              FusionKind Kind) {
  if (Kind == FusionKind::Tuple)
    return FusionKind::Injective;
  if (Kind != FusionKind::Broadcast)
    return Kind;
  auto *From = dyn_cast_or_null<TensorType>(User.getOperand(I)->getType());
  auto *To = dyn_cast_or_null<TensorType>(User.getType());
  return From && To && From->getShape() == To->getShape() ? FusionKind::ElemWise
                                                          : Kind;
}

static bool isFunctionOfCompiler(const Operation &Op) {
  return Op.is(OpCode::Fn) && hasCompiler(Op.getSignature());
}

/// The edges found so far.
struct DataflowGraph::FlowBuilder {
  explicit FlowBuilder(uint32_t NumNodes) : LastUser(NumNodes, ~0u) {
    Edges.reserve(size_t(NumNodes) * 2);
  }
  SmallVector<FullEdge, 0> Edges;
  /// By node: the end of its last edge.
  SmallVector<uint32_t, 0> LastUser;
};

DataflowGraph::DataflowGraph(Function &F, ArrayRef<StringRef> Keys)
    : Operations(F.getNumValues(), nullptr),
      Kinds(F.getNumValues(), FusionKind::Opaque), External(F.getNumValues()) {
  addResult(F.getBody());
  findOperations(F);
  Context &Ctx = F.getContext();
  Lookups L{OpHooks<FusionRule>(Ctx, Keys), OpFacts<FusionPattern>(Ctx, Keys)};
  FlowBuilder Flow(F.getNumValues());
  for (Operation *Op : Operations)
    if (Op)
      addOperation(*Op, L, Flow);
  setEdges(F.getNumValues(), Flow.Edges);
}

void DataflowGraph::addResult(Block &B) {
  External.set(B.getResult()->getIndex());
}

void DataflowGraph::findOperations(Function &F) {
  if (!F.getNumRegions()) {
    for (Operation &Op : F.getBody())
      Operations[Op.getIndex()] = &Op;
    return;
  }
  Foreign.resize(F.getNumValues());
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    Operations[Op->getIndex()] = Op;
    if (Operation *Parent = Op->getParentOp())
      if (Foreign[Parent->getIndex()] || isFunctionOfCompiler(*Parent))
        Foreign.set(Op->getIndex());
  });
}

void DataflowGraph::addOperation(Operation &Op, const Lookups &L,
                                 FlowBuilder &Flow) {
  uint32_t N = Op.getIndex();
  bool IsForeign = !Foreign.empty() && Foreign[N];
  if (Op.isBound())
    External.set(N);
  FusionKind Kind = IsForeign ? FusionKind::Opaque : computeKind(Op, L);
  Kinds[N] = Kind;
  for (unsigned I = 0, E = Op.getNumOperands(); I != E; ++I) {
    uint32_t From = Op.getOperand(I)->getIndex();
    if (IsForeign || !isFlow(Op, I, Kind))
      External.set(From);
    else if (std::exchange(Flow.LastUser[From], N) != N)
      Flow.Edges.push_back({From, {N, getEdgeKind(Op, I, Kind)}});
  }
  for (Block &B : Op.getRegions())
    addResult(B);
}

void DataflowGraph::print(raw_ostream &OS) const {
  for (uint32_t N = 0; N != size(); ++N) {
    if (!Operations[N])
      continue;
    OS << '#' << N << ' ' << Operations[N]->getName() << " ("
       << getFusionKindName(Kinds[N]) << (External[N] ? ", external)" : ")");
    // Edges lie in the reverse order of users.
    StringRef Separator = " -> ";
    for (const Edge &E : llvm::reverse(getUsers(N))) {
      OS << Separator << '#' << E.User << ' ' << getFusionKindName(E.Kind);
      Separator = ", ";
    }
    OS << '\n';
  }
}
