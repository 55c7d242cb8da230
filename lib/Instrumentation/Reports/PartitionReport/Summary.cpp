//===- Summary.cpp - The partition of a module ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Summary.h. Visits each function of the host, and each region at its first
// call, so that the time does not depend on the number of paths of calls.
//
//===----------------------------------------------------------------------===//

#include "Reports/PartitionReport/Summary.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/SetVector.h"

using namespace relay;

using Node = PartitionSummary::Node;
using Region = PartitionSummary::Region;
using Crossing = PartitionSummary::Crossing;

namespace {

class Summarizer {
public:
  Summarizer(const Module &M, const PartitionSummary::ReasonTable &Remarks,
             PartitionSummary &Summary)
      : M(M), Remarks(Remarks), Summary(Summary) {}

  void run();

private:
  static constexpr unsigned NoNode = ~0u;

  void addFunction(const Function &F, unsigned InRegion);
  void addOperation(const Operation &Op, unsigned InRegion);
  Region &addRegion(const Operation &Call, const Function &F);
  void addCall(const Operation &Call, const Function &F);
  void addNode(const Operation &Op, unsigned InRegion);
  void passOn(const Operation &Op);
  void addInputs(Node &N, const Operation &Op) const;
  unsigned lookupNode(const Value *V) const;

  const Module &M;
  const PartitionSummary::ReasonTable &Remarks;
  PartitionSummary &Summary;
  /// The node that computes a value.
  llvm::DenseMap<const Value *, unsigned> NodeOf;
  /// The nodes of the fields of a region's result.
  llvm::DenseMap<const Value *, SmallVector<unsigned, 2>> FieldsOf;
  llvm::DenseMap<const Function *, unsigned> RegionOf;
};

} // namespace

/// Returns the compiler of \p F; empty for functions of the host.
static StringRef getCompiler(const Function &F) {
  return getStringAttr(F.getSignature(), FunctionAttrs::Compiler);
}

/// Returns the name of the composite that \p Op calls; empty for others.
static StringRef getCalledComposite(const Operation &Op) {
  return Op.is(OpCode::CallValue)
             ? getComposite(Op.getOperand(0)->getDefiningOp())
             : StringRef();
}

/// Returns true for operations that compute nothing: they are no nodes.
static bool isTransparent(const Operation &Op) {
  return Op.is(OpCode::Constant) || Op.is(OpCode::TupleGetItem) ||
         Op.is(OpCode::Alias) || Op.is(OpCode::Scope) || isSymbolRef(Op);
}

