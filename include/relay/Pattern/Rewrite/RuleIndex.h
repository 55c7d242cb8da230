//===- RuleIndex.h - Which rules may match at an operation ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Filters PatternProgram's candidates for an operator: omits rules whose root
// has operands of other operators. All candidates are checked together: each is
// a bit of a word, and each operand a mask, so that an operation costs the same
// for one rule and for sixty-four.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_RULEINDEX_H
#define RELAY_PATTERN_REWRITE_RULEINDEX_H

#include "relay/Pattern/Match/PatternProgram.h"

namespace relay {

class RuleIndex {
public:
  explicit RuleIndex(const PatternProgram &Program);

  /// Returns the number of words of candidates of \p Op.
  unsigned getNumWords(const Operation &Op) const {
    return getRoot(Op).All.size();
  }
  /// Returns the candidates of \p Op (\p Program.getCandidates()), from number
  /// 64 * \p Word on, that may match at it; the lowest bit is the first
  /// candidate.
  uint64_t getWord(const Operation &Op, unsigned Word) const {
    const Root &R = getRoot(Op);
    return R.NumOperands || R.AnyOfSame ? filter(R, Op, Word) : R.All[Word];
  }

private:
  /// Requirements of the rules of one operator on the operands of its calls.
  struct Root {
    SmallVector<uint64_t, 1> All;
    /// Rules that also match with swapped operands, and rules that have the
    /// same value as both operands.
    SmallVector<uint64_t, 1> Commuting, OfSame;
    bool AnyOfSame = false;
    /// The number of leading operands on which some rule has a requirement.
    unsigned NumOperands = 0;
    /// Rows of Masks by the number of an operator. Row 0 is for variables and
    /// for all operators without requirements.
    SmallVector<uint16_t, 0> Rows;
    /// By row and operand: the words of the rules that accept it at this
    /// position, then the words of the rules that accept it at the other
    /// position.
    SmallVector<uint64_t, 0> Masks;
  };
  class Builder;

  const Root &getRoot(const Operation &Op) const {
    unsigned N = Op.getInfo().Number.get();
    return LLVM_LIKELY(N < Roots.size()) ? Roots[N] : Other;
  }
  static uint64_t filter(const Root &R, const Operation &Op, unsigned Word);

  /// Roots by the number of the operator.
  std::vector<Root> Roots;
  /// The root of operators with greater numbers.
  Root Other;
};

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_RULEINDEX_H
