//===- PatternProgram.h - Compiled patterns ---------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of patterns as one flat program: one instruction per node, children
// before parents, and an index from operators to the patterns that may match
// their calls. Matcher runs programs of patterns from all sources: C++,
// TableGen, text.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_MATCH_PATTERNPROGRAM_H
#define RELAY_PATTERN_MATCH_PATTERNPROGRAM_H

#include "relay/Pattern/Match/ExprRef.h"
#include "relay/Pattern/Match/Pattern.h"
#include "llvm/ADT/BitVector.h"

namespace relay {

/// One node of a pattern, compiled.
struct PatternInst {
  /// Returns true if a single check of an expression decides the match.
  bool isLeaf() const {
    return Kind == PatternKind::Operator || Kind == PatternKind::Constant ||
           Kind == PatternKind::Variable ||
           (Kind == PatternKind::Wildcard && !NumChildren);
  }

  PatternKind Kind;
  /// See PatternNode::hasAnyNumber().
  bool AnyNumber = false;
  /// A call that also matches with its arguments in reverse order.
  bool Commutes = false;
  /// True for a call whose arguments are all leaves, such as wildcards.
  bool HasLeaves = false;
  /// True for a part of a regrouped call, which is not in the pattern as
  /// written.
  bool IsHidden = false;
  uint32_t FirstChild = 0, NumChildren = 0;
  /// Calls to try if the operator differs: `a * (b / c)` is also matched as `(b
  /// * a) / c`. Only if an argument is a call of RegroupedArgument.
  uint32_t FirstRegrouping = 0, NumRegroupings = 0;
  const OpInfo *RegroupedOp = nullptr, *RegroupedArgument = nullptr;
  /// Operator: the operator. Call: the callee, if the pattern names it
  /// directly.
  const OpInfo *Op = nullptr;
  /// Attributes: the first value of PatternProgram::getWanted().
  uint32_t FirstWanted = 0;
  /// For Wildcard with a child and for Dominator: the range in
  /// PatternProgram::getReach() of the nodes that a match from here may bind. A
  /// dominator reaches them through its parent.
  uint32_t FirstReached = 0, NumReached = 0;
  /// See PatternProgram::getOperators(); 0 for none.
  uint32_t Operators = 0;
  /// The node that the instruction was compiled from.
  const PatternNode *Source = nullptr;
};

/// Decides when a node that a pattern uses twice matches two constant
/// operations.
enum class ConstantEquality : uint8_t {
  ByIdentity, ///< if they are one operation, as in TVM
  ByValue     ///< if their types and values are equal
};

class PatternProgram {
public:
  /// Compiles \p Patterns, which are kept. Reports unknown operators, and
  /// wildcards with a cycle back to themselves through no other node.
  static FailureOr<PatternProgram>
  compile(Context &Ctx, ArrayRef<Pattern> Patterns,
          ConstantEquality Constants = ConstantEquality::ByIdentity);

  ConstantEquality getConstantEquality() const { return Constants; }

  unsigned getNumPatterns() const { return Patterns.size(); }
  const Pattern &getPattern(unsigned I) const { return Patterns[I]; }
  /// Returns the patterns that may match at \p Op, in order.
  ArrayRef<uint32_t> getCandidates(const Operation &Op) const {
    unsigned N = Op.getInfo().Number.get();
    return LLVM_LIKELY(N < Candidates.size()) ? ArrayRef(Candidates[N])
                                              : ArrayRef(OtherCandidates);
  }
  /// As above, by the number of an operator, if that is less than the number of
  /// lists. For operators with greater numbers use getOtherCandidates().
  ArrayRef<uint32_t> getCandidatesOf(unsigned N) const { return Candidates[N]; }
  unsigned getNumCandidateLists() const { return Candidates.size(); }
  ArrayRef<uint32_t> getOtherCandidates() const { return OtherCandidates; }
  /// Returns the patterns that may match a `let` as a whole, in order.
  ArrayRef<uint32_t> getLetCandidates() const { return LetCandidates; }

  //===--- Instructions ---------------------------------------------------===//
  /// The instructions of pattern \p I are the range from getBegin(I) to
  /// getBegin(I + 1), in post-order, hidden ones last.
  uint32_t getBegin(unsigned I) const { return Begins[I]; }
  uint32_t getRoot(unsigned I) const { return Roots[I]; }
  ArrayRef<PatternInst> getInsts() const { return Insts; }
  const PatternInst &getInst(uint32_t N) const { return Insts[N]; }
  /// Returns the instruction of pattern \p I that was compiled from \p Node.
  std::optional<uint32_t> lookup(unsigned I, const PatternNode &Node) const;
  /// Returns the instruction of pattern \p I whose node has the name \p Label.
  std::optional<uint32_t> lookup(unsigned I, StringRef Label) const;

  uint32_t getChild(const PatternInst &I, unsigned Child) const {
    assert(Child < I.NumChildren);
    return Children[I.FirstChild + Child];
  }
  ArrayRef<uint32_t> getChildren(const PatternInst &I) const {
    return ArrayRef(Children).slice(I.FirstChild, I.NumChildren);
  }
  ArrayRef<uint32_t> getRegroupings(const PatternInst &I) const {
    return ArrayRef(Regroupings).slice(I.FirstRegrouping, I.NumRegroupings);
  }
  ArrayRef<uint32_t> getReach(const PatternInst &I) const {
    return ArrayRef(Reached).slice(I.FirstReached, I.NumReached);
  }
  /// Returns the numbers of the operators of calls that \p I may match, with
  /// the number of constants; null if it may match any other expression.
  const llvm::BitVector *getOperators(const PatternInst &I) const {
    return I.Operators ? &Operators[I.Operators - 1] : nullptr;
  }
  /// Returns true if \p I may match \p E. Costs less than a match.
  bool mayMatch(const PatternInst &I, ExprRef E) const {
    if (!I.Operators)
      return true;
    const Operation *Op = E.getOperation();
    const llvm::BitVector &Wanted = Operators[I.Operators - 1];
    return Op && Op->getInfo().Number.get() < Wanted.size() &&
           Wanted.test(Op->getInfo().Number.get());
  }
  /// Returns the values that an Attributes instruction requires, in order.
  ArrayRef<Attr> getWanted(const PatternInst &I) const {
    return ArrayRef(Wanted).slice(I.FirstWanted,
                                  I.Source->getAttributes().size());
  }

private:
  friend class PatternCompiler;
  PatternProgram() = default;

  ConstantEquality Constants = ConstantEquality::ByIdentity;
  std::vector<Pattern> Patterns;
  SmallVector<PatternInst, 0> Insts;
  SmallVector<uint32_t, 0> Children, Regroupings, Reached;
  SmallVector<Attr, 0> Wanted;
  std::vector<llvm::BitVector> Operators;
  SmallVector<uint32_t, 0> Begins, Roots;
  /// Lists by the number of the operator.
  std::vector<SmallVector<uint32_t, 4>> Candidates;
  SmallVector<uint32_t, 4> OtherCandidates, LetCandidates;
};

} // namespace relay

#endif // RELAY_PATTERN_MATCH_PATTERNPROGRAM_H
