//===- PatternRewrite.h - Replacing what matches ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's rewrite(): callbacks replace what their patterns match, until a round
// over all of them leaves the function as it was.
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

/// A match that is about to be replaced, as it is now: what other replacements
/// of the same pass have made of it. Lives as long as the callback runs.
class PatternMatch {
public:
  /// Of \p G, a match of pattern \p I of \p Program.
  PatternMatch(const PatternProgram &Program, unsigned I, const PatternGroup &G,
               const llvm::DenseMap<ExprRef, Value *> &Replaced)
      : Program(Program), Pattern(I), G(G), Replaced(Replaced) {}

  /// The root, which is replaced; its inputs may have been replaced before.
  Operation *getRoot() const;
  /// The value that \p Node, a node of the pattern, matched; null where that is
  /// no value (an operator) and where it matched nothing (the other side of an
  /// alternative).
  Value *lookup(const relay::Pattern &Node) const;
  /// The value of the node named \p Label.
  Value *lookup(StringRef Label) const;
  /// All of them: the path of a dominator matches several.
  SmallVector<Value *, 4> lookupAll(const relay::Pattern &Node) const;
  /// The expression as it was matched.
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
  /// What applications are announced as.
  std::string Name;
  Pattern P;
  /// Makes the replacement of the root, which may use the root; null or the
  /// root itself to leave it. Inputs of the match whose evaluation has an
  /// effect are evaluated in the same order before the replacement.
  std::function<Value *(const PatternMatch &M, Rewriter &R)> Apply;
  /// Infer types before each pass, so that all the callback sees has one.
  bool RequireType = false;
  /// Retire after the first pass that changes something, be it in many places.
  bool Once = false;
};

/// A list of rewrites, compiled. Several threads may run it.
class PatternRewrites {
public:
  /// A function that takes this many rounds is taken for one that never ends.
  static constexpr unsigned MaxRounds = 100;

  /// Reports patterns that cannot be compiled.
  static FailureOr<PatternRewrites> get(Context &Ctx,
                                        std::vector<PatternRewrite> Rewrites);

  /// Makes rounds over the rewrites, in order, each over all matches in \p F
  /// that do not overlap, the outermost ones first chosen and inner ones first
  /// replaced, until a round leaves \p F as it was. F is normalized before and
  /// after. Returns how many replacements were made. Fails after MaxRounds, and
  /// where F grows without end; the error names the rewrite that applied last.
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