static std::string getNodeName(const Operation &Op) {
  if (StringRef Composite = getCalledComposite(Op); !Composite.empty())
    return Composite.str();
  if (StringRef Callee = getNamedGlobal(Op); !Callee.empty())
    return ("@" + Callee).str();
  return Op.getName().str();
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

static Crossing getCrossing(const Type *T, bool IsConstant = false) {
  return {T ? toString(T) : "?", getNumBytes(T), IsConstant};
}

static std::vector<Crossing> getInputs(const Operation &Call) {
  std::vector<Crossing> Inputs;
  for (const Value *V : Call.operands()) {
    const Operation *Op = V->getDefiningOp();
    Inputs.push_back(getCrossing(V->getType(), Op && Op->is(OpCode::Constant)));
  }
  return Inputs;
}

static std::vector<Crossing> getOutputs(const Type *T) {
  const auto *Tuple = dyn_cast_or_null<TupleType>(T);
  if (!Tuple)
    return {getCrossing(T)};
  std::vector<Crossing> Outputs;
  for (const Type *Field : Tuple->getFields())
    Outputs.push_back(getCrossing(Field));
  return Outputs;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Returns the node that computes \p V, or NoNode.
unsigned Summarizer::lookupNode(const Value *V) const {
  auto It = NodeOf.find(V);
  return It != NodeOf.end() ? It->second : NoNode;
}

/// Gives \p Op, which computes nothing, the node of the value that it passes
/// on.
void Summarizer::passOn(const Operation &Op) {
  const Value *From = nullptr;
  if (Op.is(OpCode::Scope))
    From = Op.getRegion().getResult();
  else if (Op.is(OpCode::Alias) || Op.is(OpCode::TupleGetItem))
    From = Op.getOperand(0);
  if (!From)
    return;
  unsigned N = lookupNode(From);
  auto Fields = FieldsOf.find(From);
  if (Fields != FieldsOf.end()) {
    if (auto Item = dyn_cast<TupleGetItemOp>(&Op))
      N = Fields->second[Item.attrs().index()];
    else
      FieldsOf[&Op] = SmallVector<unsigned, 2>(Fields->second);
  }
  if (N != NoNode)
    NodeOf[&Op] = N;
}

void Summarizer::addInputs(Node &N, const Operation &Op) const {
  llvm::SmallSetVector<unsigned, 8> Inputs;
  auto Add = [&](const Value *V) {
    if (unsigned From = lookupNode(V); From != NoNode)
      Inputs.insert(From);
  };
  for (const Value *V : Op.operands())
    Add(V);
  for (const Block &B : Op.getRegions())
    Add(B.getResult());
  N.Inputs.assign(Inputs.begin(), Inputs.end());
}

void Summarizer::addNode(const Operation &Op, unsigned InRegion) {
  const DiagnosticEngine &Diagnostics = M.getContext().getDiagnostics();
  Node N;
  N.Name = getNodeName(Op);
  N.Region = InRegion;
  N.IsOffloadable = Op.is(OpCode::Operator) || !getCalledComposite(Op).empty();
  llvm::raw_string_ostream OS(N.Position);
  Diagnostics.printPosition(OS, Op.getLoc());
  SmallVector<StringRef> Layers;
  Diagnostics.getLocations().getLayers(Op.getLoc(), Layers);
  N.Layers.assign(Layers.begin(), Layers.end());
  auto Why = Remarks.find({Op.getLoc().getRaw(), Op.getName().str()});
  if (Why != Remarks.end())
    N.Why = Why->second;
  addInputs(N, Op);
  NodeOf[&Op] = Summary.Nodes.size();
  if (InRegion != PartitionSummary::Host)
    Summary.Regions[InRegion].Nodes.push_back(Summary.Nodes.size());
  Summary.Nodes.push_back(std::move(N));
}

static void addTraffic(PartitionSummary::Traffic &Sums,
                       ArrayRef<Crossing> Inputs, ArrayRef<Crossing> Outputs) {
  for (const Crossing &In : Inputs) {
    (In.IsConstant ? Sums.ConstantBytes : Sums.BytesIn) += In.Bytes.value_or(0);
    Sums.HasUnknownBytes |= !In.Bytes;
  }
  for (const Crossing &Out : Outputs) {
    Sums.BytesOut += Out.Bytes.value_or(0);
    Sums.HasUnknownBytes |= !Out.Bytes;
  }
}

/// Adds the operations of \p F, which \p Call calls, as a region, unless an
/// earlier call has. Inputs of its nodes are the arguments of the first call.
Region &Summarizer::addRegion(const Operation &Call, const Function &F) {
  auto [It, IsNew] = RegionOf.try_emplace(&F, Summary.Regions.size());
  unsigned Number = It->second;
  if (!IsNew)
    return Summary.Regions[Number];
  Region &New = Summary.Regions.emplace_back();
  New.Function = F.getName().str();
  New.Target = getCompiler(F).str();
  New.Inputs = getInputs(Call);
  New.Outputs = getOutputs(Call.getType());
  for (auto [Param, Argument] : llvm::zip(F.getParams(), Call.operands()))
    if (unsigned N = lookupNode(Argument); N != NoNode)
      NodeOf[Param] = N;
  addFunction(F, Number);
  return Summary.Regions[Number];
}

/// Adds the call \p Call of \p F, the function of a region.
void Summarizer::addCall(const Operation &Call, const Function &F) {
  Region &Called = addRegion(Call, F);
  ++Called.NumCalls;
  addTraffic(Called.Sums, getInputs(Call), getOutputs(Call.getType()));
  const Value *Result = F.getBody().getResult();
  if (unsigned N = lookupNode(Result); N != NoNode)
    NodeOf[&Call] = N;
  if (const Operation *Tuple = Result->getDefiningOp();
      Tuple && Tuple->is(OpCode::Tuple))
    for (const Value *Field : Tuple->operands())
      FieldsOf[&Call].push_back(lookupNode(Field));
}

void Summarizer::addOperation(const Operation &Op, unsigned InRegion) {
  const Function *Callee =
      Op.is(OpCode::CallGlobal) && InRegion == PartitionSummary::Host
          ? M.lookupFunction(getNamedGlobal(Op))
          : nullptr;
  if (Callee && !getCompiler(*Callee).empty())
    addCall(Op, *Callee);
  else if (isTransparent(Op))
    passOn(Op);
  else
    addNode(Op, InRegion);
}

/// Calls \p Visit for the operations of \p F, except those in composites. The
/// region of an operation comes before the operation.
static void visitOperations(Function &F,
                            function_ref<void(Operation *)> Visit) {
  struct Visitor : IRVisitor {
    explicit Visitor(function_ref<void(Operation *)> Visit) : Visit(Visit) {}
    WalkResult enter(Operation *Op) {
      return isComposite(*Op) ? WalkResult::skip() : WalkResult::advance();
    }
    void leave(Operation *Op) { Visit(Op); }
    function_ref<void(Operation *)> Visit;
  };
  traverse(F, Visitor(Visit));
}

void Summarizer::addFunction(const Function &F, unsigned InRegion) {
  // The result of a region with several results is no operation.
  const Value *Result =
      InRegion == PartitionSummary::Host ? nullptr : F.getBody().getResult();
  visitOperations(const_cast<Function &>(F), [&](Operation *Op) {
    if (Op != Result || !Op->is(OpCode::Tuple))
      addOperation(*Op, InRegion);
  });
}

void Summarizer::run() {
  for (const Function &F : M.functions())
    if (getCompiler(F).empty() && !isExtern(F.getSignature()))
      addFunction(F, PartitionSummary::Host);
}

PartitionSummary PartitionSummary::create(const Module &M,
                                          const ReasonTable &Remarks,
                                          bool HasFailed) {
  PartitionSummary Summary;
  Summary.HasFailed = HasFailed;
  Summarizer(M, Remarks, Summary).run();
  return Summary;
}
