//===- PatternRewrite.h - Rewrites by callbacks -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's rewrite(): callbacks replace matches of their patterns, until a round
// over all patterns leaves the function unchanged.
//
//   Pattern X = wildcard();
//   auto Rewrites = PatternRewrites::get(
//       Ctx, {{"fold-relu-of-relu", isOp<ReluOp>()(isOp<ReluOp>()(X)),
//              [=](const PatternMatch &M, Rewriter &R) -> Value * {
//                return R.create<ReluOp>(M.lookup(X));
//              }}});
//   ... Rewrites->run(F) ...
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_PATTERNREWRITE_H
#define RELAY_PATTERN_REWRITE_PATTERNREWRITE_H

#include "relay/IR/Rewriter.h"
#include "relay/Pattern/Match/Matcher.h"

namespace relay {

struct PatternGroup;

/// A match to be replaced, in its current state, which includes the effects of
/// earlier replacements in the same pass. Lives as long as the callback runs.
class PatternMatch {
public:
  /// Creates \p G's match of pattern \p I of \p Program.
  PatternMatch(const PatternProgram &Program, unsigned I, const PatternGroup &G,
               const llvm::DenseMap<ExprRef, Value *> &Replaced)
      : Program(Program), Pattern(I), G(G), Replaced(Replaced) {}

  /// Returns the root, which is replaced; its inputs may have been replaced
  /// before.
  Operation *getRoot() const;
  /// Returns the value that \p Node, a node of the pattern, matched. Returns
  /// null if it matched an operator, or nothing (in an alternative that was not
  /// taken).
  Value *lookup(const relay::Pattern &Node) const;
  /// Returns the value of the node named \p Label.
  Value *lookup(StringRef Label) const;
  /// Returns all values of \p Node: the path of a dominator matches several.
  SmallVector<Value *, 4> lookupAll(const relay::Pattern &Node) const;
  /// Returns the expression as it was matched.
  ExprRef lookupExpr(const relay::Pattern &Node) const;

private:
  SmallVector<ExprRef, 4> getBindings(std::optional<uint32_t> Inst) const;
  Value *getValue(ExprRef E) const;

  const PatternProgram &Program;
  unsigned Pattern;
  const PatternGroup &G;
  const llvm::DenseMap<ExprRef, Value *> &Replaced;
};

struct PatternRewrite {
  /// The name under which applications are announced.
  std::string Name;
  Pattern P;
  /// Creates the replacement of the root, which may use the root. Returns null
  /// or the root itself to leave the root unchanged. Inputs of the match whose
  /// evaluation has an effect are evaluated before the replacement, in their
  /// original order.
  std::function<Value *(const PatternMatch &M, Rewriter &R)> Apply;
  /// Infers types before each pass, so that all values that the callback reads
  /// are typed.
  bool RequireType = false;
  /// Retires the rewrite after the first pass that changes something, even at
  /// several roots.
  bool Once = false;
};

/// A list of rewrites, compiled. Several threads may run it.
class PatternRewrites {
public:
  /// The limit of rounds for a function, after which its rewriting is
  /// considered endless.
  static constexpr unsigned MaxRounds = 100;

  /// Reports patterns that cannot be compiled.
  static FailureOr<PatternRewrites> get(Context &Ctx,
                                        std::vector<PatternRewrite> Rewrites);

  /// Makes rounds over the rewrites, in order, until a round leaves \p F
  /// unchanged. Each rewrite is applied to all matches in \p F that do not
  /// overlap; outer matches take precedence, and inner ones are replaced first.
  /// F is normalized before and after. Returns the number of replacements.
  /// Fails after MaxRounds, or if F grows without end; the error names the
  /// rewrite that was applied last.
  FailureOr<unsigned> run(Function &F) const;

private:
  friend class PatternRewriteRun;
  PatternRewrites(std::vector<PatternRewrite> Rewrites, PatternProgram Program)
      : Rewrites(std::move(Rewrites)), Program(std::move(Program)) {}

  std::vector<PatternRewrite> Rewrites;
  PatternProgram Program;
};

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_PATTERNREWRITE_H
