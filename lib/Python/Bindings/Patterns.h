//===- Patterns.h - Dataflow patterns over expressions ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns as Python has them, and their matches in expressions. An expression
// is converted to IR to be matched; the results refer to its nodes. Rewriting
// and partitioning build new expressions.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_PATTERNS_H
#define RELAY_LIB_PYTHON_BINDINGS_PATTERNS_H

#include "ModuleObject.h"
#include "relay/Pattern/Match/MatchExplanation.h"
#include "relay/Pattern/Match/Matcher.h"
#include <optional>

namespace relay::python {

/// A node of a pattern. The classes of Python are derived from it.
struct PatternObject {
  Pattern P;
};

/// Maps the expressions of the IR to the nodes that they were written from or
/// that were read from them.
class ExprMap {
public:
  ExprMap() = default;
  /// \p Root is the expression of the normalized IR for the node \p Node. \p
  /// Size is about the number of pairs.
  ExprMap(relay::ExprRef Root, const Expr &Node, size_t Size);

  /// Returns the node of \p E; null if it is not part of the expression.
  const Expr *lookup(relay::ExprRef E) const { return Nodes.lookup(E); }
  /// The pairs in the order of discovery, users first.
  ArrayRef<std::pair<relay::ExprRef, const Expr *>> getPairs() const {
    return Pairs;
  }

private:
  llvm::DenseMap<relay::ExprRef, const Expr *> Nodes;
  SmallVector<std::pair<relay::ExprRef, const Expr *>, 0> Pairs;
};

/// A match that is rewritten or partitioned, in terms of nodes; see
/// relay::PatternGroup.
struct NodeGroup {
  unsigned Number;
  const Expr *Root;
  SmallVector<std::pair<const PatternNode *, const Expr *>, 8> Bindings;
  SmallVector<const Expr *, 4> Params;
  SmallVector<const Expr *, 8> Nodes;
};

/// The nodes of a pattern and their matches.
struct MatchBindings {
  SmallVector<std::pair<const PatternNode *, Expr::Ref>, 8> Items;
};

/// Matches a program of one pattern in an expression. Raises exceptions of
/// relay_opt.errors.
class PatternSearch {
public:
  /// With \p RequireType, infers the types of \p Root, which become the checked
  /// types of its nodes; \p Mod, which may be null, has the functions that it
  /// calls. Types are also inferred if the pattern needs them.
  PatternSearch(Work &W, const PatternProgram &Program, const Expr &Root,
                ModuleObject *Mod = nullptr, bool RequireType = false);

  size_t getNumValues() const { return F->getNumValues(); }
  /// Returns true if the pattern matches the whole expression.
  bool match();
  /// Returns the matches that do not overlap, inner ones first.
  std::vector<NodeGroup> findGroups();
  /// Returns all matches at operations and whole `let`s, inner ones first, with
  /// their bindings. They may overlap.
  std::vector<NodeGroup> findMatches();
  /// Tries the pattern on the whole expression.
  MatchExplanation explain();

private:
  Function *write(StringRef Name);
  void addTypes(bool RequireType);
  void addKnownTypes();
  void identifyVariables();
  const ExprMap &getMap();
  void checkSteps();
  void addBindings(ArrayRef<Matcher::Binding> Bindings, NodeGroup &G);

  Work &W;
  const PatternProgram &Program;
  const Expr &Root;
  std::unique_ptr<Module> M;
  Function *F = nullptr;
  std::optional<Matcher> Match;
  std::optional<ExprMap> Map;
};

/// Compiles \p P. Raises ExprError.
PatternProgram compilePattern(Work &W, const Pattern &P);
/// Returns false if the pattern of \p Program certainly matches nothing in \p
/// Root. Costs less than a search.
bool mayMatchIn(const PatternProgram &Program, const Expr &Root);
/// Returns the pattern that \p Object holds. Raises TypeError.
const Pattern &toPattern(nb::handle Object);
/// Returns a pattern of expressions that are equal to \p E.
Pattern makeExprPattern(const Expr::Ref &E);
/// The free variables of the expression of a pattern, with their values.
ArrayRef<std::pair<Expr::Ref, const Value *>>
getPatternVariables(const Value *PatternExpression);

/// Returns a copy of \p Node with other children of the same kinds. It keeps
/// the checked type and the spans.
Expr::Ref copyWithChildren(const Expr &Node, std::vector<Expr::Ref> Children);

/// Builds an expression anew, with some nodes replaced.
class ExprRebuilder {
public:
  /// Returns the replacement of a node, given its copy with rebuilt children;
  /// null for the copy itself.
  using ReplaceFn =
      llvm::function_ref<Expr::Ref(const Expr &Node, const Expr &Copy)>;

  /// \p Size is about the number of nodes that will be visited.
  explicit ExprRebuilder(size_t Size = 0) { New.reserve(Size); }

  /// Replaces \p Node, whose children are then not visited.
  void replace(const Expr &Node, Expr::Ref By);
  /// Returns \p Root rebuilt. Calls \p Replace for each node, children first.
  /// \p Root must live until the rebuilder is destroyed.
  Expr::Ref run(const Expr &Root, ReplaceFn Replace);
  /// Returns what a visited node has become.
  const Expr *lookup(const Expr *Node) const { return New.lookup(Node); }

private:
  const Expr *rebuild(const Expr &Node);

  llvm::DenseMap<const Expr *, const Expr *> New;
  std::vector<Expr::Ref> Owned;
};

/// Returns true if \p L and \p R are equal up to the names of variables, free
/// ones included, with equal sharing.
bool areStructurallyEqual(const Expr &L, const Expr &R);

void bindPatternRewrites(nb::module_ &M);
void bindPatternQueries(nb::module_ &M);

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_PATTERNS_H
