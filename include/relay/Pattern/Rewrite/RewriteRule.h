//===- RewriteRule.h - Rules ------------------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule replaces expressions that a pattern matches. Rules are declared in
// TableGen (see RewriteBase.td); relay-tblgen generates these objects. A
// RuleSet is a list of rules, compiled to one program for a Context;
// RewriteDriver.h applies them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_REWRITERULE_H
#define RELAY_PATTERN_REWRITE_REWRITERULE_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Match/Matcher.h"
#include "relay/Pattern/Rewrite/RuleIndex.h"
#include "llvm/ADT/BitmaskEnum.h"
#include <functional>

namespace relay {

/// A part of a pattern whose match a rule reads.
struct RuleCapture {
  Pattern Part;
  /// The operator that the match must be a call of; null for any. A regrouped
  /// pattern also matches other operators.
  const OpInfo *Op = nullptr;
  /// True if the pattern can match without it: it is in an alternative.
  bool IsOptional = false;
};

/// A match of the pattern of a rule. Valid while the matched operations exist.
class RuleMatch {
public:
  RuleMatch(Operation *Root, ArrayRef<Value *> Captured)
      : Root(Root), Captured(Captured) {}

  Operation *getRoot() const { return Root; }
  /// Returns the value of capture \p I; null if its alternative did not match.
  Value *getValue(unsigned I) const { return Captured[I]; }
  /// Returns the value of capture \p I as an operation of class OpT.
  template <typename OpT> OpT getOp(unsigned I) const {
    return Captured[I] ? OpT(cast<Operation>(Captured[I])) : OpT();
  }

private:
  Operation *Root;
  ArrayRef<Value *> Captured;
};

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// Values for which the rule, like TVM's, may change the result.
enum class ExceptedNumbers : uint8_t {
  None = 0,
  NotFinite = 1 << 0,     ///< NaN and infinities
  IntegerLimits = 1 << 1, ///< the least and the greatest integer of a type
  NarrowFloats = 1 << 2,  ///< float16 and bfloat16
  LLVM_MARK_AS_BITMASK_ENUM(NarrowFloats)
};

struct RewriteRule {
  RewriteRule(StringRef Name, StringRef Summary, Pattern Source)
      : Name(Name.str()), Summary(Summary.str()), Source(std::move(Source)) {}

  std::string Name;
  std::string Summary; ///< one line, no full stop; may be empty
  /// The position of the rule in its file; unknown for rules of TableGen and
  /// C++.
  Location Loc;
  /// Matches calls at its root.
  Pattern Source;
  std::vector<RuleCapture> Captures;
  /// Numbers that the test of rules omits.
  ExceptedNumbers Except = ExceptedNumbers::None;
  /// Patterns of instances of the rule, for tests; if empty, Source is used.
  std::vector<Pattern> Examples;
  /// If several rules match, the rule with the greatest benefit is applied.
  int64_t Benefit = 1;
  /// True if nodes below the root may have uses that do not lead to it.
  bool SharesInner = false;
  /// All rules of a set must agree.
  ConstantEquality Constants = ConstantEquality::ByIdentity;
  /// Returns true if the rule is to be applied. Changes nothing.
  std::function<bool(const RuleMatch &)> Check;
  /// Explains why Check refuses; empty if there is nothing to report. May be
  /// null.
  std::function<std::string(const RuleMatch &)> ExplainCheck;
  /// Returns the condition that made Check fail, `isFilledWith($one, 1)`; empty
  /// if Check accepts. Null for rules whose conditions have no names.
  std::string (*NameFailed)(const RuleMatch &) = nullptr;
  /// Creates the replacement, which has the type of the root, and announces
  /// nothing. The insertion point is at the root. Returns null after an error,
  /// which has been reported.
  std::function<Value *(Rewriter &, const RuleMatch &)> Build;
};

/// Sorts the rules by decreasing benefit. The sort is stable.
void sortByBenefit(std::vector<RewriteRule> &Rules);

/// A compiled list of rules.
class RuleSet {
public:
  /// Orders \p Rules by benefit and compiles them. Reports patterns that match
  /// no calls at their root, and patterns that cannot be matched in a changing
  /// function: dominators and recursive patterns.
  static FailureOr<RuleSet> compile(Context &Ctx,
                                    std::vector<RewriteRule> Rules);

  Context &getContext() const { return Ctx; }
  const PatternProgram &getProgram() const { return Program; }
  ArrayRef<RewriteRule> getRules() const { return Rules; }
  const RewriteRule &getRule(unsigned I) const { return Rules[I]; }
  /// Returns the instructions of the captures of rule \p I.
  ArrayRef<uint32_t> getCaptured(unsigned I) const { return Captured[I]; }
  /// Returns true if a rule may match at \p Op, judged by its operator and the
  /// operators of its operands.
  bool hasCandidates(const Operation &Op) const {
    for (unsigned I = 0, E = Index.getNumWords(Op); I != E; ++I)
      if (Index.getWord(Op, I))
        return true;
    return false;
  }
  /// Returns the rules that may match at \p Op by the same test, in order.
  SmallVector<uint32_t, 8> getCandidates(const Operation &Op) const;
  /// Returns the number of levels of operations in the deepest pattern.
  unsigned getDepth() const { return Depth; }

private:
  RuleSet(Context &Ctx, PatternProgram Program)
      : Ctx(Ctx), Program(std::move(Program)), Index(this->Program) {}
  bool checkPattern(const RewriteRule &Rule, unsigned I) const;
  void addCaptured(const RewriteRule &Rule, unsigned I);

  Context &Ctx;
  PatternProgram Program;
  RuleIndex Index;
  std::vector<RewriteRule> Rules;
  std::vector<SmallVector<uint32_t, 8>> Captured;
  unsigned Depth = 1;
};

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_REWRITERULE_H
