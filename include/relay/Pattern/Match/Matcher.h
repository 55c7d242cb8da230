//===- Matcher.h - Running compiled patterns --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches the patterns of a program against expressions of a function, as TVM's
// matcher does: node by node, without backtracking; each node is bound to the
// first expression that it matches. Where TVM aborts, the match fails. The
// matcher is not recursive: patterns that refer to themselves, and the paths of
// dominators, may be as deep as the function.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_MATCH_MATCHER_H
#define RELAY_PATTERN_MATCH_MATCHER_H

#include "relay/Pattern/Match/ExprGraph.h"
#include "relay/Pattern/Match/PatternProgram.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// How a part of a pattern failed.
struct MatchFailure {
  enum class Reason : uint8_t {
    Kind,        ///< another kind of expression, or another name
    Operator,    ///< a call of another operator
    Count,       ///< another number of arguments, fields or parameters
    Index,       ///< another field
    NotTheSame,  ///< the node is bound to another expression
    NotEqual,    ///< not equal to the expression of the pattern
    Attribute,   ///< an attribute is missing or differs
    Type,        ///< another type, element type or shape, or untyped
    NoWay,       ///< Dominator: a path up ends without the parent
    NotDominated ///< Dominator: the parent has other uses, too
  };
  /// Null while nothing has failed.
  const PatternNode *Part = nullptr;
  Reason Why = Reason::Kind;
  /// The expression found instead.
  ExprRef Found;
  /// For NotTheSame: the expression that the node is bound to.
  ExprRef Bound;
  /// For Attribute: the name of the attribute.
  StringRef Attribute;
  /// The progress of the match: the number of enclosing nodes of the pattern,
  /// the number of nodes that had matched, and how close \p Found is.
  uint32_t Depth = 0, NumMatched = 0, Closeness = 0;
};

class Matcher {
public:
  /// A node of a pattern, by the number of its instruction, and the matched
  /// expression.
  struct Binding {
    uint32_t Inst;
    ExprRef Expr;
  };

  /// \p F must be normalized, and typed if patterns have types. \p Program must
  /// outlive this.
  Matcher(const PatternProgram &Program, Function &F);
  ~Matcher();

  const PatternProgram &getProgram() const { return Program; }
  Function &getFunction() const { return F; }

  /// Returns true if pattern \p I matches \p E, which is in the function.
  /// Returns false once the steps are used up; see isExhausted().
  bool match(unsigned I, ExprRef E);
  /// As match(). On failure, sets \p Failure to the failure of the attempt that
  /// got farthest.
  bool match(unsigned I, ExprRef E, MatchFailure &Failure);
  /// Calls \p Callback with the number of each pattern that matches the value
  /// of \p Op or the `let` that begins with \p Op, and with that expression, in
  /// order, until it returns false. Returns true if it never did.
  bool matchAll(Operation &Op, function_ref<bool(unsigned, ExprRef)> Callback);
  /// Returns true if the matches so far took more steps than any useful pattern
  /// needs for a function of this size. Every later match fails.
  bool isExhausted() const { return StepsLeft == 0; }
  /// Makes \p OfPattern, a variable of an expression of the patterns, equal to
  /// the variable \p V of the function. Other variables equal only themselves.
  void identify(const Value *OfPattern, Value *V) { Identified[OfPattern] = V; }
  /// Allows \p Steps from now to the next reset(). For tests.
  void limitSteps(uint64_t Steps) { StepsLeft = Steps; }

  //===--- The last match, until the next one ------------------------------//
  /// In the order of binding, including hidden instructions. The path of a
  /// dominator and the nodes below it may have several bindings: one for each
  /// expression on a path from the dominator, in the order of a depth-first
  /// walk.
  ArrayRef<Binding> getBindings() const { return Trail; }
  /// Returns the first expression bound to \p Node; none if it is unbound.
  ExprRef lookup(const Pattern &Node) const;
  ExprRef lookup(StringRef Label) const;
  /// Returns the expression bound to the instruction \p Inst.
  ExprRef lookup(uint32_t Inst) const {
    return Counts[Inst] ? First[Inst] : ExprRef();
  }
  /// Returns all expressions bound to \p Node.
  SmallVector<ExprRef, 4> lookupAll(const Pattern &Node) const;

