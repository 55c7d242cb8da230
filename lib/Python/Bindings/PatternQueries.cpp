//===- PatternQueries.cpp - Patterns as text, matches and explanations ----===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `relay-opt -match` and `-explain-match` do, on expressions.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "Patterns.h"
#include "relay/Pattern/Text/PatternText.h"
#include "llvm/ADT/SetVector.h"
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

static PatternObject parseText(const std::string &Text) {
  Work W;
  FailureOr<Pattern> P = parsePattern(Text, "pattern", getContext());
  if (failed(P))
    W.raise(ErrorKind::Parse, "the pattern is not valid", "pattern");
  return {*P};
}

static std::string getText(const PatternObject &Self) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << Self.P;
  return Text;
}

static void setLabel(const PatternObject &Self, const std::string &Label) {
  StringRef Old = Self.P->getLabel();
  if (!Old.empty() && Old != Label)
    throw nb::value_error(
        ("the node has the name '" + Old + "' already").str().c_str());
  Self.P.as(Label);
}

/// Returns the names of the nodes of \p P.
static nb::list getLabels(nb::handle P) {
  const Pattern &ThePattern = toPattern(P);
  Work W;
  PatternProgram Program = compilePattern(W, ThePattern);
  llvm::SmallSetVector<StringRef, 4> Labels;
  for (const PatternInst &I : Program.getInsts())
    if (I.Source && !I.Source->getLabel().empty())
      Labels.insert(I.Source->getLabel());
  nb::list List;
  for (StringRef Label : Labels)
    List.append(toPython(Label));
  return List;
}

/// Returns the match of the node \p P; None if it is unbound.
static nb::object lookup(const MatchBindings &Self, nb::handle P) {
  const PatternNode *Wanted = &toPattern(P).getNode();
  nb::list Found;
  for (const auto &[Node, E] : Self.Items)
    if (Node == Wanted)
      Found.append(nb::cast(E));
  return Found.size() ? nb::object(Found) : nb::none();
}

/// Returns the first expression that each named node matched.
static nb::dict getNamed(const MatchBindings &Self) {
  nb::dict Named;
  for (const auto &[Node, E] : Self.Items)
    if (nb::str Label = toPython(Node->getLabel());
        nb::len(Label) && !Named.contains(Label))
      Named[Label] = E;
  return Named;
}

/// Returns the matches in \p E as pairs of a root and bindings.
static nb::list findMatches(nb::handle P, const Expr &E) {
  const Pattern &ThePattern = toPattern(P);
  Work W;
  PatternProgram Program = compilePattern(W, ThePattern);
  nb::list Matches;
  if (!mayMatchIn(Program, E))
    return Matches;
  auto ToRef = [](const Expr *Node) {
    return Expr::Ref(const_cast<Expr *>(Node));
  };
  for (const NodeGroup &G : PatternSearch(W, Program, E).findMatches()) {
    MatchBindings Bindings;
    for (auto [Node, Matched] : G.Bindings)
      Bindings.Items.push_back({Node, ToRef(Matched)});
    Matches.append(
        nb::make_tuple(ToRef(G.Root), nb::cast(std::move(Bindings))));
  }
  return Matches;
}

/// Returns the tried expression, whether it matches, the reasons, and all as
/// text.
static nb::tuple explainPattern(nb::handle P, const Expr &E) {
  const Pattern &ThePattern = toPattern(P);
  Work W;
  PatternProgram Program = compilePattern(W, ThePattern);
  MatchExplanation Found = PatternSearch(W, Program, E).explain();
  nb::list Reasons;
  for (const Diagnostic &Reason : Found.Reasons)
    Reasons.append(toPython(Reason.Message));
  Diagnostic D;
  D.Kind = Severity::Remark;
  D.Loc = Found.TriedLoc;
  D.Message =
      "`" + Found.Tried + "` " + (Found.Matches ? "matches" : "does not match");
  D.Notes = Found.Reasons;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  getContext().getDiagnostics().print(D, OS);
  return nb::make_tuple(Found.Tried, Found.Matches, Reasons,
                        StringRef(Text).rtrim().str());
}

void relay::python::bindPatternQueries(nb::module_ &M) {
  M.def("pattern_parse", parseText, nb::arg("text"));
  M.def("pattern_text", getText, nb::arg("pattern"));
  M.def("pattern_set_label", setLabel, nb::arg("pattern"), nb::arg("label"));
  M.def("pattern_labels", getLabels, nb::arg("pattern"));
  nb::class_<MatchBindings>(M, "MatchBindings",
                            "The matches of the nodes of a pattern.")
      .def("lookup", lookup)
      .def("named", getNamed);
  M.def("pattern_find", findMatches, nb::arg("pattern"), nb::arg("expr"));
  M.def("pattern_explain", explainPattern, nb::arg("pattern"), nb::arg("expr"));
}
