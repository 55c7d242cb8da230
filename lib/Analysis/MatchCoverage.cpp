//===- MatchCoverage.cpp - Whether clauses cover all values ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clauses are a matrix of patterns, one row each, for a list that at first
// has one value. Its first column is resolved case by case: a value built by a
// constructor is replaced by its fields. A list of values without columns left
// is unmatched when no row is left.
//
// The search for an unmatched list is depth-first, on its own stack, since
// patterns nest as deep as the text.
//
//===----------------------------------------------------------------------===//

#include "MatchCoverage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace relay;

namespace {
using Row = SmallVector<const MatchPattern *, 4>; // null: matches anything

/// A node of the case that is being built: constructor (empty for a tuple, or
/// for `_` with no fields at all) and number of fields, in prefix order.
struct CaseNode {
  StringRef Constructor;
  unsigned NumFields = 0;
  bool IsTuple = false;
};

/// Rows that are left for the values that begin as \c Prefix.
struct State {
  std::vector<Row> Rows;
  unsigned NumColumns;
  std::vector<CaseNode> Prefix;
};

class CoverageSearch {
public:
  explicit CoverageSearch(const Module &M) : M(M) {}
  std::optional<std::string> run(ArrayRef<MatchPattern *> Clauses);

private:
  void split(State S);
  void pushTupleCase(const State &S, unsigned NumFields);
  void pushConstructorCases(const State &S, const TypeDef &Def);
  void push(const State &S, CaseNode Node, ArrayRef<unsigned> Rows);

  static constexpr size_t MaxWork = 1000000;

  const Module &M;
  std::vector<State> Stack;
  size_t Work = 0;
};
} // namespace

static bool matchesAnything(const MatchPattern *P) {
  return !P || P->K == MatchPattern::Kind::Wildcard ||
         P->K == MatchPattern::Kind::Var;
}

/// The case in the syntax of patterns.
static std::string print(ArrayRef<CaseNode> Prefix) {
  std::string Text;
  SmallVector<unsigned, 8> Open; // fields left at each level
  for (const CaseNode &N : Prefix) {
    Text += N.Constructor;
    if (!N.IsTuple && N.Constructor.empty())
      Text += '_';
    if (N.IsTuple || N.NumFields)
      Text += '(';
    if (N.NumFields) {
      Open.push_back(N.NumFields);
      continue;
    }
    if (N.IsTuple)
      Text += ')';
    while (!Open.empty() && --Open.back() == 0) {
      Text += ')';
      Open.pop_back();
    }
    if (!Open.empty())
      Text += ", ";
  }
  return Text;
}

std::optional<std::string>
CoverageSearch::run(ArrayRef<MatchPattern *> Clauses) {
  State First{{}, 1, {}};
  for (const MatchPattern *P : Clauses)
    First.Rows.push_back({P});
  Stack.push_back(std::move(First));
  while (!Stack.empty() && Work < MaxWork) {
    State S = std::move(Stack.back());
    Stack.pop_back();
    if (S.NumColumns && !S.Rows.empty()) {
      split(std::move(S));
      continue;
    }
    if (!S.Rows.empty())
      continue;
    S.Prefix.resize(S.Prefix.size() + S.NumColumns);
    return print(S.Prefix);
  }
  return std::nullopt;
}

/// The rows of \p S whose first pattern matches anything or is of a case, as \p
/// IsOfCase says.
static SmallVector<unsigned, 8>
findRows(const State &S, function_ref<bool(const MatchPattern &)> IsOfCase) {
  SmallVector<unsigned, 8> Rows;
  for (auto [I, R] : llvm::enumerate(S.Rows))
    if (matchesAnything(R.front()) || IsOfCase(*R.front()))
      Rows.push_back(I);
  return Rows;
}

/// Replaces the first column of \p S by what its cases have in it.
void CoverageSearch::split(State S) {
  const MatchPattern *Decisive = nullptr;
  for (const Row &R : S.Rows)
    if (!matchesAnything(R.front())) {
      Decisive = R.front();
      break;
    }
  if (!Decisive)
    return push(S, {}, findRows(S, [](const MatchPattern &) { return false; }));
  if (Decisive->K == MatchPattern::Kind::Tuple)
    return pushTupleCase(S, Decisive->Children.size());
  if (const Constructor *C = M.lookupConstructor(Decisive->Constructor))
    pushConstructorCases(S, *C->Parent);
}

void CoverageSearch::pushTupleCase(const State &S, unsigned NumFields) {
  push(S, {"", NumFields, true}, findRows(S, [&](const MatchPattern &P) {
         return P.K == MatchPattern::Kind::Tuple &&
                P.Children.size() == NumFields;
       }));
}

void CoverageSearch::pushConstructorCases(const State &S, const TypeDef &Def) {
  SmallVector<unsigned, 8> OfAll = findRows(S, [](auto &) { return false; });
  llvm::StringMap<SmallVector<unsigned, 2>> RowsOf;
  for (auto [I, R] : llvm::enumerate(S.Rows))
    if (const MatchPattern *P = R.front();
        !matchesAnything(P) && P->K == MatchPattern::Kind::Constructor)
      RowsOf[P->Constructor].push_back(I);
  // The last is searched first.
  for (const auto &C : llvm::reverse(Def.Constructors)) {
    unsigned NumFields = C->Fields.size();
    SmallVector<unsigned, 2> Own = RowsOf.lookup(C->Name);
    llvm::erase_if(Own, [&](unsigned I) {
      return S.Rows[I].front()->Children.size() != NumFields;
    });
    SmallVector<unsigned, 8> Rows;
    std::merge(OfAll.begin(), OfAll.end(), Own.begin(), Own.end(),
               std::back_inserter(Rows));
    push(S, {C->Name, NumFields, false}, Rows);
  }
}

/// Pushes the case \p Node, with \p Rows of \p S remaining. Does nothing once
/// the search has exceeded its budget, which ends it.
void CoverageSearch::push(const State &S, CaseNode Node,
                          ArrayRef<unsigned> Rows) {
  if (Work >= MaxWork)
    return;
  State New{{}, S.NumColumns - 1 + Node.NumFields, S.Prefix};
  New.Prefix.push_back(Node);
  Work += 1 + Rows.size() * (New.NumColumns + 1) + New.Prefix.size();
  for (unsigned I : Rows) {
    const Row &R = S.Rows[I];
    const MatchPattern *P = R.front();
    Row NewRow;
    if (matchesAnything(P))
      NewRow.resize(Node.NumFields);
    else
      NewRow.append(P->Children.begin(), P->Children.end());
    NewRow.append(R.begin() + 1, R.end());
    New.Rows.push_back(std::move(NewRow));
  }
  Stack.push_back(std::move(New));
}

std::optional<std::string>
relay::findUnmatchedCase(const Module &M, ArrayRef<MatchPattern *> Clauses) {
  return CoverageSearch(M).run(Clauses);
}