  /// Returns the flow between expressions of the function, computed on demand.
  const ExprGraph &getGraph();
  /// Must be called after the function has changed and has been normalized
  /// again.
  void reset();

private:
  enum class Outcome : uint8_t { No, Yes, Pending };
  /// An instruction that is being matched.
  struct Frame {
    uint32_t Inst;
    uint32_t Next; ///< the next child, argument or regrouping
    ExprRef E;
    uint32_t Mark; ///< the bindings before it
    uint32_t Aux;  ///< Call: the bindings before the arguments
    uint8_t Phase;
    bool IsSwapped; ///< Call: arguments are in reverse order
    /// True if all nodes that this may bind were unbound before.
    bool IsClean;
    bool WasInPath;
  };
  /// The paths up from a dominator that are being followed.
  struct WayItem {
    ExprRef E;
    uint32_t Next;    ///< input
    bool HasFollowed; ///< an input
    bool IsClean;
  };
  struct Way {
    SmallVector<WayItem, 8> Items;
    llvm::DenseSet<ExprRef> Walked;
  };

  bool run(uint32_t Root, ExprRef E);
  Outcome visit(uint32_t N, ExprRef E);
  Outcome visitNew(uint32_t N, ExprRef E);
  bool isSame(ExprRef A, ExprRef B) const;
  void spendSteps(uint64_t Number) { StepsLeft -= std::min(StepsLeft, Number); }
  Frame &push(uint32_t N, ExprRef E);
  Outcome finish(Outcome O);
  Outcome step(Frame &Top, Outcome Last);

  // Kinds of instructions.
  Outcome visitLeaf(uint32_t N, ExprRef E, bool Matches,
                    MatchFailure::Reason Why);
  Outcome visitCall(uint32_t N, ExprRef E);
  Outcome visitDirectCall(uint32_t N, ExprRef E);
  bool matchLeaves(const PatternInst &I, ExprRef E, bool IsSwapped);
  Outcome visitLeafCall(uint32_t N, ExprRef E, bool IsSwapped);
  Outcome visitAlternative(uint32_t N, ExprRef E);
  Outcome visitTuple(uint32_t N, ExprRef E);
  Outcome visitProjection(uint32_t N, ExprRef E);
  Outcome visitFunction(uint32_t N, ExprRef E);
  Outcome visitRecursive(uint32_t N, ExprRef E);
  Outcome visitTyped(uint32_t N, ExprRef E);
  Outcome stepCall(Frame &Top, const PatternInst &I, Outcome Last);
  Outcome stepArguments(Frame &Top, const PatternInst &I, Outcome Last);
  Outcome stepRegrouped(Frame &Top, const PatternInst &I, Outcome Last);
  Outcome stepList(Frame &Top, const PatternInst &I, Outcome Last);
  Outcome stepAlternative(Frame &Top, const PatternInst &I, Outcome Last);
  Outcome stepInner(Frame &Top, const PatternInst &I, Outcome Last);
  Outcome stepDominator(Frame &Top, const PatternInst &I, Outcome Last);
  Outcome checkAttributes(uint32_t N, ExprRef E);
  Outcome checkDominance(const Frame &Top, const PatternInst &I);
  Outcome endWay(const Frame &Top, ExprRef At);
  bool isOfType(const PatternInst &I, ExprRef E) const;
  Type *getTypeOf(ExprRef E) const;

  // Bindings.
  void bind(uint32_t N, ExprRef E);
  void undo(size_t Mark);
  bool isAnyBound(ArrayRef<uint32_t> Insts) const;
  /// Returns the key of \p N, in a path or not, in Hopeless.
  std::pair<uint64_t, ExprRef> getHopelessKey(uint32_t N, ExprRef E) const {
    return {uint64_t(N) * 2 + InPath, E};
  }
  Outcome fail(uint32_t N, ExprRef E, MatchFailure::Reason Why,
               StringRef Attribute = "") {
    if (LLVM_UNLIKELY(Failure != nullptr))
      recordFailure(N, E, Why, Attribute);
    return Outcome::No;
  }
  void recordFailure(uint32_t N, ExprRef E, MatchFailure::Reason Why,
                     StringRef Attribute);

  const PatternProgram &Program;
  Function &F;
  std::unique_ptr<ExprGraph> Graph;
  SmallVector<Frame, 0> Stack;
  SmallVector<Way, 0> Ways;
  SmallVector<Binding, 0> Trail;
  /// By instruction: the first expression, and the number of them.
  SmallVector<ExprRef, 0> First;
  SmallVector<uint32_t, 0> Counts;
  /// True while the path of a dominator is matched, where bindings are ignored.
  bool InPath = false;
  unsigned LastPattern = 0;
  uint64_t StepsLeft;
  MatchFailure *Failure = nullptr;
  llvm::DenseMap<const Value *, Value *> Identified;
  /// Attempts that failed while all nodes that they may bind were unbound, and
  /// that therefore fail again in that state: wildcards, and paths up from
  /// dominators (by instruction, and whether in a path).
  llvm::DenseSet<std::pair<uint64_t, ExprRef>> Hopeless;
};

} // namespace relay

#endif // RELAY_PATTERN_MATCH_MATCHER_H
