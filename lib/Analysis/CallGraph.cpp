//===- CallGraph.cpp - Which function calls which -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over each function finds the edges; llvm::scc_iterator, which does
// not recurse, finds the strongly connected components.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/Sequence.h"

using namespace relay;

AnalysisKey CallGraphAnalysis::Key;

Function *relay::getNamedFunction(const Operation &Op) {
  StringRef Name = getNamedGlobal(Op);
  return Name.empty() ? nullptr
                      : Op.getFunction()->getModule()->lookupFunction(Name);
}

llvm::SetVector<Function *> relay::getReachableFunctions(Function &F) {
  llvm::SetVector<Function *> Found;
  Found.insert(&F);
  for (size_t I = 0; I != Found.size(); ++I)
    walk(*Found[I], [&](Operation *Op) {
      if (Function *Named = getNamedFunction(*Op))
        Found.insert(Named);
    });
  return Found;
}

CallGraph::CallGraph(Module &M)
    : CallGraph(M, [](const Function &) { return true; }) {}

CallGraph::CallGraph(Module &M, function_ref<bool(const Function &)> IsWanted)
    : Recursive(M.getNumFunctions()) {
  for (Function &F : M.functions()) {
    Numbers[&F] = Nodes.size();
    Nodes.push_back({&F, {}, 0});
  }
  for (unsigned N = 0; N != size(); ++N)
    addUses(N, IsWanted);
  findComponents();
}

void CallGraph::addUses(unsigned Caller,
                        function_ref<bool(const Function &)> IsWanted) {
  llvm::SmallDenseSet<unsigned, 8> Known;
  walk(*Nodes[Caller].F, [&](Operation *Op) {
    Function *Used = getNamedFunction(*Op);
    if (!Used || !IsWanted(*Used))
      return;
    unsigned Callee = getNumber(Used);
    ++Nodes[Callee].NumUses;
    if (Known.insert(Callee).second)
      Nodes[Caller].Callees.push_back(Callee);
  });
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

namespace {
/// A call graph with an entry node, from which an edge goes to each function.
struct RootedCallGraph {
  explicit RootedCallGraph(const CallGraph &G)
      : G(G), Roots(llvm::to_vector<0>(llvm::seq(0u, G.size()))) {}
  unsigned getRoot() const { return G.size(); }
  ArrayRef<unsigned> getSuccessors(unsigned N) const {
    return N == getRoot() ? ArrayRef(Roots) : G.getCallees(N);
  }

  const CallGraph &G;
  SmallVector<unsigned, 0> Roots;
};
} // namespace

template <> struct llvm::GraphTraits<const RootedCallGraph *> {
  using NodeRef = std::pair<const RootedCallGraph *, unsigned>;
  struct ToNode {
    const RootedCallGraph *G;
    NodeRef operator()(unsigned N) const { return {G, N}; }
  };
  using ChildIteratorType = llvm::mapped_iterator<const unsigned *, ToNode>;

  static NodeRef getEntryNode(const RootedCallGraph *G) {
    return {G, G->getRoot()};
  }
  static ChildIteratorType child_begin(NodeRef N) {
    return {N.first->getSuccessors(N.second).begin(), ToNode{N.first}};
  }
  static ChildIteratorType child_end(NodeRef N) {
    return {N.first->getSuccessors(N.second).end(), ToNode{N.first}};
  }
};

void CallGraph::findComponents() {
  const RootedCallGraph Rooted(*this);
  for (auto I = llvm::scc_begin(&Rooted); !I.isAtEnd(); ++I) {
    if (I->front().second == Rooted.getRoot())
      continue;
    for (auto [G, N] : *I) {
      PostOrder.push_back(N);
      if (I.hasCycle())
        Recursive.set(N);
    }
    ComponentEnds.push_back(PostOrder.size());
  }
}

llvm::BitVector CallGraph::getReachable(ArrayRef<unsigned> Roots) const {
  llvm::BitVector Reached(size());
  SmallVector<unsigned, 8> Worklist(Roots);
  while (!Worklist.empty()) {
    unsigned N = Worklist.pop_back_val();
    if (Reached[N])
      continue;
    Reached.set(N);
    llvm::append_range(Worklist, getCallees(N));
  }
  return Reached;
}

void CallGraph::print(raw_ostream &OS) const {
  for (auto [N, Info] : llvm::enumerate(Nodes)) {
    OS << '@' << Info.F->getName() << ':';
    for (unsigned Callee : Info.Callees)
      OS << " @" << getFunction(Callee).getName();
    OS << (isRecursive(N) ? " (recursive)\n" : "\n");
  }
}
