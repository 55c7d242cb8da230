//===- CallGraph.cpp - Which function calls which -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over each function finds the edges; circles are found by Tarjan's
// algorithm, on an explicit stack.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/CallGraph.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "llvm/ADT/DenseSet.h"

using namespace relay;

AnalysisKey CallGraphAnalysis::Key;

Function *relay::getNamedFunction(const Operation &Op) {
  const Module *M = Op.getFunction()->getModule();
  if (auto Call = dyn_cast<CallGlobalOp>(&Op))
    return M->lookupFunction(Call.attrs().callee());
  if (auto Ref = dyn_cast<GlobalRefOp>(&Op))
    return M->lookupFunction(Ref.attrs().symbol());
  return nullptr;
}

CallGraph::CallGraph(Module &M) : Recursive(M.getNumFunctions()) {
  for (Function &F : M.functions()) {
    Numbers[&F] = Nodes.size();
    Nodes.push_back({&F, {}, 0});
  }
  for (unsigned N = 0; N != size(); ++N)
    addUses(N);
  findCircles();
}

void CallGraph::addUses(unsigned Caller) {
  llvm::SmallDenseSet<unsigned, 8> Known;
  walk(*Nodes[Caller].F, [&](Operation *Op) {
    Function *Used = getNamedFunction(*Op);
    if (!Used)
      return;
    unsigned Callee = getNumber(Used);
    ++Nodes[Callee].NumUses;
    if (Known.insert(Callee).second)
      Nodes[Caller].Callees.push_back(Callee);
  });
}

//===----------------------------------------------------------------------===//
// Circles
//===----------------------------------------------------------------------===//

namespace {
/// Finds the strongly connected components, callees first.
class CircleFinder {
public:
  CircleFinder(const CallGraph &G, SmallVectorImpl<unsigned> &PostOrder,
               llvm::BitVector &Recursive)
      : G(G), PostOrder(PostOrder), Recursive(Recursive),
        States(G.size(), State()) {
    for (unsigned N = 0; N != G.size(); ++N) {
      if (States[N].Entered)
        continue;
      enter(N);
      while (!Stack.empty())
        step();
    }
  }

private:
  struct State {
    unsigned Entered = 0; ///< number of its entry, from 1; 0: not entered
    unsigned Low = 0;     ///< earliest entry that it is known to reach
    bool Open = false;    ///< its component is not complete
  };
  struct Frame {
    unsigned N, NextCallee;
  };

  void enter(unsigned N) {
    States[N] = {++NumEntered, NumEntered, true};
    Open.push_back(N);
    Stack.push_back({N, 0});
  }

  void step() {
    auto [N, NextCallee] = Stack.back();
    ArrayRef<unsigned> Callees = G.getCallees(N);
    if (NextCallee == Callees.size())
      return leave(N);
    ++Stack.back().NextCallee;
    unsigned Callee = Callees[NextCallee];
    if (Callee == N)
      Recursive.set(N);
    if (!States[Callee].Entered)
      return enter(Callee);
    if (States[Callee].Open)
      States[N].Low = std::min(States[N].Low, States[Callee].Entered);
  }

  void leave(unsigned N) {
    Stack.pop_back();
    if (!Stack.empty()) {
      unsigned &Low = States[Stack.back().N].Low;
      Low = std::min(Low, States[N].Low);
    }
    PostOrder.push_back(N);
    if (States[N].Low == States[N].Entered)
      closeComponent(N);
  }

  void closeComponent(unsigned Root) {
    bool Circle = Open.back() != Root;
    unsigned N;
    do {
      N = Open.pop_back_val();
      States[N].Open = false;
      if (Circle)
        Recursive.set(N);
    } while (N != Root);
  }

  const CallGraph &G;
  SmallVectorImpl<unsigned> &PostOrder;
  llvm::BitVector &Recursive;
  SmallVector<State, 0> States;
  SmallVector<Frame, 8> Stack;
  SmallVector<unsigned, 8> Open;
  unsigned NumEntered = 0;
};
} // namespace

void CallGraph::findCircles() { CircleFinder(*this, PostOrder, Recursive); }

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
