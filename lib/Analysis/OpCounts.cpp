//===- OpCounts.cpp - How many operations of each kind --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counting by the address of the OpInfo; names are only compared to print.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/OpCounts.h"
#include "relay/IR/TypingRules.h"
#include "relay/IR/Walk.h"
#include "llvm/Support/Format.h"

using namespace relay;

AnalysisKey OpCountsAnalysis::Key;

OpCounts::OpCounts(Function &F) {
  walk(F, [&](Operation *Op) {
    ++Counts[&Op->getInfo()];
    ++NumOperations;
    NumOperatorCalls += Op->is(OpCode::Operator);
  });
}

OpCounts &OpCounts::operator+=(const OpCounts &O) {
  for (auto [Info, Count] : O.Counts)
    Counts[Info] += Count;
  NumOperations += O.NumOperations;
  NumOperatorCalls += O.NumOperatorCalls;
  return *this;
}

template <typename PairT>
static void sortByName(SmallVectorImpl<PairT> &Pairs) {
  llvm::sort(Pairs, [](const PairT &L, const PairT &R) {
    return L.first->Name < R.first->Name;
  });
}

SmallVector<OpCounts::Entry, 0> OpCounts::getSorted(bool Operators) const {
  SmallVector<Entry, 0> Entries;
  for (auto [Info, Count] : Counts)
    if (Info->isOperator() == Operators)
      Entries.push_back({Info, Count});
  sortByName(Entries);
  return Entries;
}

SmallVector<OpCounts::Change, 0>
OpCounts::getChanges(const OpCounts &Before) const {
  llvm::DenseMap<const OpInfo *, int64_t> Difference;
  for (auto [Info, Count] : Counts)
    Difference[Info] += Count;
  for (auto [Info, Count] : Before.Counts)
    Difference[Info] -= Count;
  SmallVector<Change, 0> Changes;
  for (auto [Info, Count] : Difference)
    if (Count)
      Changes.push_back({Info, Count});
  sortByName(Changes);
  return Changes;
}

void OpCounts::print(raw_ostream &OS) const {
  OS << typing::countOf(NumOperations, "operation") << ", "
     << typing::countOf(NumOperatorCalls, "call") << " of operators\n";
  auto PrintAll = [&](ArrayRef<Entry> Entries) {
    for (auto [Info, Count] : Entries)
      OS << llvm::format_decimal(Count, 8) << "  " << Info->Name << '\n';
  };
  PrintAll(getOperators());
  PrintAll(getConstructs());
}

OpCounts OpCountsAnalysis::run(Module &M, ModuleAnalysisManager &AM) {
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  OpCounts Sum;
  for (Function &F : M.functions())
    Sum += FAM.getResult<OpCountsAnalysis>(F);
  return Sum;
}
