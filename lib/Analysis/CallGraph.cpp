//===- CallGraph.cpp - Which function calls which -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over each function finds the edges.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Support/Components.h"
#include "llvm/ADT/DenseSet.h"

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

void CallGraph::findComponents() {
  auto AddComponent = [&](ArrayRef<unsigned> Component, bool HasCycle) {
    llvm::append_range(PostOrder, Component);
    ComponentEnds.push_back(PostOrder.size());
    if (HasCycle)
      for (unsigned N : Component)
        Recursive.set(N);
  };
  forEachComponent(
      size(), [&](unsigned N) { return getCallees(N); }, AddComponent);
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
