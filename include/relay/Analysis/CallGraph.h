//===- CallGraph.h - Which function calls which -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graph of a module's functions: an edge to each function that is called or
// used as a value. References to functions that the module does not have (in a
// file that is an expression) have no edge.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_CALLGRAPH_H
#define RELAY_ANALYSIS_CALLGRAPH_H

#include "relay/Pass/AnalysisManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace relay {

/// Functions are numbered in the module's order.
class CallGraph {
public:
  explicit CallGraph(Module &M);
  /// Only the edges to functions that \p IsWanted accepts.
  CallGraph(Module &M, function_ref<bool(const Function &)> IsWanted);

  unsigned size() const { return Nodes.size(); }
  Function &getFunction(unsigned N) const { return *Nodes[N].F; }
  /// The number of \p F, which is in the module.
  unsigned getNumber(const Function *F) const { return Numbers.lookup(F); }
  /// Returns the functions that function \p N calls or uses, each once, in the
  /// order of first uses.
  ArrayRef<unsigned> getCallees(unsigned N) const { return Nodes[N].Callees; }
  /// Calls and other uses of function \p N in the module, its own included.
  unsigned getNumUses(unsigned N) const { return Nodes[N].NumUses; }
  /// Returns true if function \p N reaches itself.
  bool isRecursive(unsigned N) const { return Recursive[N]; }
  /// All functions, a callee before its callers unless they are in a circle.
  ArrayRef<unsigned> getPostOrder() const { return PostOrder; }
  /// The strongly connected components: parts of the post-order, in its order.
  /// The functions of a circle come in the reverse order of a depth-first
  /// search.
  unsigned getNumComponents() const { return ComponentEnds.size(); }
  ArrayRef<unsigned> getComponent(unsigned I) const {
    unsigned Begin = I ? ComponentEnds[I - 1] : 0;
    return ArrayRef(PostOrder).slice(Begin, ComponentEnds[I] - Begin);
  }
  /// Returns the functions that \p Roots reach, themselves included.
  llvm::BitVector getReachable(ArrayRef<unsigned> Roots) const;

  /// A line a function: `@main: @f @g`, with `(recursive)` where it is.
  void print(raw_ostream &OS) const;

private:
  struct Node {
    Function *F;
    SmallVector<unsigned, 4> Callees;
    unsigned NumUses = 0;
  };
  void addUses(unsigned Caller, function_ref<bool(const Function &)> IsWanted);
  void findComponents();

  std::vector<Node> Nodes;
  llvm::DenseMap<const Function *, unsigned> Numbers;
  SmallVector<unsigned, 0> PostOrder, ComponentEnds;
  llvm::BitVector Recursive;
};

/// The function of its module that \p Op calls by name or is a reference to;
/// null for any other operation.
Function *getNamedFunction(const Operation &Op);

/// \p F and the functions that it names, directly or not, in the order in which
/// they are met.
llvm::SetVector<Function *> getReachableFunctions(Function &F);

struct CallGraphAnalysis {
  using Result = CallGraph;
  static AnalysisKey Key;
  static StringRef name() { return "CallGraphAnalysis"; }
  Result run(Module &M, ModuleAnalysisManager &) { return CallGraph(M); }
};

} // namespace relay

#endif // RELAY_ANALYSIS_CALLGRAPH_H
