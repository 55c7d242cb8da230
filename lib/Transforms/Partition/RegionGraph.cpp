//===- RegionGraph.cpp - Dependences between regions ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RegionGraph.h. Each block has a node for its entry, which depends on the
// operands of the operation around it. Floating operations depend on it only
// through the variables of the block, since they may be evaluated outside.
//
//===----------------------------------------------------------------------===//

#include "RegionGraph.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Transforms/Partition/TargetSupport.h"

using namespace relay;

RegionGraph::RegionGraph(Function &F, AnnotatedRegions AllRegions,
                         HostNodes Host)
    : F(F), Regions(std::move(AllRegions)), NumRegions(Regions.size()),
      NumNodes(NumRegions), NodeOf(F.getNumValues(), NoRegion) {
  SmallVector<Block *> Blocks;
  auto AddBlock = [&](Block &B) {
    const Block *Outer = B.getParentBlock();
    DepthOf[&B] = Outer ? DepthOf.lookup(Outer) + 1 : 0;
    EntryOf[&B] = NumNodes++;
    Blocks.push_back(&B);
  };
  AddBlock(F.getBody());
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    unsigned N = Regions.lookup(Op);
    bool IsOfHost = Host == HostNodes::Operations && N != NoRegion &&
                    Regions.get(N).Compiler == DefaultCompiler;
    if (N == NoRegion || Op->isBound() || IsOfHost)
      addNode(*Op);
    llvm::for_each(Op->getRegions(), AddBlock);
  });
  for (Block *B : Blocks)
    addDependences(*B);
  Dependences.assign(NumNodes, llvm::reverse(FromTo));
  FromTo.clear();
  sort();
  findScopes();
}

unsigned RegionGraph::getNode(const Value *V) const {
  if (isa<BlockArgument>(V))
    return EntryOf.lookup(V->getParentBlock());
  // The variable of a bound end has its place in the order of `let`s, which the
  // region need not have.
  unsigned Node = NodeOf[V->getIndex()];
  return Node != NoRegion ? Node : Regions.lookup(V);
}

/// Returns true if \p V is a closure around \p User, which calls itself.
static bool isAround(const Value *V, const Operation &User) {
  const Operation *Op = V->getDefiningOp();
  return Op && Op->is(OpCode::Fn) && Op->isBound() &&
         User.getBlock()->isInRegionOf(*Op);
}

void RegionGraph::addOperandDependences(Operation &Op, unsigned Node) {
  for (const Value *V : Op.operands())
    if (!isAround(V, Op))
      addDependence(Node, getNode(V));
}

void RegionGraph::addDependences(Block &B) {
  unsigned Entry = EntryOf.lookup(&B), Before = Entry;
  for (Operation &Op : B) {
    unsigned Node = getNode(&Op);
    if (Op.isBound())
      addDependence(Node, Before);
    addOperandDependences(Op, Node);
    for (Block &Inner : Op.getRegions()) {
      unsigned InnerEntry = EntryOf.lookup(&Inner);
      addOperandDependences(Op, InnerEntry);
      if (Op.isBound())
        addDependence(InnerEntry, Before);
    }
    if (Op.isBound())
      Before = Node;
  }
  Operation *Parent = B.getParentOp();
  if (!Parent)
    return;
  unsigned Node = getNode(Parent);
  addDependence(Node, Before);
  addDependence(Node, getNode(B.getResult()));
}

/// Orders the nodes depth first.
void RegionGraph::sort() {
  enum : uint8_t { Unvisited, Open, Done };
  SmallVector<uint8_t, 0> State(NumNodes, Unvisited);
  SmallVector<std::pair<unsigned, unsigned>> Stack; // node, edges visited
  auto Visit = [&](unsigned Root) {
    if (State[Root] != Unvisited)
      return;
    State[Root] = Open;
    Stack.push_back({Root, 0});
    while (!Stack.empty()) {
      auto &[Node, I] = Stack.back();
      ArrayRef<unsigned> To = getDependences(Node);
      if (I == To.size()) {
        State[Node] = Done;
        Order.push_back(Node);
        Stack.pop_back();
        continue;
      }
      unsigned Next = To[I++];
      if (State[Next] == Open && Circular == NoRegion)
        Circular = llvm::find_if(llvm::reverse(Stack), [&](auto &Entry) {
                     return isRegion(Entry.first);
                   })->first;
      if (State[Next] != Unvisited)
        continue;
      State[Next] = Open;
      Stack.push_back({Next, 0});
    }
  };
  for (Operation &Op : F.getBody().bindings())
    Visit(getNode(&Op));
  Visit(getNode(F.getBody().getResult()));
  for (unsigned N = 0; N != NumNodes; ++N)
    Visit(N);
}

/// The variables of an operation's own blocks do not count.
void RegionGraph::findScopes() {
  Scopes.assign(NumNodes, &F.getBody());
  for (auto [B, Node] : EntryOf)
    Scopes[Node] = B;
  SmallVector<unsigned, 0> Limits(NumNodes, ~0u);
  for (auto [Op, Node] : OwnNodes) {
    const Block *B = Op->getParentBlock();
    Limits[Node] = DepthOf.lookup(B);
    if (Op->isBound())
      Scopes[Node] = B;
  }
  for (unsigned Node : Order)
    for (unsigned To : getDependences(Node)) {
      unsigned Depth = DepthOf.lookup(Scopes[To]);
      if (Depth <= Limits[Node] && Depth > DepthOf.lookup(Scopes[Node]))
        Scopes[Node] = Scopes[To];
    }
}

/// Reports the region that depends on itself.
LogicalResult RegionGraph::reportCircle() const {
  const AnnotatedRegions::Region &Region = Regions.get(Circular);
  return F.getContext().emitError(
      Region.Ends.front()->getLoc(),
      "the region of compiler '" + Region.Compiler +
          "' that ends here depends on itself: an operand of it is computed "
          "from its results");
}

FailureOr<std::unique_ptr<RegionGraph>> RegionGraph::create(Function &F,
                                                            HostNodes Host) {
  AnnotatedRegions Regions(F);
  if (!Regions.isAnnotated())
    return std::unique_ptr<RegionGraph>();
  if (failed(Regions.check()))
    return failure();
  auto Graph = std::make_unique<RegionGraph>(F, std::move(Regions), Host);
  if (Graph->isCircular() && Host == HostNodes::Regions)
    Graph = std::make_unique<RegionGraph>(F, std::move(Graph->Regions),
                                          HostNodes::Operations);
  if (Graph->isCircular())
    return Graph->reportCircle();
  return Graph;
}
