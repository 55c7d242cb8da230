//===- LetDominance.h - Dominance among let bindings ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of a function's scopes (its body and all regions), and dominance in
// it: a value dominates an operation if it is available whenever the operation
// is evaluated. These values dominate an operation: arguments of the enclosing
// scopes, earlier values of these scopes in canonical order, and enclosing
// closures that a `let` binds.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_LETDOMINANCE_H
#define RELAY_ANALYSIS_LETDOMINANCE_H

#include "relay/Pass/AnalysisManager.h"
#include "llvm/ADT/DenseMap.h"

namespace relay {

class LetDominance {
public:
  /// \p F is normalized.
  explicit LetDominance(Function &F);

  /// Returns true if \p Inner is \p Outer or in a region of an operation in it.
  bool encloses(const Block &Outer, const Block &Inner) const;
  /// The innermost scope that encloses both. Takes time by their depth.
  const Block &getCommonScope(const Block &A, const Block &B) const;
  /// Returns true if \p V is there whenever \p Op is evaluated; not of \p Op
  /// itself.
  bool dominates(const Value &V, const Operation &Op) const;

  /// A line for each scope, inner ones indented, with its named values: `#7
  /// relay.if, region 0: #4 %a, #5 %b`.
  void print(raw_ostream &OS) const;

private:
  struct Scope {
    Block *B;
    uint32_t Parent;
    /// The scopes nested in it are numbered up to End.
    uint32_t Begin = 0, End = 0;
    uint32_t Depth = 0;
  };
  const Scope &get(const Block &B) const { return Scopes[Numbers.lookup(&B)]; }
  void findScopes(Function &F);
  void nest();

  /// Outer ones before inner ones.
  SmallVector<Scope, 0> Scopes;
  llvm::DenseMap<const Block *, uint32_t> Numbers;
};

struct LetDominanceAnalysis {
  using Result = LetDominance;
  static AnalysisKey Key;
  static StringRef name() { return "LetDominanceAnalysis"; }
  Result run(Function &F, FunctionAnalysisManager &) { return LetDominance(F); }
};

} // namespace relay

#endif // RELAY_ANALYSIS_LETDOMINANCE_H
