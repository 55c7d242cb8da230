//===- RuleIndex.cpp - Which rules may match at an operation --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RuleIndex.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Rewrite/RuleIndex.h"

using namespace relay;

/// Creates the roots of an index.
class RuleIndex::Builder {
public:
  explicit Builder(const PatternProgram &Program) {
    for (unsigned I = 0, E = Program.getNumPatterns(); I != E; ++I)
      Filters.push_back(makeFilter(Program, I));
  }

  Root make(ArrayRef<uint32_t> Rules) const;

private:
  /// The operators that the operands of the root of a pattern may call.
  struct Filter {
    /// By operand, the numbers of operators; null if the operand may be any
    /// value.
    SmallVector<const llvm::BitVector *, 2> Operators;
    bool Commutes = false;
    /// The two operands must be the same value.
    bool IsOfSame = false;

    bool takes(unsigned Operand, unsigned Operator) const {
      if (Operand >= Operators.size() || !Operators[Operand])
        return true;
      return Operator < Operators[Operand]->size() &&
             Operators[Operand]->test(Operator);
    }
  };

  static Filter makeFilter(const PatternProgram &Program, unsigned Rule);
  void addRows(Root &R, ArrayRef<uint32_t> Rules) const;
  void addMasks(Root &R, ArrayRef<uint32_t> Rules) const;

  std::vector<Filter> Filters;
};

RuleIndex::Builder::Filter
RuleIndex::Builder::makeFilter(const PatternProgram &Program, unsigned Rule) {
  Filter F;
  const PatternInst *Root = &Program.getInst(Program.getRoot(Rule));
  while (Root->Kind == PatternKind::Attributes)
    Root = &Program.getInst(Program.getChild(*Root, 0));
  if (Root->Kind != PatternKind::Call || !Root->Op || Root->RegroupedOp ||
      Root->AnyNumber)
    return F;
  F.Commutes = Root->Commutes;
  ArrayRef<uint32_t> Operands = Program.getChildren(*Root).drop_front();
  for (uint32_t Child : Operands)
    F.Operators.push_back(Program.getOperators(Program.getInst(Child)));
  F.IsOfSame = Operands.size() == 2 && Operands[0] == Operands[1];
  return F;
}

/// Assigns a row to each operator that one of \p Rules requires.
void RuleIndex::Builder::addRows(Root &R, ArrayRef<uint32_t> Rules) const {
  unsigned NumRows = 1;
  for (uint32_t Rule : Rules)
    for (auto [Operand, Wanted] : llvm::enumerate(Filters[Rule].Operators)) {
      if (!Wanted)
        continue;
      unsigned Last = Operand + 1;
      if (Filters[Rule].Commutes)
        Last = Filters[Rule].Operators.size();
      R.NumOperands = std::max<unsigned>(R.NumOperands, Last);
      R.Rows.resize(std::max<size_t>(R.Rows.size(), Wanted->size()), 0);
      for (unsigned Number : Wanted->set_bits())
        if (!R.Rows[Number])
          R.Rows[Number] = NumRows++;
    }
  R.Masks.assign(size_t(NumRows) * R.NumOperands * 2 * R.All.size(), 0);
}

void RuleIndex::Builder::addMasks(Root &R, ArrayRef<uint32_t> Rules) const {
  auto Fill = [&](unsigned Row, unsigned Number) {
    for (unsigned Operand = 0; Operand != R.NumOperands; ++Operand) {
      uint64_t *Mask =
          &R.Masks[(size_t(Row) * R.NumOperands + Operand) * 2 * R.All.size()];
      for (auto [I, Rule] : llvm::enumerate(Rules)) {
        const Filter &F = Filters[Rule];
        uint64_t Bit = uint64_t(1) << (I % 64);
        if (F.takes(Operand, Number))
          Mask[I / 64] |= Bit;
        if (F.Commutes && F.takes(F.Operators.size() - 1 - Operand, Number))
          Mask[R.All.size() + I / 64] |= Bit;
      }
    }
  };
  constexpr unsigned NoOperator = ~0u;
  Fill(0, NoOperator);
  for (auto [Number, Row] : llvm::enumerate(R.Rows))
    if (Row)
      Fill(Row, Number);
}

RuleIndex::Root RuleIndex::Builder::make(ArrayRef<uint32_t> Rules) const {
  Root R;
  for (auto *Words : {&R.All, &R.Commuting, &R.OfSame})
    Words->assign(llvm::divideCeil(Rules.size(), 64), 0);
  for (auto [I, Rule] : llvm::enumerate(Rules)) {
    uint64_t Bit = uint64_t(1) << (I % 64);
    R.All[I / 64] |= Bit;
    if (Filters[Rule].Commutes)
      R.Commuting[I / 64] |= Bit;
    if (Filters[Rule].IsOfSame)
      R.OfSame[I / 64] |= Bit;
    R.AnyOfSame |= Filters[Rule].IsOfSame;
  }
  addRows(R, Rules);
  addMasks(R, Rules);
  return R;
}

RuleIndex::RuleIndex(const PatternProgram &Program) {
  Builder Build(Program);
  for (unsigned N = 0, E = Program.getNumCandidateLists(); N != E; ++N)
    Roots.push_back(Build.make(Program.getCandidatesOf(N)));
  Other = Build.make(Program.getOtherCandidates());
}

uint64_t RuleIndex::filter(const Root &R, const Operation &Op, unsigned Word) {
  // Returns the number of an operator if \p V is a call of it and not a
  // variable.
  auto GetRow = [&](const Value *V) -> unsigned {
    auto *Operand = dyn_cast<Operation>(V);
    if (!Operand || Operand->isBound())
      return 0;
    unsigned Number = Operand->getInfo().Number.get();
    return Number < R.Rows.size() ? R.Rows[Number] : 0;
  };
  unsigned NumOperands = Op.getNumOperands(), NumWords = R.All.size();
  uint64_t Straight = R.All[Word], Swapped = R.Commuting[Word];
  for (unsigned I = 0; I != R.NumOperands; ++I) {
    unsigned Row = I < NumOperands ? GetRow(Op.getOperand(I)) : 0;
    const uint64_t *Mask =
        &R.Masks[(size_t(Row) * R.NumOperands + I) * 2 * NumWords + Word];
    Straight &= Mask[0];
    Swapped &= Mask[NumWords];
  }
  uint64_t Rules = Straight | Swapped;
  if (R.AnyOfSame && (NumOperands != 2 || Op.getOperand(0) != Op.getOperand(1)))
    Rules &= ~R.OfSame[Word];
  return Rules;
}
