//===- DataflowGraph.h - Flow of tensors in a function ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function as fusion sees it, like TVM's IndexedForwardGraph: the flow of
// tensors between operations, and the regularity of each step (FusionKind). Any
// other use of a value - a `let`, the result of a block, a condition - makes it
// external. Nodes have the numbers of their values (Value::getIndex), so users
// have larger numbers.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_DATAFLOWGRAPH_H
#define RELAY_ANALYSIS_DATAFLOWGRAPH_H

#include "relay/Analysis/FlowGraph.h"
#include "relay/Pass/AnalysisManager.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

/// Has one edge a user and kind, however often the value is its operand.
class DataflowGraph : public FlowGraph {
public:
  /// \p F is normalized and typed. Hooks and facts are looked up under
  /// \p Keys.
  explicit DataflowGraph(Function &F, ArrayRef<StringRef> Keys = {});

  /// The operation with the number \p N; null for an argument.
  Operation *getOperation(uint32_t N) const { return Operations[N]; }
  /// Opaque for arguments and for operations that are not computations.
  FusionKind getKind(uint32_t N) const { return Kinds[N]; }
  /// Returns true if anything but an edge uses the value.
  bool isExternal(uint32_t N) const { return External[N]; }

  /// A line an operation: `#3 nn.relu (ElemWise) -> #4 ElemWise, #7 Injective`.
  void print(raw_ostream &OS) const;

  /// Returns true if \p T is a tuple of nothing but tensors. The last answer is
  /// kept: a fusion rule asks it of one type for each field.
  bool isTupleOfTensors(const Type *T);

private:
  struct Lookups;
  struct FlowBuilder;
  void findOperations(Function &F);
  void addOperation(Operation &Op, const Lookups &L, FlowBuilder &Flow);
  FusionKind computeKind(const Operation &Op, const Lookups &L);
  void addResult(Block &B);

  SmallVector<Operation *, 0> Operations;
  SmallVector<FusionKind, 0> Kinds;
  llvm::BitVector External;
  /// In functions of other compilers, which fusion does not look into. Empty
  /// if there are no regions.
  llvm::BitVector Foreign;
  /// The last answer of isTupleOfTensors().
  std::pair<const Type *, bool> LastTuple = {nullptr, false};
};

/// Returns the fusion kind of \p Op: its FusionPattern under \p Keys, or that
/// of its record. Types or attributes of a call may change it (FusionRule).
FusionKind getFusionKind(const OpInfo &Op, Context &Ctx,
                         ArrayRef<StringRef> Keys);
/// `ElemWise`, `Broadcast`, …
StringRef getFusionKindName(FusionKind Kind);

struct DataflowGraphAnalysis {
  using Result = DataflowGraph;
  static AnalysisKey Key;
  static StringRef name() { return "DataflowGraphAnalysis"; }
  Result run(Function &F, FunctionAnalysisManager &AM);
};

} // namespace relay

#endif // RELAY_ANALYSIS_DATAFLOWGRAPH_H
